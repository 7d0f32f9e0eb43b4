"""`/targets/{id}/accept` and `/propose`: a person accepts a result as fine, or proposes that."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.actors import actor_of
from checker import reports
from checker.engine.instructions import NEVER_OFFERED_REASONS, OFFERED_FLAGS
from checker.models import CheckResult
from console.target_page.confirmations import confirm_page
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.http.permissions import PermittedPage
from foundation.net.urls import ascii_url
from targets.flags import flag_label
from targets.models import Target
from targets.notes import may_act
from targets.state import State
from targets.target_actions import accept
from targets.views import get_target


def acceptable_values(last: CheckResult | None) -> list[int | str]:
    """Return what a person may accept in the last result: a status, a reason, or flags.

    Returns an empty list if there is nothing to accept. Excludes failures on our own side, and
    unmet expectations of operators, who should change the expectation instead.
    """
    if last is None or last.reason in NEVER_OFFERED_REASONS:
        return []
    if last.reason.startswith("http_") and last.status_code:
        return [last.status_code]
    if last.reason:
        return [last.reason]
    return [flag for flag in last.flags if flag in OFFERED_FLAGS]


def _last_result(target: Target) -> CheckResult | None:
    results = CheckResult.objects.filter(target=target).order_by("-checked_at", "-id")
    return next(iter(results.read_in_spans(1)), None)


def _last_acceptable_values(target: Target) -> list[int | str]:
    return acceptable_values(_last_result(target))


def _kept(values: list[int | str]) -> list[tuple[str, str]]:
    """Return the fields by which a confirmation names the values in its question."""
    return [("value", str(value)) for value in values]


def _asked_for_others(request: HttpRequest, values: list[int | str]) -> bool:
    """Return whether the confirmed question was about other values, before another check."""
    asked = [("value", text) for text in request.POST.getlist("value")]
    return bool(asked) and asked != _kept(values)


class ProposalPage(PermittedPage):
    """Asks for confirmation, then proposes "This is fine" to operators.

    Asks again if another check has found something else than the question says.
    """

    permission_required = (
        "targets.view_target",
        "checker.view_checkresult",
        "targets.add_reference",
    )

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target, _, values = self._find(request, target_id)
        return self._ask(target, values)

    def _ask(self, target: Target, values: list[int | str]) -> HttpResponse:
        sentences = [
            *filter(None, [target.last_error]),
            f"An operator will be asked to accept {_in_words(values)} for this target. Nothing"
            " changes until they do.",
        ]
        return confirm_page(
            self.request,
            "Is this fine?",
            ascii_url(target.url),
            sentences,
            target,
            "Propose",
            is_dangerous=False,
            kept=_kept(values),
        )

    def post(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target, last, values = self._find(request, target_id)
        if _asked_for_others(request, values):
            return self._ask(target, values)
        by = actor_of(request)
        try:
            _, is_new = reports.report(target, last, "", now=database_now(), by=by, proposed=values)
        except ApiError as error:
            messages.warning(request, error.message)
        else:
            thanks = "Thank you. An operator will review your proposal."
            sentence = thanks if is_new else "You have already reported this result."
            messages.success(request, sentence)
        return redirect(target)

    def _find(
        self, request: HttpRequest, target_id: str
    ) -> tuple[Target, CheckResult, list[int | str]]:
        """Return the target, its last result and the values to propose; raises Http404."""
        target = get_target(target_id)
        last = _last_result(target)
        values = acceptable_values(last)
        if last is None or not values or not may_act(target, actor_of(request)):
            raise Http404
        return target, last, values


def _in_words(values: list[int | str], joined_by: str = "and") -> str:
    """Return statuses, reasons or flags in words: `HTTP 404`, `“parked” and “login”`."""
    *others, last = (
        f"HTTP {each}" if isinstance(each, int) else f"“{flag_label(each)}”" for each in values
    )
    return f"{', '.join(others)} {joined_by} {last}" if others else last


def _meaning(values: list[int | str]) -> str:
    if OFFERED_FLAGS.isdisjoint(values):
        return f"From now on, {_in_words(values)} counts as a success for this target."
    return f"This target will no longer be flagged as {_in_words(values, 'or')}."


def _next_step(target: Target) -> str:
    revived = "revived and " if target.state == State.DEAD else ""
    return f"The target will be {revived}queued for a check."


class ResultAcceptancePage(PermittedPage):
    """Asks for confirmation, then accepts the last check's result for this target.

    Asks again if another check has found something else than the question says.
    """

    permission_required = (
        "targets.view_target",
        "checker.view_checkresult",
        "targets.change_target",
    )

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        values = _last_acceptable_values(target)
        if not values:
            raise Http404
        return self._ask(target, values)

    def _ask(self, target: Target, values: list[int | str]) -> HttpResponse:
        sentences = [
            *filter(None, [target.last_error]),
            _meaning(values),
            *([] if target.paused else [_next_step(target)]),
            "To undo this later, edit the target and clear the “Accept” field.",
        ]
        return confirm_page(
            self.request,
            "Is this fine?",
            ascii_url(target.url),
            sentences,
            target,
            "This is fine",
            is_dangerous=False,
            kept=_kept(values),
        )

    def post(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        values = _last_acceptable_values(target)
        if values and _asked_for_others(request, values):
            return self._ask(target, values)
        if values:
            accept(target, values, now=database_now(), by=actor_of(request))
            messages.success(request, f"Saved. {_meaning(values)}")
        else:
            messages.warning(request, "The last check found nothing that can be accepted.")
        return redirect(target)
