"""Short links, retired keys, and the runs of the reaper."""

from collections.abc import Collection
from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from accounts.sharing import Shared, page_indexes
from foundation.tags import TagBase, Tagged
from shortener.short_keys import MAX_LENGTH
from targets.canonical import MAX_URL_BYTES
from targets.models import Target


class LinkState(models.TextChoices):
    """Whether a link redirects. In any state but ACTIVE, it returns 410 and the state as `reason`.

    `tone` is the colour of the state's badge.
    """

    tone: str

    ACTIVE = "active", "success", "active"
    EXPIRED = "expired", "warning", "expired"
    USED_UP = "used_up", "warning", "limit reached"
    DISABLED = "disabled", "error", "disabled"

    def __new__(cls, value: str, tone: str = "") -> Self:
        state = str.__new__(cls, value)
        state._value_, state.tone = value, tone
        return state


class WhenGone(models.TextChoices):
    """What people get while the watched destination of a link is dead."""

    PAGE = "page", "People see a notice first"
    LEAD_ON = "lead_on", "Everybody is redirected"
    ARCHIVE = "archive", "Everybody is redirected to a verified copy, if there is one"


class Reason(models.TextChoices):
    """Why a key was retired."""

    EXPIRED = LinkState.EXPIRED.value, "expired"
    DELETED = "deleted", "deleted"


class ShortURLQuerySet(models.QuerySet["ShortURL"]):
    def expired(self, before: datetime) -> Self:
        """Return the links that had expired by `before`, including disabled ones."""
        return self.filter(expires_at__lte=before)

    def active(self, now: datetime) -> Self:
        """Return the links that redirect at `now`."""
        return self.filter(
            ~Q(visits_left=0),
            Q(expires_at=None) | Q(expires_at__gt=now),
            disabled=False,
        )

    def ending(self, now: datetime, *, before: datetime) -> Self:
        """Return active links, owned or watched, that expire by `before`, earliest first.

        Links whose end was already announced are left out.
        """
        is_relevant = Q(owner__isnull=False) | Q(target__isnull=False)
        soon = self.active(now).filter(is_relevant, expires_at__gt=now, expires_at__lte=before)
        return soon.filter(end_told=False).order_by("expires_at")

    def in_state(self, state: LinkState, now: datetime) -> Self:
        """Return the links that are in this state at `now`, as `ShortURL.state` defines it."""
        has_ended = Q(expires_at__isnull=False, expires_at__lte=now)
        match state:
            case LinkState.ACTIVE:
                return self.active(now)
            case LinkState.EXPIRED:
                return self.filter(has_ended, disabled=False)
            case LinkState.USED_UP:
                return self.filter(~has_ended, visits_left=0, disabled=False)
            case LinkState.DISABLED:
                return self.filter(disabled=True)

    def use_one_visit(self, key: str, now: datetime) -> bool:
        """Use one visit of a link with `max_visits`; return False if the link is not active."""
        link = self.active(now).filter(pk=key, visits_left__gt=0)
        return link.update(visits_left=F("visits_left") - 1) > 0

    def with_notice(self, target_ids: Collection[str]) -> Self:
        """Return the links to these targets that show people a notice while the target is dead."""
        return self.filter(target__pk__among=target_ids, when_gone=WhenGone.PAGE)

    def with_details(self) -> Self:
        """Load targets with the links, and tags, owners and teams in one statement each."""
        return self.select_related("target").prefetch_related("tags", "owner", "team")


class ShortURL(Shared, Tagged):
    """A key that redirects to a URL until it expires or its visits are used up."""

    key = models.CharField(max_length=MAX_LENGTH, primary_key=True)
    long_url = models.CharField(max_length=MAX_URL_BYTES)
    host = models.CharField(
        max_length=255, editable=False, help_text="The host of the URL, in its canonical form."
    )
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField(
        null=True, editable=False, help_text="The last change that caches had to forget."
    )
    expires_at = models.DateTimeField(null=True, blank=True)
    end_told = models.BooleanField(
        default=False,
        editable=False,
        help_text="An event has announced that the link expires soon.",
    )
    max_visits = models.PositiveBigIntegerField(null=True, blank=True)
    visits_left = models.PositiveBigIntegerField(null=True, editable=False)
    earlier_visits = models.PositiveBigIntegerField(
        default=0, help_text="Visits counted elsewhere, before the link was imported."
    )
    disabled = models.BooleanField(default=False)
    when_gone = models.CharField(
        max_length=7,
        choices=WhenGone.choices,
        default=WhenGone.PAGE,
        help_text="What people get while the watched destination is dead.",
    )
    archive_when_gone = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="`archive` was chosen; `when_gone` says `page` then, for processes of 0.2.0.",
    )
    retargetable = models.BooleanField(
        default=False,
        help_text="The destination may change, and everybody can see the former ones. This can't "
        "be changed later.",
    )
    version = models.PositiveIntegerField(
        default=1, editable=False, help_text="Raised by each change."
    )
    target = models.ForeignKey(
        Target,
        on_delete=models.SET_NULL,
        null=True,
        related_name="short_urls",
        help_text="The watched destination.",
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        db_index=False,  # short_owner_page begins with it
        related_name="+",
    )

    objects = ShortURLQuerySet.as_manager()

    searched = ("key", "long_url")  # the columns that searches for text cover

    class Meta:
        verbose_name = "short link"
        ordering = ["created_at", "key"]
        indexes = [
            models.Index(fields=["expires_at"], name="short_expiry"),
            models.Index(
                fields=["expires_at"],
                name="short_ending",
                condition=Q(Q(owner__isnull=False) | Q(target__isnull=False))
                & Q(expires_at__isnull=False, end_told=False),
            ),
            models.Index(fields=["created_at", "key"], name="short_page"),
            models.Index(fields=["host", "created_at", "key"], name="short_host_page"),
            models.Index(
                fields=["owner", "created_at", "key"],
                name="short_owner_page",
                condition=Q(owner__isnull=False),
            ),
            models.Index(
                fields=["created_at", "key"],
                name="short_nobodys_page",
                condition=Q(owner__isnull=True),
            ),
            *page_indexes("short", "created_at", "key"),
            models.Index(
                fields=["changed_at"],
                name="short_changed",
                condition=Q(changed_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.key

    def state(self, now: datetime) -> LinkState:
        """Return the state of the link at `now`."""
        if self.disabled:
            return LinkState.DISABLED
        if self.expires_at is not None and self.expires_at <= now:
            return LinkState.EXPIRED
        if self.visits_left == 0:
            return LinkState.USED_UP
        return LinkState.ACTIVE

    @property
    def has_notice(self) -> bool:
        """Whether people see a notice while the watched destination is dead."""
        return self.target_id is not None and self.when_gone == WhenGone.PAGE

    @property
    def chosen_when_gone(self) -> WhenGone:
        """The option that was chosen for a dead destination, including `archive`."""
        if self.archive_when_gone and self.when_gone == WhenGone.PAGE:
            return WhenGone.ARCHIVE
        return WhenGone(self.when_gone)

    @property
    def used_visits(self) -> int:
        """The number of used visits of a link with a visit limit; 0 without a limit."""
        return (self.max_visits or 0) - (self.visits_left or 0)


class Tag(TagBase):
    """A tag of a link, with the link's time, so that a page of links by tag is an index range.

    It has no foreign key constraint, which the database would check for each link that the reaper
    deletes. Code that deletes links deletes their tags in the same transaction.
    """

    short_url = models.ForeignKey(
        ShortURL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,  # the constraint's index begins with it
        related_name="tags",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["short_url", "name"], name="one_tag_per_link_and_name")
        ]
        indexes = [models.Index(fields=["name", "created_at", "short_url"], name="short_tag_page")]


class FormerDestination(models.Model):
    """A former destination of a retargetable link. It is deleted with the link, as tags are."""

    short_url = models.ForeignKey(
        ShortURL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,  # short_history begins with it
        related_name="former_destinations",
    )
    long_url = models.CharField(max_length=MAX_URL_BYTES)
    until = models.DateTimeField()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["short_url", "id"], name="short_history")]

    def __str__(self) -> str:
        return self.long_url


class RetiredKey(models.Model):
    """A key of a former link. It returns 410 and is never used again."""

    key = models.CharField(max_length=MAX_LENGTH, primary_key=True)
    reason = models.CharField(max_length=8, choices=Reason.choices)
    retired_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(
                fields=["retired_at"],
                name="short_deleted",
                condition=Q(reason=Reason.DELETED.value),
            )
        ]

    def __str__(self) -> str:
        return self.key


class EndedLink(models.Model):
    """A link that the reaper deleted, kept for ENDED_LINKS_RETENTION and visible to operators only.

    It has no foreign key constraint, because processes of 0.2.0, which do not know this table,
    delete accounts as well.
    """

    key = models.CharField(max_length=MAX_LENGTH, primary_key=True)
    long_url = models.CharField(max_length=MAX_URL_BYTES, verbose_name="destination")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        db_constraint=False,
        related_name="+",
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(db_index=True)
    visits = models.PositiveBigIntegerField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.key


class CleanupRun(models.Model):
    """A run of the reaper. Each batch renews the lease, so that killed runs are detected."""

    started_at = models.DateTimeField(db_index=True)
    beat_at = models.DateTimeField()  # of the last batch; 0.2.0 detects killed runs by it
    token = models.UUIDField(null=True, editable=False)
    leased_until = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    deleted = models.PositiveBigIntegerField(default=0)
    last_batch = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"run of {self.started_at:%Y-%m-%d %H:%M:%S}"


class CleanupTotals(models.Model):
    """The sums over the runs whose rows were deleted, in the only row of this table."""

    cleaned = models.PositiveBigIntegerField(default=0)
    successful_runs = models.PositiveBigIntegerField(default=0)
    failed_runs = models.PositiveBigIntegerField(default=0)
    finished_ms = models.FloatField(
        default=0.0, help_text="The time that the successful runs took, in ms."
    )

    class Meta:
        verbose_name_plural = "cleanup totals"

    def __str__(self) -> str:
        return f"{self.cleaned} links"
