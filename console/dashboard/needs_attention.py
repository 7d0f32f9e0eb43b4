"""The problems that need a person, counted at a bounded cost, with links to lists."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import TypedDict

from django.db.models import Q, QuerySet

from notify.models import Channel, ChannelState, Subscription
from targets.flags import CHANGED_OWNER, EXPIRES, FLAGS, TLS_ERROR
from targets.models import FAILING, Repair, Target
from targets.state import State

MAX_COUNTED = 2_000  # rows that are counted for one problem
_RECENT = timedelta(days=1)
_MOVED = "moved"
_FLAG_LABELS = {
    _MOVED: ("page has moved permanently", "pages have moved permanently"),
    EXPIRES: (
        "page with a certificate that expires soon",
        "pages with a certificate that expires soon",
    ),
    TLS_ERROR: ("page with an invalid certificate", "pages with an invalid certificate"),
    CHANGED_OWNER: ("page may have a new owner", "pages may have a new owner"),
}


class Need(TypedDict):
    """A problem that needs a person: a line of *Needs your attention*."""

    name: str
    count: int
    is_more: bool  # whether there are more than `count`
    words: str  # the label after the count
    link: str
    tone: str  # determines its colour
    for_staff: bool  # whether only staff sees it


def find_needs(
    now: datetime, *, flags: Mapping[str, int], inconclusive: int, total: int
) -> list[Need]:
    """Return the problems that currently need a person.

    `flags`: the number of targets with each flag; `inconclusive` and `total`: numbers of targets.
    """
    active = Repair.objects.filter(undone_at=None).values("new_target")
    return [
        need
        for need in (
            newly_dead_need(now),
            dead_repairs_need(Target.objects.filter(pk__in=active, state=State.DEAD)),
            _inconclusive_need(inconclusive),
            *flag_needs(flags),
            _failing_channels_need(),
            *_nobody_notified_need(total),
        )
        if need["count"]
    ]


def newly_dead_need(now: datetime) -> Need:
    """Return the need for targets that died in the last day.

    Counts dead targets among the MAX_COUNTED targets that began to fail or died most recently. If
    none of these is dead and there are more, returns the need for targets that began to fail.
    """
    failing = Target.objects.filter(FAILING, state_changed_at__gte=now - _RECENT)
    states = failing.order_by("-state_changed_at").values_list("state", flat=True)
    rows = list(states[: MAX_COUNTED + 1])
    count = Counter(rows[:MAX_COUNTED])[State.DEAD]
    if not count and len(rows) > MAX_COUNTED:
        return {
            "name": "failing",
            "count": MAX_COUNTED,
            "is_more": True,
            "words": "links began to fail in the last 24 hours",
            "link": "/targets?state=potentially_dead&since=day&order=failed",
            "tone": "potentially_dead",
            "for_staff": False,
        }
    return {
        "name": "dead",
        "count": count,
        "is_more": len(rows) > MAX_COUNTED,
        "words": f"link{'' if count == 1 else 's'} died in the last 24 hours",
        "link": "/targets?state=dead&since=day&order=failed",
        "tone": "dead",
        "for_staff": False,
    }


def dead_repairs_need(dead: "QuerySet[Target]") -> Need:
    """Return the need for these dead targets, to which repairs have moved references."""
    count = len(dead.values_list("pk")[: MAX_COUNTED + 1])
    return {
        "name": "repairs",
        "count": min(count, MAX_COUNTED),
        "is_more": count > MAX_COUNTED,
        "words": "repaired link is dead. Undo the repair?"
        if count == 1
        else "repaired links are dead. Undo the repairs?",
        "link": "/repairs/accepted",
        "tone": "dead",
        "for_staff": False,
    }


def _inconclusive_need(count: int) -> Need:
    return {
        "name": "inconclusive",
        "count": count,
        "is_more": False,
        "words": f"link{'' if count == 1 else 's'} with inconclusive checks",
        "link": "/targets?state=inconclusive",
        "tone": "inconclusive",
        "for_staff": False,
    }


def flag_needs(counts: Mapping[str, int], *, query: str = "") -> Iterator[Need]:
    """Yield a need for each flag that needs a person, even if its count is 0.

    `counts`: targets by flag; `query`: further parameters for the links.
    """
    for flag, (singular, plural) in _FLAG_LABELS.items():
        count = counts.get(flag, 0)
        if flag in FLAGS:
            yield {
                "name": flag,
                "count": count,
                "is_more": False,
                "words": singular if count == 1 else plural,
                "link": f"/targets?flag={flag}{query}",
                "tone": "warning",
                "for_staff": False,
            }


def _failing_channels_need() -> Need:
    failing = Q(state=ChannelState.DISABLED) | Q(failing_since__isnull=False)
    ids = list(Channel.objects.filter(failing).values_list("pk", flat=True)[: MAX_COUNTED + 1])
    return {
        "name": "channels",
        "count": len(ids[:MAX_COUNTED]),
        "is_more": len(ids) > MAX_COUNTED,
        "words": "notification channel is failing"
        if len(ids) == 1
        else "notification channels are failing",
        "link": f"/account/channels/{ids[0]}" if len(ids) == 1 else "/account/channels?failing=1",
        "tone": "warning",
        "for_staff": True,
    }


def _nobody_notified_need(total: int) -> Iterator[Need]:
    if total and not Subscription.objects.exists():
        yield {
            "name": "nobody",
            "count": 1,
            "is_more": False,
            "words": "Nobody is notified when a link dies",
            "link": "/account/channels",
            "tone": "warning",
            "for_staff": True,
        }


def headline(needs: list[Need], *, is_partial: bool = False) -> str:
    """Return in a few words how many links have died or, if that is not known, begun to fail.

    `is_partial`: not all links were looked at.
    """
    for need in needs:
        if need["name"] in ("dead", "failing"):
            more = "At least " if need["is_more"] else ""
            links = f"{need['count']:,} link{' has' if need['count'] == 1 else 's have'}"
            verb = "died" if need["name"] == "dead" else "begun to fail"
            return f"{more}{links} {verb} since yesterday"
    return "Your links" if is_partial else "No links have died since yesterday"
