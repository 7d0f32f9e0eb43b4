"""The admin's form; the API's own rules judge what is typed in."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget

from foundation.admin.forms import RuleField, TagsText
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from snippets.models import Snippet
from snippets.serializers import LanguageField, SnippetChangeSerializer
from snippets.services import check_expiry, check_size


class ContentField(forms.CharField):
    """Text as it is; browsers send its line ends as CR LF, whatever they were."""

    def __init__(self) -> None:
        super().__init__(strip=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 24}))

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value) or "").replace("\r\n", "\n")

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.to_python(initial) != self.to_python(data))


class AdminSnippetForm(forms.ModelForm[Snippet]):
    """What may be said of a snippet."""

    content = ContentField()
    language = RuleField(
        LanguageField(allow_blank=True), help_text="A name that Pygments knows, such as python."
    )
    tags = TagsText()
    max_views = RuleField(
        SnippetChangeSerializer().fields["max_views"],
        help_text="How often it is shown before it is emptied; leave empty for no limit.",
    )

    class Meta:
        model = Snippet
        fields = ["title", "content", "language", "visibility", "max_views", "expires_at"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance._state.adding:
            self.initial["tags"] = self.instance.tag_names
        if self.instance.is_sealed:
            del self.fields["content"]  # a look at it here would not be counted

    def clean_content(self) -> str:
        content: str = self.cleaned_data["content"]
        _judge(lambda: check_size(content))
        return content

    def clean_language(self) -> str:
        return self.cleaned_data["language"] or ""

    def clean_expires_at(self) -> datetime | None:
        expires_at: datetime | None = self.cleaned_data["expires_at"]
        if "expires_at" in self.changed_data:
            _judge(lambda: check_expiry(expires_at, now=database_now()))
        return expires_at

    def changes(self) -> dict[str, Any]:
        """Return what was changed, for `services`."""
        return {name: self.cleaned_data[name] for name in self.changed_data}


def _judge(check: Callable[[], None]) -> None:
    try:
        check()
    except ApiError as error:
        raise forms.ValidationError(next(iter(error.details.values()))) from None
