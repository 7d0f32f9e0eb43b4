"""Display settings, account deletions, sign-ins at the provider, teams, invitations, audit log."""

import re
from datetime import datetime
from typing import ClassVar, Self

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db import models

from accounts.actors import Actor
from accounts.roles import CHOICES
from accounts.sharing import ReferenceShare

__all__ = ["ReferenceShare"]  # imported so that Django finds the model


class ReaderSettings(models.Model):
    """How pages are shown to a user: the time zone.

    The foreign key has no constraint, because version 0.2.0 deletes accounts without knowing about
    this table.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        db_constraint=False,
        related_name="reading",
    )
    zone = models.CharField(max_length=64, help_text="A time zone, such as Europe/Berlin.")

    class Meta:
        verbose_name_plural = "reader settings"
        default_permissions = ()

    def __str__(self) -> str:
        return self.zone


class AccountDeletion(models.Model):
    """An account that its owner is deleting: closed, and deleted once it owns nothing.

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
    requested_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.user_id}"


class ProviderSignIn(models.Model):
    """A session that began at the OIDC provider, with the data for ending it on both sides.

    The foreign key has no constraint, because version 0.2.0 deletes accounts without knowing about
    this table.
    """

    session_key = models.CharField(max_length=40, primary_key=True)
    account = models.ForeignKey(
        SocialAccount, on_delete=models.CASCADE, db_constraint=False, related_name="+"
    )
    sid_hash = models.CharField(max_length=64, db_index=True, help_text="SHA-256, as hex.")
    issued_at = models.DateTimeField(help_text="When the ID token was issued.")
    id_token = models.TextField(help_text="Encrypted by `foundation.kept_secrets`, or empty.")
    end_session_endpoint = models.CharField(max_length=2048)

    class Meta:
        verbose_name = "provider sign-in"
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.account_id}"


class TeamQuerySet(models.QuerySet["Team"]):
    def visible_to(self, actor: Actor) -> Self:
        """Return the teams that the actor may see: its own, or all for operators and viewers."""
        return self if actor.sees_all else self.filter(pk__in=actor.teams)


class Team(models.Model):
    """People who work together, and see and change the objects of the team (`accounts.sharing`).

    A role determines what a person may do with a kind of object; teams determine which objects of
    that kind this applies to.
    """

    name = models.CharField(max_length=100, unique=True)
    created_at = models.DateTimeField()
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="TeamMember", related_name="teams"
    )

    objects = TeamQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["created_at", "id"], name="team_page")]

    def __str__(self) -> str:
        return self.name


class TeamMember(models.Model):
    """A member of a team.

    The foreign key `user` has no constraint, because version 0.2.0 deletes accounts without knowing
    about this table.
    """

    team = models.ForeignKey(
        Team,
        on_delete=models.CASCADE,
        db_index=False,  # the constraint's index begins with it
        related_name="memberships",
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        db_constraint=False,
        related_name="memberships",
    )

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["team", "user"], name="one_membership_per_user")
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self, now: datetime) -> Self:
        """Return the invitations that may still be accepted, newest first."""
        return self.filter(accepted_at=None, expires_at__gt=now).order_by("-created_at", "-id")


class Invitation(models.Model):
    """A link that creates one account, once, with a role. Only the hash of its secret is stored."""

    role = models.CharField(max_length=20, choices=CHOICES)
    email = models.EmailField(blank=True)  # the recipient, if it was sent by email
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


# Past tenses that can't be formed by adding "ed" to the action, or that need more words.
_PAST = {
    "cancel": "canceled",
    "check": "requested a check of",
    "register": "added",
    "unregister": "removed",
    "withdraw": "withdrew",
    "pin": "pinned",
    "unpin": "unpinned",
    "repair": "moved references between",
    "undo": "undid a repair involving",
    "clear": "cleared the note on",
    "accept": "accepted the result for",
    "free": "ended the lease of",
    "redeliver": "resent messages through",
    "resend": "resent the confirmation email for",
    "agree to saves": "agreed to page saving",
    "refuse saves": "withdrew consent to page saving",
}
_PAST_OF_SEVERAL = {"free": "ended the leases of"}  # if there are several objects
_PREPOSITION = re.compile(r" (of|on|for|between|involving|through)$")
_BETWEEN_TWO = {"repair", "undo"}
_ACCEPTED_KINDS = {"invitation"}  # kinds whose objects are accepted, not their results
_WITHOUT_FIELDS = {"pause", "resume", "accept", "clear"}  # actions that imply the field
# Words for kinds of objects and for fields whose names are not clear enough.
_OBJECTS = {"reference": "a reference to target", "saves": "page saving by"}
_PLURALS = {"alias": "aliases", "batch": "batches"}
_FIELDS = {
    "accept": "accepted results",
    "bounds": "limits",
    "disabled": "status",
    "expect": "expected response",
    "expires_at": "expiry",
    "for_everyone": "visibility for all users",
    "grouped": "grouping",
    "long_url": "destination",
    "max_views": "view limit",
    "max_visits": "visit limit",
    "next_fetch_at": "time of the next fetch",
    "of_owner": "reference owner",
    "paused": "paused state",
    "pinned": "pinned state",
    "second step": "two-factor authentication",
    "sleep_until": "pause time",
    "watch": "watch setting",
    "what": "events",
    "when": "schedule",
    "when_gone": "action for a dead destination",
}


class Trace(models.Model):
    """A change by one request: the user, the token and the objects (`accounts.audit_log`)."""

    at = models.DateTimeField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        db_index=False,  # looked up by name; accounts are rarely deleted
        related_name="+",
    )
    user_name = models.CharField(max_length=150, help_text="Kept when the account is deleted.")
    token = models.CharField(max_length=100, blank=True, help_text="Empty for a session.")
    action = models.CharField(max_length=20)
    kind = models.CharField(max_length=20)
    subject = models.CharField(max_length=255, blank=True, help_text="Empty for several objects.")
    subjects = models.JSONField(default=list, help_text="All objects, if there are several.")
    amount = models.PositiveIntegerField()
    fields = models.JSONField(default=list)

    class Meta:
        verbose_name = "audit log entry"
        verbose_name_plural = "audit log entries"
        indexes: ClassVar = [
            models.Index(fields=["at"], name="trace_time"),
            models.Index(fields=["user_name", "at"], name="trace_user"),
            models.Index(fields=["kind", "subject", "at"], name="trace_subject"),
        ]

    def __str__(self) -> str:
        what = f"{self.object} {self.subject}".rstrip() if self.object else ""
        return f"{self.user_name} {self.past_tense} {what}".rstrip()

    @property
    def past_tense(self) -> str:
        """The action in the past tense: "created"."""
        if self.kind in _ACCEPTED_KINDS and self.action == "accept":
            return "accepted"
        if self.subjects and self.action in _PAST_OF_SEVERAL:
            return _PAST_OF_SEVERAL[self.action]
        return _PAST.get(self.action) or f"{self.action.removesuffix('e')}ed"

    @property
    def object(self) -> str:
        """The object's kind, for display before its name; for several objects, number and kind.

        Empty for a user's consent.
        """
        if self.kind == "user":  # consent to page saving: the object is the user
            return ""
        if self.subject or self.amount == 1:
            return _OBJECTS.get(self.kind, self.kind)
        return f"{self.amount:,} {self._plural}"

    @property
    def _plural(self) -> str:
        return _PLURALS.get(self.kind, f"{self.kind}s")

    @property
    def own_page_summary(self) -> str:
        """The action, for the page of its object: "created it", "changed the title and tags"."""
        if self.kind == "reference":
            return f"{self.past_tense} a reference"
        # Changes of an alias are shown on the page of its host.
        it, of_it = ("the alias", " of the alias") if self.kind == "alias" else ("it", "")
        if fields := self.shown_fields:
            *others, last = fields
            listed = f"{', '.join(others)} and {last}" if others else last
            return f"{self.past_tense} the {listed}{of_it}"
        without_object = _PREPOSITION.sub("", self.past_tense)
        return without_object if without_object != self.past_tense else f"{self.past_tense} {it}"

    @property
    def is_bulk(self) -> bool:
        """Whether the action made the same change to several objects.

        The two targets of a repair don't count.
        """
        return self.amount > 1 and self.action not in _BETWEEN_TWO

    @property
    def shown_fields(self) -> list[str]:
        """The fields that changed, in words, unless the action implies them."""
        if self.action in _WITHOUT_FIELDS:
            return []
        return [_FIELDS.get(name, name.replace("_", " ")) for name in self.fields]


class TracedThing(models.Model):
    """One of several objects of an audit entry: an index finds the entry by each of them."""

    pk = models.CompositePrimaryKey("subject", "trace")
    subject = models.CharField(max_length=255)
    trace = models.ForeignKey(
        Trace, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.subject
