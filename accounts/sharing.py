"""Objects that a team may see and change, or that all signed-in users may see (ADR 60)."""

import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, models
from django.db.models import Q


class Shared(models.Model):
    """An object with an owner and an optional team; `Actor.reach` decides who may see or change it.

    An object in a team keeps its owner, because processes of version 0.2.0 check the owner and
    ignore teams.
    """

    team = models.ForeignKey(
        "accounts.Team",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        db_index=False,  # an index of each model begins with it
        related_name="+",
        help_text="Members of the team may see and change the object.",
    )
    for_everyone = models.BooleanField(
        default=False, db_default=False, help_text="Everyone who signs in may see the object."
    )

    team_id: int | None
    owner_id: int | None

    class Meta:
        abstract = True


class ReferenceShare(Shared):
    """Shares the references of one owner whose ids begin with `prefix`.

    Sharing is by prefix, because an owner may have a million references. The owner's foreign key
    has no constraint, because version 0.2.0 deletes accounts without knowing about this table.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_constraint=False,
        help_text="The owner of the references.",
    )
    prefix = models.CharField(
        max_length=255, blank=True, help_text="Prefix of the reference ids; empty: all references."
    )
    created_at = models.DateTimeField()
    version = models.PositiveIntegerField(default=1)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["team"], name="reference_share_team"),
            models.Index(
                fields=["id"],
                name="reference_share_everyone",
                condition=Q(for_everyone=True),
            ),
        ]

    def __str__(self) -> str:
        return self.prefix

    def get_absolute_url(self) -> str:
        """Return the path of the share's page."""
        return f"/shares/{self.pk}"


@dataclass(frozen=True, slots=True)
class SharedReferences:
    """The prefixes of references that are shared with a user.

    The keys of the mappings are the ids of the references' owners.
    """

    # Prefixes of the user's own references that belong to teams which the user has left. The other
    # fields take precedence.
    prefixes_in_former_teams: tuple[str, ...] = ()
    changeable: Mapping[int, tuple[str, ...]] = field(default_factory=dict)  # shared with a team
    # Shared with a team or with everyone.
    visible: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


def shared_with(
    shares: Iterable[ReferenceShare], user: User, teams: frozenset[int]
) -> SharedReferences:
    """Return the references that these shares make accessible to a user in these teams."""
    prefixes_in_former_teams: list[str] = []
    changeable: dict[int, tuple[str, ...]] = {}
    visible: dict[int, tuple[str, ...]] = {}
    for share in shares:
        owner, prefix = share.owner_id, share.prefix
        if share.team_id in teams:
            changeable[owner] = (*changeable.get(owner, ()), prefix)
        elif share.team_id is not None and owner == user.pk:
            prefixes_in_former_teams.append(prefix)
        if share.team_id in teams or share.for_everyone:
            visible[owner] = (*visible.get(owner, ()), prefix)
    return SharedReferences(tuple(prefixes_in_former_teams), changeable, visible)


def owned_or_shared(
    owner: User | None,
    prefixes_in_former_teams: Collection[str],
    shared: Mapping[int, Collection[str]],
    *,
    column: str,
) -> Q:
    """Return a condition for references that belong to this owner or are shared.

    Excludes the owner's references that begin with one of `prefixes_in_former_teams`, unless they
    are shared. `column` is the path to the ids.
    """
    path = column.rpartition("__")[0]
    owner_path = f"{path}__owner" if path else "owner"
    condition = Q(**{owner_path: owner})
    for prefix in prefixes_in_former_teams:
        condition &= ~begins_with(prefix, column)
    for owner_id, prefixes in shared.items():
        if owner is not None and owner_id == owner.pk and not prefixes_in_former_teams:
            continue  # the first condition includes them
        has_prefix = Q()
        for prefix in prefixes:
            has_prefix |= begins_with(prefix, column)
        condition |= Q(has_prefix, **{owner_path: owner_id})
    return condition


def begins_with(prefix: str, column: str) -> Q:
    """Return the condition that the column begins with the prefix.

    It is case-sensitive, and can use an index.
    """
    if connection.vendor == "sqlite":  # its LIKE ignores case and uses no index
        end = prefix + chr(sys.maxunicode)
        return Q(**{f"{column}__gte": prefix, f"{column}__lt": end})
    return Q(**{f"{column}__startswith": prefix})


# Filters for lists, each with an index for its pages; `teams` are ids, `team` is a name.
_LOOKUPS = {
    "owner": "owner",
    "team": "team__name",
    "teams": "team__in",
    "for_everyone": "for_everyone",
}
OWNERSHIP_FILTERS = frozenset(_LOOKUPS)
# Labels and hints for forms.
SHARING_LABELS = {"team": "Team", "for_everyone": "Visible to everyone who signs in"}
SHARING_HINTS = {
    "team": "Its members can see what you share, even after you leave the team. Unless they are "
    "viewers, they can also change it.",
    "for_everyone": "Only you, the team and operators can make changes.",
}


def owned_by(user_id: int) -> Q:
    """Return a condition for a user's objects, except those in teams the user doesn't belong to."""
    return Q(Q(team=None) | Q(team__memberships__user=user_id), owner=user_id)


def narrow(rows: Any, filters: Mapping[str, Any]) -> Any:
    """Return the objects that match the OWNERSHIP_FILTERS among `filters`; ignore others."""
    return rows.filter(
        **{_LOOKUPS[name]: value for name, value in filters.items() if name in _LOOKUPS}
    )


def page_indexes(prefix: str, *columns: str) -> tuple[models.Index, ...]:
    """Return two indexes: for pages of a team's objects, and for pages of objects for everyone."""
    return (
        models.Index(
            fields=["team", *columns],
            name=f"{prefix}_team_page",
            condition=Q(team__isnull=False),
        ),
        models.Index(
            fields=[*columns], name=f"{prefix}_everyones_page", condition=Q(for_everyone=True)
        ),
    )


def owned_or_in_team(*, owner: Any, teams: frozenset[int], path: str = "") -> Q:
    """Return the condition that the object at `path` is in one of `teams`, or has this owner and no
    team."""
    own = Q(**{f"{path}owner": owner, f"{path}team": None})
    return own | Q(**{f"{path}team__in": teams}) if teams else own


def any_shared_with_everyone(model: Any) -> bool:
    """Return whether any object of this kind is shared with everyone. Uses an index."""
    exists: bool = model._base_manager.filter(for_everyone=True).exists()
    return exists
