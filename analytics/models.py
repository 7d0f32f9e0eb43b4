"""History of views by subject and day, for links also by hour and month; it outlives Redis."""

from collections.abc import Collection
from datetime import date
from operator import attrgetter
from typing import ClassVar, TypeVar

from django.db import models

M = TypeVar("M", bound=models.Model)
Key = tuple[str, date]


class HistoryQuerySet(models.QuerySet[M]):
    def lock(self, keys: Collection[Key], *, period: str) -> dict[Key, M]:
        """Lock and return the rows of these subjects and days (or months); create missing ones.

        `period` is the name of the day's or month's column. Runs two statements; call it in a
        transaction. Locks rows in the order of their primary keys, because other processes lock
        them, too; also locks rows of other combinations of these subjects and days.
        """
        self.bulk_create(
            [self.model(subject=subject, **{period: when}) for subject, when in sorted(keys)],
            ignore_conflicts=True,
        )
        subjects, periods = {key[0] for key in keys}, {key[1] for key in keys}
        rows = (
            self.filter(subject__in=subjects, **{f"{period}__in": periods})
            .select_for_update()
            .order_by("pk")
        )
        key_of = attrgetter("subject", period)
        return {key_of(row): row for row in rows if key_of(row) in keys}


class DailyMetrics(models.Model):
    """The views of one subject on one day (UTC), or of a whole month in the row of its first day.

    `view_history.fold` merges the days of a month that is older than VIEWS_RETENTION. Source:
    docs/requirements.md#snippets-data.
    """

    subject = models.CharField(
        max_length=100, help_text="A snippet's id, or “short:” and the key of a short link."
    )
    day = models.DateField()
    views = models.PositiveBigIntegerField(default=0)
    uniques_estimate = models.PositiveBigIntegerField(
        default=0, help_text="Different visitors of the day, to about 1 %."
    )

    objects = HistoryQuerySet["DailyMetrics"].as_manager()

    class Meta:
        verbose_name_plural = "daily metrics"
        indexes: ClassVar = [models.Index(fields=["day", "id"], name="metrics_day")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["subject", "day"], name="metrics_subject_day")
        ]

    def __str__(self) -> str:
        return f"{self.subject} on {self.day}: {self.views}"


class HourlyMetrics(models.Model):
    """Hourly views (UTC) of one day of a link, kept for `visit_counters.KEPT_DAYS`."""

    subject = models.CharField(max_length=100)
    day = models.DateField()
    hours = models.JSONField(default=list, help_text="The views in each hour, from 0 to 23.")

    objects = HistoryQuerySet["HourlyMetrics"].as_manager()

    class Meta:
        verbose_name_plural = "hourly metrics"
        indexes: ClassVar = [models.Index(fields=["day"], name="metrics_hours_day")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["subject", "day"], name="metrics_subject_hours")
        ]

    def __str__(self) -> str:
        return f"{self.subject} on {self.day}"


class MonthlyMetrics(models.Model):
    """The dimensions of a link's visits in one month (UTC): referrer, device, country."""

    subject = models.CharField(max_length=100)
    month = models.DateField(help_text="The first day of the month.")
    views = models.PositiveBigIntegerField(
        default=0, help_text="Visits whose referrer, device and country are counted."
    )
    sources = models.JSONField(
        default=dict, help_text="For each dimension its values with their views."
    )

    objects = HistoryQuerySet["MonthlyMetrics"].as_manager()

    class Meta:
        verbose_name_plural = "monthly metrics"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["subject", "month"], name="metrics_subject_month")
        ]

    def __str__(self) -> str:
        return f"{self.subject} in {self.month:%Y-%m}"
