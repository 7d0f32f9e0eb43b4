from collections.abc import Iterator

from checker.engine.verdict_table import advise
from foundation import app
from foundation.database.paging import in_pages
from targets import advice_provider


class CheckerConfig(app.App):
    name = "checker"
    scope = "targets"  # checks belong to targets
    rights_of_members = ("view_checkresult",)
    counters = ("icon_requests",)

    def ready(self) -> None:
        """Give `targets` the summaries and suggestions from the table of verdicts."""
        advice_provider.set_provider(advise)

    def export_owned(self, user_id: int) -> Iterator[app.OwnedRows]:
        from checker.models import ResultReport  # models can't be imported at the top

        reports = ResultReport.objects.filter(user=user_id)
        fields = ("comment", "checked_at", "created_at")
        yield (
            "reports",
            ({name: getattr(row, name) for name in fields} for row in in_pages(reports)),
        )
