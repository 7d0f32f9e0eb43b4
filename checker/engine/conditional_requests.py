"""Conditional requests: whether a page has changed since it was read in full. Pure.

Sources: RFC 9110, 8.8 (validators) and 13.1 (preconditions); docs/adr/0055-conditional-requests.md.
"""

import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Self

from checker.engine.exchange import Exchange, Precondition
from checker.engine.verdict import Verdict, by_evidence
from checker.engine.verdict_table import PAGE, UNCHANGED
from targets.flags import EXPIRES, INCOMPLETE_CHAIN, MOVED
from targets.state import Outcome

MAX_UNREAD_CHECKS = 2  # checks in a row decided by a 304; the next one reads the page
MAX_UNREAD_TIME = timedelta(days=30)  # after which the page is read in any case
MIN_SUCCESSES = 5  # successful checks in a row before the first conditional check
# Flags that depend on the URL and the certificate, not on the page.
SEEN_WITHOUT_PAGE = frozenset({MOVED, EXPIRES, INCOMPLETE_CHAIN})

_MAX_URL = 2048  # characters of a URL that is stored
_ETAG = re.compile(r'(?:W/)?"[!#-~]{1,128}"')
_HTTP_DATE = re.compile(r"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT", re.ASCII)
_BEFORE_THE_WEB = "Thu, 01 Jan 1970 00:00:01 GMT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """The stored values of a page for conditional requests.

    `etag` and `last_modified` may both be empty. The values are valid only for the check that the
    last check scheduled: a check that became due in another way (because of a person or an older
    release) reads the page.
    """

    etag: str = ""
    last_modified: str = ""
    url: str = ""  # of the page; empty: the requested URL
    issuer: str = ""  # digest of its certificate's issuer
    uses: int = 0  # checks in a row that a 304 decided
    read_at: int | None = None  # time of the last full read, in seconds since 1970; None: now
    is_honest: bool | None = None  # whether a made-up validator returns the page; None: untested
    is_current: bool = False  # the next check may be conditional; not stored

    @classmethod
    def from_json(cls, stored: Mapping[str, Any] | None, *, due: datetime | None) -> Self:
        """Return validators stored by `as_json`, for the check that was scheduled for `due`."""
        stored = stored or {}
        uses, read_at = stored.get("uses", 0), stored.get("read_at")
        is_current = (
            due is not None
            and stored.get("due") == int(due.timestamp())
            and uses < MAX_UNREAD_CHECKS
            and read_at is not None
            and due.timestamp() - read_at < MAX_UNREAD_TIME.total_seconds()
        )
        return cls(
            etag=stored.get("etag", ""),
            last_modified=stored.get("modified", ""),
            url=stored.get("url", ""),
            issuer=stored.get("issuer", ""),
            uses=uses,
            read_at=read_at,
            is_honest=stored.get("honest"),
            is_current=is_current,
        )

    def as_json(self, *, now: datetime) -> dict[str, Any]:
        """Return a value for a JSON column, without empty fields; the caller adds `due`."""
        fields = {
            "etag": self.etag,
            "modified": self.last_modified,
            "url": self.url,
            "issuer": self.issuer,
            "uses": self.uses,
            "honest": self.is_honest,
        }
        read_at = int(now.timestamp()) if self.read_at is None else self.read_at
        return {name: value for name, value in fields.items() if value or value is False} | {
            "read_at": read_at
        }

    def precondition(self, asked: str) -> Precondition | None:
        """Return the precondition for a check of the URL `asked`; None: request the page."""
        if not self.is_current or self.is_honest is False or not (self.etag or self.last_modified):
            return None
        is_made_up, url = self.is_honest is None, self.url or asked
        if self.etag:
            value = f'"{secrets.token_hex(8)}"' if is_made_up else self.etag
            return Precondition(url=url, name="If-None-Match", value=value, is_made_up=is_made_up)
        value = _BEFORE_THE_WEB if is_made_up else self.last_modified
        return Precondition(url=url, name="If-Modified-Since", value=value, is_made_up=is_made_up)

    def mark_if_unchanged(self, exchange: Exchange) -> Exchange:
        """Return the exchange, marked as unchanged if it is a credible 304.

        A 304 is not credible if the certificate's issuer has changed, or if the response leads to a
        verdict other than `unchanged`.
        """
        sent = exchange.precondition
        if sent is None or sent.is_made_up or exchange.status != 304 or exchange.error is not None:
            return exchange
        unchanged = replace(exchange, is_unchanged=True)
        is_plain = by_evidence(unchanged).rule == UNCHANGED.name
        return unchanged if is_plain and self.issuer == _issuer_digest(exchange) else exchange

    def update_after(self, exchange: Exchange, verdict: Verdict) -> "Validators | None":
        """Return the validators to store after a check by GET; None: keep the stored ones."""
        if self.is_honest is False or verdict.outcome is not Outcome.SUCCESS:
            return None
        if verdict.rule == UNCHANGED.name:
            return replace(self, uses=self.uses + 1)
        is_page = verdict.rule == PAGE.name and exchange.status == 200 and exchange.error is None
        if not is_page or not SEEN_WITHOUT_PAGE.issuperset(verdict.flags):
            return None
        url = "" if exchange.url == exchange.asked else exchange.url
        etag, last_modified = _validators_of(exchange.headers)
        if not (etag or last_modified) or len(url) > _MAX_URL:
            return None
        was_tested = exchange.precondition is not None and exchange.precondition.is_made_up
        was_honest = self.is_honest is True and self.url == url
        return Validators(
            etag=etag,
            last_modified="" if etag else last_modified,
            url=url,
            issuer=_issuer_digest(exchange),
            is_honest=True if was_tested or was_honest else None,
        )


# The server accepts any validator as current: never ask conditionally again.
DISHONEST = Validators(is_honest=False)


def accepted_made_up(exchange: Exchange) -> bool:
    """Return whether a server said "not modified" for a made-up validator."""
    precondition = exchange.precondition
    return precondition is not None and precondition.is_made_up and exchange.status == 304


def needs_page(exchange: Exchange) -> bool:
    """Return whether to request the page after all: the precondition may have caused the response.

    False for a 2xx response, for a credible 304, and if the server asks for a pause. Network errors
    are retried as usual.
    """
    if exchange.precondition is None or exchange.error is not None or exchange.is_unchanged:
        return False
    return exchange.retry_after is None and not 200 <= (exchange.status or 0) < 300


def _validators_of(headers: Mapping[str, str]) -> tuple[str, str]:
    """Return ETag and Last-Modified, each empty unless it is well-formed and short."""
    etag, date = headers.get("etag", "").strip(), headers.get("last-modified", "").strip()
    return (etag if _ETAG.fullmatch(etag) else "", date if _HTTP_DATE.fullmatch(date) else "")


def _issuer_digest(exchange: Exchange) -> str:
    """Return a short digest of the certificate's issuer; empty without a certificate."""
    if exchange.certificate is None:
        return ""
    issuer = exchange.certificate.issuer.encode("utf-8", "replace")
    return hashlib.blake2b(issuer, digest_size=6).hexdigest()
