"""The dashboard of members: the user's own targets, links and snippets, with their status."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from accounts.actors import Actor
from console.dashboard.needs_attention import Need, dead_repairs_need, flag_needs, headline
from notify.models import Subscription
from shortener.models import ShortURL
from snippets.models import Snippet
from targets.models import Reference, ReplacedReference, Target
from targets.search.change_search import ChangeSearch
from targets.state import State
from targets.transition_texts import describe

OWN_PAGE = "console/dashboard/own.html"
MAX_REFERENCES = 5_000  # of the user, whose targets are counted
_MAX_CHANGES = 8
_MAX_NEWEST = 5  # links, and as many snippets
_WEEK, _DAY = timedelta(days=7), timedelta(days=1)
_OWN_QUERY = "&whose=mine"


def own_page_context(by: Actor, *, now: datetime, shows_start: bool) -> dict[str, Any]:
    """Return the context of the page. Runs short queries that use indexes by owner."""
    references = by.reach(Reference.objects.all(), to_change=True)
    # With shares, several index ranges would have to be sorted together.
    if not by.shared.changeable:
        references = references.order_by("-created_at", "-pk")
    ids = list(references.values_list("target", flat=True)[: MAX_REFERENCES + 1])
    has_more = len(ids) > MAX_REFERENCES
    rows = list(
        Target.objects.filter(pk__among=set(ids[:MAX_REFERENCES]), replaced_by=None).values_list(
            "pk", "state", "inconclusive_since", "flags", "state_changed_at"
        )
    )
    states = Counter(state for _, state, _, _, _ in rows)
    needs = _needs(rows, by, now=now, has_more=has_more)
    changes = ChangeSearch(by=by, since=now - _WEEK)
    return {
        "now": now,
        "shows_start": shows_start,
        "headline": headline(needs, is_partial=has_more),
        "needs": needs,
        "total": len(rows),
        "has_more": has_more,
        "states": {state.value: states[state] for state in _STATES if states[state]},
        "changes": [
            (change, describe(change.event)) for change in changes.find(limit=_MAX_CHANGES)
        ],
        "links": list(_newest(by.reach(ShortURL.objects.all(), to_change=True))),
        "snippets": list(_newest(by.reach(Snippet.objects.all(), to_change=True).defer("content"))),
        "is_notified": by.reach(Subscription.objects.all(), owner="channel__owner").exists(),
    }


_STATES = (State.DEAD, State.POTENTIALLY_DEAD, State.ALIVE, State.PENDING)


def _newest(rows: Any) -> Any:
    return rows.order_by("-created_at", "-pk")[:_MAX_NEWEST]


def _needs(rows: list[Any], by: Actor, *, now: datetime, has_more: bool) -> list[Need]:
    dead_count = sum(state == State.DEAD and at >= now - _DAY for _, state, _, _, at in rows)
    inconclusive_count = sum(since is not None for _, _, since, _, _ in rows)
    flags = Counter(flag for _, _, _, flags, _ in rows for flag in set(flags))
    needs: list[Need] = [
        {
            "name": "dead",
            "count": dead_count,
            "is_more": False,
            "words": f"link{'' if dead_count == 1 else 's'} died in the last 24 hours",
            "link": f"/targets?state=dead&since=day&order=failed{_OWN_QUERY}",
            "tone": "dead",
            "for_staff": False,
        },
        dead_repairs_need(_repaired([pk for pk, state, *_ in rows if state == State.DEAD], by)),
        {
            "name": "inconclusive",
            "count": inconclusive_count,
            "is_more": False,
            "words": f"link{'' if inconclusive_count == 1 else 's'} with inconclusive checks",
            "link": f"/targets?state=inconclusive{_OWN_QUERY}",
            "tone": "inconclusive",
            "for_staff": False,
        },
        *flag_needs(flags, query=_OWN_QUERY),
    ]
    for need in needs:  # `rows` are then only some of the targets
        need["is_more"] |= has_more
    return [need for need in needs if need["count"]]


def _repaired(target_ids: list[str], by: Actor) -> "QuerySet[Target]":
    """Return the given targets to which a repair moved a reference of the actor.

    References that were moved back do not count.
    """
    own = by.reach(Reference.objects.filter(target=OuterRef("pk")), to_change=True)
    active = ReplacedReference.objects.filter(new=OuterRef("pk"), repair__undone_at=None)
    repaired = own.filter(Exists(active.filter(repair__isnull=False)))
    return Target.objects.filter(Exists(repaired), pk__among=target_ids)
