"""Conditional requests: asking a page whether it has changed since it was read whole. Pure.

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

MOST_IN_A_ROW = 2  # checks that a 304 may decide; the next one reads the page
LONGEST_UNREAD = timedelta(days=30)  # after which the page is read, however rarely it is checked
FEWEST_CLEAN = 5  # checks in a row before the first conditional one
# Flags that a check finds without the page: by its address and its certificate.
SEEN_WITHOUT_PAGE = frozenset({MOVED, EXPIRES, INCOMPLETE_CHAIN})

_MOST_URL = 2048  # characters of an address that is kept
_ETAG = re.compile(r'(?:W/)?"[!#-~]{1,128}"')
_TIME = re.compile(r"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT", re.ASCII)
_BEFORE_THE_WEB = "Thu, 01 Jan 1970 00:00:01 GMT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """What is kept of a page in order to ask whether it has changed.

    Those without a validator are of a page that has none yet. They hold for the one check that the
    check before them planned: whatever makes another check due (a person, an older release) makes
    that one whole.
    """

    etag: str = ""
    modified: str = ""
    url: str = ""  # where the page is; empty: at the address that is asked for
    issuer: str = ""  # a digest of the certificate's there
    uses: int = 0  # checks in a row that a 304 decided
    read_at: int | None = None  # when the page was read, in seconds since 1970; None: now
    is_honest: bool | None = None  # whether a made-up validator gets the page; None: not tried
    is_current: bool = False  # the coming check may be conditional; not kept

    @classmethod
    def from_json(cls, kept: Mapping[str, Any] | None, *, due: datetime | None) -> Self:
        """Return what `as_json` gave, for the check that is `due`."""
        kept = kept or {}
        uses, read_at = kept.get("uses", 0), kept.get("read_at")
        is_current = (
            due is not None
            and kept.get("due") == int(due.timestamp())
            and uses < MOST_IN_A_ROW
            and read_at is not None
            and due.timestamp() - read_at < LONGEST_UNREAD.total_seconds()
        )
        return cls(
            etag=kept.get("etag", ""),
            modified=kept.get("modified", ""),
            url=kept.get("url", ""),
            issuer=kept.get("issuer", ""),
            uses=uses,
            read_at=read_at,
            is_honest=kept.get("honest"),
            is_current=is_current,
        )

    def as_json(self, *, now: datetime) -> dict[str, Any]:
        """Return it for a JSON column, without what is empty; `due` is for the caller to add."""
        kept = {
            "etag": self.etag,
            "modified": self.modified,
            "url": self.url,
            "issuer": self.issuer,
            "uses": self.uses,
            "honest": self.is_honest,
        }
        read_at = int(now.timestamp()) if self.read_at is None else self.read_at
        return {name: value for name, value in kept.items() if value or value is False} | {
            "read_at": read_at
        }

    def precondition(self, asked: str) -> Precondition | None:
        """Return what to send when `asked` is checked; None: ask for the page whatever it is."""
        if not self.is_current or self.is_honest is False or not (self.etag or self.modified):
            return None
        is_made_up, url = self.is_honest is None, self.url or asked
        if self.etag:
            value = f'"{secrets.token_hex(8)}"' if is_made_up else self.etag
            return Precondition(url=url, name="If-None-Match", value=value, is_made_up=is_made_up)
        value = _BEFORE_THE_WEB if is_made_up else self.modified
        return Precondition(url=url, name="If-Modified-Since", value=value, is_made_up=is_made_up)

    def confirmed(self, exchange: Exchange) -> Exchange:
        """Return the exchange as one of an unchanged page, if a 304 says so and may be believed.

        Not where another certificate is in use, nor where the answer says anything else as well.
        """
        sent = exchange.precondition
        if sent is None or sent.is_made_up or exchange.status != 304 or exchange.error is not None:
            return exchange
        unchanged = replace(exchange, is_unchanged=True)
        is_plain = by_evidence(unchanged).rule == UNCHANGED.name
        return unchanged if is_plain and self.issuer == _issuer(exchange) else exchange

    def after(self, exchange: Exchange, verdict: Verdict) -> "Validators | None":
        """Return what is to be kept after a check by GET; None: nothing new."""
        if self.is_honest is False or verdict.outcome is not Outcome.SUCCESS:
            return None
        if verdict.rule == UNCHANGED.name:
            return replace(self, uses=self.uses + 1)
        is_page = verdict.rule == PAGE.name and exchange.status == 200 and exchange.error is None
        if not is_page or not SEEN_WITHOUT_PAGE.issuperset(verdict.flags):
            return None
        url = "" if exchange.url == exchange.asked else exchange.url
        etag, modified = _validators_of(exchange.headers)
        if not (etag or modified) or len(url) > _MOST_URL:
            return None
        is_tried = exchange.precondition is not None and exchange.precondition.is_made_up
        is_known = self.is_honest is True and self.url == url
        return Validators(
            etag=etag,
            modified="" if etag else modified,
            url=url,
            issuer=_issuer(exchange),
            is_honest=True if is_tried or is_known else None,
        )


# Of a server that says of any validator that nothing has changed: asked whole for ever.
DISHONEST = Validators(is_honest=False)


def knows_made_up(exchange: Exchange) -> bool:
    """Tell whether a server said of a made-up validator that nothing has changed."""
    sent = exchange.precondition
    return sent is not None and sent.is_made_up and exchange.status == 304


def wants_page(exchange: Exchange) -> bool:
    """Tell whether to ask for the page after all, since the answer may be to the condition alone.

    A page or a 304 that is believed decides, as does a server that asks to be left alone. An error
    of the network is for the usual retries.
    """
    if exchange.precondition is None or exchange.error is not None or exchange.is_unchanged:
        return False
    return exchange.retry_after is None and not 200 <= (exchange.status or 0) < 300


def _validators_of(headers: Mapping[str, str]) -> tuple[str, str]:
    """Return ETag and Last-Modified, each empty unless it is well-formed and short."""
    etag, modified = headers.get("etag", "").strip(), headers.get("last-modified", "").strip()
    return (
        etag if _ETAG.fullmatch(etag) else "",
        modified if _TIME.fullmatch(modified) else "",
    )


def _issuer(exchange: Exchange) -> str:
    """Return a short digest of the issuer of the certificate; empty without one."""
    if exchange.certificate is None:
        return ""
    issuer = exchange.certificate.issuer.encode("utf-8", "replace")
    return hashlib.blake2b(issuer, digest_size=6).hexdigest()
