"""The problems that need a person: their counts, cheap at any size, and links to the lists."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import TypedDict

from django.db.models import Q, QuerySet

from notify.models import Channel, ChannelState, Subscription
from targets.flags import CHANGED_OWNER, EXPIRES, FLAGS, TLS_ERROR
from targets.models import FAILING, Repair, Target
from targets.state import State

MOST = 2_000  # recently failed targets that are read
_LATELY = timedelta(days=1)
_MOVED = "moved"
_OF_FLAGS = {
    _MOVED: ("link moved permanently", "links moved permanently"),
    EXPIRES: ("certificate expires soon", "certificates expire soon"),
    TLS_ERROR: ("certificate is invalid", "certificates are invalid"),
    CHANGED_OWNER: ("page may have a new owner", "pages may have a new owner"),
}


class Need(TypedDict):
    """A line of *Needs your attention*."""

    name: str
    count: int
    is_more: bool  # more than `number`
    words: str  # the label after the number
    link: str
    tone: str  # the tone of its color
    for_staff: bool  # only


def find_needs(
    now: datetime, *, flags: Mapping[str, int], inconclusive: int, total: int
) -> list[Need]:
    """Return the problems that need a person, without those that do not exist."""
    active = Repair.objects.filter(undone_at=None).values("new_target")
    return [
        need
        for need in (
            newly_dead(now),
            dead_repairs(Target.objects.filter(pk__in=active, state=State.DEAD)),
            _inconclusive(inconclusive),
            *of_flags(flags),
            _failing_channels(),
            *_nobody_notified(total),
        )
        if need["count"]
    ]


def newly_dead(now: datetime) -> Need:
    """Return the targets that died recently and are still dead, of the newest MOST failures."""
    failing = Target.objects.filter(FAILING, state_changed_at__gte=now - _LATELY)
    states = failing.order_by("-state_changed_at").values_list("state", flat=True)
    found = list(states[: MOST + 1])
    count = Counter(found[:MOST])[State.DEAD]
    return {
        "name": "dead",
        "count": count,
        "is_more": len(found) > MOST,
        "words": f"link{'' if count == 1 else 's'} died in the last 24 hours",
        "link": "/targets?state=dead&since=day&order=failed",
        "tone": "dead",
        "for_staff": False,
    }


def dead_repairs(dead: "QuerySet[Target]") -> Need:
    """Return the number of these dead targets to which repairs moved references."""
    found = len(dead.values_list("pk")[: MOST + 1])
    return {
        "name": "repairs",
        "count": min(found, MOST),
        "is_more": found > MOST,
        "words": "repaired link is dead. Undo the repair?"
        if found == 1
        else "repaired links are dead. Undo the repairs?",
        "link": "/repairs/accepted",
        "tone": "dead",
        "for_staff": False,
    }


def _inconclusive(count: int) -> Need:
    return {
        "name": "inconclusive",
        "count": count,
        "is_more": False,
        "words": f"link{'' if count == 1 else 's'} can't be judged automatically",
        "link": "/targets?state=inconclusive",
        "tone": "inconclusive",
        "for_staff": False,
    }


def of_flags(counts: Mapping[str, int], *, query: str = "") -> Iterator[Need]:
    """Yield the flags that need a person, each with the number of targets."""
    for flag, (one, many) in _OF_FLAGS.items():
        count = counts.get(flag, 0)
        if flag in FLAGS:
            yield {
                "name": flag,
                "count": count,
                "is_more": False,
                "words": one if count == 1 else many,
                "link": f"/targets?flag={flag}{query}",
                "tone": "warning",
                "for_staff": False,
            }


def _failing_channels() -> Need:
    failing = Q(state=ChannelState.DISABLED) | Q(failing_since__isnull=False)
    found = list(Channel.objects.filter(failing).values_list("pk", flat=True)[: MOST + 1])
    return {
        "name": "channels",
        "count": len(found[:MOST]),
        "is_more": len(found) > MOST,
        "words": "notification channel is failing"
        if len(found) == 1
        else "notification channels are failing",
        "link": f"/account/channels/{found[0]}"
        if len(found) == 1
        else "/account/channels?failing=1",
        "tone": "warning",
        "for_staff": True,
    }


def _nobody_notified(total: int) -> Iterator[Need]:
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


def headline(needs: list[Need]) -> str:
    """Return the overall status as a sentence."""
    died = next((need for need in needs if need["name"] == "dead"), None)
    if died is not None:
        more = "More than " if died["is_more"] else ""
        count = died["count"]
        return f"{more}{count:,} link{' has' if count == 1 else 's have'} died since yesterday"
    return "No links have died since yesterday" if needs else "All quiet"
