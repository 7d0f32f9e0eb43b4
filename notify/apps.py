from foundation import app


class NotifyConfig(app.App):
    name = "notify"
    id_prefixes = {"channel": "c_", "subscription": "n_"}
    scope, scope_label = "channels", "Only channels"
    rights_of_members = (
        *("view_channel", "add_channel", "change_channel", "delete_channel"),
        *("view_subscription", "add_subscription", "change_subscription", "delete_subscription"),
    )
