"""allauth's adapter: where people are redirected and how email is sent."""

import logging
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

logger = logging.getLogger(__name__)

# Requests do not wait for a slow mail server.
_mail_executor = ThreadPoolExecutor(1, thread_name_prefix="mail")


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts are created by invitation, through OIDC or in the admin."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_login_stages(self) -> list[str]:
        return ["accounts.two_step.Stage"]

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return the page after sign-in without `next`: the dashboard, or else the account page."""
        sees_dashboard = request.user.has_perm("targets.view_target")
        return settings.LOGIN_REDIRECT_URL if sees_dashboard else reverse("account")

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        return self.get_login_redirect_url(request)

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        """Redirect after sign-in; people who may not see the dashboard go to the account page."""
        if kwargs["redirect_url"] == settings.LOGIN_REDIRECT_URL:
            kwargs["redirect_url"] = None
        response: HttpResponse = super().post_login(request, user, **kwargs)
        return response

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the link for an email; its host is that of BASE_URL, not of the request."""
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": "0", "key": "KEY"})
        return settings.BASE_URL + path.replace("0-KEY", key)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send in the background, so that nobody waits for a slow mail server."""
        message = self.render_mail(template_prefix, email, context)
        _mail_executor.submit(copy_context().run, _send, message)

    def format_email_subject(self, subject: str) -> str:
        return f"Linkwatch: {subject}"

    def add_message(self, *args: Any, **kwargs: Any) -> None:
        """Drop allauth's messages: our pages have their own."""

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        return refusal(request, "This account is not active. Please contact an operator.")


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except OSError as error:  # includes SMTPException
        logger.error("An email could not be sent: %s", error)  # noqa: TRY400 (traceback adds nothing)


def refusal(request: HttpRequest, sentence: str, status: int = 403) -> HttpResponse:
    """Return the page for a refused sign-in."""
    context = {"status": "Sign in", "heading": "Not signed in", "sentence": sentence}
    return render(request, "accounts/refusal.html", context, status=status)
