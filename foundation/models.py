"""Models of the foundation."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from foundation import scopes
from foundation.token_bounds import TokenBounds


class IdempotencyKey(models.Model):
    """The first response to a create request with an Idempotency-Key."""

    principal = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    path = models.CharField(max_length=255)
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)  # SHA-256 of the body, as hex
    body = models.TextField()  # JSON; empty only inside the creating transaction
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["principal", "path", "key"], name="one_answer_per_idempotency_key"
            )
        ]

    def __str__(self) -> str:
        return f"{self.key} at {self.path}"


class TokenTerms(models.Model):
    """The name, scope and bounds of an API token.

    A token without this row may do everything that its user may.
    """

    token = models.OneToOneField(
        "knox.AuthToken", on_delete=models.CASCADE, primary_key=True, related_name="terms"
    )
    name = models.CharField(max_length=100, blank=True)
    scope = models.CharField(max_length=10, default=scopes.WRITE)
    last_used_at = models.DateTimeField(null=True)  # with minute precision
    bounds = models.JSONField(
        null=True, help_text="A list of hosts and beginnings of URLs; null: any URL."
    )

    class Meta:
        verbose_name_plural = "terms of tokens"

    def __str__(self) -> str:
        return self.name

    @property
    def scope_label(self) -> str:
        """The token's scope, in words."""
        return scopes.LABELS.get(self.scope, self.scope)

    @property
    def bound_to(self) -> TokenBounds | None:
        """The URLs that the token may look up; None for any."""
        return None if self.bounds is None else TokenBounds(tuple(self.bounds))


class KeyDigest(models.Model):
    """A digest of the SECRET_KEY that this database's processes share: one row, not a secret."""

    digest = models.CharField(max_length=64)  # HMAC-SHA256 of a constant, as hex

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return "one key for all"
