from foundation import app


class LookupsConfig(app.App):
    name = "lookups"
    scope, scope_label = "lookups", "Only to look up URLs"
    is_scope_bindable = True
