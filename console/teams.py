"""`/account/teams`: operators create teams and choose their members."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from accounts import teams
from accounts.actors import actor_of
from accounts.invitation_pages import OperatorPage
from accounts.models import Team
from accounts.team_serializers import TeamNameField
from foundation.admin.forms import PLAIN
from foundation.database.clock import database_now
from foundation.http.errors import ApiError

TEAMS_PER_PAGE = 50


class TeamForm(forms.Form):
    """The name of a team."""

    name = forms.CharField(
        label="Name",
        max_length=TeamNameField().max_length,
        widget=forms.TextInput(attrs={**PLAIN, "placeholder": "Docs"}),
    )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if not name.isprintable():
            raise forms.ValidationError("A name can contain only printable characters.")
        return name


class NewMemberForm(forms.Form):
    """A user to add to a team."""

    username = forms.CharField(
        label="Username", max_length=150, widget=forms.TextInput(attrs=PLAIN)
    )

    def clean_username(self) -> User:
        """Return the user."""
        user = User.objects.filter(username=self.cleaned_data["username"]).first()
        if user is None:
            raise forms.ValidationError("There is no user with this name.")
        return user


class TeamsPage(OperatorPage):
    """All teams by name, and a form to create one."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._show(TeamForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = TeamForm(request.POST)
        if form.is_valid():
            by, now = actor_of(request), database_now()
            try:
                team = teams.create(form.cleaned_data["name"], by=by, now=now)
            except ApiError as error:
                form.add_error("name", error.message)
            else:
                return redirect("team", team.pk)
        return self._show(form)

    def _show(self, form: TeamForm) -> HttpResponse:
        by_name = Team.objects.order_by("name").annotate(size=Count("memberships"))
        if after := self.request.GET.get("after", "").replace("\0", ""):
            by_name = by_name.filter(name__gt=after)
        rows = list(by_name[: TEAMS_PER_PAGE + 1])
        context = {
            "teams": rows[:TEAMS_PER_PAGE],
            "next": rows[TEAMS_PER_PAGE - 1].name if len(rows) > TEAMS_PER_PAGE else None,
            "is_first": not after,
            "form": form,
        }
        return render(self.request, "console/teams.html", context)


class _TeamPage(OperatorPage):
    """One team."""

    def show(self, team: Team, **forms_: Any) -> HttpResponse:
        context = {
            "team": team,
            "members": team.members.order_by("username"),
            "is_managed": team.name in settings.OIDC_TEAMS.values(),
            "rename": TeamForm(initial={"name": team.name}, prefix="team"),
            "add": NewMemberForm(),
            **forms_,
        }
        return render(self.request, "console/team.html", context)


class TeamPage(_TeamPage):
    """The members of a team, and a form to rename it."""

    def get(self, request: HttpRequest, pk: int) -> HttpResponse:
        return self.show(get_object_or_404(Team, pk=pk))

    def post(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Rename the team."""
        team = get_object_or_404(Team, pk=pk)
        form = TeamForm(request.POST, prefix="team")
        if form.is_valid():
            by, now = actor_of(request), database_now()
            try:
                teams.rename(team, form.cleaned_data["name"], by=by, now=now)
            except ApiError as error:
                team = get_object_or_404(Team, pk=pk)
                form.add_error("name", error.message)
            else:
                messages.success(request, f"Saved: {team.name}")
                return redirect("team", pk)
        return self.show(team, rename=form)


class TeamMemberAdditionView(_TeamPage):
    """Adds a member."""

    def get(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Redirect to the team: people who had to sign in first arrive here."""
        return redirect("team", pk)

    def post(self, request: HttpRequest, pk: int) -> HttpResponse:
        team = get_object_or_404(Team, pk=pk)
        form = NewMemberForm(request.POST)
        if form.is_valid():
            user, now = form.cleaned_data["username"], database_now()
            try:
                teams.add(team, user, by=actor_of(request), now=now)
            except ApiError as error:
                team = get_object_or_404(Team, pk=pk)
                form.add_error("username", error.message)
            else:
                messages.success(request, f"{user} is now in {team.name}.")
                return redirect("team", pk)
        return self.show(team, add=form)


class TeamMemberRemovalView(OperatorPage):
    """Removes a member."""

    def get(self, request: HttpRequest, pk: int, user: int) -> HttpResponse:
        return redirect("team", pk)

    def post(self, request: HttpRequest, pk: int, user: int) -> HttpResponse:
        team, member = get_object_or_404(Team, pk=pk), get_object_or_404(User, pk=user)
        if teams.remove(team, member, by=actor_of(request), now=database_now()):
            messages.success(request, f"{member} is no longer in {team.name}.")
        return redirect("team", pk)


class TeamDeletionView(OperatorPage):
    """Deletes a team."""

    def get(self, request: HttpRequest, pk: int) -> HttpResponse:
        return redirect("team", pk)

    def post(self, request: HttpRequest, pk: int) -> HttpResponse:
        team = get_object_or_404(Team, pk=pk)
        try:
            teams.delete(team, by=actor_of(request), now=database_now())
        except ApiError as error:
            messages.warning(request, error.message)
            return redirect("team", pk)
        messages.success(request, f"Deleted: {team.name}")
        return redirect("teams")
