"""The verdict on an exchange: pure decisions by the rows of `verdict_table`, no input or output.

Source: docs/requirements.md#checks-condition, #checks-retries.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from checker.engine import verdict_table as table
from checker.engine.certificate import Certificate
from checker.engine.closed import find_closed, find_suspension
from checker.engine.errors import ErrorKind
from checker.engine.gone import find_error, find_login, find_parking, may_be_about_it
from checker.engine.gone_data import find_error_in_data
from checker.engine.identity import Identity, are_alike, changed_owner, identify, is_still
from checker.engine.neighbours import (
    is_interstitial,
    is_sent_elsewhere,
    looks_like_home,
    say_the_same,
)
from checker.engine.page import FetchedPage, read_page
from checker.engine.restricted import BareRefusal
from checker.engine.roots import Root, RootAnswer
from checker.engine.throttling import asks_to_wait
from checker.engine.verdict_table import Parameters, VerdictRow
from checker.engine.walls import are_only_words, find_walls, leads_to_wall, wants_certificate
from checker.engine.whereabouts import (
    is_front,
    leads_home,
    leads_to_error_page,
    leads_to_login,
    leads_to_market,
    names_a_page,
)
from targets.flags import (
    CHANGED_OWNER,
    EXPIRES,
    INCOMPLETE_CHAIN,
    MOVED,
    SAME_FOR_ALL,
    TLS_ERROR,
    explain_flag,
)
from targets.state import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """One hop: a 301, 302, 303, 307 or 308, and the URL it led to."""

    status: int
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Precondition:
    """The header of one request that asks for the page only if it has changed."""

    url: str  # it is sent to this address only
    name: str
    value: str
    is_made_up: bool = False  # an honest server answers it with the page


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """What one attempt saw: the last answer of its redirect chain, or why it got no answer."""

    url: str  # where the redirects led
    asked: str = ""  # what was asked for first
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)  # names in lower case
    body: bytes = b""  # as sent, up to the cap; empty of a redirect
    has_unread: bool = False  # the rest of the body could not have changed the verdict
    redirects: tuple[Redirect, ...] = ()
    fragment: str = ""  # of where they led, which is not sent
    error: ErrorKind | None = None
    detail: str = ""  # of the error, in the words of the lower layer
    tls_error: str | None = None  # what VERIFY_TLS=warn let pass
    incomplete_chain: bool = False  # a server left out its issuer's certificate
    is_internal: bool = False  # only ALLOW_NETWORKS opens the address of a server on the way
    certificate: Certificate | None = None  # of the last https server on the way
    certificate_expires: bool = False  # so soon that somebody should look
    retry_after: float | None = None  # seconds for which the server wants to be left alone
    retry_in: float | None = None  # seconds until a host that may not be asked now may be
    sibling: "Exchange | None" = None  # the answer to a random path next to it
    root: Root | None = None  # of the host that answered, where that matters
    known: Identity | None = None  # whose page it was before
    precondition: Precondition | None = None  # of the last request
    is_unchanged: bool = False  # the page is the one that was read before, as its server says

    @property
    def shown(self) -> str:
        """Where the redirects led, as a browser shows it."""
        return f"{self.url}#{self.fragment}" if self.fragment else self.url

    @cached_property
    def page(self) -> FetchedPage | None:
        """The HTML of the answer; None if it is not HTML."""
        return read_page(headers=self.headers, body=self.body)

    @cached_property
    def closed(self) -> str | None:
        """The mark by which a host says that the site is closed."""
        if self.error is not None:
            return None
        return find_closed(
            status=self.status or 0, headers=self.headers, body=self.body, url=self.url
        )

    @cached_property
    def walls(self) -> tuple[str, ...]:
        """The marks of bot walls in the answer."""
        if self.error is not None:
            return ()
        status = self.status or 0
        marks = find_walls(
            status=status, headers=self.headers, body=self.body, url=self.url, page=self.page
        )
        if self.redirects and status in table.PAGE.statuses:
            led = leads_to_wall(asked=self.asked, url=self.url)
            return (*marks, led) if led else marks
        return marks

    @cached_property
    def refusal(self) -> BareRefusal:
        """The answer as one that refuses the page."""
        return BareRefusal(self.headers, self.body, self.page)

    @cached_property
    def identity(self) -> Identity | None:
        """Whose page it is; None where it is no HTML."""
        if self.page is None:
            return None
        return identify(self.page, url=self.url, certificate=self.certificate, known=self.known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The decision on one exchange."""

    outcome: Outcome
    reason: str | None = None  # a code; None on plain success
    sentence: str | None = None  # for a person; None on success
    flags: tuple[str, ...] = ()
    mark: str | None = None  # what gave a bot wall or a soft 404 away; of several the first
    marks: tuple[str, ...] = ()  # all of them
    rule: str = ""  # the row's name in docs/verdicts.md
    never_counts: bool = False  # inconclusive, and no failure however long it lasts
    parameters: Parameters = field(default_factory=dict)  # of the sentence; none of an operator's


Condition = Callable[[Exchange], Verdict]

_THE_PAGE_IS_THERE = Verdict(
    outcome=table.PAGE.outcome, rule=table.PAGE.name
)  # made once, since most checks end so


def by_evidence(exchange: Exchange) -> Verdict:
    """The default condition: failure only where the server, or its absence, says so."""
    row, marks = _find_row(exchange)
    flags, owner = _flags_of_any_row(exchange, row)
    if row is table.PAGE and not flags:
        return _THE_PAGE_IS_THERE
    if owner:
        marks = (*marks, owner)
    mark = next(iter(marks), None)
    parameters = _parameters(row, exchange, mark=mark)
    return Verdict(
        outcome=row.outcome,
        reason=row.reason and row.reason.format(code=exchange.status),
        sentence=row.explain(**parameters),
        parameters=parameters,
        flags=(*flags, *row.flags),
        mark=mark,
        marks=marks,
        rule=row.name,
        never_counts=row.never_counts,
    )


def _flags_of_any_row(exchange: Exchange, row: VerdictRow) -> tuple[list[str], str | None]:
    """Return the flags that are no row's own, and the mark of a changed owner."""
    if exchange.error is not None:
        return [], None
    flags = [TLS_ERROR] if exchange.tls_error else []
    if exchange.incomplete_chain:
        flags.append(INCOMPLETE_CHAIN)
    if exchange.certificate_expires and not exchange.tls_error:
        flags.append(EXPIRES)
    if row in _INSTEAD and is_same_for_all(exchange, row):
        flags.append(SAME_FOR_ALL)
    owner = None
    may_have_changed = row in (table.PAGE, table.SAME_AS_MADE_UP, table.SENT_HOME)
    if may_have_changed and exchange.known and exchange.identity:
        owner = changed_owner(exchange.known, exchange.identity)
    return [*flags, CHANGED_OWNER] if owner else flags, owner


def by_status_200(exchange: Exchange) -> Verdict:
    """The literal rule that was asked for: 200 after redirects is success, all else is failure.

    But for a check that could not be made at all: nobody has answered it.
    """
    verdict = by_evidence(replace(exchange, sibling=None, root=None))
    if exchange.error is None and exchange.status == 200:
        return verdict
    if exchange.error is not None and table.OF_ERROR[exchange.error].is_our_fault:
        return verdict
    # For what evidence takes for success.
    other = table.OTHER_STATUS if exchange.error is None else table.OF_ERROR[ErrorKind.TLS]
    if verdict.sentence is None:
        parameters = _parameters(other, exchange)
        verdict = replace(verdict, sentence=other.explain(**parameters), parameters=parameters)
    return replace(
        verdict,
        rule=other.name,  # as this condition takes it, whatever else evidence would look at
        outcome=Outcome.FAILURE,
        reason=verdict.reason or (other.reason or "").format(code=exchange.status),
        never_counts=False,
    )


# By the names that a target or CHECK_CONDITION may give.
CONDITIONS: Mapping[str, Condition] = {"evidence": by_evidence, "status-200": by_status_200}


def decide(exchange: Exchange, *, condition: str, conditions: Mapping[str, Condition]) -> Verdict:
    """Return the verdict of the condition of that name, which may be an operator's own.

    An own one that is missing, raises or returns no Verdict is inconclusive, `condition_error`,
    with its error in sentence and mark: no page is to blame for it.
    """
    function = conditions.get(condition)
    error = "there is none of this name"
    if function is not None:
        if function is CONDITIONS.get(condition):
            return function(exchange)
        try:
            return _completed(function(exchange), condition)
        except Exception as raised:  # noqa: BLE001 (whatever an operator's function may raise)
            error = f"{type(raised).__name__}: {raised}"
    row = table.BROKEN_CONDITION
    parameters = row.parameters(condition=condition, error=error)
    return Verdict(
        outcome=row.outcome,
        reason=row.reason,
        sentence=row.explain(**parameters),
        parameters=parameters,
        mark=error,
        marks=(error,),
        rule=row.name,
        never_counts=row.never_counts,
    )


def _completed(verdict: Verdict, condition: str) -> Verdict:
    """Return what an operator's function decided, complete. Raises TypeError, ValueError."""
    if not isinstance(verdict, Verdict):
        raise TypeError(f"{type(verdict).__name__} is no Verdict")
    texts = [verdict.reason or "", verdict.sentence or "", verdict.mark or "", verdict.rule]
    texts += [*verdict.flags, *verdict.marks]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("reason, sentence, marks, rule and flags are text")
    outcome = Outcome(verdict.outcome)
    verdict = replace(verdict, marks=verdict.marks or ((verdict.mark,) if verdict.mark else ()))
    if table.explain(verdict.parameters) != verdict.sentence:
        verdict = replace(verdict, parameters={})  # the sentence is its own
    if outcome is Outcome.SUCCESS:
        parameters = {} if verdict.sentence else verdict.parameters
        return replace(verdict, outcome=outcome, sentence=None, parameters=parameters)
    is_failure = outcome is Outcome.FAILURE
    row = table.OWN_FAILURE if is_failure else table.OWN_INCONCLUSIVE
    reason = verdict.reason or row.reason
    never_counts = bool(verdict.never_counts) or reason in table.REASONS_THAT_NEVER_COUNT
    if not verdict.sentence:
        parameters = row.parameters(condition=condition)
        verdict = replace(verdict, sentence=row.explain(**parameters), parameters=parameters)
    return replace(
        verdict,
        outcome=outcome,
        rule=verdict.rule or row.name,
        reason=reason,
        never_counts=never_counts and not is_failure,
    )


def _find_row(exchange: Exchange) -> tuple[VerdictRow, tuple[str, ...]]:
    """Return the row that decides, and the marks that showed it: they overrule the status.

    A new sign of an answer is a branch here and a row in the table.
    """
    certificate_request = _find_certificate_request(exchange)
    if certificate_request:
        return table.OF_ERROR[ErrorKind.CLIENT_CERTIFICATE], (certificate_request,)
    if exchange.closed:
        return table.CLOSED_BY_HOST, (exchange.closed,)
    row = _row_without_marks(exchange)
    is_refusal = row in (table.BARE_REFUSAL, table.RESTRICTED_PAGE)
    if exchange.walls and not (is_refusal and are_only_words(exchange.walls)):
        return table.BOT_WALL, exchange.walls
    if is_refusal:
        return _refusal(exchange, row)
    if row is table.PAGE:
        return _page(exchange)
    is_shown = exchange.sibling is not None and is_still_shown(exchange, row)
    return (table.STILL_SHOWN if is_shown else row), ()


def _refusal(exchange: Exchange, row: VerdictRow) -> tuple[VerdictRow, tuple[str, ...]]:
    """Return the row of an answer that refuses the page: whom does it refuse, and why?"""
    asked, page = exchange.asked or exchange.url, exchange.page
    status = exchange.status or 0
    suspension = find_suspension(page, status=status, asked=asked) if page is not None else None
    if suspension is not None:
        return table.CLOSED_BY_HOST, (suspension,)
    is_forbidden = status == 403
    if is_forbidden and exchange.refusal.inside:
        return table.FOR_MEMBERS, (exchange.refusal.inside,)
    if exchange.walls:
        return table.BOT_WALL, exchange.walls
    if is_forbidden and exchange.refusal.members:
        return table.FOR_MEMBERS, (exchange.refusal.members,)
    root = exchange.root if row is table.BARE_REFUSAL else None
    if root is None:
        return row, ()
    if root.answer is RootAnswer.RESTRICTED and not is_forbidden:
        return row, ()
    return _BY_ROOT.get(root.answer, row), (f"root: {root.how}",)


_BY_ROOT = {
    RootAnswer.REFUSES: table.REFUSED_AT_ROOT,
    RootAnswer.RESTRICTED: table.FOR_MEMBERS,
    RootAnswer.UNKNOWN: table.REFUSED_ROOT_UNKNOWN,
}


def _page(exchange: Exchange) -> tuple[VerdictRow, tuple[str, ...]]:
    """Return the row of a page that came: is it the one that was asked for?"""
    row, mark = _another_page(exchange)
    if mark and row in (table.FOUND_ERROR, table.PARKED_PAGE) and _is_about_it(exchange, row, mark):
        return table.PAGE, ()
    if row is table.PAGE and is_same_for_all(exchange, row):
        return table.SAME_AS_MADE_UP, (
            "neighbour: a made-up address next to it gets the same page",
        )
    return row, (mark,) if mark else ()


def _is_about_it(exchange: Exchange, row: VerdictRow, mark: str) -> bool:
    """Tell whether a page that speaks of missing or parked pages is only about them.

    The site answers a made-up address next to it with 404, and would do so for a missing page.
    Pages of what was removed there do not count: only their own addresses have them.
    """
    sibling = exchange.sibling
    if sibling is None or sibling.error is not None or sibling.status not in (404, 410):
        return False
    asked, page = exchange.asked or exchange.url, exchange.page
    if exchange.redirects or is_front(asked) or page is None:
        return False
    if sibling.page is not None and _begin_alike(page, sibling.page):
        return False  # the site's own page for whatever is missing
    return row is table.PARKED_PAGE or may_be_about_it(page, mark)


def _begin_alike(page: FetchedPage, other: FetchedPage) -> bool:
    """Tell whether two pages have the same title and first heading."""
    return page.title == other.title and page.headings[:1] == other.headings[:1]


def _another_page(exchange: Exchange) -> tuple[VerdictRow, str | None]:
    """Return which page there is instead of the one that was asked for, and what shows it."""
    asked, page = exchange.asked or exchange.url, exchange.page
    if exchange.redirects:
        for row, leads in _BY_ADDRESS:
            mark = leads(asked=asked, url=exchange.shown)
            if mark is not None:
                return row, mark
    row, mark = _another_by_words(exchange, asked=asked)
    if mark is not None:
        return row, mark
    mark = leads_home(asked=asked, url=exchange.shown) if exchange.redirects else None
    if mark is None or is_interstitial(page, asked=asked, url=exchange.url):
        return table.PAGE, None
    return table.SENT_HOME, mark


def _another_by_words(exchange: Exchange, *, asked: str) -> tuple[VerdictRow, str | None]:
    """Return what a page, or an answer without one, says that it is."""
    page = exchange.page
    if page is None:
        found = find_error_in_data(exchange.headers, exchange.body, asked=asked)
        return table.FOUND_ERROR, found
    for row, find in _BY_WORDS:
        mark = find(page, asked=asked)
        if mark is not None:
            return row, mark
    return table.PAGE, None


_BY_ADDRESS = (
    (table.PARKED_PAGE, leads_to_market),
    (table.FOUND_ERROR, leads_to_error_page),
    (table.LOGIN_PAGE, leads_to_login),
)
_BY_WORDS = (
    (table.PARKED_PAGE, find_parking),
    (table.FOUND_ERROR, find_error),
    (table.LOGIN_PAGE, find_login),
)


# The rows of another page in the place of the one that was asked for, as far as a made-up
# neighbour proves something: everybody is asked to log in.
_LEAST_BODY = 200  # bytes
_INSTEAD = (table.PARKED_PAGE, table.FOUND_ERROR, table.SENT_HOME)


def wants_neighbour(exchange: Exchange, verdict: Verdict) -> bool:
    """Tell whether to ask for a made-up address next to this one: something is odd.

    The page is another than the one that was asked for, a redirect changed the last step of its
    address, or it has the title of a home page; or it is the known one, though its status says that
    there is none.
    """
    if exchange.retry_after is not None:
        return False
    if verdict.outcome is not Outcome.SUCCESS:
        row = table.row_of_status(exchange.status or 0)
        return verdict.rule == row.name and is_still_shown(exchange, row)
    asked, page = exchange.asked or exchange.url, exchange.page
    if any(verdict.rule == row.name for row in _INSTEAD):
        return True
    if verdict.rule != table.PAGE.name or is_interstitial(page, asked=asked, url=exchange.url):
        return False
    if exchange.redirects and is_sent_elsewhere(asked=asked, url=exchange.url):
        return True
    return page is not None and looks_like_home(page, asked=asked)


def is_still_shown(exchange: Exchange, row: VerdictRow) -> bool:
    """Tell whether a 404 or 5xx comes with the known page, and not for a made-up neighbour, too.

    As far as is known: the neighbour may not have been asked yet. A 410 is believed.
    """
    if exchange.error is not None or not (exchange.status == 404 or row is table.SERVER_ERROR):
        return False
    known, page, sibling = exchange.known, exchange.page, exchange.sibling
    if known is None or page is None or not is_still(known, page, url=exchange.url):
        return False
    if sibling is None:
        return True
    if sibling.error is not None or sibling.walls:
        return False
    return sibling.page is None or not is_still(known, sibling.page, url=sibling.url)


def can_be_compared(exchange: Exchange, verdict: Verdict) -> bool:
    """Tell whether an ordinary page has enough to say to be held against a neighbour's."""
    if verdict.rule != table.PAGE.name or len(exchange.body) < _LEAST_BODY:
        return False
    asked, page = exchange.asked or exchange.url, exchange.page
    if exchange.retry_after is not None or page is None or is_front(asked):
        return False
    return not is_interstitial(page, asked=asked, url=exchange.url)


def is_same_for_all(exchange: Exchange, row: VerdictRow) -> bool:
    """Tell whether the made-up neighbour got the same: a page, or the way to one. False unasked.

    `row` is the exchange's, by what it shows.
    """
    sibling = exchange.sibling
    if sibling is None or sibling.error is not None or sibling.status != exchange.status:
        return False
    if sibling.walls or _another_page(sibling)[0] is not row:
        return False
    if any(is_interstitial(one.page, asked=one.asked, url=one.url) for one in (exchange, sibling)):
        return False
    page, other = exchange.page, sibling.page
    if exchange.fragment and names_a_page(exchange.fragment, asked=exchange.asked):
        return False  # which a script of the browser's would show
    if exchange.redirects and sibling.redirects and exchange.url == sibling.url:
        return True
    if page is None or other is None:
        return False
    if row is table.PAGE:
        return say_the_same(page, other)
    return are_alike(f"{page.title} {page.text}", f"{other.title} {other.text}")


def _find_certificate_request(exchange: Exchange) -> str | None:
    if exchange.error is not None:
        return None
    status = exchange.status or 0
    return wants_certificate(status=status, headers=exchange.headers, body=exchange.body)


def _row_without_marks(exchange: Exchange) -> VerdictRow:
    """Return the row of an exchange by what needs no look at its body."""
    if exchange.error is not None:
        return table.OF_ERROR[exchange.error]
    if exchange.is_unchanged:
        return table.UNCHANGED
    status = exchange.status or 0
    row = table.row_of_status(status)
    is_refusal = row is table.BARE_REFUSAL or status == 408
    if status == 429 or (is_refusal and asks_to_wait(exchange.headers)):
        return table.THROTTLED
    if row is table.SERVER_ERROR and asks_to_wait(exchange.headers):
        return table.UNAVAILABLE
    return row


def _parameters(row: VerdictRow, exchange: Exchange, *, mark: str | None = None) -> Parameters:
    """Return what the row's sentence about this exchange is made of."""
    wait = exchange.retry_after
    return row.parameters(
        code=exchange.status,
        detail=exchange.detail,
        mark=mark,
        wait=None if wait is None else round(wait),
    )


def fail_if_same_for_all(verdict: Verdict) -> Verdict:
    """Return the verdict, a failure if it is a success that a made-up neighbour has, too."""
    if SAME_FOR_ALL not in verdict.flags or verdict.outcome is not Outcome.SUCCESS:
        return verdict
    row = table.SOFT_404
    parameters = row.parameters(mark=verdict.mark)
    return replace(
        verdict,
        outcome=row.outcome,
        reason=row.reason,
        sentence=row.explain(**parameters),
        parameters=parameters,
        flags=(),
        rule=row.name,
    )


def fail_by_flag(verdict: Verdict, *, failing: Collection[str]) -> Verdict:
    """Return the verdict, a failure if it is a success with one of the `failing` flags."""
    flag = next((flag for flag in verdict.flags if flag in failing), None)
    if flag is None or verdict.outcome is not Outcome.SUCCESS:
        return verdict
    row = table.FAILING_FLAG
    parameters = row.parameters(flag=flag, mark=verdict.mark or explain_flag(flag))
    return replace(
        verdict,
        outcome=row.outcome,
        reason=(row.reason or "").format(flag=flag),
        sentence=row.explain(**parameters),
        parameters=parameters,
    )


def head_suffices(exchange: Exchange) -> bool:
    """Tell whether the answer to a HEAD decides: many servers know only GET well.

    A success does; so does what a GET would only repeat, or what asks for a pause first. It has no
    body that could show a mark.
    """
    return _row_without_marks(exchange).decides_head or exchange.retry_after is not None


def should_retry(exchange: Exchange) -> bool:
    """Tell whether another attempt may fare better: on a 5xx, network or time-out error.

    Never on a 4xx, nor where the server asked to come back later or a bot wall stands.
    Source: docs/requirements.md#checks-retries.
    """
    if exchange.retry_after is not None:
        return False
    return _row_without_marks(exchange).is_retried and not exchange.walls


def depends_on_root(verdict: Verdict) -> bool:
    """Tell whether the root of the answering host is to be asked, too, before this is said."""
    return verdict.rule == table.BARE_REFUSAL.name


def answer_of_root(exchange: Exchange) -> RootAnswer:
    """Return what the answer of a root says: a bare refusal, a wall and a rate limit refuse.

    What stands on our own side counts as one: it says nothing in favour of the page's death.
    """
    row, _ = _find_row(exchange)
    if row.is_our_fault or row in (table.BARE_REFUSAL, table.BOT_WALL, table.THROTTLED):
        return RootAnswer.REFUSES
    if table.RESTRICTED_PAGE.flags[0] in row.flags or _is_login(exchange):
        return RootAnswer.RESTRICTED
    has_no_word = exchange.error is not None or row.outcome is Outcome.INCONCLUSIVE
    if has_no_word or exchange.status in table.UNABLE:
        return RootAnswer.UNKNOWN
    return RootAnswer.SPEAKS


def _is_login(exchange: Exchange) -> bool:
    """Tell whether a home page is a log-in and nothing else."""
    page = exchange.page if exchange.error is None else None
    return page is not None and find_login(page, asked=f"{exchange.url}page/below") is not None


_PERMANENT = (301, 308)


def flag_if_moved(verdict: Verdict, exchange: Exchange, *, accepted: Collection[object]) -> Verdict:
    """Return the verdict, with the flag `moved` if the page is at another address for good.

    That is a success behind permanent redirects alone, unless what they lead to is another page.
    """
    if verdict.outcome is not Outcome.SUCCESS or moved_to(exchange) is None or MOVED in accepted:
        return verdict
    is_for_good = all(redirect.status in _PERMANENT for redirect in exchange.redirects)
    if not is_for_good or not table.ANOTHER_PAGE.isdisjoint(verdict.flags):
        return verdict
    return replace(verdict, flags=(*verdict.flags, MOVED))


def moved_to(exchange: Exchange) -> str | None:
    """Return where the permanent prefix (301, 308) of a redirect chain leads, if elsewhere."""
    target = None
    for redirect in exchange.redirects:
        if redirect.status not in _PERMANENT:
            break
        target = redirect.url
    return None if target == exchange.asked else target
