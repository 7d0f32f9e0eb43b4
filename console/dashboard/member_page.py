"""The dashboard of members: their own targets, links and snippets, with their status."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from accounts.actors import Actor
from console.dashboard.needs_attention import Need, dead_repairs, flag_needs, headline
from notify.models import Subscription
from shortener.models import ShortURL
from snippets.models import Snippet
from targets.models import Reference, ReplacedReference, Target
from targets.search.change_search import ChangeSearch
from targets.state import State
from targets.transition_texts import describe

OWN_PAGE = "console/dashboard/own.html"
MAX_TARGETS = 5_000  # of the user's targets; others are not counted
_CHANGES = 8
_NEWEST = 5  # links and snippets
_WEEK, _DAY = timedelta(days=7), timedelta(days=1)
_MINE = "&whose=mine"


def own_page_context(by: Actor, *, now: datetime, shows_start: bool) -> dict[str, Any]:
    """Return the context of the page. Runs short queries that use indexes by owner."""
    referred = by.reach(Reference.objects.all(), to_change=True)
    # With shares, several index ranges would have to be sorted together.
    if not by.shared.changeable:
        referred = referred.order_by("-created_at", "-pk")
    ids = set(referred.values_list("target", flat=True)[: MAX_TARGETS + 1])
    rows = list(
        Target.objects.filter(pk__among=list(ids)[:MAX_TARGETS], replaced_by=None).values_list(
            "pk", "state", "inconclusive_since", "flags", "state_changed_at"
        )
    )
    states = Counter(state for _, state, _, _, _ in rows)
    needs = _needs(rows, by, now=now)
    changes = ChangeSearch(by=by, since=now - _WEEK)
    return {
        "now": now,
        "shows_start": shows_start,
        "headline": headline(needs),
        "needs": needs,
        "total": len(rows),
        "has_more": len(ids) > MAX_TARGETS,
        "states": {state.value: states[state] for state in _STATES if states[state]},
        "changes": [(change, describe(change.event)) for change in changes.find(limit=_CHANGES)],
        "links": list(_newest(by.reach(ShortURL.objects.all(), to_change=True))),
        "snippets": list(_newest(by.reach(Snippet.objects.all(), to_change=True).defer("content"))),
        "is_notified": by.reach(Subscription.objects.all(), owner="channel__owner").exists(),
    }


_STATES = (State.DEAD, State.POTENTIALLY_DEAD, State.ALIVE, State.PENDING)


def _newest(rows: Any) -> Any:
    return rows.order_by("-created_at", "-pk")[:_NEWEST]


def _needs(rows: list[Any], by: Actor, *, now: datetime) -> list[Need]:
    died = sum(state == State.DEAD and at >= now - _DAY for _, state, _, _, at in rows)
    unsure = sum(since is not None for _, _, since, _, _ in rows)
    flags = Counter(flag for _, _, _, flags, _ in rows for flag in set(flags))
    needs: list[Need] = [
        {
            "name": "dead",
            "count": died,
            "is_more": False,
            "words": f"link{'' if died == 1 else 's'} died in the last 24 hours",
            "link": f"/targets?state=dead&since=day&order=failed{_MINE}",
            "tone": "dead",
            "for_staff": False,
        },
        dead_repairs(_repaired([pk for pk, state, _, _, _ in rows if state == State.DEAD], by)),
        {
            "name": "inconclusive",
            "count": unsure,
            "is_more": False,
            "words": f"link{'' if unsure == 1 else 's'} can't be judged automatically",
            "link": f"/targets?state=inconclusive{_MINE}",
            "tone": "inconclusive",
            "for_staff": False,
        },
        *flag_needs(flags, query=_MINE),
    ]
    return [need for need in needs if need["count"]]


def _repaired(targets: list[str], by: Actor) -> "QuerySet[Target]":
    """Return the targets among these ids to which a repair moved a reference of the actor.

    References that were moved back do not count.
    """
    own = by.reach(Reference.objects.filter(target=OuterRef("pk")), to_change=True)
    active = ReplacedReference.objects.filter(new=OuterRef("pk"), repair__undone_at=None)
    repaired = own.filter(Exists(active.filter(repair__isnull=False)))
    return Target.objects.filter(Exists(repaired), pk__among=targets)
