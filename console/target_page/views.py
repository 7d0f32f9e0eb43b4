"""`/targets/{id}`: the page of a target, with its history and actions."""

from collections.abc import Iterator

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render

from accounts import audit_log
from accounts.actors import actor_of
from checker.models import CheckResult
from checker.views import ResultPages
from console.access import Audience, audience_of
from console.target_page import history
from console.target_page.chart import SCALES
from console.target_page.rendering import render_page
from console.target_page.snapshot import RESULTS_PER_PAGE, take_snapshot
from foundation.database.clock import database_now
from foundation.durations import duration_in_words
from foundation.http.errors import ApiError
from foundation.http.permissions import PermittedPage
from hosts import icon_store
from targets import occurrences
from targets.models import MAX_SHOWN_REFERENCES, Target, TargetNote
from targets.notes import find_note, may_act
from targets.target_actions import MEMBER_OPERATIONS, OPERATIONS, refusal
from targets.views import get_target

MAX_ENTRIES = 10  # of the audit log


class TargetPage(PermittedPage):
    """The state of a target, its history and references; the open page is kept up to date.

    `?span=` is the scale of the chart, and `?page_token=` shows older checks.
    """

    permission_required = ("targets.view_target", "checker.view_checkresult")

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        now, by = database_now(), actor_of(request)
        target = get_target(target_id)
        span = _span(request, target)
        viewer = audience_of(request.user) or Audience.MEMBERS
        page = render_page(take_snapshot(target, span, now=now), audiences=[viewer])
        target.load_references(by)
        may_change = request.user.has_perm("targets.change_target")
        may_refer = request.user.has_perm("targets.add_reference")
        sees_hosts = request.user.has_perm("hosts.view_host")
        may_act_on_target = may_act(target, by)
        own_id = None if by.owner is None else by.owner.pk
        others = [row for row in target.first_references if row.owner_id not in (None, own_id)]
        with_owner = target.first_references if by.sees_all else others
        prefetch_related_objects(with_owner, "owner")
        places = occurrences.by_reference(target.first_references)
        entries = audit_log.visible_to(
            by, audit_log.entries_about("target", target.pk, "reference")
        )
        context = {
            "now": now,
            "for_staff": request.user.is_staff,
            "target": target,
            "icons": icon_store.digests({target.host} if sees_hosts else ()),
            "span": span,
            "spans": [(name, name == span) for name in SCALES],
            "sections": page.renderings[viewer].sections,
            "digest": page.renderings[viewer].digest,
            "policy": list(_policy(target)),
            "operations": [
                (name, operation.label, name in page.offered)
                for name, operation in OPERATIONS.items()
                if may_change or (may_act_on_target and may_refer and name in MEMBER_OPERATIONS)
            ],
            "is_acceptable": "accept" in page.offered,
            "sees_all": by.sees_all,
            "sees_others": bool(others),
            "may_act": may_act_on_target,
            "note": find_note(target, by),
            "note_length": TargetNote.MAX_LENGTH,
            "references": [
                (
                    reference,
                    occurrences.describe_all(places.get(reference.pk, ())),
                    reference.owner_id is not None and reference in with_owner,
                    by.reaches_reference(reference.owner_id, reference.object_id, to_change=True),
                )
                for reference in target.first_references
            ],
            "references_left_out": max(0, target.reference_count - MAX_SHOWN_REFERENCES),
            "audit_entries": list(entries[:MAX_ENTRIES]),
        }
        if token := request.GET.get("page_token"):
            context["older"] = _older_checks(target, token)
        return render(request, "console/target/page.html", context)


def _span(request: HttpRequest, target: Target) -> str:
    """Return the chart's scale: the requested scale, or one that suits the target's policy."""
    requested = request.GET.get("span", "")
    return requested if requested in SCALES else history.scale_name_for(target)


def _older_checks(target: Target, token: str) -> dict[str, object]:
    """Return a page of older checks; raises Http404 for an invalid token."""
    pages = ResultPages()
    rows = CheckResult.objects.filter(target=target)
    try:
        results = pages.take(rows, limit=RESULTS_PER_PAGE, token=token)
    except ApiError as error:
        raise Http404(error.message) from None
    return {
        "results": [history.result_in_words(result) for result in results],
        "next_page_token": pages.next_page_token,
    }


def _policy(target: Target) -> Iterator[tuple[str, str, bool]]:
    """Yield each rule in force: its name, its value, and whether the target has its own value."""
    policy = target.policy
    yield "Check period", duration_in_words(policy.check_period), target.check_period is not None
    yield (
        "Recheck period",
        duration_in_words(policy.recheck_period),
        target.recheck_period is not None,
    )
    failures = policy.recheck_threshold
    yield (
        "Dead after",
        "1 failure" if failures == 1 else f"{failures} failures in a row",
        target.recheck_threshold is not None,
    )
    yield "Condition", target.condition_in_force, bool(target.condition)
    yield (
        "Inconclusive checks count as failures after",
        duration_in_words(policy.inconclusive_limit),
        False,
    )


class OperationView(PermittedPage):
    """A button of the page: POST performs an operation.

    The response is a redirect to the page, or JSON for clients that don't accept HTML.
    """

    permission_required = ("targets.view_target", "targets.change_target")

    def has_permission(self) -> bool:
        """Return whether the user may perform the operation.

        Users who may not change targets may perform MEMBER_OPERATIONS on targets they refer to.
        """
        if super().has_permission():
            return True
        user, operation = self.request.user, self.kwargs["operation"]
        if operation not in MEMBER_OPERATIONS or not user.has_perm("targets.add_reference"):
            return False
        return may_act(get_target(self.kwargs["target_id"]), actor_of(self.request))

    def get(self, request: HttpRequest, target_id: str, operation: str) -> HttpResponse:
        """Redirect to the target's page: people who had to sign in first arrive here."""
        return redirect(get_target(target_id))

    def post(self, request: HttpRequest, target_id: str, operation: str) -> HttpResponse:
        if operation not in OPERATIONS:
            raise Http404
        target = get_target(target_id)
        try:
            OPERATIONS[operation].run(target, database_now(), actor_of(request))
        except ApiError as error:
            is_rate_limited = error.code == "rate_limited"
            why = refusal(error)
            if error.code == "dead" and not request.user.has_perm("targets.change_target"):
                why = "dead; use Recheck instead"
            refused = f"Nothing was changed. The target is {why}."
            sentence = error.message if is_rate_limited else refused
            level = messages.WARNING
        else:
            level, sentence = messages.SUCCESS, OPERATIONS[operation].sentence
        if not request.accepts("text/html"):
            return JsonResponse({"is": messages.DEFAULT_TAGS[level], "message": sentence})
        messages.add_message(request, level, sentence)
        return redirect(target)
