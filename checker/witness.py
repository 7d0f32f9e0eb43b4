"""Decides which hosts to ask whether our own network works, and when. Pure.

A failure to reach a server counts only with a witness: another host that answered since the check
began. If there is no host to ask, the failure counts, unless it may be our own, or no server has
ever answered this deployment.
`checker.witness_requests` finds witnesses. Source: docs/adr/0008-witness.md.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, TypeVar

from checker.engine.errors import ErrorKind
from checker.engine.fetch import Probe
from checker.engine.verdict_table import (
    REASONS_ON_OUR_SIDE,
    ROW_OF_ERROR,
    SELF_OUTAGE,
    UNREACHED_ERRORS,
)
from targets.state import Outcome

SEARCH_MAX_AGE = 5.0  # seconds for which the result of a search is valid
MIN_ASKED = 3  # other hosts; with fewer and without a canary, none is asked
MAX_ASKED = 9  # other hosts, without canaries
_MAX_HOSTS = 1000
_MAX_ANSWER_AGE = 600.0  # seconds

_T = TypeVar("_T")


class NetworkState(Enum):
    """The state of our own network."""

    WORKS = auto()  # another host answers
    SILENT = auto()  # no host does
    UNKNOWN = auto()  # there is no host to ask
    STALLED = auto()  # this process was too busy to see a response


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessSearch:
    """The result of one search for a witness."""

    state: NetworkState
    witness: str | None  # the host that answered
    at: float  # monotonic seconds


@dataclass(frozen=True, slots=True)
class Contact:
    """A host that may be asked, and a live URL on it."""

    host: str
    url: str


class Memory:
    """This process's knowledge of the network; bounded. Times are seconds on its monotonic
    clock."""

    def __init__(self) -> None:
        # Live URL ("": none) and time by host, oldest first.
        self._answers: dict[str, tuple[str, float]] = {}
        self._silent: dict[str, None] = {}  # hosts not reached at the last try, oldest first
        self._last_search: WitnessSearch | None = None
        self.any_host_answered = False  # ever

    def clear(self) -> None:
        """Forget everything."""
        self._answers.clear()
        self._silent.clear()
        self._last_search = None
        self.any_host_answered = False

    def record_answer(self, host: str, url: str, *, at: float, is_alive: bool = True) -> None:
        """Remember that `host` answered; keep `url` for later requests if it is alive."""
        self.any_host_answered = True
        self._silent.pop(host, None)
        previous_url, _ = self._answers.pop(host, ("", at))
        if not is_alive:
            url = "" if previous_url == url else previous_url
        self._answers[host] = (url, at)
        _forget_oldest(self._answers)

    def record_silence(self, host: str) -> None:
        """Remember that `host` could not be reached."""
        self._answers.pop(host, None)
        self._silent.pop(host, None)
        self._silent[host] = None
        _forget_oldest(self._silent)

    def has_witness(self, *, since: float, other_than: str) -> bool:
        """Whether another host answered at or after `since`."""
        for host, (_, at) in reversed(self._answers.items()):
            if at < since:
                return False
            if host != other_than:
                return True
        return False

    def remember(self, search: WitnessSearch) -> None:
        """Store the result of a search for later callers."""
        self._last_search = search

    def recent_state(self, host: str, *, now: float) -> NetworkState | None:
        """Return the result of a recent search; None if there is none, or its witness is `host`."""
        search = self._last_search
        if search is None or search.witness == host or now - search.at > SEARCH_MAX_AGE:
            return None
        return search.state

    def is_silent(self) -> bool:
        """Return whether the last search found no host that responds, and none has since."""
        search = self._last_search
        if search is None or search.state is not NetworkState.SILENT:
            return False
        return not self.has_witness(since=search.at, other_than="")

    def contacts(self, others: Iterable[Contact], *, other_than: str, now: float) -> list[Contact]:
        """Return at most MAX_ASKED hosts to ask, the likeliest to answer first.

        A few hosts that answered this process come first, then `others`, then more of the former.
        Hosts that were silent at the last try come last; in an outage, that is all of them.
        """
        seen = [
            Contact(host, url)
            for host, (url, at) in reversed(self._answers.items())
            if url and now - at <= _MAX_ANSWER_AGE
        ]
        by_host = {contact.host: contact for contact in (*others, *seen)}
        by_host.pop(other_than, None)
        first = [contact for contact in seen if contact.host in by_host][: MAX_ASKED // 2]
        rest = [contact for contact in by_host.values() if contact not in first]
        rest.sort(key=lambda contact: contact.host in self._silent)
        return (first + rest)[:MAX_ASKED]


def _forget_oldest(memory: dict[str, _T]) -> None:
    if len(memory) > _MAX_HOSTS:
        del memory[next(iter(memory))]


def got_answer(probe: Probe) -> bool:
    """Whether any server answered over HTTP, even if only with a redirect to one that did not."""
    if probe.redirects:
        return True
    return probe.status_code is not None and not _may_be_from_proxy(probe)


def went_through_proxy(probe: Probe) -> bool:
    """Whether the last request went through the egress proxy."""
    return bool(_last_attempt(probe).get("proxy"))


def _last_attempt(probe: Probe) -> dict[str, Any]:
    attempts = probe.evidence.get("attempts")
    return attempts[-1] if attempts else {"error": probe.reason}


def _may_be_from_proxy(probe: Probe) -> bool:
    """Whether the response, a 502 to 504 over plain HTTP, may be the proxy's own."""
    is_plain_http = (probe.final_url or "").startswith("http:")
    return probe.status_code in (502, 503, 504) and is_plain_http and went_through_proxy(probe)


def needs_witness(probe: Probe) -> bool:
    """Whether no server was reached: no name resolved, no connection made or no byte received.

    Also true for a failure that may be the egress proxy's own response.
    """
    if probe.outcome is Outcome.SUCCESS or got_answer(probe):
        return False
    if _may_be_from_proxy(probe):
        return probe.outcome is Outcome.FAILURE
    last = _last_attempt(probe)
    return last.get("error") in UNREACHED_ERRORS and last.get("first_byte_ms") is None


def may_be_our_failure(probe: Probe) -> bool:
    """Whether the failure may be on our side."""
    last = _last_attempt(probe)
    if last.get("proxy") is True and last.get("error") in (ErrorKind.TIMEOUT, ErrorKind.CONNECT):
        return True  # no response from the proxy, or a broken one
    return probe.reason in REASONS_ON_OUR_SIDE


def without_witness(probe: Probe, *, state: NetworkState = NetworkState.SILENT) -> Probe:
    """Return the result as inconclusive, with its evidence: we may be offline, or were too busy."""
    row = ROW_OF_ERROR[ErrorKind.STALLED] if state is NetworkState.STALLED else SELF_OUTAGE
    return replace(
        probe,
        outcome=row.outcome,
        reason=row.reason,
        error=row.explain(),
        parameters=dict(row.parameters()),
        never_counts=row.never_counts,
        evidence={**probe.evidence, "unwitnessed": {"reason": probe.reason, "error": probe.error}},
    )
