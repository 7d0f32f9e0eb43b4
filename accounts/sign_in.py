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
    """Asks for name and password, then redirects to `next` if it is on this site."""

    template_name = "accounts/sign_in.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        ways = {"provider": urlsplit(settings.OIDC_ISSUER).netloc, "mails": settings.EMAIL_URL}
        return super().get_context_data(**kwargs) | ways

    @limited
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Sign in; 429 after SIGN_IN_LIMIT attempts of one client, right or wrong."""
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign in, after the second step if the user has one."""
        user = form.get_user()
        login = Login(user=user, redirect_url=self.get_redirect_url())
        response: HttpResponse = perform_password_login(
            self.request, {"username": user.get_username()}, login
        )
        return response


def start_at_provider(request: HttpRequest) -> HttpResponse:
    """Redirect to the OIDC provider; links from other sites go to our own page first."""
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
    from accounts import oidc  # lazy: its libraries are not loaded without a provider

    return oidc.start(request)


def return_from_provider(request: HttpRequest) -> HttpResponse:
    if not settings.OIDC_ISSUER:
        raise Http404
    from accounts import oidc

    return oidc.finish(request)
