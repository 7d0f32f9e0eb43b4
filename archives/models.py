"""Cached results of requests to archives, backoffs, consents to saving, and pages to save."""

from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from targets.models import Target


class ArchiveAnswer(models.Model):
    """The result of a request to an archive, or the classification of one of its captures."""

    key = models.CharField(max_length=64, primary_key=True)  # a digest of the request
    value = models.JSONField(null=True)
    asked_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.key

    @classmethod
    def store(cls, key: str, value: Any, *, now: datetime, ttl: timedelta) -> None:
        """Store a result for `ttl`, replacing an older one."""
        cls.objects.update_or_create(
            key=key, defaults={"value": value, "asked_at": now, "expires_at": now + ttl}
        )


class ArchiveBackoff(models.Model):
    """An archive that failed or asked for a pause; deleted when it works again.

    The service that saves pages has its own row, which also stores a pause (`archives.saving`).
    """

    archive = models.CharField(max_length=255, primary_key=True)
    until = models.DateTimeField()
    failures = models.PositiveIntegerField(default=0, help_text="Failures in a row.")
    error = models.CharField(max_length=200)

    class Meta:
        default_permissions = ()
        indexes: ClassVar = []

    def __str__(self) -> str:
        return f"{self.archive} until {self.until:%c}"


class SaveConsent(models.Model):
    """A user's consent to having the pages of their references saved in public archives.

    The foreign key has no constraint, because version 0.2.0 deletes accounts without knowing about
    this table.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        db_constraint=False,
        related_name="+",
    )
    given_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.user_id}"


class SaveState(models.TextChoices):
    """The progress of saving a page."""

    WAITING = "waiting", "waiting"
    OFFERED = "offered", "being saved"
    SAVED = "saved", "saved"
    FAILED = "failed", "failed"
    WITHHELD = "withheld", "not submitted"


class PageSave(models.Model):
    """A new page that an archive is asked to save, with the result and the time of the next step.

    The foreign key has no constraint, because version 0.2.0 deletes targets without knowing about
    this table.
    """

    target = models.OneToOneField(
        Target, on_delete=models.CASCADE, primary_key=True, related_name="+", db_constraint=False
    )
    state = models.CharField(max_length=8, choices=SaveState.choices, default=SaveState.WAITING)
    queued_at = models.DateTimeField()
    offered_at = models.DateTimeField(null=True, help_text="When the URL was disclosed.")
    ended_at = models.DateTimeField(null=True)
    act_at = models.DateTimeField(
        null=True, help_text="When to offer the page or poll the job; null: never."
    )
    job = models.CharField(
        max_length=100, blank=True, help_text="The id that the service assigned."
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    polls = models.PositiveSmallIntegerField(default=0, help_text="How often the job was polled.")
    address = models.TextField(blank=True)
    captured_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=200, blank=True)

    class Meta:
        default_permissions = ()
        indexes: ClassVar = [
            models.Index(
                fields=["state", "act_at"],
                name="save_due",
                condition=models.Q(act_at__isnull=False),
            ),
            models.Index(fields=["queued_at", "target"], name="save_page"),
        ]

    def __str__(self) -> str:
        return f"{self.target_id}: {self.state}"
