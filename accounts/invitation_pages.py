"""Pages for invitations, for operators and for the people they invite."""

from typing import Any

from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.mixins import UserPassesTestMixin
from django.core.mail import send_mail
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.generic.edit import FormView

from accounts import adapters, invitations
from accounts.account_pages import OwnPage
from accounts.actors import actor_of
from accounts.forms import AcceptanceForm, InvitationForm
from accounts.models import Invitation
from accounts.roles import Role
from accounts.sign_in_rate_limit import limited
from foundation.database.clock import database_now
from foundation.http.errors import ApiError


class OperatorPage(UserPassesTestMixin, OwnPage):
    """A page for operators."""

    def test_func(self) -> bool:
        return self.request.user.is_superuser


class InvitationsPage(OperatorPage, FormView[InvitationForm]):
    """Lists open invitations. A new invitation's link is shown once, and emailed on request."""

    template_name = "accounts/invitations.html"
    form_class = InvitationForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        now = database_now()
        context = {
            "invitations": Invitation.objects.open(now).select_related("invited_by"),
            "now": now,
            "mails": settings.EMAIL_URL,
        }
        return super().get_context_data(**kwargs) | context

    def form_valid(self, form: InvitationForm) -> HttpResponse:
        chosen = form.cleaned_data
        email = chosen["email"] if settings.EMAIL_URL else ""
        _, secret = invitations.invite(
            role=Role(chosen["role"]), email=email, by=actor_of(self.request), now=database_now()
        )
        link = settings.BASE_URL + reverse("invitation", args=[secret])
        sent = _send(link, email, by=str(self.user())) if email else None
        context = self.get_context_data(
            form=InvitationForm(),
            link=link,
            role=Role(chosen["role"]).label,
            email=email,
            sent=sent,
        )
        return self.render_to_response(context)


def _send(link: str, email: str, *, by: str) -> bool:
    """Email the link; return whether the mail server accepted it."""
    context = {"link": link, "by": by, "days": invitations.LIFETIME.days}
    body = render_to_string("accounts/invitation_mail.txt", context)
    try:
        send_mail("Linkwatch: you've been invited", body, None, [email])
    except OSError as error:  # includes SMTPException
        adapters.logger.error("An invitation could not be sent: %s", error)
        return False
    return True


class WithdrawalView(OperatorPage):
    """POST withdraws an open invitation and redirects to the list."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, pk: int) -> HttpResponse:
        if invitations.withdraw(pk, by=actor_of(request), now=database_now()):
            messages.success(request, "Invitation withdrawn.")
        else:
            messages.warning(request, "This invitation is no longer pending.")
        return redirect("invitations")


@method_decorator(never_cache, name="dispatch")
class InvitationAcceptancePage(FormView[AcceptanceForm]):
    """Accepts an invitation: the person chooses a name and a password, and is signed in."""

    template_name = "accounts/acceptance.html"
    form_class = AcceptanceForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            invitation = invitations.find(self.kwargs["secret"], now=database_now())
        except ApiError as error:
            return _show_closed(request, error)
        return self.render_to_response(self.get_context_data(role=Role(invitation.role).label))

    @limited
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:  # first, because the form reveals which names exist
            invitations.find(self.kwargs["secret"], now=database_now())
        except ApiError as error:
            return _show_closed(request, error)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AcceptanceForm) -> HttpResponse:
        try:
            user = invitations.accept(
                self.kwargs["secret"], form.save(commit=False), now=database_now()
            )
        except ApiError as error:
            return _show_closed(self.request, error)
        except IntegrityError:  # the name was taken after validation
            form.add_error("username", "A user with that username already exists.")
            return self.form_invalid(form)
        login = Login(user=user)
        response: HttpResponse = perform_password_login(
            self.request, {"username": user.get_username()}, login
        )
        return response


def _show_closed(request: HttpRequest, error: ApiError) -> HttpResponse:
    heading = "This invitation is no longer valid"
    context = {"status": "Invitation", "heading": heading, "sentence": error.message}
    return render(request, "accounts/refusal.html", context, status=error.status_code)
