"""The forms of *Check links*."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError as DjangoValidationError
from rest_framework.exceptions import ValidationError

from console.forms import UploadForm
from foundation.admin.forms import PLAIN
from targets.canonical import MAX_URL_BYTES
from targets.registration import WATCH
from targets.serializers import ReferenceIdField


class CheckLinksForm(UploadForm):
    """The links to check: a file, text, or the URL of a page."""

    file = UploadForm.file_field(
        "Upload a file", ".md,.txt,.html,.htm,.csv,text/markdown,text/plain,text/html,text/csv"
    )
    text = UploadForm.text_field(
        "Text, Markdown, HTML or one URL per line.", placeholder="[Guide](https://example.org/a)"
    )
    url = forms.CharField(
        label="Or enter the address of a page",
        required=False,
        max_length=MAX_URL_BYTES,
        help_text="Linkwatch checks the links on that page.",
        widget=forms.TextInput(
            attrs={**PLAIN, "inputmode": "url", "placeholder": "https://example.org/page"}
        ),
    )

    def __init__(self, *args: Any, is_anonymous: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if is_anonymous:  # the server must not fetch pages for anonymous visitors
            del self.fields["url"]

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        sources = [cleaned.get("file"), cleaned.get("text", "").strip(), cleaned.get("url")]
        if sum(map(bool, sources)) != 1 and not self.errors:
            choices = "a file, text or an address" if "url" in self.fields else "a file or text"
            self.add_error("text", f"Provide exactly one of these: {choices}.")
        if cleaned.get("url") or self.errors:
            return cleaned
        return super().clean()


class WatchForm(forms.Form):
    """The reference under which to watch the selected links."""

    reference_id = forms.CharField(
        label="Reference",
        strip=False,
        initial=WATCH,
        help_text="Where these links appear, such as the path of a document.",
        widget=forms.TextInput(attrs=PLAIN),
    )

    def clean_reference_id(self) -> str:
        try:
            return str(ReferenceIdField().run_validation(self.cleaned_data["reference_id"]))
        except ValidationError as error:
            raise DjangoValidationError([str(each) for each in error.detail]) from None
