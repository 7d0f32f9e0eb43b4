"""Status of channels for operators: waiting, failing, stalled or disabled."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q

from notify.models import Channel, ChannelState, Delivery

_MAX_SILENCE = timedelta(minutes=1)  # messages are normally sent within seconds
_MAX_FAILING = timedelta(minutes=10)  # how long a channel may fail before it is reported


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelStatus:
    """Counts of channels and messages. Events in digests do not count as waiting."""

    channels: dict[str, int]  # by state
    failing: int  # active channels whose last attempt failed
    waiting: int  # messages, of all channels
    oldest: float | None  # seconds that the oldest message of working channels has waited


def channel_status(now: datetime) -> ChannelStatus:
    """Return the status of all channels."""
    by_state = Channel.objects.order_by().values_list("state").annotate(Count("pk"))
    waiting = Delivery.objects.waiting().order_by()
    is_of_working = Q(channel__in=Channel.objects.receiving().filter(failing_since=None))
    totals = waiting.aggregate(count=Count("pk"), oldest=Min("queued_at", filter=is_of_working))
    return ChannelStatus(
        channels={state.value: 0 for state in ChannelState} | dict(by_state),
        failing=Channel.objects.receiving().exclude(failing_since=None).count(),
        waiting=totals["count"],
        oldest=totals["oldest"] and max((now - totals["oldest"]).total_seconds(), 0.0),
    )


def complaint(now: datetime) -> str | None:
    """Return the first problem as a clause for operators, or None.

    Messages that no process sends are a problem in any channel; a disabled or failing channel is
    one only if it belongs to the deployment.
    """
    due = Channel.objects.receiving().filter(next_attempt_at__lt=now - _MAX_SILENCE)
    if due.filter(Q(token=None) | Q(leased_until__lt=now - _MAX_SILENCE)).exists():
        return "messages are waiting, but no process is sending them"
    shared = Channel.objects.without_callbacks().filter(owner=None)
    if shared.filter(state=ChannelState.DISABLED).exists():
        return "a channel shared by all operators is disabled"
    failing = Q(state=ChannelState.ACTIVE, failing_since__lt=now - _MAX_FAILING)
    if shared.filter(failing).exists():
        return "a channel shared by all operators has been failing for more than 10 minutes"
    return None
