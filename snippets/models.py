"""Snippets of text, their versions and tags, and recently removed ones."""

from datetime import datetime
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from accounts import sharing
from accounts.actors import Actor
from accounts.roles import Role
from accounts.sharing import Shared, page_indexes
from foundation.database.ids import PublicIdField
from foundation.tags import TagBase, Tagged

MAX_TITLE = 200
MAX_LANGUAGE = 32
MAX_VIEWS = 1_000  # the largest view limit


class SnippetState(models.TextChoices):
    """Whether a snippet has expired."""

    LIVE = "live", "live"
    EXPIRED = "expired", "expired"


class Visibility(models.TextChoices):
    """Who may see a snippet."""

    PUBLIC = "public", "public"
    UNLISTED = "unlisted", "unlisted"  # readable by its URL, but not listed for others
    PRIVATE = "private", "private"  # for operators, its owner and the people with whom it is shared


def _is_listed(by: Actor, prefix: str = "") -> Q:
    """Return a condition for the snippets that are listed for an actor who may see them.

    Operators and the deployment get all; others get public ones without a view limit, their own,
    and those shared with them. `prefix` is the start of lookups, from the row to the snippet.
    """
    if by.user is None or by.role is Role.OPERATOR:
        return Q()
    public = Q(**{f"{prefix}visibility": Visibility.PUBLIC, f"{prefix}max_views": None})
    return public | _is_shared(by, prefix)


def _is_shared(by: Actor, prefix: str = "") -> Q:
    """Return a condition for snippets of the user or their teams, and for those for everyone."""
    is_held = sharing.owned_or_in_team(owner=by.user, teams=by.teams, path=prefix)
    return is_held | Q(**{f"{prefix}for_everyone": True})


class SnippetQuerySet(models.QuerySet["Snippet"]):
    def visible_to(self, actor: Actor, *, to_change: bool = False) -> Self:
        """Return the snippets that the actor may see, or change, listed or not."""
        rows = actor.reach(self, to_change=to_change)
        if actor.role is Role.VIEWER:
            rows = rows.filter(~Q(visibility=Visibility.PRIVATE) | _is_shared(actor))
        return rows

    def listed_to(self, actor: Actor) -> Self:
        """Return the snippets that are listed for the actor."""
        return actor.reach(self).filter(_is_listed(actor))

    def listed_publicly(self) -> Self:
        """Return the snippets that are listed for everybody: public ones without a view limit."""
        return self.filter(visibility=Visibility.PUBLIC, max_views=None)

    def use_one_view(self, snippet_id: str, now: datetime) -> bool:
        """Use one view of a snippet with `max_views`, in one statement.

        Returns False if no views are left, or the snippet has no limit, has expired or is missing.
        """
        snippet = self.live(now).filter(pk=snippet_id, views_left__gt=0)
        return snippet.update(views_left=F("views_left") - 1) > 0

    def live(self, now: datetime) -> Self:
        """Return the snippets that have not expired at `now`."""
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now))

    def expired(self, before: datetime) -> Self:
        """Return the snippets that had expired by `before`, longest ago first."""
        return self.filter(expires_at__lte=before).order_by("expires_at")

    def in_state(self, state: SnippetState, now: datetime) -> Self:
        """Return the snippets that are in this state at `now`."""
        return self.live(now) if state is SnippetState.LIVE else self.filter(expires_at__lte=now)

    def with_state(self, now: datetime) -> Self:
        """Annotate whether each snippet had expired by `now` (`is_past`)."""
        return self.annotate(is_past=Q(expires_at__isnull=False, expires_at__lte=now))

    def for_lists(self) -> Self:
        """Load the data for lists: tags and teams in a query each, but no content."""
        return self.defer("content").prefetch_related("tags", "team")


class Snippet(Shared, Tagged):
    """A piece of text, optionally with an expiry. Source: docs/requirements.md#snippets-data."""

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
        null=True,
        editable=False,
        help_text="When the current text was written; empty: at creation.",
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
            *page_indexes("snippet", "created_at", "id"),
        ]

    def __str__(self) -> str:
        return self.title or self.id

    def get_absolute_url(self) -> str:
        """Return the path of the snippet's page."""
        return f"/snippets/{self.id}"

    def has_expired(self, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now

    @property
    def is_private(self) -> bool:
        """Whether only operators, the owner and those with whom it is shared may see it."""
        return self.visibility == Visibility.PRIVATE

    @property
    def is_sealed(self) -> bool:
        """Whether views of its content are limited, so that it must be revealed explicitly."""
        return self.max_views is not None

    @property
    def is_used_up(self) -> bool:
        """Whether the last view has been used, so that the content is deleted."""
        return self.views_left == 0

    @property
    def is_guarded(self) -> bool:
        """Whether it must not be stored in shared caches."""
        return self.is_private or self.is_sealed

    def may_be_read_by(self, by: Actor | None) -> bool:
        """Return whether an actor, or an anonymous reader (None), may see it by its URL."""
        if not self.is_private:
            return True
        if by is None or by.user is None:
            return by is not None
        if not by.user.has_perm("snippets.view_snippet"):
            return False
        if by.holds(self) or self.for_everyone:
            return True
        return by.sees_all and by.role is not Role.VIEWER


class SnippetVersion(models.Model):
    """A former text of a snippet; `number` is the snippet's last `version` with this text."""

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
    def on_live_snippets(self, name: str, now: datetime, *, by: Actor) -> Self:
        """Return the tags on snippets that are listed for `by` and have not expired at `now`.

        Loads the snippets with them, as for lists.
        """
        live = Q(snippet__expires_at=None) | Q(snippet__expires_at__gt=now)
        visible = by.reach(self, owner="snippet__owner")
        rows = (
            visible.filter(live, _is_listed(by, prefix="snippet__"), name=name)
            .select_related("snippet")
            .defer("snippet__content")
        )
        return rows.prefetch_related("snippet__tags", "snippet__team")


class Tag(TagBase):
    """A tag on a snippet, with the snippet's time: a page of snippets by tag is an index range."""

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
    """A recently removed snippet, which caches that missed the removal must forget."""

    id = PublicIdField(kind="snippet", primary_key=True)
    removed_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.id
