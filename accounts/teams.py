"""Teams: operators create them and choose members; a provider may manage some (OIDC_TEAMS)."""

import logging
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from accounts import audit_log, rights
from accounts.actors import Actor, owner_may_receive
from accounts.models import Team, TeamMember, TeamQuerySet
from accounts.sharing import Shared
from foundation.database.transactions import restartable
from foundation.http.errors import ApiError

logger = logging.getLogger(__name__)

MAX_MEMBERS = 1000  # per team
_AUDIT_KIND = "team"


def get(pk: int, *, by: Actor) -> Team:
    """Return a team that the actor may see; raises ApiError `not_found`."""
    team = Team.objects.visible_to(by).filter(pk=pk).first()
    if team is None:
        raise _no_such_team()
    return team


def _no_such_team() -> ApiError:
    return ApiError("not_found", "There is no such team.", status=404)


def _lock(team: Team) -> None:
    """Lock a team against deletion and other changes; raises ApiError `not_found`."""
    if not Team.objects.select_for_update().filter(pk=team.pk):
        raise _no_such_team()


@transaction.atomic
def create(name: str, *, by: Actor, now: datetime) -> Team:
    """Create a team without members; raises ApiError `team_exists`."""
    team = Team(name=name, created_at=now)
    _save(team)
    audit_log.write(by, "create", _AUDIT_KIND, [name], now=now)
    return team


@transaction.atomic
def rename(team: Team, name: str, *, by: Actor, now: datetime) -> None:
    """Rename a team; raises ApiError `not_found` and `team_exists`."""
    _lock(team)
    if name == team.name:
        return
    former, team.name = team.name, name
    _save(team)
    audit_log.write(by, "change", _AUDIT_KIND, [former], now=now, fields=["name"])


def _save(team: Team) -> None:
    try:
        with transaction.atomic():
            team.save()
    except IntegrityError:
        message = f"There is already a team named {team.name}."
        raise ApiError("team_exists", message, status=409, details={"name": [message]}) from None


@restartable
def delete(team: Team, *, by: Actor, now: datetime) -> None:
    """Delete a team and its memberships; its objects stay with their owners.

    Raises ApiError `not_found`.
    """
    _lock(team)
    audit_log.write(by, "delete", _AUDIT_KIND, [team.name], now=now)
    Team.objects.filter(pk=team.pk).delete()


@restartable
def add(team: Team, user: User, *, by: Actor, now: datetime) -> bool:
    """Add a user to a team; return False if they were already in it.

    Raises ApiError `not_found`; `no_role` for a service user, whose objects have no owner; and
    `too_many_members`.
    """
    if rights.role_of(user) is None:
        raise ApiError(
            "no_role", f"{user} has no role. Only people with a role can join a team.", status=409
        )
    _lock(team)
    if TeamMember.objects.filter(team=team, user=user).exists():
        return False
    if TeamMember.objects.filter(team=team).count() >= MAX_MEMBERS:
        message = f"A team can have at most {MAX_MEMBERS:,} members."
        raise ApiError("too_many_members", message, status=409)
    TeamMember.objects.create(team=team, user=user)
    _log_membership(user, team.name, by=by, now=now)
    return True


@transaction.atomic
def remove(team: Team, user: User, *, by: Actor, now: datetime) -> bool:
    """Remove a user from a team; return whether they were in it.

    The team keeps the objects that the user shared with it.
    """
    membership = TeamMember.objects.filter(team=team, user=user).first()
    if membership is None:
        return False
    membership.delete()
    _log_membership(user, team.name, by=by, now=now)
    return True


def teams_to_share_with(by: Actor) -> TeamQuerySet:
    """Return the teams with which the actor may share objects.

    Service users and the deployment have none, because their objects have no owner.
    """
    return Team.objects.none() if by.owner is None else Team.objects.visible_to(by)


def holders(*, owner: int | None, team: int | None) -> set[int | None]:
    """Return the ids of the users who hold an object: members of its team, or else its owner.

    The objects of a deleted team belong to their owners. The only item is None if the
    object has neither team nor owner.
    """
    if team is None or not Team.objects.filter(pk=team).exists():
        return {owner}
    return set(TeamMember.objects.filter(team=team).values_list("user", flat=True))


def by_name(names: Iterable[str | None], *, by: Actor) -> dict[str | None, Team | None]:
    """Return the given teams with which the actor may share objects, by name.

    None, which stands for no team, is always included.
    """
    real_names = {name for name in names if name is not None}
    teams: dict[str | None, Team | None] = {None: None}
    if real_names:
        teams |= {team.name: team for team in teams_to_share_with(by).filter(name__in=real_names)}
    return teams


def unknown_team(name: str | None) -> ApiError:
    """Return the error for a team that does not exist or that the actor can't share with."""
    message = f"You are not in a team named {name}."
    return ApiError("unknown_team", message, status=400, details={"team": [message]})


def team_for_new(name: str | None, *, by: Actor) -> Team | None:
    """Return the team of a new object; None for no team. Raises ApiError `unknown_team`."""
    teams = by_name([name], by=by)
    if name not in teams:
        raise unknown_team(name)
    return teams[name]


def team_for_change(name: str | None, *, thing: Shared, by: Actor) -> Team | None:
    """Return the new team of an object; None for no team.

    Raises ApiError `unknown_team`; `no_owner` for an object without an owner, which every program
    may change; and `permission_denied` for anyone but the owner and operators who takes the object
    out of its team.
    """
    team = team_for_new(name, by=by)
    if team is not None and thing.owner_id is None:
        message = "This has no owner, so it can't belong to a team."
        raise ApiError("no_owner", message, status=409, details={"team": [message]})
    team_stays = thing.team_id is None or (team is not None and team.pk == thing.team_id)
    if not (team_stays or by.is_operator or by.reaches(thing.owner_id)):
        message = "Only its owner or an operator can remove it from its team."
        raise ApiError("permission_denied", message, status=403, details={"team": [message]})
    return team


def read_only_error() -> ApiError:
    """Return the error for a change to an object that the actor may only see."""
    return ApiError(
        "permission_denied", "You can see this, but you are not allowed to change it.", status=403
    )


def check_may_change(thing: Shared, *, by: Actor) -> None:
    """Raise ApiError `permission_denied` for an object that the actor may only see."""
    if not by.may_change(thing):
        raise read_only_error()


def next_owners(things: Mapping[str, int | None], *, account: int) -> dict[str, int]:
    """Return the next owner of each object of this account; `things` maps objects to their teams.

    That is the team's earliest active member with a role. Objects without a next owner are omitted.
    """
    team_ids = {team for team in things.values() if team is not None}
    members = TeamMember.objects.filter(owner_may_receive("user"), team__in=team_ids)
    pairs = members.exclude(user=account).order_by("-pk").values_list("team_id", "user_id")
    by_team = dict(pairs)  # a team's last pair wins: that of its earliest member
    return {thing: by_team[team] for thing, team in things.items() if team in by_team}


@transaction.atomic
def set_memberships(
    user: User, names: Collection[str], *, managed: Collection[str], now: datetime
) -> None:
    """Put a user into the teams `names`, created if needed, and into no other of `managed`.

    A team that has no room for the user is left out, with a warning in the log.
    """
    by = Actor(user)
    existing = {team.name: team for team in Team.objects.filter(name__in=managed)}
    current = set(user.teams.filter(name__in=managed).values_list("name", flat=True))
    for name in sorted(current.difference(names)):
        remove(existing[name], user, by=by, now=now)
    for name in sorted(set(names) - current):
        team = existing.get(name) or _created(name, by=by, now=now)
        try:
            add(team, user, by=by, now=now)
        except ApiError as error:
            logger.warning("%s was not added to the team %s: %s", user, name, error.message)


def _created(name: str, *, by: Actor, now: datetime) -> Team:
    """Create a team and return it, or the one that another sign-in has created meanwhile."""
    try:
        return create(name, by=by, now=now)
    except ApiError:
        return Team.objects.get(name=name)


def _log_membership(user: User, name: str, *, by: Actor, now: datetime) -> None:
    rights.forget(user)
    fields = [f"team {name}"]
    audit_log.write(by, "change", "account", [user.get_username()], now=now, fields=fields)
