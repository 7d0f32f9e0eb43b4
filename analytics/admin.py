"""The history of views, for operators."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from unfold.decorators import display

from analytics.live_messages import public_id
from analytics.models import DailyMetrics
from foundation.admin.pages import ReadOnlyAdmin, column, link


@admin.register(DailyMetrics)
class DailyMetricsAdmin(ReadOnlyAdmin):
    """Views of each subject by day, or by month after VIEWS_RETENTION; saved every minute."""

    list_display = ("day", "subject_link", "views", "visitors")
    ordering = ("-day", "-pk")
    search_fields = ("subject",)
    fields = ("day", "subject_link", "views", "visitors")
    sortable_by = ()  # no other order has an index
    search_help_text = "The exact ID of a snippet, or “short:” and the exact key of a short link"
    help_texts: ClassVar[Mapping[str, str]] = {"visitors": "On that day, accurate to about 1%."}

    visitors = column("uniques_estimate", "Unique visitors")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[DailyMetrics], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find a subject's rows by index; a search within subjects would read the whole table."""
        term = search_term.strip()
        return (queryset.filter(subject=term) if term else queryset), False

    @display(description="Subject")  # type: ignore[untyped-decorator]
    def subject_link(self, metrics: DailyMetrics) -> SafeString:
        """A link to the page of the snippet or short link."""
        id_ = public_id(metrics.subject)
        is_snippet = id_ == metrics.subject
        return link(f"/snippets/{id_}" if is_snippet else f"/s/{id_}+", metrics.subject)
