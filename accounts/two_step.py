"""The second step of password sign-in: codes from an authenticator app (TOTP), through allauth."""

from typing import Any, cast
from urllib.parse import quote

import redis
import segno
from allauth.account.internal.decorators import login_stage_required
from allauth.account.stages import LoginStage
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret, validate_totp_code
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe
from django.views.generic.edit import FormView
from django_redis.exceptions import ConnectionInterrupted

from accounts import audit_log
from accounts.account_pages import OwnPage
from accounts.actors import actor_of
from accounts.sign_in_rate_limit import limited
from foundation.database.clock import database_now
from foundation.valkey.rate_limit import admit

_SESSION_FIELD = "two_step"  # the secret in the session, until a code proves that the app has it


def is_on(user: Any) -> bool:
    """Return whether this user needs a code. Queries the database."""
    return bool(Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists())


def check_code(user: User, code: str) -> bool:
    """Return whether this is the app's code or a recovery code; each works once.

    While Redis is unavailable, an app's code can be reused for its 30 seconds.
    """
    code = code.replace(" ", "")
    by_type = {row.type: row for row in Authenticator.objects.filter(user=user)}
    authenticator = by_type.get(Authenticator.Type.TOTP)
    if authenticator is None:
        return False
    try:
        is_valid = TOTP(authenticator).validate_code(code)
    except (redis.RedisError, ConnectionInterrupted):
        is_valid = validate_totp_code(authenticator.data["secret"], code)
    if not is_valid and (recovery := by_type.get(Authenticator.Type.RECOVERY_CODES)):
        authenticator, is_valid = recovery, RecoveryCodes(recovery).validate_code(code)
    if is_valid:
        authenticator.record_usage()
    return bool(is_valid)


class Stage(LoginStage):  # type: ignore[misc]
    """The stage between password and session; providers have their own second step."""

    key = "two_step"
    urlname = "two-step-code"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        is_from_provider = "sociallogin" in (self.login.signal_kwargs or {})
        if not is_from_provider and is_on(self.login.user):
            return redirect(self.urlname), True
        return None, True


class CodeForm(forms.Form):
    code = forms.CharField(
        max_length=20,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True}
        ),
    )


@method_decorator(
    login_stage_required(stage=Stage.key, redirect_urlname="account_login"), name="dispatch"
)
class CodePage(FormView[CodeForm]):
    """Asks for a code after the correct password."""

    template_name = "accounts/two_step_code.html"
    form_class = CodeForm

    @limited
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: CodeForm) -> HttpResponse:
        stage = self.request._login_stage  # type: ignore[attr-defined]
        user = stage.login.user
        if not _admit_attempt(user):
            form.add_error("code", "Too many attempts. Please wait a minute.")
        elif check_code(user, form.cleaned_data["code"]):
            response: HttpResponse = stage.exit()
            return response
        else:
            form.add_error("code", "Wrong code, or a code that has already been used.")
        return self.form_invalid(form)


def _admit_attempt(user: User) -> bool:
    """Count an attempt for this account, from any client; return whether it is permitted."""
    try:
        return admit("POST code", f"user {user.pk}", rate=settings.SIGN_IN_LIMIT).admitted
    except redis.RedisError:
        return True  # the limit must not lock people out


class TwoStepForm(CodeForm):
    """Asks for the password and a code, to turn the second step on or off.

    With the `secret` of an app that is being set up, the code proves that the app works.
    """

    password = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}), strip=False
    )
    field_order = ("password", "code")

    def __init__(self, *args: Any, user: User, secret: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user, self.secret = user, secret
        self.fields["code"].widget.attrs.pop("autofocus")

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise ValidationError("Wrong password.")
        return password

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"].replace(" ", "")
        if self.secret and not validate_totp_code(self.secret, code):
            raise ValidationError("Wrong code. Is your phone's clock correct?")
        if not self.secret and not check_code(self.user, code):
            raise ValidationError("Wrong code, or a code that has already been used.")
        return code


class TwoStepPage(OwnPage, FormView[TwoStepForm]):
    """Turns the second step on, and shows the recovery codes once; or turns it off."""

    template_name = "accounts/two_step.html"
    form_class = TwoStepForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not request.user.has_usable_password():
            messages.warning(
                request, "You sign in through a provider. Set up two-factor authentication there."
            )
            return redirect("account")
        return super().dispatch(request, *args, **kwargs)

    def secret(self) -> str:
        """Return the secret of an app that is being set up; empty while the step is on."""
        if is_on(self.user()):
            return ""
        return cast("str", self.request.session.setdefault(_SESSION_FIELD, generate_totp_secret()))

    def get_form_kwargs(self) -> dict[str, Any]:
        form_kwargs = {"user": self.user(), "secret": self.secret()}
        return super().get_form_kwargs() | form_kwargs

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        secret = context["form"].secret
        if not secret:
            return context | {"is_on": True}
        return context | {"secret": secret, "picture": _qr_code(self.user(), secret)}

    @limited
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return super().post(request, *args, **kwargs)

    @transaction.atomic
    def form_valid(self, form: TwoStepForm) -> HttpResponse:
        user = self.user()
        audit_log.write(
            actor_of(self.request),
            *("change", "account", [user.get_username()]),
            now=database_now(),
            fields=["second step"],
        )
        if not form.secret:
            Authenticator.objects.filter(user=user).delete()
            messages.success(self.request, "Two-factor authentication is off.")
            return redirect("account")
        TOTP.activate(user, form.secret)
        codes = RecoveryCodes.activate(user).generate_codes()
        self.request.session.pop(_SESSION_FIELD, None)
        return self.render_to_response(self.get_context_data(codes=codes))


def _qr_code(user: User, secret: str) -> SafeString:
    """Return the QR code that authenticator apps scan, as SVG."""
    query = urlencode({"secret": secret, "issuer": "Linkwatch"})
    code = segno.make(f"otpauth://totp/{quote(user.get_username())}?{query}")
    return mark_safe(code.svg_inline(scale=4, border=2, dark="#000", light="#fff"))  # noqa: S308 (segno's markup)
