"""Sign-in and sign-out of people: one page for the dashboard, the admin and the API's pages."""

from typing import Any
from urllib.parse import urlsplit

from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from accounts import provider_sign_ins
from accounts.adapters import refusal
from accounts.sign_in_rate_limit import count_attempt, limited


class SignInView(LoginView):
    """Asks for name and password, then redirects to `next` if it is on this site."""

    template_name = "accounts/sign_in.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = {"provider": urlsplit(settings.OIDC_ISSUER).netloc, "mails": settings.EMAIL_URL}
        return super().get_context_data(**kwargs) | context

    @limited
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Sign in; 429 after SIGN_IN_LIMIT attempts by one client, successful or not."""
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


class SignOutView(LogoutView):
    """POST ends the session and, with OIDC_SIGN_OUT, the provider's."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """End the session; show a page that redirects to the provider if its session ends too.

        A direct redirect would fail: our CSP forbids forms to lead to other sites.
        """
        sign_in = provider_sign_ins.for_session(request.session.session_key)
        response: HttpResponse = super().post(request, *args, **kwargs)
        if sign_in is None:
            return response
        provider_sign_ins.end_sessions_of(sign_in)
        url = provider_sign_ins.sign_out_url(sign_in)
        if not url:
            return response
        context = {"url": url, "provider": urlsplit(settings.OIDC_ISSUER).netloc}
        return render(request, "accounts/signing_out.html", context)


def return_after_sign_out(request: HttpRequest) -> HttpResponse:
    """Redirect people to the sign-in page when they return from the provider."""
    if not settings.OIDC_ISSUER:
        raise Http404
    is_ours = provider_sign_ins.is_our_state(request.GET.get("state", ""))
    if is_ours and not request.user.is_authenticated:  # otherwise, the link is another person's
        provider = urlsplit(settings.OIDC_ISSUER).netloc
        messages.success(request, f"You are signed out here and at {provider}.")
    return redirect("sign-in")


@method_decorator([csrf_exempt, never_cache], name="dispatch")
class ProviderLogoutView(View):
    """POST ends the sessions that the OIDC provider has ended."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponse:
        if not settings.OIDC_ISSUER:
            raise Http404
        from accounts import back_channel_logout

        return back_channel_logout.receive(request)


def return_from_provider(request: HttpRequest) -> HttpResponse:
    if not settings.OIDC_ISSUER:
        raise Http404
    from accounts import oidc

    return oidc.finish(request)
