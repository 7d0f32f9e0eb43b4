"""What an exchange says of the page: pure decisions, one table, no input or output.

Sources: seed 003, Detailed processes description; seed 000, Retries; the third outcome and the
rows are this product's own (docs/adr/0003-three-outcomes.md).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from urllib.parse import urlsplit

from checker.engine.certificate import Certificate
from checker.engine.errors import ErrorKind
from checker.engine.marks import find_not_found, find_wall
from targets.state import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """One hop: a 301, 302, 303, 307 or 308, and the URL it led to."""

    status: int
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What one attempt saw: the last answer of its redirect chain, or why there is none."""

    url: str  # where the redirects led
    asked: str = ""  # what was asked for first
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)  # names in lower case
    body: bytes = b""  # as sent, up to the cap; empty of a redirect
    redirects: tuple[Redirect, ...] = ()
    error: ErrorKind | None = None
    detail: str = ""  # of the error, in the words of the lower layer
    tls_error: str | None = None  # what VERIFY_TLS=warn let pass
    certificate: Certificate | None = None  # of the last https server on the way
    retry_after: float | None = None  # seconds
    sibling: "Exchange | None" = None  # what a path beside it, made up at random, answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The decision on one exchange."""

    outcome: Outcome
    reason: str | None = None  # a code; None on plain success
    sentence: str | None = None  # for a person; None on success
    flags: tuple[str, ...] = ()
    mark: str | None = None  # what gave a bot wall or a soft 404 away


_THE_PAGE_IS_THERE = Verdict(outcome=Outcome.SUCCESS)
SOFT_404_SUSPECT = "soft_404_suspect"  # a flag: there is a page, but maybe not the one asked for

Condition = Callable[[Exchange], Verdict]

_ERROR_SENTENCES = {
    ErrorKind.DNS: "The host name does not exist",
    ErrorKind.DNS_TEMPORARY: "The name service gave no answer",
    ErrorKind.CONNECT: "The server cannot be reached",
    ErrorKind.NO_ROUTE: "This machine has no route to the server",
    ErrorKind.TIMEOUT: "The server did not answer in time",
    ErrorKind.TLS: "The TLS connection failed",
    ErrorKind.PROTOCOL: "The server does not speak HTTP as a browser understands it",
    ErrorKind.FORBIDDEN_ADDRESS: "",
    ErrorKind.FORBIDDEN_REDIRECT: "The server redirects to where Linkwatch may not go",
    ErrorKind.BAD_REDIRECT: "The server redirects to nowhere",
    ErrorKind.REDIRECT_LOOP: "The server redirects in a circle",
    ErrorKind.REDIRECT_LIMIT: "The server redirects too many times",
    ErrorKind.INTERNAL: "Linkwatch could not make this check",
}
# Paths of a home page.
_HOMES = {"", "/", "/index.html", "/index.htm", "/index.php", "/home"}
_ON_OUR_SIDE = {ErrorKind.NO_ROUTE, ErrorKind.INTERNAL}
_INCONCLUSIVE_ERRORS = {ErrorKind.DNS_TEMPORARY, *_ON_OUR_SIDE}
# Seed 000 retries network and time-out errors; a redirect is an answer, and a refusal is our own.
_RETRIED_ERRORS = {
    ErrorKind.DNS,
    ErrorKind.DNS_TEMPORARY,
    ErrorKind.CONNECT,
    ErrorKind.NO_ROUTE,
    ErrorKind.TIMEOUT,
    ErrorKind.TLS,
    ErrorKind.PROTOCOL,
}


def by_evidence(exchange: Exchange) -> Verdict:
    """The default condition: failure only where the server, or its absence, says so."""
    if exchange.error is not None:
        return _by_error(exchange.error, detail=exchange.detail)
    status = exchange.status or 0
    flags = ("tls_error",) if exchange.tls_error else ()
    wall = _wall(exchange)
    if wall is not None:
        verdict = _blocked(status, wall)
    elif 200 <= status < 300:
        verdict = _by_page(exchange)
    elif status in (401, 402):  # the page exists, for others
        verdict = Verdict(outcome=Outcome.SUCCESS, flags=("restricted",))
    else:
        verdict = _by_refusal(exchange, status)
    return replace(verdict, flags=(*flags, *verdict.flags)) if flags else verdict


def by_status_200(exchange: Exchange) -> Verdict:
    """Seed 003's literal rule: 200 after redirects is success, everything else a failure.

    But for a check that could not be made at all: nobody has answered it.
    """
    verdict = by_evidence(replace(exchange, sibling=None))
    if exchange.error in _ON_OUR_SIDE or (exchange.error is None and exchange.status == 200):
        return verdict
    return replace(
        verdict,
        outcome=Outcome.FAILURE,
        reason=verdict.reason or f"http_{exchange.status}",
        sentence=verdict.sentence or _status_sentence(exchange.status or 0),
    )


# By the names that a target or CHECK_CONDITION may give.
CONDITIONS: Mapping[str, Condition] = {"evidence": by_evidence, "status-200": by_status_200}


def decide(exchange: Exchange, *, condition: str, conditions: Mapping[str, Condition]) -> Verdict:
    """Return the verdict of the condition of that name, which may be an operator's own.

    An own one that is missing, raises or returns no Verdict is inconclusive, `condition_error`,
    with its error in sentence and mark: no page is to blame for it.
    """
    function = conditions.get(condition)
    if function is None:
        return _broken(condition, "there is none of this name")
    if function is CONDITIONS.get(condition):
        return function(exchange)
    try:
        return _checked(function(exchange), condition)
    except Exception as error:  # noqa: BLE001 (whatever an operator's function may raise)
        return _broken(condition, f"{type(error).__name__}: {error}")


def _checked(verdict: Verdict, condition: str) -> Verdict:
    """Return what an operator's function decided, complete. Raises TypeError, ValueError."""
    if not isinstance(verdict, Verdict):
        raise TypeError(f"{type(verdict).__name__} is no Verdict")
    texts = (verdict.reason or "", verdict.sentence or "", verdict.mark or "", *verdict.flags)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("reason, sentence, mark and flags are text")
    outcome = Outcome(verdict.outcome)
    if outcome is Outcome.SUCCESS:
        return replace(verdict, outcome=outcome, sentence=None)
    sentence = f"The condition {condition} counts this answer as {outcome}."
    return replace(
        verdict,
        outcome=outcome,
        reason=verdict.reason or "condition",
        sentence=verdict.sentence or sentence,
    )


def _broken(condition: str, error: str) -> Verdict:
    return Verdict(
        outcome=Outcome.INCONCLUSIVE,
        reason="condition_error",
        sentence=f"The condition {condition} could not decide: {error}.",
        mark=error,
    )


def _by_error(error: ErrorKind, *, detail: str) -> Verdict:
    sentence = ": ".join(part for part in (_ERROR_SENTENCES[error], detail.rstrip(".")) if part)
    inconclusive = error in _INCONCLUSIVE_ERRORS
    return Verdict(
        outcome=Outcome.INCONCLUSIVE if inconclusive else Outcome.FAILURE,
        reason=error.value,
        sentence=f"{sentence}.",
    )


def _wall(exchange: Exchange) -> str | None:
    return find_wall(status=exchange.status or 0, headers=exchange.headers, body=exchange.body)


def _blocked(status: int, wall: str) -> Verdict:
    name = wall.partition(":")[0]
    return Verdict(
        outcome=Outcome.INCONCLUSIVE,
        reason="blocked",
        sentence=_status_sentence(
            status, f"a bot wall ({name}) did not let Linkwatch see the page"
        ),
        mark=wall,
    )


def _by_page(exchange: Exchange) -> Verdict:
    """Decide on a page that came with a 2xx: is it the one that was asked for?"""
    mark = _soft_404(exchange)
    if mark is None:
        return _THE_PAGE_IS_THERE
    if exchange.sibling is None or not _answers_alike(exchange, exchange.sibling):
        return Verdict(outcome=Outcome.SUCCESS, flags=(SOFT_404_SUSPECT,), mark=mark)
    return Verdict(
        outcome=Outcome.FAILURE,
        reason="soft_404",
        sentence="The server answers as if the page were there, but a made-up address beside it"
        f" gets the same answer ({mark}).",
        mark=mark,
    )


def _soft_404(exchange: Exchange) -> str | None:
    """Return what shows that the page is gone in spite of its 2xx, or None."""
    if exchange.redirects and _leads_home(exchange):
        return "redirected to the home page"
    return find_not_found(headers=exchange.headers, body=exchange.body)


def _leads_home(exchange: Exchange) -> bool:
    """Tell whether a deep URL ended at the home page of its own site.

    That of another site may well be what a short link is for.
    """
    asked, found = urlsplit(exchange.asked), urlsplit(exchange.url)
    return (
        asked.path not in _HOMES
        and found.path in _HOMES
        and not found.query
        and _site(asked.hostname) == _site(found.hostname)
    )


def _site(hostname: str | None) -> str:
    return (hostname or "").removeprefix("www.")


def _answers_alike(exchange: Exchange, sibling: Exchange) -> bool:
    return (
        sibling.error is None
        and sibling.status == exchange.status
        and _soft_404(sibling) == _soft_404(exchange)
    )


def _by_refusal(exchange: Exchange, status: int) -> Verdict:
    """Decide on a final status that is no success."""
    outcome, reason, more = Outcome.FAILURE, f"http_{status}", ""
    if status < 200:
        reason = ErrorKind.PROTOCOL.value
    elif is_throttled(exchange):
        outcome, reason, more = Outcome.INCONCLUSIVE, "throttled", _wish(exchange.retry_after)
    elif status == 451:
        outcome, reason = Outcome.INCONCLUSIVE, "legal"
        more = "the law, not the server, keeps the page back"
    elif status == 407:
        outcome, reason = Outcome.INCONCLUSIVE, "proxy"
        more = "a proxy on the way says so, not the server of the page"
    elif 500 <= status < 600:
        reason = "http_5xx"
    return Verdict(outcome=outcome, reason=reason, sentence=_status_sentence(status, more))


def _wish(retry_after: float | None) -> str:
    when = "later" if retry_after is None else f"in {retry_after:.0f} s"
    return f"it asks to be visited again {when}"


def _status_sentence(status: int, more: str = "") -> str:
    try:
        words = f"The server answered {status} {HTTPStatus(status).phrase}"
    except ValueError:
        words = f"The server answered {status}"
    return f"{words}: {more}." if more else f"{words}."


def is_throttled(exchange: Exchange) -> bool:
    """Tell whether the server asks to come back later, which is no word on the page."""
    return exchange.status == 429 or (
        exchange.status == 503 and bool(exchange.headers.get("retry-after", "").strip())
    )


def head_suffices(exchange: Exchange) -> bool:
    """Tell whether the answer to a HEAD decides: many servers know only GET well.

    A success does; so does what a GET would only repeat.
    """
    if exchange.error is not None:
        return exchange.error in (ErrorKind.FORBIDDEN_ADDRESS, ErrorKind.FORBIDDEN_REDIRECT)
    return 200 <= (exchange.status or 0) < 300 or is_throttled(exchange)


def should_retry(exchange: Exchange) -> bool:
    """Tell whether another attempt may fare better: on a 5xx, network or time-out error.

    Never on a 4xx, nor where the server asked to come back later or a bot wall stands. Source:
    seed 000, Retries.
    """
    if exchange.error is not None:
        return exchange.error in _RETRIED_ERRORS
    failed = 500 <= (exchange.status or 0) < 600
    return failed and not is_throttled(exchange) and _wall(exchange) is None


def moved_to(exchange: Exchange) -> str | None:
    """Return where the permanent prefix (301, 308) of a redirect chain leads, if elsewhere."""
    target = None
    for redirect in exchange.redirects:
        if redirect.status not in (301, 308):
            break
        target = redirect.url
    return None if target == exchange.asked else target


def parse_retry_after(value: str, *, now: datetime) -> float | None:
    """Return the seconds, from 1 to a day, that a Retry-After header asks for; None if unreadable.

    It is a number of seconds or an HTTP date; what is over or negative means the shortest wait.
    Source: RFC 9110, 10.2.3.
    """
    value = value.strip()
    if re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?", value):
        seconds = float(value)  # infinite, if absurd
    else:
        try:
            at = parsedate_to_datetime(value)
            # The oldest of the three date forms names no zone: it is GMT.
            seconds = ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds()
        except (ValueError, TypeError, OverflowError, IndexError):
            return None
    return min(max(seconds, 1.0), 86_400.0)
