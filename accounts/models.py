"""Invitations: how people get in, for nobody signs up."""

from datetime import datetime
from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from accounts.roles import CHOICES


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self, now: datetime) -> Self:
        """Invitations that may still be accepted, the newest first."""
        return self.filter(accepted_at=None, expires_at__gt=now).order_by("-created_at", "-id")


class Invitation(models.Model):
    """A link that lets one person in, once, with a role. Of its secret only the hash is kept."""

    role = models.CharField(max_length=20, choices=CHOICES)
    email = models.EmailField(blank=True)  # where it was sent, if it was
    secret_hash = models.CharField(max_length=64, unique=True)  # SHA-256, as hex
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    objects = InvitationQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["created_at", "id"], name="invitation_created")]

    def __str__(self) -> str:
        return f"{self.get_role_display()} {self.email}".strip()
