"""What is done to several targets at once, after a question."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.actors import Actor
from accounts.pages import ActorPage
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.net.urls import ascii_url
from targets import operations, services
from targets.models import Target
from targets.registration import WATCH

MOST = 200  # targets at once: more than a page has
_NAMED = 10  # that a question lists


@dataclass(frozen=True, slots=True)
class Action:
    """What may be done to each of several targets, by who has this right."""

    label: str
    done: str
    right: str
    run: Callable[[Target, datetime, Actor], None]
    sentence: str = ""  # what else one should know before


def _delete(target: Target, now: datetime, by: Actor) -> None:
    services.delete(target, force=True, now=now, by=by)


def _watch(target: Target, now: datetime, by: Actor) -> None:
    _, is_new = services.refer(target, WATCH, now=now, by=by)
    if not is_new:
        raise ApiError("unchanged", "watched by you already")


def _leave(target: Target, now: datetime, by: Actor) -> None:
    """Remove all references of one's own."""
    own = list(target.references.filter(owner=by.owner))
    if not own:
        raise ApiError("unchanged", "nothing of yours refers to them")
    for row in own:
        services.unregister(target, row.object_id, now=now, by=by, pk=row.pk)


ACTIONS = {
    name: Action(one.label, one.done, "targets.change_target", one.run)
    for name, one in operations.OPERATIONS.items()
} | {
    "watch": Action("Watch too", "watched for you as well", "targets.add_reference", _watch),
    "leave": Action(
        "Stop watching",
        "not watched for you any more",
        "targets.delete_reference",
        _leave,
        "Your references to them are removed. What nobody else refers to is deleted with its "
        "checks, unless it is pinned.",
    ),
    "delete": Action(
        "Delete",
        "deleted",
        "targets.delete_target",
        _delete,
        "Their checks and evidence are deleted too, and nobody who refers to them gets events "
        "about them any more. This can't be undone.",
    ),
}


def offered(request: HttpRequest) -> list[tuple[str, Action]]:
    """Return what this person may do to several targets, by name."""
    return [(name, one) for name, one in ACTIONS.items() if request.user.has_perm(one.right)]


class SelectionPage(ActorPage):
    """Asks, and then does something to the targets that were chosen in the list."""

    permission_required = ("targets.view_target",)

    def get(self, request: HttpRequest) -> HttpResponse:
        """Lead to the list: who had to sign in before the button worked comes here."""
        return redirect("targets")

    def post(self, request: HttpRequest) -> HttpResponse:
        name = request.POST.get("operation", "")
        action = ACTIONS.get(name)
        if action is None or not request.user.has_perm(action.right):
            raise PermissionDenied
        targets = _chosen(request)
        back = f"{reverse('targets')}?{request.POST.get('query', '')}"
        if not targets:
            messages.warning(request, "Choose some targets first.")
            return redirect(back)
        if "confirmed" in request.POST:
            self._do(action, targets)
            return redirect(back)
        return render(request, "linkwatch/confirm.html", _question(request, action, targets, back))

    def _do(self, action: Action, targets: list[Target]) -> None:
        """Do it to each by itself; tell how many it was done to, and why not to others."""
        refused: Counter[str] = Counter()
        for target in targets:
            try:
                action.run(target, database_now(), self.actor)
            except ApiError as error:
                refused[operations.refusal(error)] += 1
        if count := len(targets) - refused.total():
            messages.success(self.request, f"{_targets(count)} {action.done}.")
        for reason, number in refused.items():
            messages.warning(self.request, f"{_targets(number)} left as they are: {reason}.")


def _chosen(request: HttpRequest) -> list[Target]:
    """Return those of the chosen targets that there are, in the order of their ids."""
    ids, key = [], Target._meta.pk
    for text in request.POST.getlist("target")[:MOST]:
        try:
            ids.append(key.to_python(text))
        except ValidationError:
            continue
    return list(Target.objects.filter(pk__in=ids).order_by("pk"))


def _question(
    request: HttpRequest, action: Action, targets: list[Target], back: str
) -> dict[str, object]:
    states = Counter(target.get_state_display() for target in targets)
    states_text = ", ".join(f"{count} {state}" for state, count in states.most_common())
    return {
        "question": f"{action.label}: {_targets(len(targets))}?",
        "subject": f"Chosen: {states_text}.",
        "items": [ascii_url(target.url) for target in targets[:_NAMED]],
        "left_out": max(0, len(targets) - _NAMED),
        "sentences": [
            *filter(None, [action.sentence]),
            "Those that this does not apply to stay as they are.",
        ],
        "button": action.label,
        "is_dangerous": action.right.endswith(("delete_target", "delete_reference")),
        "back": back,
        "kept": [
            ("operation", request.POST["operation"]),
            ("query", request.POST.get("query", "")),
            ("confirmed", "yes"),
            *(("target", target.pk) for target in targets),
        ],
    }


def _targets(count: int) -> str:
    return f"{count} target{'' if count == 1 else 's'}"
