from foundation import app


class SnippetsConfig(app.App):
    name = "snippets"
    id_prefixes = {"snippet": "s_"}
    scope, scope_label = "snippets", "Only snippets"
    rights_of_members = ("view_snippet", "add_snippet", "change_snippet", "delete_snippet")
