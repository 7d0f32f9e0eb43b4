"""Shares of references, by the prefix of their ids. Each change is one transaction (ADR 60)."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Length

from accounts import audit_log, sharing, teams
from accounts.actors import Actor
from accounts.models import ReferenceShare, Team
from foundation.database.transactions import restartable
from foundation.http.errors import ApiError
from foundation.http.preconditions import check_version
from targets.models import Reference, begins_with

AUDIT_KIND = "reference share"
# Per owner, per team, and for everyone, because every list of references is filtered by all shares.
MAX_SHARES = 100
SHORT_LINK_PREFIX = "short:"  # of references of short links, which are shared with the links


def find_share(pk: int, *, by: Actor, lock: bool = False) -> ReferenceShare:
    """Return a share that `by` may see, locked if `lock`; raises ApiError `not_found`."""
    rows = ReferenceShare.objects.select_related("owner", "team")
    if lock:
        rows = rows.select_for_update(of=("self",))
    share = by.reach(rows).filter(pk=pk).first()
    if share is None:
        raise ApiError("not_found", "There is no such share.", status=404)
    return share


@restartable
def create_share(fields: Mapping[str, Any], *, now: datetime, by: Actor) -> ReferenceShare:
    """Share the references of the actor whose ids begin with a prefix, including later ones.

    `fields`: reference_prefix; team (its name) or for_everyone, or both. Raises ApiError `invalid`
    and `unknown_team` (400), `no_owner`, `left_team` and `too_many_shares` (409).
    """
    if by.owner is None:
        message = "References that programs register have no owner and can't be shared."
        raise ApiError("no_owner", message, status=409)
    prefix, for_everyone = fields["reference_prefix"], fields.get("for_everyone", False)
    team = teams.team_for_new(fields.get("team"), by=by)
    if team is None and not for_everyone:
        has_team = teams.teams_to_share_with(by).exists()
        message = (
            "Select a team, or share with everyone."
            if has_team
            else "Share with everyone: there is no team that you can share with."
        )
        raise ApiError("invalid", message, details={"team": [message]})
    if SHORT_LINK_PREFIX.startswith(prefix) or prefix.startswith(SHORT_LINK_PREFIX):
        message = f"Use a prefix other than that of short links ({SHORT_LINK_PREFIX}…)."
        raise ApiError("invalid", message, details={"reference_prefix": [message]})
    _check_not_left(prefix, by=by)
    _check_room(owner=by.owner)
    _check_room(team=team, for_everyone=for_everyone)
    share = ReferenceShare.objects.create(
        owner=by.owner, prefix=prefix, team=team, for_everyone=for_everyone, created_at=now
    )
    audit_log.write(by, "create", AUDIT_KIND, [prefix], now=now)
    return share


@restartable
def change_share(
    pk: int,
    changes: Mapping[str, Any],
    *,
    now: datetime,
    by: Actor,
    version: int | None = None,
) -> ReferenceShare:
    """Change the team of a share, or whether it is for everyone.

    Raises ApiError `not_found`, `permission_denied`, `version_mismatch` (412), `left_team` (409),
    `too_many_shares` (409) and the errors of `teams.team_for_change`.
    """
    share = find_share(pk, by=by, lock=True)
    teams.check_may_change(share, by=by)
    check_version(share.version, version)
    if by.owner == share.owner:
        _check_not_left(share.prefix, by=by)
    if "team" in changes:
        team = teams.team_for_change(changes["team"], thing=share, by=by)
        _check_room(team=None if team == share.team else team)
        share.team = team
    if changes.get("for_everyone") and not share.for_everyone:
        _check_room(for_everyone=True)
    share.for_everyone = changes.get("for_everyone", share.for_everyone)
    share.version += bool(changes)
    share.save(update_fields=["team", "for_everyone", "version"])
    changed = [share.prefix] if changes else []
    audit_log.write(by, "change", AUDIT_KIND, changed, now=now, fields=changes)
    return share


@transaction.atomic
def delete_share(pk: int, *, now: datetime, by: Actor) -> None:
    """Delete a share: its references become private again, unless another share covers them.

    Raises ApiError `not_found`, and `permission_denied` unless the actor owns the share or is an
    operator.
    """
    share = find_share(pk, by=by, lock=True)
    teams.check_may_change(share, by=by)
    teams.team_for_change(None, thing=share, by=by)
    audit_log.write(by, "delete", AUDIT_KIND, [share.prefix], now=now)
    share.delete()


def _check_room(
    *, owner: User | None = None, team: Team | None = None, for_everyone: bool = False
) -> None:
    """Raise ApiError `too_many_shares` if one of these already has MAX_SHARES."""
    limits = {
        f"You already have {MAX_SHARES} shares": Q(owner=owner) if owner else None,
        f"This team already has {MAX_SHARES} shares": Q(team=team) if team else None,
        f"There are already {MAX_SHARES} shares for everyone": (
            Q(for_everyone=True) if for_everyone else None
        ),
    }
    for fact, condition in limits.items():
        if condition and ReferenceShare.objects.filter(condition).count() >= MAX_SHARES:
            message = f"{fact}; delete one first."
            raise ApiError("too_many_shares", message, status=409)


def _check_not_left(prefix: str, *, by: Actor) -> None:
    """Raise ApiError `left_team` for references shared with a team that their owner has left."""
    for left_prefix in by.shared.prefixes_in_former_teams:
        if prefix.startswith(left_prefix) or left_prefix.startswith(prefix):
            message = (
                f"Your references that start with “{left_prefix}” are still shared with a team "
                "that you have left."
            )
            raise ApiError(
                "left_team", message, status=409, details={"reference_prefix": [message]}
            )


@transaction.atomic
def transfer(object_ids: Collection[str], *, owner_id: int) -> None:
    """Transfer references of an account that are shared with a team to another member of the team.

    The new owner is the team's earliest member with an active account and a role; without one,
    nothing is transferred. Transfers the references with these ids; without ids, in the last call,
    deletes the shares instead. The new owner shares the references with the team (`_share_again`).
    The account keeps references that the new owner also has.
    """
    shares = ReferenceShare.objects.filter(owner=owner_id, team__isnull=False)
    team_by_share = {str(pk): team for pk, team in shares.values_list("pk", "team_id")}
    new_owners = teams.next_owners(team_by_share, account=owner_id)
    # The widest share comes first, so that its references do not count as the new owner's others.
    for share in shares.filter(pk__in=new_owners).order_by(Length("prefix"), "pk"):
        new_owner = new_owners[str(share.pk)]
        if not object_ids:
            share.delete()
            continue
        own = Reference.objects.filter(
            begins_with(share.prefix), owner=owner_id, object_id__among=set(object_ids)
        )
        existing = Reference.objects.filter(
            target=OuterRef("target"), object_id=OuterRef("object_id"), owner=new_owner
        )
        transferable = own.exclude(Exists(existing))
        within = shares.filter(sharing.begins_with(share.prefix, "prefix"))
        _share_again(transferable, within, new_owner=new_owner)
        transferable.update(owner=new_owner)


def _share_again(
    references: QuerySet[Reference], shares: QuerySet[ReferenceShare], *, new_owner: int
) -> None:
    """Create the given shares for the references' new owner, if they cover any of the references.

    Omits teams that the new owner is not in, and prefixes of other references of the new owner,
    which the teams must not see.
    """
    for share in shares.filter(team__members=new_owner).order_by(Length("prefix"), "pk"):
        in_prefix = begins_with(share.prefix)
        others = Reference.objects.filter(in_prefix, owner=new_owner)
        own_shares = ReferenceShare.objects.filter(owner=new_owner, team=share.team)
        own_prefixes = tuple(own_shares.values_list("prefix", flat=True))
        if (
            references.filter(in_prefix).exists()
            and not others.exists()
            and not share.prefix.startswith(own_prefixes)
        ):
            ReferenceShare.objects.create(
                owner_id=new_owner,
                prefix=share.prefix,
                team=share.team,
                created_at=share.created_at,
            )
