"""Forms for shares of references, validated by the API's serializers."""

from typing import Any, ClassVar

from django import forms

from accounts.models import ReferenceShare
from accounts.sharing import SHARING_HINTS, SHARING_LABELS
from console.forms import SharingForm
from foundation.admin.forms import PLAIN
from targets.share_views import ShareChangeSerializer, ShareDraftSerializer


class _ShareForm(SharingForm, forms.ModelForm[ReferenceShare]):
    class Meta:
        model = ReferenceShare
        fields: ClassVar = ["team", "for_everyone"]
        labels: ClassVar = SHARING_LABELS
        help_texts: ClassVar = SHARING_HINTS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "team" in self.fields:  # the team is selected, not typed
            self.fields["team"].widget.attrs.pop("maxlength", None)


class ShareCreationForm(_ShareForm):
    """A new share of references."""

    serializer_class = ShareDraftSerializer
    field_order = ("reference_prefix",)

    reference_prefix = forms.CharField(
        label="References starting with",
        strip=False,
        help_text="Includes references that you register later.",
        widget=forms.TextInput(attrs={**PLAIN, "placeholder": "docs/handbook/"}),
    )


class ShareChangeForm(_ShareForm):
    """Changes to a share; `version` is the share's version when the form was rendered."""

    serializer_class = ShareChangeSerializer

    version = forms.IntegerField(widget=forms.HiddenInput)
