"""The history of views, for operators to look at."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from linkwatch.analytics.models import DailyMetrics
from linkwatch.lib.admin import HistoryAdmin


@admin.register(DailyMetrics)
class DailyMetricsAdmin(HistoryAdmin):
    """Views of each subject and day, saved every minute."""

    list_display = ("day", "subject", "views", "uniques_estimate")
    ordering = ("-day", "-pk")
    search_fields = ("subject",)
    search_help_text = "A snippet's id, or “short:” and the key of a short link, in full"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[DailyMetrics], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find one subject by its index; a search within subjects would read the whole table."""
        term = search_term.strip()
        return (queryset.filter(subject=term) if term else queryset), False
