"""Forms for accounts."""

from datetime import timedelta
from typing import Any

from allauth.account.forms import ChangePasswordForm as AllauthChangePasswordForm
from allauth.account.forms import ResetPasswordKeyForm as AllauthNewPasswordForm
from django import forms
from django.contrib.auth.forms import BaseUserCreationForm

from accounts.roles import CHOICES, Role
from foundation import scopes
from foundation.models import TokenTerms

_NEVER = "never"
_MAX_BOUNDS_LENGTH = 100_000  # characters
_LIFETIMES = [
    ("7", "In 7 days"),
    ("30", "In 30 days"),
    ("90", "In 90 days"),
    ("365", "In a year"),
    (_NEVER, "Never"),
]


class TokenForm(forms.Form):
    """A new API token."""

    name = forms.CharField(
        label="What is it for?",
        max_length=TokenTerms._meta.get_field("name").max_length,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "Backup script"}),
    )
    scope = forms.ChoiceField(label="Access", choices=scopes.LABELS.items)
    bounds = forms.CharField(
        label="Limit to these hosts or URLs",
        required=False,
        max_length=_MAX_BOUNDS_LENGTH,
        widget=forms.Textarea(
            attrs={"rows": 3, "autocomplete": "off", "placeholder": "docs.example.org"}
        ),
    )
    expires = forms.ChoiceField(label="Expires", choices=_LIFETIMES, initial="90")

    def lifetime(self) -> timedelta | None:
        """Return how long the token is valid; None: it does not expire."""
        chosen = self.cleaned_data["expires"]
        return None if chosen == _NEVER else timedelta(days=int(chosen))


class InvitationForm(forms.Form):
    """A person to invite."""

    role = forms.ChoiceField(label="Role", choices=CHOICES, initial=Role.MEMBER)
    email = forms.EmailField(label="Email address", required=False, max_length=254)


class AcceptanceForm(BaseUserCreationForm):  # type: ignore[type-arg]
    """The name and password of a person who was invited."""


class ResetPasswordForm(forms.Form):
    """The address to which a password link is sent if an account has this address."""

    email = forms.EmailField(
        label="Email address",
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


# As on other pages, where allauth's labels capitalize each word.
_PASSWORD_LABELS = {
    "oldpassword": "Current password",
    "password1": "New password",
    "password2": "New password (again)",
}


class TokenRevocationForm(forms.Form):
    """A new password, and whether to revoke all API tokens of the user."""

    end_tokens = forms.BooleanField(
        label="Revoke my API tokens too",
        required=False,
        initial=True,
        help_text="Programs that use them will need new tokens. Leave this checked if someone "
        "else may know your password.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in _PASSWORD_LABELS.keys() & self.fields.keys():
            self.fields[name].label = _PASSWORD_LABELS[name]


class ChangePasswordForm(TokenRevocationForm, AllauthChangePasswordForm):  # type: ignore[misc]
    """A new password, from a user who knows the old one."""


class NewPasswordForm(TokenRevocationForm, AllauthNewPasswordForm):  # type: ignore[misc]
    """A new password, for a user who forgot the old one."""
