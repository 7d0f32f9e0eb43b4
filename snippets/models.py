"""Snippets of text, the tags they are found by, and a note of those that were removed."""

from datetime import datetime
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from foundation.database.ids import PublicIdField
from foundation.tags import TagBase, Tagged

MAX_TITLE = 200
MAX_LANGUAGE = 32


class SnippetState(models.TextChoices):
    """Whether a snippet can be read."""

    LIVE = "live", "live"
    EXPIRED = "expired", "expired"


class SnippetQuerySet(models.QuerySet["Snippet"]):
    def live(self, now: datetime) -> Self:
        """Snippets that can be read at `now`."""
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now))

    def expired(self, before: datetime) -> Self:
        """Snippets whose time was over by `before`, longest ago first."""
        return self.filter(expires_at__lte=before).order_by("expires_at")

    def in_state(self, state: SnippetState, now: datetime) -> Self:
        """Snippets that are in this state at `now`."""
        return self.live(now) if state is SnippetState.LIVE else self.filter(expires_at__lte=now)

    def with_state(self, now: datetime) -> Self:
        """Load with each snippet whether its time was over by `now` (`is_past`)."""
        return self.annotate(is_past=Q(expires_at__isnull=False, expires_at__lte=now))

    def for_lists(self) -> Self:
        """Load what a list shows: tags in one more query, and no content."""
        return self.defer("content").prefetch_related("tags")


class Snippet(Tagged):
    """A piece of text with an end, perhaps. Source: docs/requirements.md#snippets-data."""

    id = PublicIdField(kind="snippet", primary_key=True)
    title = models.CharField(max_length=MAX_TITLE, blank=True)
    content = models.TextField()
    size = models.PositiveIntegerField(editable=False, help_text="Of the content, in bytes.")
    language = models.CharField(max_length=MAX_LANGUAGE, blank=True)
    stays_plain = models.BooleanField(
        default=False,
        editable=False,
        help_text="Highlighting this content took too long; tried again when it changes.",
    )
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField(db_index=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(
        default=1, editable=False, help_text="Raised by each change by PATCH or in the admin."
    )

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        db_index=False,  # snippet_owner_page begins with it
        related_name="+",
    )

    objects = SnippetQuerySet.as_manager()

    is_past: bool  # only from with_state()

    class Meta:
        ordering: ClassVar = ["created_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["created_at", "id"], name="snippet_page"),
            models.Index(
                fields=["owner", "created_at", "id"],
                name="snippet_owner_page",
                condition=Q(owner__isnull=False),
            ),
            models.Index(
                fields=["expires_at"],
                name="snippet_expiry",
                condition=Q(expires_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.id

    def get_absolute_url(self) -> str:
        """Return the address of its page."""
        return f"/snippets/{self.id}"

    def has_expired(self, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now


class TagQuerySet(models.QuerySet["Tag"]):
    def of_live_snippets(self, name: str, now: datetime) -> Self:
        """This tag on each snippet that can be read at `now`, with the snippet as lists show it."""
        live = Q(snippet__expires_at=None) | Q(snippet__expires_at__gt=now)
        rows = self.filter(live, name=name).select_related("snippet").defer("snippet__content")
        return rows.prefetch_related("snippet__tags")


class Tag(TagBase):
    """A word on a snippet, with the snippet's time: a page by tag is an index range."""

    snippet = models.ForeignKey(
        Snippet,
        on_delete=models.CASCADE,
        related_name="tags",
        db_index=False,  # the constraint's index begins with it
    )

    objects = TagQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["snippet", "name"], name="one_tag_per_snippet_and_name")
        ]
        indexes: ClassVar = [
            models.Index(fields=["name", "created_at", "snippet"], name="tag_page")
        ]


class RemovedSnippet(models.Model):
    """Which snippet went a moment ago: should the caches not have heard of it, they will."""

    id = PublicIdField(kind="snippet", primary_key=True)
    removed_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.id
