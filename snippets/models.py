"""Snippets of text, the tags they are found by, and a note of those that were removed."""

from datetime import datetime
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from accounts.actors import Actor
from accounts.roles import Role
from foundation.database.ids import PublicIdField
from foundation.tags import TagBase, Tagged

MAX_TITLE = 200
MAX_LANGUAGE = 32
MOST_VIEWS = 1_000  # that may be all there are


class SnippetState(models.TextChoices):
    """Whether a snippet can be read."""

    LIVE = "live", "live"
    EXPIRED = "expired", "expired"


class Visibility(models.TextChoices):
    """Who may know of a snippet."""

    PUBLIC = "public", "public"
    UNLISTED = "unlisted", "unlisted"  # readable at its address, and in no list of others
    PRIVATE = "private", "private"  # its owner's, and the operators'


def _is_listed(by: Actor, of: str = "") -> Q:
    """What is not for everybody is in no list but its owner's and the operators'.

    `of` leads to the snippet.
    """
    if by.user is None or by.role is Role.OPERATOR:
        return Q()
    public = Q(**{f"{of}visibility": Visibility.PUBLIC, f"{of}max_views": None})
    return public | Q(**{f"{of}owner": by.user})


class SnippetQuerySet(models.QuerySet["Snippet"]):
    def reached_by(self, by: Actor) -> Self:
        """Snippets that it may know of whatever their visibility, and change with the right to."""
        rows = by.reach(self)
        if by.role is Role.VIEWER:
            rows = rows.filter(~Q(visibility=Visibility.PRIVATE) | Q(owner=by.user))
        return rows

    def listed_to(self, by: Actor) -> Self:
        """Snippets that are in lists for it."""
        return by.reach(self).filter(_is_listed(by))

    def listed_publicly(self) -> Self:
        """Snippets that may appear in lists of popular snippets."""
        return self.filter(visibility=Visibility.PUBLIC, max_views=None)

    def use_one_view(self, snippet_id: str, now: datetime) -> bool:
        """Count one view of a snippet with `max_views`, in one statement; False if none is left."""
        snippet = self.live(now).filter(pk=snippet_id, views_left__gt=0)
        return snippet.update(views_left=F("views_left") - 1) > 0

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
    visibility = models.CharField(
        max_length=8, choices=Visibility.choices, default=Visibility.PUBLIC
    )
    max_views = models.PositiveIntegerField(null=True, blank=True)
    views_left = models.PositiveIntegerField(null=True, blank=True, editable=False)
    written_at = models.DateTimeField(
        null=True, editable=False, help_text="Its text as it is now; empty: when it was created."
    )
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        db_index=False,
        related_name="+",
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

    @property
    def is_private(self) -> bool:
        """Whether nobody may know of it but its owner and operators."""
        return self.visibility == Visibility.PRIVATE

    @property
    def is_sealed(self) -> bool:
        """Whether each look at its content counts, so that only who asks for it has one."""
        return self.max_views is not None

    @property
    def is_used_up(self) -> bool:
        """Whether it has been looked at for the last time; then there is no content any more."""
        return self.views_left == 0

    @property
    def is_guarded(self) -> bool:
        """Whether nothing of it may be kept where everybody reads."""
        return self.is_private or self.is_sealed

    def may_be_read_by(self, by: Actor | None) -> bool:
        """Return whether somebody, or who is nobody we know, may know of it by its address."""
        if not self.is_private:
            return True
        if by is None or by.user is None:
            return by is not None
        if not by.user.has_perm("snippets.view_snippet"):
            return False
        is_own = by.owner is not None and self.owner_id == by.owner.pk
        return is_own or (by.role is not Role.VIEWER and by.reaches(self.owner_id))


class SnippetVersion(models.Model):
    """The text of a snippet as it was before an edit: its `number`th version."""

    snippet = models.ForeignKey(
        Snippet,
        on_delete=models.CASCADE,
        related_name="versions",
        db_index=False,  # the constraint's index begins with it
    )
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=MAX_TITLE, blank=True)
    content = models.TextField()
    size = models.PositiveIntegerField(help_text="Of the content, in bytes.")
    language = models.CharField(max_length=MAX_LANGUAGE, blank=True)
    at = models.DateTimeField(help_text="When it was written.")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        db_index=False,
        related_name="+",
    )

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["snippet", "number"], name="one_snippet_version_per_number"
            )
        ]

    def __str__(self) -> str:
        return f"Version {self.number}"


class TagQuerySet(models.QuerySet["Tag"]):
    def of_live_snippets(self, name: str, now: datetime, *, by: Actor) -> Self:
        """This tag on each snippet that can be read at `now`, with the snippet as lists show it.

        Of those that are in lists for `by`.
        """
        live = Q(snippet__expires_at=None) | Q(snippet__expires_at__gt=now)
        reached = by.reach(self, owner="snippet__owner")
        rows = (
            reached.filter(live, _is_listed(by, of="snippet__"), name=name)
            .select_related("snippet")
            .defer("snippet__content")
        )
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
