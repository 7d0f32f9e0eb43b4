"""Pages that ask whether to delete a target or a reference, and a button that adds a reference."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from rest_framework.exceptions import ValidationError

from accounts.actors import actor_of
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.http.permissions import PermittedPage
from foundation.net.urls import ascii_url
from foundation.templatetags.numbers import number
from targets import services
from targets.models import Target
from targets.registration import WATCH
from targets.views import get_target, read_reference_id


def confirm_page(
    request: HttpRequest,
    question: str,
    subject: str,
    sentences: list[str],
    target: Target,
    button: str,
    *,
    is_dangerous: bool = True,
    kept: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    """Return the page that asks for confirmation of a change to a target.

    `kept`: names and values that the confirmation sends back.
    """
    context = {
        "question": question,
        "subject": subject,
        "sentences": sentences,
        "target": target,
        "button": button,
        "is_dangerous": is_dangerous,
        "kept": kept,
    }
    return render(request, "linkwatch/confirm.html", context)


class TargetDeletionPage(PermittedPage):
    """Asks for confirmation, then deletes a target with its results."""

    permission_required = ("targets.view_target", "targets.delete_target")

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        count = target.references.count()
        sentences = [
            "Its checks and their evidence will be deleted too. Its past events will be kept."
        ]
        if count:
            sentences.append(
                "The reference to this target will be deleted too, and nobody will be notified"
                " about the target anymore."
                if count == 1
                else f"{number(count)} references point to this target. They will be deleted too,"
                " and nobody will be notified about the target anymore."
            )
        return confirm_page(
            request, "Delete this target?", ascii_url(target.url), sentences, target, "Delete"
        )

    def post(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        try:
            services.delete(target, force=True, now=database_now(), by=actor_of(request))
        except ApiError as error:
            raise Http404(error.message) from None
        messages.success(request, f"Deleted: {ascii_url(target.url)}")
        return redirect("/")


class ReferenceView(PermittedPage):
    """POST adds a reference of the user, named `watch` by default."""

    permission_required = ("targets.view_target", "targets.add_reference")

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        """Redirect to the target's page: people who had to sign in first arrive here."""
        return redirect(get_target(target_id))

    def post(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        try:
            object_id = read_reference_id(request.POST.get("reference") or WATCH)
            services.add_reference(target, object_id, now=database_now(), by=actor_of(request))
        except ValidationError:
            messages.warning(request, "A reference ID must be 1 to 255 characters long.")
        except ApiError as error:
            raise Http404(error.message) from None
        else:
            messages.success(request, f"Reference added: {object_id}")
        return redirect(target)


class UnregistrationPage(PermittedPage):
    """Asks for confirmation, then removes the user's reference `?reference=`.

    A target that is not pinned is deleted with its last reference. `&id=` is the primary key of
    the reference, if several owners use the same reference id.
    """

    permission_required = ("targets.view_target", "targets.delete_reference")

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target, by = get_target(target_id), actor_of(request)
        object_id, pk = _reference(request)
        rows = target.references.all() if pk is None else target.references.filter(pk=pk)
        references = rows.resolve(object_id, by, to_change=True)
        if not references:
            raise Http404
        sentences = []
        url = ascii_url(target.url)
        owners = {reference.owner_id for reference in references} - {None}
        if by.owner is not None and by.owner.pk in owners:
            sentences.append(
                f"You will no longer be notified about {url}, unless you or your teams have another"
                " reference to it."
            )
        elif owners:
            sentences.append(
                f"The owner of this reference will no longer be notified about {url}, unless they"
                " or their teams have another reference to it."
            )
        if not target.pinned and target.references.count() == len(references):
            sentences.append(
                "This is the last reference, so the target and its checks will be deleted too."
            )
        return confirm_page(
            request, "Remove this reference?", object_id, sentences, target, "Remove"
        )

    def post(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target, by = get_target(target_id), actor_of(request)
        object_id, pk = _reference(request)
        try:
            services.unregister(target, object_id, now=database_now(), by=by, pk=pk)
        except ApiError as error:
            raise Http404(error.message) from None
        messages.success(request, f"Reference removed: {object_id}")
        return redirect(target if Target.objects.filter(pk=target.pk).exists() else "/")


def _reference(request: HttpRequest) -> tuple[str, int | None]:
    """Return the reference id and the primary key, if any, in the query; raises Http404."""
    object_id, pk = request.GET.get("reference", ""), request.GET.get("id")
    if pk is not None and not (pk.isascii() and pk.isdigit() and len(pk) < 19):
        raise Http404
    if "\0" in object_id:  # PostgreSQL refuses even to compare it
        raise Http404
    return object_id, None if pk is None else int(pk)
