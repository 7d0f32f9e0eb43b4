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
        # Imported here, because Django loads this module before any models.
        from notify.kinds import kind_of
        from notify.models import Channel

        channels = Channel.objects.filter(owner=user_id, batch=None)
        fields = ("what", "host", "reference_prefix", "when", "hour", "time_zone")
        yield (
            "channels",
            (
                {
                    "kind": row.kind,
                    "name": row.name,
                    "settings": kind_of(row.kind).settings_to_show(row.settings),
                    "subscriptions": list(row.subscriptions.order_by("pk").values(*fields)),
                    "created_at": row.created_at,
                }
                for row in in_pages(channels)
            ),
        )
