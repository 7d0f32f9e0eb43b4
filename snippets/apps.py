from collections.abc import Iterator
from datetime import datetime

from foundation import app


class SnippetsConfig(app.App):
    name = "snippets"
    id_prefixes = {"snippet": "s_"}
    scope, scope_label = "snippets", "Only snippets"
    rights_of_members = ("view_snippet", "add_snippet", "change_snippet", "delete_snippet")

    def export_owned(self, user_id: int) -> Iterator[app.OwnedRows]:
        from snippets import owned  # imports models, which are not loaded yet

        return owned.export(user_id)

    def delete_owned(self, user_id: int, *, now: datetime, limit: int) -> int:
        from snippets import owned

        return owned.delete(user_id, now=now, limit=limit)
