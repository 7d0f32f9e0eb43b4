"""The console's forms for snippets, based on `snippets/forms.py`; they also accept a file."""

from copy import copy
from datetime import datetime, timedelta
from functools import cache
from typing import Any, ClassVar, cast

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.template.defaultfilters import filesizeformat
from pygments.lexers import find_lexer_class_for_filename, get_all_lexers

from console.forms import (
    KEEP,
    ExpiryForm,
    OwnershipFilterForm,
    SharingForm,
    TagsField,
    days,
    search_field,
)
from foundation.admin.forms import PLAIN, TagsTextField
from foundation.templatetags.times import exact
from snippets.anonymous import MAX_BYTES
from snippets.forms import ContentField, NewSnippetForm, SnippetEditForm
from snippets.models import MAX_TITLE, Snippet, Visibility
from snippets.serializers import MAX_SEARCH, languages

# Languages that are listed before the others.
_COMMON = (
    *("Text only", "Bash", "C", "C#", "C++", "CSS", "Diff", "Docker", "Go", "HTML", "INI", "Java"),
    *("JavaScript", "JSON", "Kotlin", "Markdown", "PHP", "Python", "Ruby", "Rust", "SQL", "Swift"),
    *("TOML", "TypeScript", "XML", "YAML"),
)


@cache
def _languages() -> list[tuple[str, Any]]:
    """Return the choices of languages: first automatic detection, then common languages."""
    alias_of = {
        name: aliases[0].lower()
        for name, aliases, _, _ in get_all_lexers(plugins=False)
        if aliases and aliases[0].lower() in languages()
    }
    common = [(alias_of.pop(name), name) for name in _COMMON if name in alias_of]
    others = sorted(
        ((alias, name) for name, alias in alias_of.items()), key=lambda choice: choice[1].lower()
    )
    return [("", "Detect automatically"), ("Common", common), ("Other", others)]


class BaseSnippetForm(ExpiryForm, SharingForm):
    """The fields that the console's forms for snippets add, such as the expiry and a file."""

    spans = {"hour": ("1 hour", timedelta(hours=1))} | days(1, 7, 30)
    field_order = (
        *("content", "file", "language", "title", "visibility", "lasts", "until", "max_views"),
    )

    content = ContentField(
        forms.Textarea(attrs={**PLAIN, "rows": 14, "wrap": "off", "dir": "auto", "class": "text"})
    )
    file = forms.FileField(
        label="Or upload a file",
        required=False,
        allow_empty_file=True,
        help_text="The file must contain UTF-8 text.",
    )
    language = forms.ChoiceField(choices=_languages)
    tags: TagsTextField = TagsField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "content" not in self.fields:  # the snippet is sealed
            del self.fields["file"]
            return
        limit, content = settings.SNIPPET_MAX_BYTES, self.fields["content"]
        content.required = False  # a file may replace it
        content.widget.attrs["data-most"] = limit
        content.help_text = f"Up to {filesizeformat(limit)}."

    def clean(self) -> dict[str, Any]:
        self._fill_from_file(self.cleaned_data.get("file"))
        is_missing = "content" in self.fields and not self.cleaned_data.get("content")
        if is_missing and "content" not in self.errors:
            self.add_error("content", "Paste text or choose a file.")
        return super().clean()

    def _fill_from_file(self, file: UploadedFile[bytes] | None) -> None:
        """Fill in the content from a file, and the title and language if they are missing.

        The form shows these values if it is shown again.
        """
        if file is None:
            return
        if file.size is None or file.size > settings.SNIPPET_MAX_BYTES:
            self.add_error(
                "file", f"The file is larger than {filesizeformat(settings.SNIPPET_MAX_BYTES)}."
            )
            return
        try:
            text = file.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            self.add_error("file", "The file is not UTF-8 text.")
            return
        if "\0" in text:
            self.add_error("file", "The file is not text: it contains NUL bytes.")
            return
        name = (file.name or "")[:MAX_TITLE]
        self._fill("content", text)
        self._fill("title", self.cleaned_data.get("title") or name)
        self._fill("language", self.cleaned_data.get("language") or _language_of(name))

    def _fill(self, name: str, value: str) -> None:
        self.cleaned_data[name] = value
        data = cast("QueryDict", self.data).copy()
        data[name] = value
        self.data = data


def _language_of(name: str) -> str:
    """Return the language that best matches the name of a file; empty if none does."""
    lexer = find_lexer_class_for_filename(name)
    alias = lexer.aliases[0].lower() if lexer is not None and lexer.aliases else ""
    return alias if alias in languages() else ""


class SnippetCreationForm(BaseSnippetForm, NewSnippetForm):
    """A new snippet."""

    class Meta(NewSnippetForm.Meta):
        exclude: ClassVar = ["expires_at"]
        widgets: ClassVar = {"visibility": forms.RadioSelect}

    def __init__(self, *args: Any, is_anonymous: bool = False, **kwargs: Any) -> None:
        """`is_anonymous`: no private snippets, which nobody could read, and a lower size limit."""
        super().__init__(*args, **kwargs)
        if is_anonymous:
            del self.fields["for_everyone"]
            visibility: Any = self.fields["visibility"]
            choices = visibility.choices
            visibility.choices = [each for each in choices if each[0] != Visibility.PRIVATE]
            limit = min(MAX_BYTES, settings.SNIPPET_MAX_BYTES)
            self.fields["content"].widget.attrs["data-most"] = limit
            self.fields["content"].help_text = f"Up to {filesizeformat(limit)}."


class SnippetChangeForm(BaseSnippetForm, SnippetEditForm):
    """Changes to a snippet; `version` is the snippet's version when the form was rendered."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    class Meta(SnippetEditForm.Meta):
        exclude: ClassVar = ["expires_at"]
        widgets: ClassVar = {"visibility": forms.RadioSelect}

    def __init__(self, *args: Any, snippet: Snippet, now: datetime, **kwargs: Any) -> None:
        end = snippet.expires_at
        current = "never" if end is None else exact(end)
        initial = {"lasts": KEEP, "version": snippet.version}
        # A copy, because a ModelForm writes to its instance before validation is complete.
        instance = copy(snippet)
        super().__init__(
            *args, now=now, current=current, initial=initial, instance=instance, **kwargs
        )


class SnippetSearchForm(OwnershipFilterForm):
    """The search form of the list of snippets."""

    q = search_field("Find by title or tag", "Title or tag", max_length=MAX_SEARCH)
