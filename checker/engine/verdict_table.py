"""The table of verdicts: what each response, error and mark means.

`verdict_rows.py` finds the row of an exchange; retries, HEAD mode, the witness and the state
machine follow its columns. docs/verdicts.md is the same table for people; a test keeps them equal.
Source: docs/requirements.md#checks-condition, #checks-retries; the third outcome and most rows are
specific to this product (docs/adr/0003-three-outcomes.md).
"""

import functools
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from http import HTTPStatus
from typing import Any, cast

from checker.engine.errors import ErrorKind
from checker.engine.mark_names import mark_for_people
from foundation.durations import duration_in_words
from foundation.net.retry_after import MAX_WAIT
from targets.advice_provider import NO_ADVICE, Advice
from targets.flags import (
    ACCEPTED_FLAG,
    CHANGED_OWNER,
    ERROR_PAGE,
    EXPIRES,
    HOME_PAGE,
    INCOMPLETE_CHAIN,
    LOGIN,
    MOVED,
    PARKED,
    RESTRICTED,
    SAME_FOR_ALL,
    TLS_ERROR,
    flag_label,
)
from targets.state import Outcome

Parameters = Mapping[str, Any]  # of a row's sentence, as JSON; `rule` is the row's name


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictRow:
    """A rule. A status or an error selects it; `verdict_rows` and other modules select the rest.

    `reason` and `sentence` are templates: {code} is the status, {answer} the status in words,
    {detail} the lower layer's error, {mark} the mark of a page, {wall} the bot wall or filter that
    it shows, {flag} a flag, {when} the requested pause, {asked} the request for it, {condition} and
    {error} the name and error of an operator's rule. Results store the sentence's `parameters`, so
    that sentences can be improved later.
    """

    name: str  # of the rule; it never changes, because results, the API and anchors use it
    title: str = ""  # the name for people, as in docs/verdicts.md; the default is `name`
    outcome: Outcome
    reason: str | None = None  # a code; None on plain success
    sentence: str | None = None  # for people; None on success
    summary: str  # two or three words, for lists; {code} is the status
    summaries: Mapping[int, str] = field(default_factory=dict)  # for some statuses instead
    suggestion: str | None = None  # what to do; None: nothing
    flags: tuple[str, ...] = ()
    statuses: Collection[int] = ()  # of the final response
    error: ErrorKind | None = None  # instead of a status
    is_retried: bool = False  # in the same check
    never_counts: bool = False  # inconclusive, and never a failure, no matter how long it lasts
    is_our_fault: bool = False  # on our side; no built-in condition makes it a failure
    may_be_our_fault: bool = False  # perhaps on our side: also checked again soon
    needs_witness: bool = False  # our own network may be down
    decides_head: bool = False  # for HEAD: a GET would not say more

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", self.name)

    def parameters(self, **values: object) -> Parameters:
        """Return the parameters that a result stores: `rule`, the row's name, and `values`.

        The values are `code`, `wait` (seconds), `detail`, `mark`, `flag`, `condition` and `error`;
        None and empty strings are omitted.
        """
        stored = {name: value for name, value in values.items() if value not in (None, "")}
        return {"rule": self.name, **stored}

    def explain(self, **parameters: object) -> str | None:
        """Return the sentence with these parameters; an empty part is left out with its colon."""
        if self.sentence is None:
            return None
        words = defaultdict(str, {name: str(value) for name, value in parameters.items()})
        words["answer"] = _status_in_words(words["code"])
        words["wall"] = _wall_in_words(words["mark"])
        words["mark"] = mark_for_people(words["mark"])
        words["flag"] = flag_label(words["flag"])
        words["when"] = _pause_in_words(words["wait"])
        words["asked"] = f" and asked Linkwatch to try again {words['when']}" * bool(words["wait"])
        return self.sentence.format_map(words).replace(" ()", "").rstrip(" :.") + "."

    def advice(self, code: int | None) -> Advice:
        """Return the summary and suggestion for a response with this status."""
        summary = self.summaries.get(code or 0) or self.summary.format(code=code or "")
        return Advice(summary.rstrip(), self.suggestion)


# Bot walls whose product is unknown, by the kind of their mark.
_WALLS_WITHOUT_PRODUCT = {
    "": "a bot wall",
    "asker": "a bot wall that refuses Linkwatch's address, network or user agent",
    "blocked": "a bot wall",
    "captcha": "a bot wall with a CAPTCHA",
    "firewall": "the site's firewall",
    "location": "a bot wall that refuses Linkwatch's location",
    "pay per crawl": "a bot wall that charges crawlers",
    "rate limit": "a rate limit",
    "script": "a bot wall that requires JavaScript",
    "waiting room": "a waiting room",
    "web filter": "a filter on Linkwatch's own network",
}


def _wall_in_words(mark: str) -> str:
    """Return what the mark of a wall stands for."""
    kind = mark.partition(":")[0]
    return _WALLS_WITHOUT_PRODUCT.get(kind) or f"a bot wall ({mark_for_people(kind)})"


def _status_in_words(code: str) -> str:
    """Return a status with its name, if it has one."""
    try:
        return f"{code} {HTTPStatus(int(code)).phrase}"
    except ValueError:
        return code


def _pause_in_words(wait: str) -> str:
    """Return a requested pause of `wait` seconds in words, rounded unless it is short."""
    if not wait.isdecimal():
        return "later"
    seconds = int(wait)
    if seconds >= MAX_WAIT.total_seconds():  # the request may have been for a longer pause
        return "in a day or more"
    unit = 3600 if seconds >= 7200 else 300 if seconds > 3600 else 60 if seconds > 90 else 1
    rounded = round(seconds / unit) * unit
    about = "" if rounded == seconds else "about "
    return f"in {about}{duration_in_words(timedelta(seconds=rounded))}"


# With any of these flags, the page is not the requested one.
ANOTHER_PAGE_FLAGS = frozenset({PARKED, ERROR_PAGE, HOME_PAGE, LOGIN, SAME_FOR_ALL, CHANGED_OWNER})

SUCCESS, FAILURE, INCONCLUSIVE = Outcome.SUCCESS, Outcome.FAILURE, Outcome.INCONCLUSIVE

# Rows by the final response's status. The first row with the status decides.

PAGE = VerdictRow(
    name="page", statuses=range(200, 300), outcome=SUCCESS, decides_head=True, summary="Page found"
)
# With the condition status-200, also the statuses of the rows before.
STATUS_BELOW_400 = VerdictRow(
    name="status below 400",
    statuses=range(200, 400),
    outcome=FAILURE,
    reason="http_{code}",
    sentence="The server returned {answer}",
    summary="Status {code}",
    suggestion="Open the page in a browser. If it is there, ask an operator to accept this status.",
)
OTHER_STATUS = VerdictRow(
    name="other status",
    statuses=range(10_000),
    outcome=FAILURE,
    reason="http_{code}",
    sentence="The server returned {answer}",
    summary="Error {code}",
    summaries={404: "Page gone", 410: "Page gone"},
    suggestion="Look for the page's new address. If there is none, link to an archived copy or"
    " remove the link.",
)
# Some servers refuse the page, others a client that does not look like a browser.
BARE_REFUSAL = VerdictRow(
    name="bare refusal",
    statuses={400, 403, 405, 406, 412, 418, 428, 498},
    outcome=FAILURE,
    reason="http_{code}",
    sentence="The server returned {answer}",
    summary="Access refused",
    suggestion="Open the page in a browser. If it is there, the link is fine. If not, look for its "
    "new address or an archived copy.",
)
RESTRICTED_PAGE = VerdictRow(
    name="restricted",
    statuses={401, 402},
    outcome=SUCCESS,
    flags=(RESTRICTED,),
    summary="Restricted access",
    summaries={401: "Needs a login", 402: "Needs payment"},
    suggestion="Check that your readers have access. If not, link to a page that is open to"
    " everyone.",
)
SERVER_ERROR = VerdictRow(
    name="server error",
    statuses=range(500, 600),
    outcome=FAILURE,
    reason="http_5xx",
    sentence="The server returned {answer}",
    summary="Server error",
    suggestion="Wait a day or two: server errors are often temporary. If the problem persists, "
    "contact the site's owner or link to another source.",
    is_retried=True,
)
UNAVAILABLE = VerdictRow(
    name="unavailable",
    statuses={408, 425, 508, 509, 529},
    outcome=INCONCLUSIVE,
    reason="unavailable",
    sentence="The server is temporarily unavailable: it returned {answer}{asked}",
    summary="Temporarily unavailable",
    suggestion="This is usually temporary. If it lasts for days, link to another source.",
)
APP_LINK = VerdictRow(
    name="redirect to an app",
    statuses={301, 302, 303, 307, 308},
    outcome=SUCCESS,
    summary="Opens an app",
)
_BY_STATUS = (
    PAGE,
    VerdictRow(
        name="choice or unchanged", statuses={300, 304}, outcome=SUCCESS, summary="Page found"
    ),
    APP_LINK,
    RESTRICTED_PAGE,
    VerdictRow(
        name="proxy",
        statuses={407, 511},
        outcome=INCONCLUSIVE,
        reason="proxy",
        sentence="A proxy, not the page's server, returned {answer}",
        summary="Proxy problem",
        suggestion="Ask an operator to check the network and its proxy. The page itself may be "
        "fine.",
        never_counts=True,
        may_be_our_fault=True,
    ),
    VerdictRow(
        name="legal",
        statuses={451},
        outcome=INCONCLUSIVE,
        reason="legal",
        sentence="The server returned {answer}",
        summary="Blocked by law",
        suggestion="Open the page in a browser. If your readers can't see it either, link to"
        " another source.",
        never_counts=True,
    ),
    VerdictRow(
        name="no final answer",
        title="no final response",
        statuses=range(200),
        outcome=FAILURE,
        reason="protocol",
        sentence="The server returned {answer}",
        summary="Invalid response",
        suggestion="Open the page in a browser. If it fails there too, contact the site's owner "
        "or link to another source.",
    ),
    UNAVAILABLE,
    SERVER_ERROR,
    BARE_REFUSAL,
    STATUS_BELOW_400,
    OTHER_STATUS,
)

# A 304 in response to a conditional request.
UNCHANGED = VerdictRow(name="unchanged", outcome=SUCCESS, summary="Page unchanged")

# Signs in a response that override its status.

CLOSED_BY_HOST = VerdictRow(
    name="closed by host",
    outcome=FAILURE,
    reason="closed_by_host",
    sentence="The hosting provider says that this site is closed or not set up ({mark})",
    summary="Site closed",
    suggestion="Link to an archived copy or another source, or remove the link.",
)
HTTPS_ONLY = VerdictRow(
    name="HTTPS only",
    outcome=FAILURE,
    reason="https_only",
    sentence="The server only accepts HTTPS on this port, but the address starts with http:// "
    "({mark})",
    summary="Needs HTTPS",
    suggestion="Use https:// in the link. If the link already has it, the site redirects to the"
    " wrong address: tell its owner.",
)
BOT_WALL = VerdictRow(
    name="bot wall",
    outcome=INCONCLUSIVE,
    reason="blocked",
    sentence="The server returned {answer}: {wall} kept Linkwatch from seeing the page",
    summary="Check blocked",
    suggestion="Open the page in a browser. If it is there, the link is fine.",
    never_counts=True,
)
OPTED_OUT = VerdictRow(
    name="opted out",
    error=ErrorKind.OPTED_OUT,
    outcome=INCONCLUSIVE,
    reason="robots",
    sentence="The site's robots.txt ({detail}) asks Linkwatch not to visit this page",
    summary="Blocks bots",
    suggestion="Open the page in a browser. If it is there, the link is fine, but Linkwatch can't "
    "check it unless the site's owner permits it.",
    never_counts=True,
    decides_head=True,
)
REFUSED_AT_ROOT = VerdictRow(
    name="refused at the root",
    outcome=INCONCLUSIVE,
    reason="blocked",
    sentence=(
        "The server returned {answer} and also refused access to its home page, so it "
        "probably refuses all requests from Linkwatch"
    ),
    summary="Check blocked",
    suggestion="Open the page in a browser. If it is there, the link is fine. The site's owner may "
    "agree to let Linkwatch in.",
    never_counts=True,
)
REFUSED_ROOT_UNKNOWN = VerdictRow(
    name="refused, root unknown",
    outcome=INCONCLUSIVE,
    reason="root_unknown",
    sentence="The server returned {answer}, and its home page gave no usable response, so it is "
    "unclear whether only this page is refused",
    summary="Access refused",
    suggestion="Open the page in a browser. If it is there, the link is fine. If not, the site may "
    "be down for a while.",
)
FOR_MEMBERS = VerdictRow(
    name="for members",
    outcome=SUCCESS,
    flags=(RESTRICTED,),
    summary="Restricted access",
    suggestion="Check that your readers have access. If not, link to a page that is open to"
    " everyone.",
)
THROTTLED = VerdictRow(
    name="throttled",
    outcome=INCONCLUSIVE,
    reason="throttled",
    sentence="The server returned {answer} and asked Linkwatch to try again {when}",
    summary="Too many requests",
    suggestion="The page may be fine. It can be checked when the server allows it.",
    never_counts=True,
    decides_head=True,
)
STILL_SHOWN = VerdictRow(
    name="page still shown",
    outcome=INCONCLUSIVE,
    reason="page_still_shown",
    sentence="The server returned {answer}, but the page looks as it did when last seen; a made-up "
    "address returns a different page",
    summary="Contradictory response",
    suggestion="Open the page in a browser. If it is there, the link is fine. Tell the site's "
    "owner that the page is sent with an error status.",
)
PARKED_PAGE = VerdictRow(
    name="parked",
    outcome=SUCCESS,
    flags=(PARKED,),
    summary="Domain parked",
    suggestion="The page is no longer there. Link to an archived copy or another source, or"
    " remove the link.",
)
LOGIN_PAGE = VerdictRow(
    name="log-in",
    title="login",
    outcome=SUCCESS,
    flags=(LOGIN, RESTRICTED),
    summary="Needs a login",
    suggestion="Check that your readers can sign in. If not, link to a page that is open to"
    " everyone.",
)
FOUND_ERROR = VerdictRow(
    name="error page",
    outcome=SUCCESS,
    flags=(ERROR_PAGE,),
    summary="Page gone",
    suggestion="Open the page. If its content is gone, look for its new address or link to an"
    " archived copy.",
)
SENT_HOME = VerdictRow(
    name="home page",
    outcome=SUCCESS,
    flags=(HOME_PAGE,),
    summary="Redirects elsewhere",
    suggestion="Look for the page's new address on its site, or link to an archived copy.",
)
SAME_AS_MADE_UP = VerdictRow(
    name="same for all",
    outcome=SUCCESS,
    flags=(SAME_FOR_ALL,),
    summary="Possibly gone",
    suggestion="Open the page. If its content is gone, look for its new address or link to an"
    " archived copy.",
)
SOFT_404 = VerdictRow(
    name="soft 404",
    outcome=FAILURE,
    reason="soft_404",
    sentence="The server responds as if the page were there, but a made-up address in the "
    "same folder returns the same response ({mark})",
    summary="Possibly gone",
    suggestion="Open the page. If its content is gone, look for its new address or link to an"
    " archived copy.",
)
FAILING_FLAG = VerdictRow(
    name="failing flag",
    outcome=FAILURE,
    reason="flag_{flag}",
    sentence="The page has the flag “{flag}”, which FAILING_FLAGS counts as a failure ({mark})",
    summary="Flagged page",
    suggestion="Open the page and see whether it still shows what you link to.",
)

# Why there is no response.

_BY_ERROR = (
    VerdictRow(
        name="unknown name",
        error=ErrorKind.DNS,
        outcome=FAILURE,
        reason="dns",
        sentence="The host name does not resolve to an address: {detail}",
        summary="Host not found",
        suggestion="Check the address for typos. If the site has moved, link to its new "
        "address. If not, link to an archived copy.",
        is_retried=True,
        needs_witness=True,
    ),
    VerdictRow(
        name="name service",
        error=ErrorKind.DNS_TEMPORARY,
        outcome=INCONCLUSIVE,
        reason="dns_temporary",
        sentence="The host name could not be looked up: {detail}",
        summary="Name not resolved",
        suggestion="This is usually temporary. If the problem persists, the site's name servers "
        "are probably not working.",
        is_retried=True,
        needs_witness=True,  # it is a failure with status-200, or if it persists
        may_be_our_fault=True,
    ),
    VerdictRow(
        name="no connection",
        error=ErrorKind.CONNECT,
        outcome=FAILURE,
        reason="connect",
        sentence="The server cannot be reached: {detail}",
        summary="Server unreachable",
        suggestion="Wait a day or two. If the problem persists, link to an archived copy or "
        "another source.",
        is_retried=True,
        needs_witness=True,
    ),
    VerdictRow(
        name="no route",
        error=ErrorKind.NO_ROUTE,
        outcome=INCONCLUSIVE,
        reason="no_route",
        sentence="Linkwatch has no network route to the server: {detail}",
        summary="No route",
        suggestion="Ask an operator to check Linkwatch's network, for example whether it has IPv6.",
        is_retried=True,
        never_counts=True,
        is_our_fault=True,
        needs_witness=True,
    ),
    VerdictRow(
        name="egress proxy",
        error=ErrorKind.PROXY,
        outcome=INCONCLUSIVE,
        reason="proxy",
        sentence="The proxy in EGRESS_PROXY did not connect to the server: {detail}",
        summary="Proxy problem",
        suggestion="Ask an operator to check EGRESS_PROXY. The page itself may be fine.",
        is_retried=True,
        never_counts=True,
        is_our_fault=True,
        needs_witness=True,
    ),
    VerdictRow(
        name="time-out",
        title="timeout",
        error=ErrorKind.TIMEOUT,
        outcome=FAILURE,
        reason="timeout",
        sentence="The server did not respond in time: {detail}",
        summary="No response",
        suggestion="Open the page in a browser. If it is slow, ask an operator to allow it more"
        " time. If it fails there too, wait a day or two, then link to an archived"
        " copy.",
        is_retried=True,
        needs_witness=True,
    ),
    VerdictRow(
        name="late ourselves",
        title="Linkwatch overloaded",
        error=ErrorKind.STALLED,
        outcome=INCONCLUSIVE,
        reason="stalled",
        sentence="It is unclear whether the server responded, because Linkwatch was too busy: "
        "{detail}",
        summary="Linkwatch overloaded",
        suggestion="The page may be fine. If this happens often, ask an operator to check the load "
        "on the machine.",
        is_retried=True,
        is_our_fault=True,
    ),
    VerdictRow(
        name="certificate",
        error=ErrorKind.TLS,
        outcome=FAILURE,
        reason="tls",
        sentence="The TLS connection failed: {detail}",
        summary="Secure connection failed",
        suggestion="Open the page in a browser. If the browser refuses it too, tell the site's "
        "owner. If nothing changes, link to another source.",
        is_retried=True,
    ),
    VerdictRow(
        name="certificate wanted",
        title="certificate required",
        error=ErrorKind.CLIENT_CERTIFICATE,
        outcome=SUCCESS,
        flags=(RESTRICTED,),
        summary="Needs a certificate",
        suggestion="Check that your readers have the certificate that the server asks for.",
    ),
    VerdictRow(
        name="HTTP/2 only",
        error=ErrorKind.HTTP2_ONLY,
        outcome=INCONCLUSIVE,
        reason="http2_only",
        sentence="The server only speaks HTTP/2, which Linkwatch did not support at the time: "
        "{detail}",
        summary="Not checked",
        suggestion="Check the link again: the next check uses HTTP/2.",
        never_counts=True,
        is_our_fault=True,
    ),
    VerdictRow(
        name="not HTTP",
        error=ErrorKind.PROTOCOL,
        outcome=FAILURE,
        reason="protocol",
        sentence="The server's response is not valid HTTP: {detail}",
        summary="Invalid response",
        suggestion="Open the page in a browser. If it fails there too, contact the site's owner "
        "or link to another source.",
        is_retried=True,
    ),
    VerdictRow(
        name="forbidden address",
        error=ErrorKind.FORBIDDEN_ADDRESS,
        outcome=INCONCLUSIVE,
        reason="forbidden_address",
        sentence="{detail}",
        summary="Address not allowed",
        suggestion="Ask an operator whether ALLOW_NETWORKS or ALLOW_PORTS should allow this"
        " address.",
        never_counts=True,
        is_our_fault=True,
        decides_head=True,
    ),
    VerdictRow(
        name="forbidden redirect",
        error=ErrorKind.FORBIDDEN_REDIRECT,
        outcome=INCONCLUSIVE,
        reason="forbidden_redirect",
        sentence="The server redirects to an address or port that Linkwatch is not allowed to "
        "connect to",
        summary="Redirect not allowed",
        suggestion="Open the page in a browser. If it is there, ask an operator whether"
        " ALLOW_NETWORKS or ALLOW_PORTS should allow the address that it redirects to.",
        never_counts=True,
        is_our_fault=True,
        decides_head=True,
    ),
    VerdictRow(
        name="local redirect",
        error=ErrorKind.LOCAL_REDIRECT,
        outcome=INCONCLUSIVE,
        reason="local_redirect",
        sentence="The server redirects visitors to their own computer or local network: {detail}",
        summary="Broken redirect",
        suggestion="Open the page in a browser. If it fails there too, tell the site's owner or"
        " look for the page's new address.",
        decides_head=True,
    ),
    VerdictRow(
        name="bad redirect",
        error=ErrorKind.BAD_REDIRECT,
        outcome=FAILURE,
        reason="bad_redirect",
        sentence="The server's redirect has no usable destination: {detail}",
        summary="Broken redirect",
        suggestion="Open the page in a browser. If it fails there too, tell the site's owner or"
        " look for the page's new address.",
    ),
    VerdictRow(
        name="redirect loop",
        error=ErrorKind.REDIRECT_LOOP,
        outcome=FAILURE,
        reason="redirect_loop",
        sentence="The server redirects in a loop: {detail}",
        summary="Redirect loop",
        suggestion="Open the page in a browser. If it fails there too, tell the site's owner or"
        " look for the page's new address.",
    ),
    VerdictRow(
        name="redirect limit",
        error=ErrorKind.REDIRECT_LIMIT,
        outcome=FAILURE,
        reason="redirect_limit",
        sentence="The server redirects too many times: {detail}",
        summary="Too many redirects",
        suggestion="Open the page in a browser. If it fails there too, tell the site's owner or"
        " look for the page's new address.",
    ),
    VerdictRow(
        name="busy elsewhere",
        error=ErrorKind.BUSY_ELSEWHERE,
        outcome=INCONCLUSIVE,
        reason="busy_elsewhere",
        sentence="A host that this check needs can't be visited at the moment: {detail}",
        summary="Host busy",
        suggestion="The page may be fine: it can be checked when that host can be visited again.",
        never_counts=True,
        is_our_fault=True,
        decides_head=True,
    ),
    VerdictRow(
        name="shortage",
        error=ErrorKind.INTERNAL,
        outcome=INCONCLUSIVE,
        reason="internal",
        sentence="Linkwatch could not run this check: {detail}",
        summary="Not checked",
        suggestion="Ask an operator to check Linkwatch's log.",
        never_counts=True,
        is_our_fault=True,
    ),
)

# Failures on our own side, regardless of the server.

CRASH = VerdictRow(
    name="crash",
    outcome=INCONCLUSIVE,
    reason="internal",
    sentence="Linkwatch could not run this check; the reason is in its log",
    summary="Not checked",
    suggestion="Ask an operator to check Linkwatch's log.",
    never_counts=True,
    is_our_fault=True,
)
SELF_OUTAGE = VerdictRow(
    name="own outage",
    title="Linkwatch offline",
    outcome=INCONCLUSIVE,
    reason="self_outage",
    sentence="No other server is responding either: Linkwatch itself may be offline",
    summary="Not checked",
    suggestion="The page may be fine: it can be checked when Linkwatch is online again.",
    never_counts=True,
    is_our_fault=True,
)

# Operators' rules (CHECK_CONDITIONS) that give no sentence themselves.

BROKEN_CONDITION = VerdictRow(
    name="broken condition",
    outcome=INCONCLUSIVE,
    reason="condition_error",
    sentence="The condition “{condition}” could not be evaluated: {error}",
    summary="Condition error",
    suggestion="Ask an operator to fix the condition in CHECK_CONDITIONS.",
    never_counts=True,
    is_our_fault=True,
)
CONDITION_FAILURE = VerdictRow(
    name="own failure",
    title="rejected by condition",
    outcome=FAILURE,
    reason="condition",
    sentence="The condition “{condition}” counts this response as a failure",
    summary="Rejected by condition",
    suggestion="Open the page and see why this target's condition rejects it.",
)
CONDITION_INCONCLUSIVE = VerdictRow(
    name="own doubt",
    title="condition inconclusive",
    outcome=INCONCLUSIVE,
    reason="condition",
    sentence="The condition “{condition}” counts this response as inconclusive",
    summary="Condition inconclusive",
    suggestion="Open the page and see why this target's condition can't decide.",
)

# Operators' instructions for a target or its host; they overrule the rows above.

ACCEPTED = VerdictRow(name="accepted", outcome=SUCCESS, flags=(ACCEPTED_FLAG,), summary="Accepted")
EXPECTED_STATUS = VerdictRow(
    name="expected status is missing",
    title="unexpected status",
    outcome=FAILURE,
    reason="expected_status",
    sentence="The server returned {answer}, but the expected status is {detail}",
    summary="Unexpected status",
    suggestion="Open the page. If it is correct, ask an operator to change the expected status.",
)
EXPECTED_TEXT = VerdictRow(
    name="expected text is missing",
    outcome=FAILURE,
    reason="expected_text",
    sentence="The page does not contain the expected text “{detail}”",
    summary="Text missing",
    suggestion="Open the page. If it is correct, ask an operator to change the expected text.",
)
EXPECTED_TEXT_UNSEEN = VerdictRow(
    name="expected text is out of sight",
    title="expected text not seen",
    outcome=INCONCLUSIVE,
    reason="expected_text_unseen",
    sentence="The expected text “{detail}” is not in the part of the page that was read",
    summary="Text not seen",
    suggestion="Ask an operator to choose text that appears closer to the beginning of the page.",
    never_counts=True,
)

ROWS = (
    *_BY_STATUS,
    UNCHANGED,
    *(
        CLOSED_BY_HOST,
        HTTPS_ONLY,
        BOT_WALL,
        OPTED_OUT,
        FOR_MEMBERS,
        REFUSED_AT_ROOT,
        REFUSED_ROOT_UNKNOWN,
        THROTTLED,
    ),
    STILL_SHOWN,
    *(PARKED_PAGE, LOGIN_PAGE, FOUND_ERROR, SENT_HOME, SAME_AS_MADE_UP, SOFT_404, FAILING_FLAG),
    *_BY_ERROR,
    *(CRASH, SELF_OUTAGE, BROKEN_CONDITION, CONDITION_FAILURE, CONDITION_INCONCLUSIVE),
    *(ACCEPTED, EXPECTED_STATUS, EXPECTED_TEXT, EXPECTED_TEXT_UNSEEN),
)
BY_NAME: Mapping[str, VerdictRow] = {row.name: row for row in ROWS}
ROW_OF_ERROR: Mapping[ErrorKind, VerdictRow] = {row.error: row for row in ROWS if row.error}
# These reasons mean the same in an operator's condition.
REASONS_THAT_NEVER_COUNT = frozenset(row.reason for row in ROWS if row.never_counts)

# Targets whose last result has one of these reasons are checked again soon, and at once when the
# problem is over. BUSY_ELSEWHERE is excluded: its results say when the host can be contacted.
REASONS_ON_OUR_SIDE = frozenset(
    row.reason
    for row in ROWS
    if (row.is_our_fault or row.may_be_our_fault) and row.error is not ErrorKind.BUSY_ELSEWHERE
)

# With these, a root neither refuses nor answers: the server is broken.
BROKEN_STATUSES = frozenset({502, 503, 504, *range(520, 531)})

# With these errors, our own network may be down.
UNREACHED_ERRORS = frozenset(row.error for row in _BY_ERROR if row.needs_witness)


@functools.cache
def row_of_status(status: int) -> VerdictRow:
    """Return the row for a final response with this status and no marks."""
    return next((row for row in _BY_STATUS if status in row.statuses), OTHER_STATUS)


# Rows with the summary and suggestion for each flag, the most severe first. Rows named after a flag
# are for flags that any row may have.
BY_FLAG: Mapping[str, VerdictRow] = {
    PARKED: PARKED_PAGE,
    ERROR_PAGE: FOUND_ERROR,
    SAME_FOR_ALL: SAME_AS_MADE_UP,
    HOME_PAGE: SENT_HOME,
    CHANGED_OWNER: VerdictRow(
        name=CHANGED_OWNER,
        outcome=SUCCESS,
        summary="Possible new owner",
        suggestion="Open the page and see whether it still shows what you link to. If not, link "
        "to an archived copy.",
    ),
    LOGIN: LOGIN_PAGE,
    RESTRICTED: RESTRICTED_PAGE,
    EXPIRES: VerdictRow(
        name=EXPIRES,
        outcome=SUCCESS,
        summary="Certificate expires soon",
        suggestion="If the site is yours, renew its certificate. If not, tell its owner.",
    ),
    TLS_ERROR: VerdictRow(
        name=TLS_ERROR,
        outcome=SUCCESS,
        summary="Bad certificate",
        suggestion="Tell the site's owner: browsers warn visitors about this page.",
    ),
    INCOMPLETE_CHAIN: VerdictRow(
        name=INCOMPLETE_CHAIN,
        outcome=SUCCESS,
        summary="Incomplete certificate chain",
        suggestion="Tell the site's owner that the server must also send its intermediate "
        "certificate.",
    ),
    MOVED: VerdictRow(
        name=MOVED,
        outcome=SUCCESS,
        summary="Moved",
        suggestion="Link to the new address.",
    ),
    ACCEPTED_FLAG: ACCEPTED,
}
_BY_REASON: Mapping[str | None, VerdictRow] = {row.reason: row for row in reversed(ROWS)}
_STATUS_PREFIX, _FLAG_PREFIX = "http_", "flag_"  # of reasons that name a status or a flag


def advise(
    reason: str, status_code: int | None, flags: Collection[str], row: VerdictRow | None = None
) -> Advice:
    """Return what to do about a check with this reason (empty for success), status and flags.

    `row`: the row that decided, if known.
    """
    row = row or _row_of_reason(reason, status_code)
    if row in (PAGE, UNCHANGED, FAILING_FLAG):
        flags_found = {*flags, reason.removeprefix(_FLAG_PREFIX)}
        row = next((flag_row for flag, flag_row in BY_FLAG.items() if flag in flags_found), row)
    return NO_ADVICE if row is None else row.advice(status_code)


def success_sentence(
    status_code: int | None, flags: Collection[str], row: VerdictRow | None
) -> str:
    """Return what a successful check found. `row`: the row that decided, if known."""
    if ACCEPTED_FLAG in flags:
        accepted = f"HTTP {status_code}" if status_code else "this result"
        return f"Accepted: {accepted} counts as a success for this target."
    is_there = row is not APP_LINK and (ANOTHER_PAGE_FLAGS | {RESTRICTED}).isdisjoint(flags)
    return "The page is there." if is_there else f"{advise('', status_code, flags, row).summary}."


def _row_of_reason(reason: str, status_code: int | None) -> VerdictRow | None:
    """Return the first row with this reason: PAGE if it is empty, None if it is unknown."""
    if not reason:
        return PAGE
    if reason.startswith(_FLAG_PREFIX):
        return FAILING_FLAG
    if reason in _BY_REASON:
        return _BY_REASON[reason]
    if not reason.startswith(_STATUS_PREFIX):
        return None
    if status_code in STATUS_BELOW_400.statuses:
        return STATUS_BELOW_400
    row = row_of_status(status_code or 0)
    return row if row.reason == BARE_REFUSAL.reason else OTHER_STATUS


def explain(parameters: object) -> str | None:
    """Return the sentence of a result by its stored parameters, which may be invalid.

    None if they name no existing row, or the row has no sentence.
    """
    row = row_of(parameters)
    return None if row is None else row.explain(**cast("Parameters", parameters))


def row_of(parameters: object) -> VerdictRow | None:
    """Return the row that decided a result, by its stored parameters; None if it is unknown."""
    rule = parameters.get("rule") if isinstance(parameters, Mapping) else None
    return BY_NAME.get(rule) if isinstance(rule, str) else None
