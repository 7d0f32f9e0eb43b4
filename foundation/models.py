"""Rows of the foundation."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class IdempotencyKey(models.Model):
    """The first answer to a create with an Idempotency-Key."""

    principal = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    path = models.CharField(max_length=255)
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)  # SHA-256 of the body, as hex
    body = models.TextField()  # JSON; empty only inside the transaction that creates
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["principal", "path", "key"], name="one_answer_per_idempotency_key"
            )
        ]

    def __str__(self) -> str:
        return f"{self.key} at {self.path}"
