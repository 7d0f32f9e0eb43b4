from foundation import app


class TargetsConfig(app.App):
    name = "targets"
    id_prefixes = {"target": "t_", "scan": "sc_"}
    counters = ("scan_references_ended",)
    scope, scope_label = "targets", "Only targets and their checks"
    rights_of_members = (
        *("view_target", "add_target", "view_transition"),
        *("view_reference", "add_reference", "change_reference", "delete_reference"),
        *("view_publiclist", "add_publiclist", "change_publiclist", "delete_publiclist"),
    )
