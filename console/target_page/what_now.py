"""The card that says what to do about a target, and the buttons on it."""

from dataclasses import dataclass
from datetime import UTC

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.actors import actor_of
from checker.engine.verdict_table import ANOTHER_PAGE_FLAGS
from checker.models import CheckResult
from console.target_page.progress import answers_again
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.http.permissions import PermittedPage
from hosts.models import Host
from targets.canonical import InvalidURLError, canonicalize
from targets.models import CopyResult, Repair, Target, TargetCopy
from targets.notes import write_note
from targets.public_targets import is_seen_by_all
from targets.registration import watch_new_address
from targets.state import State
from targets.views import get_target

_ARCHIVE = "https://web.archive.org/web"
_FAILING = (State.DEAD, State.POTENTIALLY_DEAD)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatNow:
    """The contents of the card *What now*."""

    summary: str
    suggestion: str
    is_failing: bool  # dead or potentially dead, since `state_changed_at` of the target
    moved_to: str
    new_target: str | None  # the id of a target that watches the new URL
    # Where a web archive may have a copy of the page. None if archives have already answered, if
    # the page is not gone, or if not everybody may see the target.
    archive_url: str | None
    copy: TargetCopy | None  # the result from archives, if they were asked
    replaced_by: Target | None  # the target to which a repair moved all references
    is_failing_replacement: bool  # whether the target fails, and repairs moved references to it


def what_now(target: Target, host: Host | None, *, is_acceptable: bool) -> WhatNow | None:
    """Return what to do about a target; None if there is nothing to do."""
    advice = target.advice
    is_failing = target.state in _FAILING
    replaced_by = _find_replacement(target)
    has_advice = is_failing or advice.suggestion or target.moved_to or replaced_by
    if not (has_advice or is_acceptable):
        return None
    summary, suggestion = advice.summary or "", advice.suggestion or ""
    if answers_again(target):
        summary = ""
        suggestion = (
            "The last check succeeded. If the page is the right one, an operator can revive the"
            " target."
        )
    is_public = is_seen_by_all(target.is_internal, target.instructions, host and host.instructions)
    is_gone = is_failing or not ANOTHER_PAGE_FLAGS.isdisjoint(target.flags)
    copy = target.shown_copy
    has_answer = copy is not None and copy.result != CopyResult.UNAVAILABLE
    return WhatNow(
        summary=summary,
        suggestion=suggestion,
        is_failing=is_failing,
        moved_to=target.moved_to,
        new_target=_find_watching_target(target.moved_to),
        archive_url=_archive_url(target) if is_gone and is_public and not has_answer else None,
        copy=copy,
        replaced_by=replaced_by,
        is_failing_replacement=is_failing
        and Repair.objects.filter(new_target=target.pk, undone_at=None).exists(),
    )


def _find_replacement(target: Target) -> Target | None:
    if target.replaced_by_id is None:
        return None
    return Target.objects.filter(pk=target.replaced_by_id).first()


def _find_watching_target(url: str) -> str | None:
    """Return the id of the target that watches a URL; None for an empty URL, or if none does."""
    try:
        canonical = canonicalize(url).url if url else ""
    except InvalidURLError:
        return None
    if not canonical:
        return None
    return Target.objects.filter(canonical_url=canonical).values_list("pk", flat=True).first()


def _archive_url(target: Target) -> str:
    """Return the URL of the page in the Wayback Machine at the time of the last good check.

    A good check is a success without flags. Without one, the time is that of the first failure, or
    else of the registration. The archive shows the nearest copy.
    """
    fine = CheckResult.objects.filter(target=target, outcome="success", flags=[])
    newest = fine.order_by("-checked_at", "-id").read_in_spans(1)
    at = newest[0].checked_at if newest else target.first_failed_at
    at = at or target.created_at
    return f"{_ARCHIVE}/{at.astimezone(UTC):%Y%m%d%H%M%S}/{target.url}"


class NoteView(PermittedPage):
    """POST writes or clears the note on a target."""

    permission_required = ("targets.view_target", "targets.add_reference")

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        """Redirect to the target's page: people who had to sign in first arrive here."""
        return redirect(get_target(target_id))

    def post(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target, text = get_target(target_id), request.POST.get("text", "")
        try:
            write_note(target, text, now=database_now(), by=actor_of(request))
        except ApiError as error:
            raise Http404(error.message) from None
        messages.success(request, "Note saved." if text.strip() else "Note cleared.")
        return redirect(target)


class WatchNewAddressView(PermittedPage):
    """POST copies the user's references to the target of the new URL, and redirects to it.

    If the user has no references, it adds the reference `watch`.
    """

    permission_required = ("targets.view_target", "targets.add_target", "targets.add_reference")

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        """Redirect to the target's page: people who had to sign in first arrive here."""
        return redirect(get_target(target_id))

    def post(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        try:
            result = watch_new_address(target, now=database_now(), by=actor_of(request))
        except ApiError as error:
            messages.warning(request, f"The new address can't be watched. {error.message}")
            return redirect(target)
        is_new = result.is_new or result.is_new_reference
        messages.success(
            request,
            "This is the new address. You are now watching it."
            if is_new
            else "This is the new address. You were already watching it.",
        )
        return redirect(result.target)
