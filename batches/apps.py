from collections.abc import Iterator
from datetime import datetime

from foundation import app
from foundation.database.paging import in_pages


class BatchesConfig(app.App):
    name = "batches"
    id_prefixes = {"batch": "b_"}
    scope, scope_label = "batches", "Only batches of URLs"
    is_scope_bindable = True
    rights_of_members = ("view_batch", "add_batch", "delete_batch")

    def export_owned(self, user_id: int) -> Iterator[app.OwnedRows]:
        from batches.models import Batch  # imports models, which are not loaded yet

        yield (
            "batches",
            (
                {
                    "id": row.pk,
                    "created_at": row.created_at,
                    "urls": list(row.items.order_by("number").values_list("url", flat=True)),
                }
                for row in in_pages(Batch.objects.filter(owner=user_id))
            ),
        )

    def delete_owned(self, user_id: int, *, now: datetime, limit: int) -> int:
        """Delete one batch of the account, or none; return how many.

        Only one per transaction, because a batch has up to 5,000 items.
        """
        from batches.models import Batch  # imports models, which are not loaded yet

        ids = list(Batch.objects.filter(owner=user_id).values_list("pk", flat=True)[:1])
        Batch.objects.filter(pk__in=ids).delete()
        return len(ids)
