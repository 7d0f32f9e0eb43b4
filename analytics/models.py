"""History of views, by subject and day; it outlives Redis."""

from typing import ClassVar

from django.db import models


class DailyMetrics(models.Model):
    """What one subject was viewed on one day (UTC). Source: docs/requirements.md#snippets-data."""

    subject = models.CharField(
        max_length=100, help_text="A snippet's id, or “short:” and the key of a short link."
    )
    day = models.DateField()
    views = models.PositiveBigIntegerField(default=0)
    uniques_estimate = models.PositiveBigIntegerField(
        default=0, help_text="Different visitors of the day, to about 1 %."
    )

    class Meta:
        verbose_name_plural = "daily metrics"
        indexes: ClassVar = [models.Index(fields=["day", "id"], name="metrics_day")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["subject", "day"], name="metrics_subject_day")
        ]

    def __str__(self) -> str:
        return f"{self.subject} on {self.day}: {self.views}"
