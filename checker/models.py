"""What checks found, one row each."""

from typing import ClassVar

from django.db import models

from targets.models import Target
from targets.state import Outcome


class CheckResult(models.Model):
    """One check of a target, with its evidence. Source: seed 000, table check_results."""

    target = models.ForeignKey(
        Target, on_delete=models.CASCADE, related_name="results", db_index=False
    )
    checked_at = models.DateTimeField(db_index=True)
    outcome = models.CharField(max_length=12, choices=[(o.value, o.value) for o in Outcome])
    reason = models.CharField(max_length=32, blank=True)
    status_code = models.PositiveSmallIntegerField(null=True)
    latency_ms = models.PositiveIntegerField()
    error = models.TextField(null=True)  # noqa: DJ001 (null means success, as in seed 000)
    attempts = models.PositiveSmallIntegerField()
    final_url = models.TextField()
    redirects = models.JSONField(default=list)
    moved_to = models.TextField(blank=True, help_text="Where permanent redirects lead.")
    flags = models.JSONField(default=list)
    evidence = models.JSONField(default=dict)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["target", "-checked_at", "-id"], name="result_page")
        ]

    def __str__(self) -> str:
        return f"{self.outcome} {self.reason}".strip()
