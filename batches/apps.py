from collections.abc import Iterator

from foundation import app
from foundation.database.paging import in_pages


class BatchesConfig(app.App):
    name = "batches"
    id_prefixes = {"batch": "b_"}
    scope, scope_label = "batches", "Only to check batches of URLs"
    rights_of_members = ("view_batch", "add_batch", "delete_batch")

    def export_owned(self, user_id: int) -> Iterator[app.OwnedRows]:
        from batches.models import Batch  # wants models, which are not there yet

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
