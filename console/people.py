"""`/account/people`: users and their roles, with the admin's form for roles."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from accounts import audit_log, deletion, rights
from accounts.actors import actor_of
from accounts.invitation_pages import OperatorPage
from accounts.roles import Role
from console.admin.people import RoleForm
from console.editing import show_form
from foundation.database.clock import database_now

PEOPLE_PER_PAGE = 50
_FIELDS_IN_AUDIT_LOG = {"is_active": "sign-in access"}


class PersonForm(RoleForm):
    """The role of a user, and whether the user can sign in."""

    class Meta:
        model = User
        fields = ("is_active",)
        labels = {"is_active": "Can sign in"}
        help_texts = {"is_active": "If cleared, the account is closed. Everything it owns is kept."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].initial = rights.role_of(self.instance) or ""


class PeoplePage(OperatorPage):
    """All users by name, with their roles."""

    def get(self, request: HttpRequest) -> HttpResponse:
        users = User.objects.order_by("username").prefetch_related("groups")
        if after := request.GET.get("after", "").replace("\0", ""):
            users = users.filter(username__gt=after)
        rows = list(users[: PEOPLE_PER_PAGE + 1])
        context = {
            "people": [(user, rights.role_of(user)) for user in rows[:PEOPLE_PER_PAGE]],
            "next": rows[PEOPLE_PER_PAGE - 1].username if len(rows) > PEOPLE_PER_PAGE else None,
            "is_first": not after,
            "now": database_now(),
        }
        return render(request, "console/people.html", context)


class PersonPage(OperatorPage):
    """One user: the role, and whether the user can sign in."""

    def get(self, request: HttpRequest, pk: int) -> HttpResponse:
        return self._show(PersonForm(instance=get_object_or_404(User, pk=pk)))

    @transaction.atomic
    def post(self, request: HttpRequest, pk: int) -> HttpResponse:
        user = get_object_or_404(User.objects.select_for_update(), pk=pk)
        form = PersonForm(request.POST, instance=user)
        if not form.is_valid():
            return self._show(form)
        if form.changed_data:
            user.save(update_fields=["is_active"])
            if user.is_active:
                deletion.withdraw(user.pk)
            if "role" in form.changed_data:
                chosen = form.cleaned_data["role"]
                rights.assign(user, Role(chosen) if chosen else None)
            audit_log.write(
                actor_of(request),
                "change",
                "account",
                [user.get_username()],
                now=database_now(),
                fields=[_FIELDS_IN_AUDIT_LOG.get(name, name) for name in form.changed_data],
            )
            messages.success(request, f"Saved: {user.get_username()}")
        return redirect("people")

    def _show(self, form: PersonForm) -> HttpResponse:
        return show_form(
            self.request,
            form,
            {"Role": ("role", "is_active")},
            title=form.instance.get_username(),
            subject="People",
            back=reverse("people"),
        )
