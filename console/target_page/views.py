"""`/targets/{id}`: a target for people, with its history and what one may do with it."""

from collections.abc import Iterator

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from rest_framework.exceptions import ValidationError

from accounts import traces
from accounts.actors import actor_of
from checker.engine.instructions import NEVER_ACCEPTED, QUESTIONABLE_FLAGS
from checker.models import CheckResult
from checker.views import ResultPages
from console.target_page import history
from foundation.database.clock import database_now
from foundation.durations import format_duration
from foundation.http.errors import ApiError
from foundation.http.permissions import PermittedPage
from foundation.net.urls import ascii_url
from status.health import network
from targets import services
from targets.models import SHOWN_REFERENCES, Target
from targets.operations import OPERATIONS, accept, offered, refusal
from targets.registration import WATCH
from targets.state import State
from targets.views import get_target, read_reference_id

RESULTS = 20  # on a page
TRACES = 10


class TargetPage(PermittedPage):
    """How a target fares, how it fared, who refers to it; `?page_token=` shows older checks."""

    permission_required = ("targets.view_target", "checker.view_checkresult")

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        now, by = database_now(), actor_of(request)
        target = get_target(target_id)
        target.load_references(by)
        if by.sees_all:
            prefetch_related_objects(target.first_references, "owner")
        changes = traces.seen_by(by, traces.of("target", target.pk, "reference"))
        token = request.GET.get("page_token")
        pages = ResultPages()
        context = {
            "now": now,
            "for_staff": request.user.is_staff,
            "own_side": network()["sentences"],
            "target": target,
            "states": history.states(target, now=now),
            "latencies": history.latencies(target),
            "results": [history.found(result) for result in _results(pages, target, token)],
            "is_newest": token is None,
            "next_page_token": pages.next_page_token,
            "policy": list(_policy(target)),
            "operations": [(name, OPERATIONS[name].label) for name in offered(target)],
            "is_acceptable": bool(_acceptable(target)),
            "sees_all": by.sees_all,
            "references_left_out": max(0, target.reference_count - SHOWN_REFERENCES),
            "traces": list(changes[:TRACES]),
        }
        return render(request, "console/target/page.html", context)


def _results(pages: ResultPages, target: Target, token: str | None) -> list[CheckResult]:
    try:
        return pages.take(CheckResult.objects.filter(target=target), limit=RESULTS, token=token)
    except ApiError as error:
        raise Http404(error.message) from None


def _policy(target: Target) -> Iterator[tuple[str, str, bool]]:
    """Yield each rule in force: its name, its value, and whether it is the target's own."""
    policy = target.policy
    yield "Check every", format_duration(policy.check_period), target.check_period is not None
    yield "Recheck after", format_duration(policy.recheck_period), target.recheck_period is not None
    yield (
        "Dead after",
        f"{policy.recheck_threshold} failures in a row",
        target.recheck_threshold is not None,
    )
    yield "Condition", target.condition_in_force, bool(target.condition)
    yield (
        "Inconclusive is a failure after",
        format_duration(policy.inconclusive_limit),
        False,
    )


class OperationView(PermittedPage):
    """A button of the page: POST does it and leads back."""

    permission_required = ("targets.view_target", "targets.change_target")

    def get(self, request: HttpRequest, target_id: str, operation: str) -> HttpResponse:
        """Lead to the page: who had to sign in before the button worked comes here."""
        return redirect(get_target(target_id))

    def post(self, request: HttpRequest, target_id: str, operation: str) -> HttpResponse:
        if operation not in OPERATIONS:
            raise Http404
        target = get_target(target_id)
        try:
            OPERATIONS[operation].run(target, database_now(), actor_of(request))
        except ApiError as error:
            messages.warning(request, f"Refused: the target is {refusal(error)}.")
        else:
            messages.success(request, f"The target is {OPERATIONS[operation].done}.")
        return redirect(target)


def _acceptable(target: Target) -> list[int | str]:
    """Return what the last check saw that a person may call fine: a status, a reason, or flags.

    Nothing of our own side's, and not what an operator expects: that is to be changed instead.
    """
    results = CheckResult.objects.filter(target=target).order_by("-checked_at", "-id")
    if not (newest := results.first_of_spans(1)):
        return []
    [last] = newest
    if last.reason in NEVER_ACCEPTED:
        return []
    if last.reason.startswith("http_") and last.status_code:
        return [last.status_code]
    if last.reason:
        return [last.reason]
    return [flag for flag in last.flags if flag in QUESTIONABLE_FLAGS]


class AcceptancePage(PermittedPage):
    """Asks, and then lets what the last check saw be fine for this target."""

    permission_required = (
        "targets.view_target",
        "checker.view_checkresult",
        "targets.change_target",
    )

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        seen = _acceptable(target)
        if not seen:
            raise Http404
        words = ", ".join(map(str, seen))
        sentences = [
            *filter(None, [target.last_error]),
            f"Checks of this target that end so ({words}) will be successes from now on.",
            "It is checked again now. To take it back, empty Accept in its form.",
        ]
        if target.state == State.DEAD:
            sentences.append("It is revived for that.")
        return _ask(request, "Is this fine?", target.url, sentences, target, "This is fine")

    def post(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        if seen := _acceptable(target):
            accept(target, seen, now=database_now(), by=actor_of(request))
            messages.success(request, f"Fine from now on: {', '.join(map(str, seen))}.")
        else:
            messages.warning(request, "The last check saw nothing that could be accepted.")
        return redirect(target)


class DeletionPage(PermittedPage):
    """Asks, and then deletes a target with all that is known of it."""

    permission_required = ("targets.view_target", "targets.delete_target")

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        count = target.references.count()
        sentences = ["Its checks and their evidence are deleted too. Its past events are kept."]
        if count:
            plural = "s refer" if count > 1 else " refers"
            sentences.append(f"{count} object{plural} to it and will get no more events about it.")
        return _ask(request, "Delete this target?", target.url, sentences, target, "Delete")

    def post(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        try:
            services.delete(target, force=True, now=database_now(), by=actor_of(request))
        except ApiError as error:
            raise Http404(error.message) from None
        messages.success(request, f"Deleted: {target.url}")
        return redirect("/")


class ReferralView(PermittedPage):
    """A form of the page: POST adds a reference of one's own, as `watch` if it names none."""

    permission_required = ("targets.view_target", "targets.add_reference")

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        """Lead to the page: who had to sign in before the button worked comes here."""
        return redirect(get_target(target_id))

    def post(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        try:
            object_id = read_reference_id(request.POST.get("reference") or WATCH)
            services.refer(target, object_id, now=database_now(), by=actor_of(request))
        except ValidationError:
            messages.warning(request, "A reference id has 1 to 255 characters.")
        except ApiError as error:
            raise Http404(error.message) from None
        else:
            messages.success(request, f"The target is watched for: {object_id}")
        return redirect(target)


class UnregistrationPage(PermittedPage):
    """Asks, and then removes `?reference=` from a target, which may go with it.

    `&id=`: this very one, of several owners' with one reference id.
    """

    permission_required = ("targets.view_target", "targets.delete_reference")

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target, by = get_target(target_id), actor_of(request)
        object_id, pk = _reference(request)
        found = target.references.all() if pk is None else target.references.filter(pk=pk)
        meant = found.meant(object_id, by)
        if not meant:
            raise Http404
        sentences = [f"The object will get no more events about {ascii_url(target.url)}."]
        if not target.pinned and target.references.count() == len(meant):
            sentences.append("It is the last reference: the target and its checks are deleted too.")
        return _ask(request, "Unregister this object?", object_id, sentences, target, "Unregister")

    def post(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target, by = get_target(target_id), actor_of(request)
        object_id, pk = _reference(request)
        try:
            services.unregister(target, object_id, now=database_now(), by=by, pk=pk)
        except ApiError as error:
            raise Http404(error.message) from None
        messages.success(request, f"Unregistered: {object_id}")
        return redirect(target if Target.objects.filter(pk=target.pk).exists() else "/")


def _reference(request: HttpRequest) -> tuple[str, int | None]:
    """Return which reference is meant: its id, and maybe the key of the row; raises Http404."""
    pk = request.GET.get("id")
    if pk is not None and not (pk.isascii() and pk.isdigit() and len(pk) < 19):
        raise Http404
    return request.GET.get("reference", ""), None if pk is None else int(pk)


def _ask(
    request: HttpRequest,
    question: str,
    subject: str,
    sentences: list[str],
    target: Target,
    button: str,
) -> HttpResponse:
    context = {
        "question": question,
        "subject": subject,
        "sentences": sentences,
        "target": target,
        "button": button,
    }
    return render(request, "linkwatch/confirm.html", context)
