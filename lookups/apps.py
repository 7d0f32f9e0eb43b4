from foundation import app


class LookupsConfig(app.App):
    name = "lookups"
    scope, scope_label = "lookups", "Only URL lookups"
    is_scope_bindable = True
