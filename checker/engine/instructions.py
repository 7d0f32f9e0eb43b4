"""Operators' instructions for a target: how to request it, and which responses are accepted. Pure.

They are stored as JSON with the host and with the target (for the format, see
`hosts.instructions`). The target's value of a field replaces that of its host. Source:
docs/verdicts.md, "Instructions from operators".
"""

import contextlib
import html
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import ada_url

from checker.engine import verdict_table as table
from checker.engine.connection import MAX_BODY
from checker.engine.exchange import Exchange
from checker.engine.verdict import Verdict
from checker.engine.verdict_table import VerdictRow
from foundation.durations import parse_duration
from foundation.net.inflate import MAX_TEXT, inflate
from targets import flags
from targets.state import Outcome

Json = Mapping[str, Any]
_OUR_FAULTS = {row.reason for row in table.ROWS if row.is_our_fault}
_EXPECTATIONS = (table.EXPECTED_STATUS, table.EXPECTED_TEXT, table.EXPECTED_TEXT_UNSEEN)
# Reasons that no button offers to accept.
NEVER_OFFERED_REASONS = _OUR_FAULTS | {row.reason for row in (*_EXPECTATIONS, table.OPTED_OUT)}
# Flags that a button offers to accept.
OFFERED_FLAGS = flags.FLAGS.keys() - {flags.RESTRICTED, flags.TLS_ERROR, flags.ACCEPTED_FLAG}
# The expected text is encoded in each of these. The page is not decoded, so that a hostile page's
# charset is never used.
_CHARSETS = (
    *("utf-8", "cp1252", "iso8859-2", "cp1251", "koi8-r", "cp1253", "cp1254", "cp1255", "cp1256"),
    *("cp932", "euc_jp", "gb18030", "big5", "cp949"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Instructions:
    """The instructions for one target."""

    accept: frozenset[int | str] = frozenset()  # statuses, reasons and flags that are fine
    text: str = ""  # text that the page must contain
    status: int | None = None  # the required status
    timeout: float | None = None  # seconds, instead of the policy's
    headers: tuple[tuple[bytes, bytes], ...] = field(default=(), repr=False)  # may be secrets
    origin: str = ""  # the scheme, host and port that the headers are for

    def headers_for(self, urls: Iterable[str]) -> tuple[tuple[bytes, bytes], ...]:
        """Return the headers for a request at the end of these redirects.

        Empty unless `origin` is the origin of all the URLs.
        """
        if self.headers and all(_origin(url) == self.origin for url in urls):
            return self.headers
        return ()


NO_INSTRUCTIONS = Instructions()


def read_instructions(
    url: str, *, host_json: Json | None, target_json: Json | None
) -> Instructions:
    """Return the instructions for the target at `url`: its own, and those of its host.

    A target's headers are for its own origin. Those of a host are for https on the default port
    only, because anybody may register a target of the host with any scheme and port.
    """
    if not host_json and not target_json:
        return NO_INSTRUCTIONS
    merged = {**(host_json or {}), **(target_json or {})}
    is_own = "headers" in (target_json or {})
    expect = merged.get("expect") or {}
    return Instructions(
        accept=frozenset(merged.get("accept") or ()),
        text=" ".join(expect.get("text", "").split()),
        status=expect.get("status"),
        timeout=parse_duration(merged["timeout"]).total_seconds()
        if merged.get("timeout")
        else None,
        headers=tuple(
            (name.encode("ascii"), value.encode("ascii"))
            for name, value in (merged.get("headers") or {}).items()
        ),
        origin=_origin(url) if is_own else f"https://{ada_url.URL(url).hostname}",
    )


def adjust_verdict(verdict: Verdict, exchange: Exchange, instructions: Instructions) -> Verdict:
    """Return the verdict under these instructions.

    Accepted flags are removed, and accepted results become successes. A success without the
    expected status or text becomes a failure; if the text may be in an unread part of the page, it
    becomes inconclusive. Failures that are our fault do not change, because the page was not seen.
    """
    if instructions is NO_INSTRUCTIONS or verdict.reason in _OUR_FAULTS:
        return verdict
    accept = instructions.accept
    if verdict.flags and not accept.isdisjoint(verdict.flags):
        verdict = replace(verdict, flags=tuple(f for f in verdict.flags if f not in accept))
    if verdict.outcome is not Outcome.SUCCESS:
        if not _accepts(instructions, verdict, exchange):
            return verdict
        verdict = Verdict(
            outcome=table.ACCEPTED.outcome,
            flags=(*verdict.flags, *table.ACCEPTED.flags),
            mark=verdict.reason,
            rule=table.ACCEPTED.name,
            parameters=table.ACCEPTED.parameters(mark=verdict.reason),
        )
    if exchange.error is not None:
        return verdict  # there is no page to examine
    return _check_expected(verdict, exchange, instructions)


def _accepts(instructions: Instructions, verdict: Verdict, exchange: Exchange) -> bool:
    reason = verdict.reason or ""  # for a failing flag: flag_ and its name
    if not instructions.accept.isdisjoint({reason, reason.removeprefix("flag_")}):
        return True
    return exchange.error is None and (
        exchange.status in instructions.accept or exchange.status == instructions.status
    )


def _check_expected(verdict: Verdict, exchange: Exchange, instructions: Instructions) -> Verdict:
    expected = instructions.status
    if expected not in (None, exchange.status) and exchange.status not in instructions.accept:
        return _verdict(table.EXPECTED_STATUS, code=exchange.status, detail=expected)
    if not instructions.text:
        return verdict
    page = inflate(exchange.body, encoding=exchange.headers.get("content-encoding", ""))
    if _contains(page, instructions.text):
        return verdict
    row = table.EXPECTED_TEXT if _is_whole(exchange, page) else table.EXPECTED_TEXT_UNSEEN
    return _verdict(row, detail=instructions.text)


def _verdict(row: VerdictRow, **values: object) -> Verdict:
    parameters = row.parameters(**values)
    return Verdict(
        outcome=row.outcome,
        reason=row.reason,
        sentence=row.explain(**parameters),
        parameters=parameters,
        rule=row.name,
        never_counts=row.never_counts,
    )


def _is_whole(exchange: Exchange, page: bytes) -> bool:
    """Return whether `page` is the server's complete response, as far as we can tell."""
    if exchange.is_cut_off:
        return False
    length = exchange.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and len(exchange.body) < int(length[:20]):
        return False
    is_read = bool(page) or not exchange.body
    return is_read and len(exchange.body) < MAX_BODY and len(page) < MAX_TEXT


def _contains(page: bytes, text: str) -> bool:
    """Return whether a page contains this text in one of _CHARSETS, literally or with entities.

    Runs of whitespace in the page count as one space.
    """
    page = b" ".join(page.split())
    spellings = {text, html.escape(text), html.escape(text, quote=False)}
    return any(encoded in page for spelling in spellings for encoded in _encoded(spelling))


def _encoded(text: str) -> Iterator[bytes]:
    yield text.encode("ascii", "xmlcharrefreplace")
    for charset in _CHARSETS:
        with contextlib.suppress(UnicodeEncodeError):
            yield text.encode(charset)


def _origin(url: str) -> str:
    """Return scheme, host and port of a URL; the scheme's default port is omitted."""
    return str(ada_url.URL(url).origin)
