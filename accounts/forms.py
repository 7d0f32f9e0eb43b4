"""What people fill in about accounts."""

from datetime import timedelta

from allauth.account.forms import ResetPasswordForm as AllauthResetPasswordForm
from django import forms
from django.contrib.auth.forms import BaseUserCreationForm
from django.contrib.auth.models import User

from accounts.roles import CHOICES, Role
from foundation.models import Scope, TokenTerms

_NEVER = "never"
_LIFETIMES = [
    ("7", "In 7 days"),
    ("30", "In 30 days"),
    ("90", "In 90 days"),
    ("365", "In a year"),
    (_NEVER, "Never"),
]


class TokenForm(forms.Form):
    """A token of the API."""

    name = forms.CharField(
        label="What is it for?",
        max_length=TokenTerms._meta.get_field("name").max_length,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "Backup script"}),
    )
    scope = forms.ChoiceField(label="What may it do?", choices=Scope.choices)
    expires = forms.ChoiceField(label="When does it expire?", choices=_LIFETIMES, initial="90")

    def lifetime(self) -> timedelta | None:
        """Return for how long the token is valid; None for ever."""
        chosen = self.cleaned_data["expires"]
        return None if chosen == _NEVER else timedelta(days=int(chosen))


class InvitationForm(forms.Form):
    """Somebody who is to come in."""

    role = forms.ChoiceField(label="Role", choices=CHOICES, initial=Role.MEMBER)
    email = forms.EmailField(label="E-mail address", required=False, max_length=254)


class AcceptanceForm(BaseUserCreationForm):  # type: ignore[type-arg]
    """The name and the password of somebody who was invited."""


class ResetPasswordForm(AllauthResetPasswordForm):  # type: ignore[misc]
    """Whose password is to be set anew: who has none signs in elsewhere, and gets no mail."""

    def clean_email(self) -> str:
        email: str = super().clean_email()
        self.users: list[User] = [user for user in self.users if user.has_usable_password()]
        return email
