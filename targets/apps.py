from collections.abc import Iterator
from datetime import datetime

from foundation import app


class TargetsConfig(app.App):
    name = "targets"
    id_prefixes = {"target": "t_", "scan": "sc_", "repair": "rp_"}
    counters = ("scan_references_ended", "repaired_references", "repairs_undone")
    scope, scope_label = "targets", "Only targets and their checks"
    rights_of_members = (
        *("view_target", "add_target", "view_transition"),
        *("view_reference", "add_reference", "change_reference", "delete_reference"),
        *("view_publiclist", "add_publiclist", "change_publiclist", "delete_publiclist"),
    )

    def export_owned(self, user_id: int) -> Iterator[app.OwnedRows]:
        from targets import owned  # imports models, which are not loaded yet

        return owned.export(user_id)

    def delete_owned(self, user_id: int, *, now: datetime, limit: int) -> int:
        from targets import owned

        return owned.delete(user_id, now=now, limit=limit)
