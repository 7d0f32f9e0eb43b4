"""Stored answers of archives, their backoffs, and the pages that they should save."""

from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from targets.models import Target


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
    """An archive that failed or asked for a pause; deleted at its next answer.

    The service that saves pages has its own row, which also stores a pause (`archives.saving`).
    """

    archive = models.CharField(max_length=255, primary_key=True)
    until = models.DateTimeField()
    failures = models.PositiveIntegerField(default=0, help_text="In a row.")
    error = models.CharField(max_length=200)

    class Meta:
        default_permissions = ()
        indexes: ClassVar = []

    def __str__(self) -> str:
        return f"{self.archive} until {self.until:%c}"


class SaveConsent(models.Model):
    """A user's consent that pages which only their references name are saved in public archives.

    It has no constraint on its account, because 0.2.0, which does not know this table, deletes
    accounts.
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

    It has no constraint on its target, which 0.2.0 deletes without it.
    """

    target = models.OneToOneField(
        Target, on_delete=models.CASCADE, primary_key=True, related_name="+", db_constraint=False
    )
    state = models.CharField(max_length=8, choices=SaveState.choices, default=SaveState.WAITING)
    queued_at = models.DateTimeField()
    offered_at = models.DateTimeField(null=True, help_text="The URL was disclosed then.")
    ended_at = models.DateTimeField(null=True)
    act_at = models.DateTimeField(null=True, help_text="When to offer it or to ask on; null: over.")
    job = models.CharField(max_length=100, blank=True, help_text="As the service names it.")
    attempts = models.PositiveSmallIntegerField(default=0)
    polls = models.PositiveSmallIntegerField(default=0, help_text="Of the job.")
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
