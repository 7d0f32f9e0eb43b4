from collections.abc import Iterator

from foundation import app
from foundation.database.paging import in_pages


class NotifyConfig(app.App):
    name = "notify"
    id_prefixes = {"channel": "c_", "subscription": "n_"}
    scope, scope_label = "channels", "Only channels"
    rights_of_members = (
        *("view_channel", "add_channel", "change_channel", "delete_channel"),
        *("view_subscription", "add_subscription", "change_subscription", "delete_subscription"),
    )

    def export_owned(self, user_id: int) -> Iterator[app.OwnedRows]:
        from notify.models import Channel  # wants models, which are not there yet

        channels = Channel.objects.filter(owner=user_id, batch=None)
        fields = ("kind", "name", "settings", "created_at")
        yield (
            "channels",
            ({name: getattr(row, name) for name in fields} for row in in_pages(channels)),
        )
