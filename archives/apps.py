from collections.abc import Iterator

from foundation import app


class ArchivesConfig(app.App):
    name = "archives"
    counters = (
        *("archive_requests", "archive_failures", "copies_found"),
        *("pages_offered", "pages_saved"),
    )

    def export_owned(self, user_id: int) -> Iterator[app.OwnedRows]:
        """Yield the account's consent to page saving with its time; no row without consent."""
        from archives.models import SaveConsent

        consents = SaveConsent.objects.filter(pk=user_id).values("given_at")
        yield "archive_saves", (dict(row) for row in consents)
