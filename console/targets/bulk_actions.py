"""Actions on several targets after confirmation: on ticked targets, or on all matching ones."""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import cached_property, partial
from typing import NamedTuple, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts import audit_log
from accounts.account_pages import ActorPage
from accounts.actors import Actor
from accounts.time_zones import reader_zone
from console.targets.forms import TargetSearchForm
from foundation.admin.pages import with_reason
from foundation.database.clock import database_now
from foundation.http.concurrency_limit import ConcurrencyLimit
from foundation.http.errors import ApiError, error_response
from foundation.net.urls import ascii_url
from foundation.templatetags.numbers import number
from targets import bulk, target_actions
from targets.models import Target
from targets.registration import WATCH
from targets.search.target_search import TargetSearch

MAX_TICKED = 200  # ticked targets that are read; a page shows fewer
MAX_MATCHING = 10_000  # targets of one action on all that match
MAX_SECONDS = 25.0  # for one action; shorter than the timeouts of proxies
UNDO_WITHIN = timedelta(hours=1)
_MAX_LISTED = 10  # targets in a question
_LIMIT = ConcurrencyLimit(
    2, "Other people are changing many targets right now. Try again in a moment."
)
_Run = Callable[[Collection[str], datetime, Actor], bulk.BulkResult]


@dataclass(frozen=True, slots=True)
class Action:
    """An action on several targets."""

    label: str
    done: str  # the message when it is done, with a placeholder for the targets
    right: str  # the permission that it needs
    run: _Run
    sentence: str = ""  # a further explanation
    inverse: str = ""  # the name of the action that undoes it
    audit_action: str = ""  # the name of an operation in the audit log
    # The prompt with a placeholder for the targets; if empty, the label followed by the targets.
    question: str = ""

    @property
    def prompt(self) -> str:
        """The question without its question mark, with a placeholder for the targets."""
        return self.question or f"{self.label} {{}}"


def _run_operation(name: str, ids: Collection[str], now: datetime, by: Actor) -> bulk.BulkResult:
    return target_actions.run_on_many(name, ids, now=now, by=by)


def _watch(ids: Collection[str], now: datetime, by: Actor) -> bulk.BulkResult:
    return bulk.add_references(ids, WATCH, now=now, by=by)


def _leave(ids: Collection[str], now: datetime, by: Actor) -> bulk.BulkResult:
    return bulk.remove_own(ids, now=now, by=by)


def _delete(ids: Collection[str], now: datetime, by: Actor) -> bulk.BulkResult:
    return bulk.delete(ids, now=now, by=by)


ACTIONS = {
    name: Action(
        operation.label,
        f"{operation.done.capitalize()}: {{}}.",
        "targets.change_target",
        partial(_run_operation, name),
        inverse=operation.inverse,
        audit_action=operation.action,
        question=operation.question,
    )
    for name, operation in target_actions.OPERATIONS.items()
} | {
    "watch": Action(
        "Add my reference",
        "You're now watching {}.",
        "targets.add_reference",
        _watch,
        question="Add your reference to {}",
    ),
    "leave": Action(
        "Stop watching",
        "You're no longer watching {}.",
        "targets.delete_reference",
        _leave,
        "Your references will be removed. Targets that nobody else watches will be deleted with "
        "their checks, unless they are pinned.",
    ),
    "delete": Action(
        "Delete",
        "Deleted: {}.",
        "targets.delete_target",
        _delete,
        "Checks and evidence will be deleted too, and people who watch a deleted target will no "
        "longer be notified about it. This can't be undone.",
    ),
}


def permitted_actions(request: HttpRequest) -> list[tuple[str, Action]]:
    """Return the actions that the user may perform, each with its name."""
    has_perm = request.user.has_perm
    return [(name, action) for name, action in ACTIONS.items() if has_perm(action.right)]


class SelectionPage(ActorPage):
    """Asks for confirmation, then performs an action on the targets selected in the list."""

    permission_required = ("targets.view_target",)
    has_all = True  # whether the selection contains all targets that match

    @cached_property
    def action(self) -> Action:
        """The requested action; raises PermissionDenied if the user may not perform it."""
        action = ACTIONS.get(self.request.POST.get("operation", ""))
        if action is None or not self.request.user.has_perm(action.right):
            raise PermissionDenied
        return action

    @cached_property
    def back(self) -> str:
        """The URL of the list from which the targets were selected."""
        return f"{reverse('targets')}?{self.request.POST.get('query', '')}"

    def get(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the list: people who had to sign in first arrive here."""
        return redirect("targets")

    def post(self, request: HttpRequest) -> HttpResponse:
        """Perform the action once it is confirmed; before that, ask.

        Ask again if the query no longer matches the targets in the question.
        """
        action = self.action
        try:
            ids = self._selected_ids()
        except ApiError as error:
            return error_response(request, error)
        if not ids:
            messages.warning(request, "Select at least one target first.")
            return redirect(self.back)
        is_same = "everything" not in request.POST or request.POST.get("chosen") == _digest(ids)
        if "confirmed" in request.POST and is_same:
            return self.perform(action, ids)
        return render(request, "linkwatch/confirm.html", self._question(action, ids))

    def perform(self, action: Action, ids: Sequence[str]) -> HttpResponse:
        """Perform the action, and redirect to the list with messages about the result."""
        try:
            with _LIMIT.slot():
                self._run_batches(action, ids)
        except ApiError as error:
            return error_response(self.request, error)
        return redirect(self.back)

    def _run_batches(self, action: Action, ids: Sequence[str]) -> None:
        began_at, deadline = database_now(), time.monotonic() + MAX_SECONDS
        processed, total = 0, bulk.BulkResult()
        while processed < len(ids) and time.monotonic() < deadline:
            batch = ids[processed : processed + bulk.BATCH_SIZE]
            total.add(action.run(batch, database_now(), self.actor))
            processed += len(batch)
        if total.changed:
            entries = self._entry_ids(action, began_at) if action.inverse else ""
            messages.success(self.request, action.done.format(_targets(total.changed)), entries)
        for reason, count in total.refused.items():
            messages.warning(self.request, with_reason(f"Not changed: {_targets(count)}", reason))
        if processed < len(ids):
            rest = _targets(len(ids) - processed)
            messages.warning(self.request, f"Time ran out. Not changed: {rest}. Try again.")

    def _entry_ids(self, action: Action, began_at: datetime) -> str:
        """Return the ids of the user's entries for this action since `began_at`, as one text."""
        entries = audit_log.entries_by(cast("User", self.request.user)).filter(
            kind="target", action=action.audit_action, at__gte=began_at
        )
        return " ".join(str(pk) for pk in entries.values_list("pk", flat=True))

    def _selected_ids(self) -> list[str]:
        """Return the ids of the selected targets that exist; raises ApiError as `find_all` does."""
        if "everything" in self.request.POST:
            query = self.request.POST.get("query", "")
            matches = find_all(query, self.actor, zone=reader_zone(self.request))
            self.has_all = matches.is_all
            asked = self.request.POST.get("first", "")
            if not matches.is_all and _is_number(asked):  # how far a search gets in time varies
                return matches.ids[: int(asked)]
            return matches.ids
        ids, pk_field = [], Target._meta.pk
        for text in self.request.POST.getlist("target")[:MAX_TICKED]:
            try:
                ids.append(pk_field.to_python(text))
            except ValidationError:
                continue
        return list(Target.objects.filter(pk__in=ids).order_by("pk").values_list("pk", flat=True))

    def _question(self, action: Action, ids: list[str]) -> dict[str, object]:
        is_everything = "everything" in self.request.POST
        targets, listed = Target.objects.filter(pk__among=ids), ids[:_MAX_LISTED]
        labels = dict(Target._meta.get_field("state").flatchoices)
        states = Counter(targets.values_list("state", flat=True))
        states_text = ", ".join(f"{number(n)} {labels[name]}" for name, n in states.most_common())
        selection = [("everything", "yes")] if is_everything else [("target", pk) for pk in ids]
        sentences = [action.sentence] if action.sentence else []
        if not self.has_all:
            first = f"These are the first {number(len(ids))} matching targets"
            sentences.append(f"{first}; there may be more.")
            selection.append(("first", str(len(ids))))
        return {
            "question": f"{action.prompt.format(_targets(len(ids)))}?",
            "subject": f"Selected: {states_text}.",
            "items": [ascii_url(row.url) for row in Target.objects.filter(pk__in=listed)],
            "left_out": number(len(ids) - len(listed)) if len(ids) > len(listed) else "",
            "sentences": [*sentences, "Targets that this doesn't apply to are left unchanged."],
            "button": action.label,
            "is_dangerous": action.right.endswith(("delete_target", "delete_reference")),
            "back": self.back,
            "kept": [
                ("operation", self.request.POST["operation"]),
                ("query", self.request.POST.get("query", "")),
                ("confirmed", "yes"),
                ("chosen", _digest(ids)),
                *selection,
            ],
        }


class UndoView(SelectionPage):
    """POST undoes an action of the user within UNDO_WITHIN.

    `entries`: the ids of the action's entries in the audit log.
    """

    def post(self, request: HttpRequest) -> HttpResponse:
        user = cast("User", request.user)
        pks = [int(pk) for pk in request.POST.get("entries", "").split() if _is_number(pk)]
        since = database_now() - UNDO_WITHIN
        recent = audit_log.entries_by(user).filter(pk__in=pks[:100], kind="target", at__gte=since)
        for action in ACTIONS.values():
            entries = [entry for entry in recent if entry.action == action.audit_action]
            if entries and action.inverse and request.user.has_perm(action.right):
                ids = [pk for entry in entries for pk in entry.subjects or [entry.subject]]
                return self.perform(ACTIONS[action.inverse], ids)
        messages.warning(request, "This can no longer be undone.")
        return redirect(self.back)


class MatchingTargets(NamedTuple):
    """Targets that match a query of the list."""

    ids: list[str]
    is_all: bool  # whether these are known to be all


def find_all(query: str, by: Actor, *, zone: tzinfo) -> MatchingTargets:
    """Return the targets that match a query of the list, at most MAX_MATCHING.

    Returns none for an invalid query. Raises ApiError `unavailable` while this process already runs
    the maximum number of such searches and actions.
    """
    form = TargetSearchForm(QueryDict(query), by=by, zone=zone)
    if not form.is_valid():
        return MatchingTargets([], is_all=True)
    search = TargetSearch(form.criteria(), by=by, order=form.order_name())
    with _LIMIT.slot():
        ids = search.ids(limit=MAX_MATCHING)
    return MatchingTargets(ids, is_all=len(ids) < MAX_MATCHING and not search.was_cut_short)


def _digest(ids: Collection[str]) -> str:
    """Return a digest of these targets."""
    return hashlib.sha256(" ".join(sorted(ids)).encode()).hexdigest()


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19


def _targets(count: int) -> str:
    return f"{number(count)} target{'' if count == 1 else 's'}"
