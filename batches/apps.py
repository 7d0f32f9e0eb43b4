from foundation import app


class BatchesConfig(app.App):
    name = "batches"
    id_prefixes = {"batch": "b_"}
    scope, scope_label = "batches", "Only to check batches of URLs"
    rights_of_members = ("view_batch", "add_batch", "delete_batch")
