"""The verdict on an exchange: pure decisions by the rows of `verdict_table`, no input or output.

Source: docs/requirements.md#checks-condition, #checks-retries.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from checker.engine import verdict_table as table
from checker.engine.errors import ErrorKind
from checker.engine.exchange import Exchange as Exchange  # operators import it from here
from checker.engine.gone import find_login
from checker.engine.neighbours import (
    is_interstitial,
    is_sent_elsewhere,
    looks_like_home,
)
from checker.engine.page_identity import signs_of_new_owner
from checker.engine.redirect_destinations import is_home_page
from checker.engine.roots import RootAnswer
from checker.engine.verdict_rows import find_row, is_same_for_all, is_still_shown, row_without_marks
from checker.engine.verdict_table import Parameters, VerdictRow
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
class Verdict:
    """The decision on one exchange."""

    outcome: Outcome
    reason: str | None = None  # a code; None on plain success
    sentence: str | None = None  # for people; None on success
    flags: tuple[str, ...] = ()
    mark: str | None = None  # the first mark, such as that of a bot wall or a soft 404
    marks: tuple[str, ...] = ()  # all of them
    rule: str = ""  # the row's name in docs/verdicts.md
    never_counts: bool = False  # inconclusive, and never a failure, no matter how long it lasts
    # The parameters of the sentence; empty if the sentence is an operator's own.
    parameters: Parameters = field(default_factory=dict)


Condition = Callable[[Exchange], Verdict]

_PAGE_FOUND = Verdict(
    outcome=table.PAGE.outcome, rule=table.PAGE.name
)  # made once, because most checks end like this


def by_evidence(exchange: Exchange) -> Verdict:
    """The default condition: a check fails only if the response, or the lack of one, proves it."""
    row, marks = find_row(exchange)
    flags, owner_mark = _flags_of_any_row(exchange, row)
    if row is table.PAGE and not flags:
        return _PAGE_FOUND
    if owner_mark:
        marks = (*marks, owner_mark)
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
    """Return the flags that do not come from the row, and the mark of a changed owner."""
    if exchange.error is not None:
        return [], None
    flags = [TLS_ERROR] if exchange.tls_error else []
    if exchange.incomplete_chain:
        flags.append(INCOMPLETE_CHAIN)
    if exchange.certificate_expires and not exchange.tls_error:
        flags.append(EXPIRES)
    if row in _REPLACEMENTS and is_same_for_all(exchange, row):
        flags.append(SAME_FOR_ALL)
    owner_mark = None
    may_have_changed = row in (table.PAGE, table.SAME_AS_MADE_UP, table.SENT_HOME)
    if may_have_changed and exchange.known and exchange.identity:
        owner_mark = signs_of_new_owner(exchange.known, exchange.identity)
    return [*flags, CHANGED_OWNER] if owner_mark else flags, owner_mark


def by_status_200(exchange: Exchange) -> Verdict:
    """The literal rule of the requirements: only 200 after redirects is a success.

    `by_evidence` judges a 200, and a check that could not be made at all is inconclusive.
    """
    verdict = by_evidence(replace(exchange, sibling=None, root=None))
    if exchange.error is None and exchange.status == 200:
        return verdict
    if exchange.error is not None and table.ROW_OF_ERROR[exchange.error].is_our_fault:
        return verdict
    # Each such verdict gets this rule; a success of `by_evidence` also gets reason and sentence.
    other = table.ROW_OF_ERROR[ErrorKind.TLS]
    if exchange.error is None:
        is_below_400 = exchange.status in table.STATUS_BELOW_400.statuses
        other = table.STATUS_BELOW_400 if is_below_400 else table.OTHER_STATUS
    if verdict.sentence is None:
        parameters = _parameters(other, exchange)
        verdict = replace(verdict, sentence=other.explain(**parameters), parameters=parameters)
    return replace(
        verdict,
        rule=other.name,  # as this condition interprets it
        outcome=Outcome.FAILURE,
        reason=verdict.reason or (other.reason or "").format(code=exchange.status),
        never_counts=False,
    )


# By their names in a target's condition or CHECK_CONDITION.
CONDITIONS: Mapping[str, Condition] = {"evidence": by_evidence, "status-200": by_status_200}


def decide(exchange: Exchange, *, condition: str, conditions: Mapping[str, Condition]) -> Verdict:
    """Return the verdict of the condition with this name, which may be an operator's own.

    If an operator's condition is missing, raises or does not return a Verdict, the verdict is
    inconclusive, `condition_error`, with the error in its sentence and mark.
    """
    function = conditions.get(condition)
    error = "there is no condition with this name"
    if function is not None:
        if function is CONDITIONS.get(condition):
            return function(exchange)
        try:
            return _complete(function(exchange), condition)
        except Exception as raised:  # noqa: BLE001 (an operator's function may raise anything)
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


def _complete(verdict: Verdict, condition: str) -> Verdict:
    """Return the completed verdict of an operator's function. Raises TypeError, ValueError."""
    if not isinstance(verdict, Verdict):
        raise TypeError(f"{type(verdict).__name__} is not a Verdict")
    texts = [verdict.reason or "", verdict.sentence or "", verdict.mark or "", verdict.rule]
    texts += [*verdict.flags, *verdict.marks]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("reason, sentence, marks, rule and flags must be text")
    outcome = Outcome(verdict.outcome)
    verdict = replace(verdict, marks=verdict.marks or ((verdict.mark,) if verdict.mark else ()))
    if table.explain(verdict.parameters) != verdict.sentence:
        verdict = replace(verdict, parameters={})  # the sentence is the operator's own
    if outcome is Outcome.SUCCESS:
        parameters = {} if verdict.sentence else verdict.parameters
        return replace(verdict, outcome=outcome, sentence=None, parameters=parameters)
    is_failure = outcome is Outcome.FAILURE
    row = table.CONDITION_FAILURE if is_failure else table.CONDITION_INCONCLUSIVE
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


_MIN_BODY = 200  # bytes of a page that is compared with a neighbour's
# Rows of a page that replaces the requested one, for which a made-up neighbour is evidence;
# excludes those where everybody is asked to log in.
_REPLACEMENTS = (table.PARKED_PAGE, table.FOUND_ERROR, table.SENT_HOME)


def wants_neighbour(exchange: Exchange, verdict: Verdict) -> bool:
    """Return whether to request a made-up URL next to this one because something is unusual.

    The page is not the requested one, a redirect changed the last segment of its path, its title is
    that of a home page, or it is the known page despite a status such as 404.
    """
    if exchange.retry_after is not None:
        return False
    if verdict.outcome is not Outcome.SUCCESS:
        row = table.row_of_status(exchange.status or 0)
        return verdict.rule == row.name and is_still_shown(exchange, row)
    asked, page = exchange.asked or exchange.url, exchange.page
    if any(verdict.rule == row.name for row in _REPLACEMENTS):
        return True
    if verdict.rule != table.PAGE.name or is_interstitial(page, asked=asked, url=exchange.url):
        return False
    if exchange.redirects and is_sent_elsewhere(asked=asked, url=exchange.url):
        return True
    return page is not None and looks_like_home(page, asked=asked)


def can_be_compared(exchange: Exchange, verdict: Verdict) -> bool:
    """Return whether an ordinary page has enough text to be compared with a neighbour's."""
    if verdict.rule != table.PAGE.name or len(exchange.body) < _MIN_BODY:
        return False
    asked, page = exchange.asked or exchange.url, exchange.page
    if exchange.retry_after is not None or page is None or is_home_page(asked):
        return False
    return not is_interstitial(page, asked=asked, url=exchange.url)


def _parameters(row: VerdictRow, exchange: Exchange, *, mark: str | None = None) -> Parameters:
    """Return the parameters of the row's sentence about this exchange."""
    wait = exchange.retry_after
    return row.parameters(
        code=exchange.status,
        detail=exchange.detail,
        mark=mark,
        wait=None if wait is None else round(wait),
    )


def fail_if_same_for_all(verdict: Verdict) -> Verdict:
    """Return the verdict; a success with the flag SAME_FOR_ALL becomes a failure."""
    if SAME_FOR_ALL not in verdict.flags or verdict.outcome is not Outcome.SUCCESS:
        return verdict
    row = table.SOFT_404
    has_own_mark = verdict.mark is not None and not verdict.mark.startswith("neighbour:")
    parameters = row.parameters(mark=verdict.mark if has_own_mark else None)
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
    """Return the verdict; a success with one of the `failing` flags becomes a failure."""
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
    """Return whether the response to a HEAD is enough: many servers support only GET properly.

    True for a 2xx, for a result that a GET would only repeat, and for a response that asks for a
    pause. The response to a HEAD has no body to search for marks.
    """
    return row_without_marks(exchange).decides_head or exchange.retry_after is not None


def should_retry(exchange: Exchange) -> bool:
    """Return whether another attempt may succeed: after most 5xx, network, TLS or timeout errors.

    Never after a 4xx, a request to come back later, or a bot wall. Source:
    docs/requirements.md#checks-retries.
    """
    if exchange.retry_after is not None:
        return False
    return row_without_marks(exchange).is_retried and not exchange.walls


def depends_on_root(verdict: Verdict) -> bool:
    """Return whether the verdict also depends on the root of the host that answered."""
    return verdict.rule == table.BARE_REFUSAL.name


def answer_of_root(exchange: Exchange) -> RootAnswer:
    """Return what a root's response means: a bare refusal, wall or rate limit means REFUSES.

    A failure on our own side counts as a refusal, because it is no evidence that the page is dead.
    """
    row, _ = find_row(exchange)
    if row.is_our_fault or row in (table.BARE_REFUSAL, table.BOT_WALL, table.THROTTLED):
        return RootAnswer.REFUSES
    if table.RESTRICTED_PAGE.flags[0] in row.flags or _is_login_form(exchange):
        return RootAnswer.RESTRICTED
    is_unknown = exchange.error is not None or row.outcome is Outcome.INCONCLUSIVE
    if is_unknown or exchange.status in table.BROKEN_STATUSES:
        return RootAnswer.UNKNOWN
    return RootAnswer.ANSWERS


def _is_login_form(exchange: Exchange) -> bool:
    """Return whether a home page is just a login form."""
    page = exchange.page if exchange.error is None else None
    return page is not None and find_login(page, asked=f"{exchange.url}page/below") is not None


_PERMANENT_REDIRECTS = (301, 308)


def flag_if_moved(verdict: Verdict, exchange: Exchange, *, accepted: Collection[object]) -> Verdict:
    """Return the verdict, with the flag `moved` if the page has permanently moved.

    This is so for a success after permanent redirects only, unless they lead to another page or the
    flag is `accepted`.
    """
    if verdict.outcome is not Outcome.SUCCESS or moved_to(exchange) is None or MOVED in accepted:
        return verdict
    is_permanent = all(redirect.status in _PERMANENT_REDIRECTS for redirect in exchange.redirects)
    if not is_permanent or not table.ANOTHER_PAGE_FLAGS.isdisjoint(verdict.flags):
        return verdict
    return replace(verdict, flags=(*verdict.flags, MOVED))


def moved_to(exchange: Exchange) -> str | None:
    """Return where the permanent redirects (301, 308) at the start of a chain lead.

    None if there are none, or if they lead back to the requested URL.
    """
    target = None
    for redirect in exchange.redirects:
        if redirect.status not in _PERMANENT_REDIRECTS:
            break
        target = redirect.url
    return None if target == exchange.asked else target
