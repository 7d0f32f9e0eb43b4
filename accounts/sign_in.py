"""Signing in, for people: one page for the dashboard, the admin and the API's pages."""

from typing import Any
from urllib.parse import urlsplit

from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.adapters import refusal
from accounts.limits import count_attempt, limited


class SignInView(LoginView):
    """Name and password; then on to `next`, if that is a page of this site."""

    template_name = "accounts/sign_in.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        ways = {"provider": urlsplit(settings.OIDC_ISSUER).netloc, "mails": settings.EMAIL_URL}
        return super().get_context_data(**kwargs) | ways

    @limited
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Sign in; 429 after SIGN_IN_LIMIT attempts of one client, right or wrong."""
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign in, after a second step if the user has one."""
        user = form.get_user()
        login = Login(user=user, redirect_url=self.get_redirect_url())
        response: HttpResponse = perform_password_login(
            self.request, {"username": user.get_username()}, login
        )
        return response


def start_at_provider(request: HttpRequest) -> HttpResponse:
    """Lead to the OIDC provider; a link of another site leads to our own page first."""
    if not settings.OIDC_ISSUER:
        raise Http404
    if request.headers.get("Sec-Fetch-Site") == "cross-site":
        return redirect("sign-in")
    admission = count_attempt(request)
    if admission is not None and not admission.admitted:
        sentence = "Too many attempts. Please try again in a moment."
        response = refusal(request, sentence, status=429)
        response["Retry-After"] = str(admission.reset)
        return response
    from accounts import oidc  # its libraries cost a process without a provider nothing

    return oidc.start(request)


def return_from_provider(request: HttpRequest) -> HttpResponse:
    if not settings.OIDC_ISSUER:
        raise Http404
    from accounts import oidc

    return oidc.finish(request)
