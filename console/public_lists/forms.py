"""Forms for public lists, validated by the API's serializers."""

from typing import Any

from django import forms
from django.conf import settings

from accounts.actors import Actor
from foundation.admin.forms import PLAIN, ApiForm
from targets.public_list_views import PublicListChangeSerializer, PublicListDraftSerializer


def _prefix_field() -> forms.CharField:
    return forms.CharField(
        label="Only references starting with",
        strip=False,
        help_text="Leave blank for all references.",
        widget=forms.TextInput(attrs={**PLAIN, "placeholder": "docs/handbook/"}),
    )


class PublicListCreationForm(ApiForm):
    """A new public list."""

    serializer_class = PublicListDraftSerializer

    name = forms.CharField(
        label="Name",
        widget=forms.TextInput(attrs={**PLAIN, "placeholder": "handbook"}),
    )
    reference_prefix = _prefix_field()
    deployment = forms.BooleanField(
        label="List references registered by programs, not my own", required=False
    )

    def __init__(self, *args: Any, by: Actor, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].help_text = (
            "Lowercase letters, digits and hyphens. The address will be "
            f"{settings.BASE_URL}/public/NAME and can't be changed later."
        )
        if not by.is_operator:
            del self.fields["deployment"]


class PublicListChangeForm(ApiForm):
    """Changes to a list; `version` is the list's version when the form was rendered."""

    serializer_class = PublicListChangeSerializer

    version = forms.IntegerField(widget=forms.HiddenInput)
    reference_prefix = _prefix_field()
