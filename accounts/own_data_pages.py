"""`/account/export` and `/account/delete`: export and deletion of the user's own data."""

import time
from typing import Any

from allauth.account.internal.flows.login import get_authentication_records
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.generic.edit import FormView

from accounts import deletion, own_data
from accounts.account_pages import OwnPage
from accounts.sign_in_rate_limit import limited
from foundation.database.clock import database_now
from foundation.http.errors import ApiError, error_response
from foundation.http.exports import stream_json

_MAX_SIGN_IN_AGE = 300  # seconds: a recent sign-in at a provider replaces the password


class ExportView(OwnPage):
    """The user's data, as a file."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        try:
            pieces = own_data.pieces(self.user(), now=database_now())
            return stream_json(pieces, filename="linkwatch-account.json")
        except ApiError as error:
            return error_response(request, error)


class DeletionForm(forms.Form):
    """The password of the user who deletes their account; omitted for users without a password."""

    password = forms.CharField(
        max_length=4096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self._user.check_password(password):
            raise forms.ValidationError("Wrong password.")
        return password


class DeletionPage(OwnPage, FormView[DeletionForm]):
    """Explains what will happen to each kind of object; closes the account after confirmation.

    A task then deletes the account.
    """

    template_name = "accounts/delete.html"
    form_class = DeletionForm

    @limited
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Close the account; 429 after SIGN_IN_LIMIT attempts by one client."""
        return super().post(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"user": self.user()}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = {
            "owned": list(deletion.count_owned([self.user()])),
            "may_confirm": self.user().has_usable_password() or self._has_signed_in_recently(),
        }
        return super().get_context_data(**kwargs) | context

    def form_valid(self, form: DeletionForm) -> HttpResponse:
        user = self.user()
        if not (user.has_usable_password() or self._has_signed_in_recently()):
            return self.form_invalid(form)
        try:
            deletion.request(user, now=database_now())
        except ApiError as error:
            form.add_error(None, error.message)
            return self.form_invalid(form)
        logout(self.request)
        messages.success(self.request, "Your account is closed and will be deleted within minutes.")
        return redirect("sign-in")

    def _has_signed_in_recently(self) -> bool:
        records = get_authentication_records(self.request, self.user())
        return any(record.get("at", 0) > time.time() - _MAX_SIGN_IN_AGE for record in records)
