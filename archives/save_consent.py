"""Decides which references permit saving a page in a public archive. Source:
docs/adr/0066-saves.md."""

from datetime import datetime

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts import audit_log
from accounts.actors import Actor, owner_may_receive
from archives.models import SaveConsent
from foundation.database.transactions import restartable
from foundation.http.errors import ApiError
from targets.models import Reference, Target, begins_with

ALL = "*"  # in ARCHIVE_SAVE_PREFIXES


def permitting(references: QuerySet[Reference]) -> QuerySet[Reference]:
    """Return the references for which ARCHIVE_SAVE_PREFIXES and the owner's consent permit saving.

    The owner's account must be active. For references of programs, which have no owner, the setting
    alone decides.
    """
    prefixes = settings.ARCHIVE_SAVE_PREFIXES
    if not prefixes:
        return references.none()
    has_prefix = Q()
    for prefix in () if ALL in prefixes else prefixes:
        has_prefix |= begins_with(prefix)
    consent = SaveConsent.objects.filter(pk=OuterRef("owner"))
    return references.filter(
        has_prefix, Q(owner=None) | Q(Exists(consent)), owner_may_receive("owner")
    )


def permitted_targets(targets: QuerySet[Target]) -> QuerySet[Target]:
    """Return the targets that at least one reference permits saving."""
    return targets.filter(Exists(permitting(Reference.objects.filter(target=OuterRef("pk")))))


def has_agreed(by: Actor) -> bool:
    """Return whether a user currently consents."""
    return by.owner is not None and SaveConsent.objects.filter(pk=by.owner.pk).exists()


@restartable
def set_consent(*, agrees: bool, by: Actor, now: datetime) -> None:
    """Store or withdraw a user's consent. Raises ApiError `forbidden` without a role."""
    if by.owner is None:
        raise ApiError("forbidden", "You need a role to agree to this.", status=403)
    if agrees:
        SaveConsent.objects.get_or_create(pk=by.owner.pk, defaults={"given_at": now})
    else:
        SaveConsent.objects.filter(pk=by.owner.pk).delete()
    action = "agree to saves" if agrees else "refuse saves"
    audit_log.write(by, action, "user", [str(by.owner.pk)], now=now)
