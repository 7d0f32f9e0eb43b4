"""What archives answered, kept for weeks, and when they asked to be left alone."""

from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.db import models


class ArchiveAnswer(models.Model):
    """What an archive answered to one question, or what a capture of it turned out to be."""

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
        """Keep an answer for so long, in the place of an older one."""
        cls.objects.update_or_create(
            key=key, defaults={"value": value, "asked_at": now, "expires_at": now + length}
        )


class ArchiveBackoff(models.Model):
    """An archive that failed or asked to be left alone. Its row goes with its next answer."""

    archive = models.CharField(max_length=255, primary_key=True)
    until = models.DateTimeField()
    failures = models.PositiveIntegerField(default=0, help_text="In a row.")
    error = models.CharField(max_length=200)

    class Meta:
        default_permissions = ()
        indexes: ClassVar = []

    def __str__(self) -> str:
        return f"{self.archive} until {self.until:%c}"
