"""Stored answers of archives, and their backoffs."""

from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.db import models


class ArchiveAnswer(models.Model):
    """An archive's answer to a question, or the classification of one of its captures."""

    key = models.CharField(max_length=64, primary_key=True)  # a digest of the question
    value = models.JSONField(null=True)
    asked_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.key

    @classmethod
    def keep(cls, key: str, value: Any, *, now: datetime, length: timedelta) -> None:
        """Store an answer for `life`, replacing an older one."""
        cls.objects.update_or_create(
            key=key, defaults={"value": value, "asked_at": now, "expires_at": now + length}
        )


class ArchiveBackoff(models.Model):
    """An archive that failed or asked to be left alone; deleted at its next answer."""

    archive = models.CharField(max_length=255, primary_key=True)
    until = models.DateTimeField()
    failures = models.PositiveIntegerField(default=0, help_text="In a row.")
    error = models.CharField(max_length=200)

    class Meta:
        default_permissions = ()
        indexes: ClassVar = []

    def __str__(self) -> str:
        return f"{self.archive} until {self.until:%c}"
