"""Objects that a team may see and change, or that everyone who signs in may see (ADR 60)."""

from typing import Any

from django.db import models
from django.db.models import Q


class Shared(models.Model):
    """An object with an owner, and maybe a team; `Actor.reach` decides who may see and change it.

    It keeps its owner in a team, because processes of 0.2.0 do not know teams and check the owner.
    """

    team = models.ForeignKey(
        "accounts.Team",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        db_index=False,  # an index of each model begins with it
        related_name="+",
        help_text="Its members may see and change it.",
    )
    for_everyone = models.BooleanField(
        default=False, db_default=False, help_text="Everyone who signs in may see it."
    )

    team_id: int | None
    owner_id: int | None

    class Meta:
        abstract = True


# Of forms.
SHARING_LABELS = {"team": "Team", "for_everyone": "Everyone who signs in may see it"}
SHARING_HINTS = {
    "team": "Its members may see and change it. If you leave the team, the team keeps it.",
    "for_everyone": "Only you, the team and operators may change it.",
}


def held_by(user_id: int) -> Q:
    """Return the condition that a user owns an object, and is in its team, if it has one."""
    return Q(Q(team=None) | Q(team__memberships__user=user_id), owner=user_id)


def page_indexes(prefix: str, *columns: str) -> tuple[models.Index, ...]:
    """Return the indexes for pages of a team's objects and of everyone's, in this order."""
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


def held(*, owner: Any, teams: frozenset[int], of: str = "") -> Q:
    """Return the condition that the object at the path `of` has this owner or one of these
    teams."""
    own = Q(**{f"{of}owner": owner, f"{of}team": None})
    return own | Q(**{f"{of}team__in": teams}) if teams else own


def has_everyones(model: Any) -> bool:
    """Return whether anything of this kind is for everyone; reads an index."""
    found: bool = model._base_manager.filter(for_everyone=True).exists()
    return found
