"""The live data of a target's page at one time, the same for everybody."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from checker.models import CheckResult
from checker.views import ResultPages
from console.target_page import history
from console.target_page.acceptance import acceptable_values
from console.target_page.certificate import CertificateDetails, certificate
from console.target_page.chart import Chart
from console.target_page.history import ResultInWords, StateHistory
from console.target_page.progress import CheckProgress, answers_again, left_alone_until, progress
from console.target_page.what_now import WhatNow, what_now
from console.uplink_banner import uplink_context
from hosts.models import Host
from targets.models import Target
from targets.target_actions import offered_operations

RESULTS_PER_PAGE = 20
_JUST_NOW = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A target and what affects it, without references, owners or audit entries."""

    now: datetime
    target: Target
    uplink_context: dict[str, Any]  # problems of our own network
    left_alone_until: datetime | None  # the end of the pause or backoff of the host
    is_host_paused: bool  # by an operator; otherwise a backoff
    answers_again: bool  # whether the last check of a dead target found the page
    progress: CheckProgress | None
    span: str  # the name of the chart's scale
    chart: Chart
    states: StateHistory
    results: list[ResultInWords]  # the newest
    next_page_token: str | None
    certificate: CertificateDetails | None
    what_now: WhatNow | None
    offered: frozenset[str]  # the operations that make sense, and `accept`

    @property
    def is_fresh(self) -> bool:
        """Whether the last check was less than a minute ago."""
        at = self.target.last_checked_at
        return at is not None and self.now - at < _JUST_NOW

    @property
    def next_check_at(self) -> datetime | None:
        """The earliest time when the next check is due and its host may be contacted, if any."""
        at = self.target.next_check_at
        return at and max(at, self.left_alone_until or at)

    @property
    def changes_at(self) -> datetime | None:
        """The next time when the page changes without an announcement, if any.

        The target then becomes due, or the pause or backoff of its host ends.
        """
        times = self.target.next_check_at, self.left_alone_until
        return min((at for at in times if at is not None and at > self.now), default=None)

    @property
    def is_secure(self) -> bool:
        """Whether the scheme of the target's URL is https."""
        return self.target.url.startswith("https:")

    @property
    def certificate_tone(self) -> str | None:
        """The tone of the certificate's badge; None without a certificate."""
        return None if self.certificate is None else self.certificate.tone(self.now)

    @property
    def flags(self) -> list[tuple[str, str]]:
        """The flags of the target, each with its meaning."""
        return history.flags_in_words(self.target.flags)


def take_snapshot(target: Target, span: str, *, now: datetime) -> Snapshot:
    """Return the current snapshot, with the chart of this scale.

    The statements are short, and their number does not depend on the length of the history.
    """
    host = Host.objects.select_related("slot").filter(name=target.host).first()
    pages = ResultPages()
    rows = CheckResult.objects.filter(target=target)
    results = pages.take(rows, limit=RESULTS_PER_PAGE, token=None)
    is_acceptable = bool(acceptable_values(results[0] if results else None))
    return Snapshot(
        now=now,
        target=target,
        uplink_context=uplink_context(),
        left_alone_until=left_alone_until(host, now=now),
        is_host_paused=host is not None and host.slot.is_paused(now),
        answers_again=answers_again(target),
        progress=progress(target, host, now=now),
        span=span,
        chart=history.newest_checks_chart(target, span, now=now),
        states=history.states(target, now=now),
        results=[history.result_in_words(result) for result in results],
        next_page_token=pages.next_page_token,
        certificate=certificate(results),
        what_now=what_now(target, host, is_acceptable=is_acceptable),
        offered=frozenset([*offered_operations(target), *(["accept"] if is_acceptable else [])]),
    )
