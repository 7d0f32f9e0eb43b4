from collections.abc import Iterator
from datetime import datetime

from foundation import app


class ShortenerConfig(app.App):
    name = "shortener"
    scope, scope_label = "shortener", "Only short links"
    counters = ("gone_pages",)  # notices of dead destinations
    rights_of_members = ("view_shorturl", "add_shorturl", "change_shorturl", "delete_shorturl")

    def export_owned(self, user_id: int) -> Iterator[app.OwnedRows]:
        from shortener import owned  # imports models, which are not loaded yet

        return owned.export(user_id)

    def delete_owned(self, user_id: int, *, now: datetime, limit: int) -> int:
        from shortener import owned

        return owned.delete(user_id, now=now, limit=limit)
