"""What people fill in about snippets; the API's own rules judge it."""

from datetime import datetime, timedelta
from functools import cache
from typing import Any, cast

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.template.defaultfilters import filesizeformat
from pygments.lexers import find_lexer_class_for_filename, get_all_lexers

from console.forms import KEEP, EndingForm, TagsField, days, search_field
from foundation.admin.forms import PLAIN
from foundation.templatetags.times import exact
from snippets.models import MAX_TITLE, MOST_VIEWS, Snippet, Visibility
from snippets.serializers import (
    MAX_SEARCH,
    SnippetChangeSerializer,
    SnippetDraftSerializer,
    languages,
)

_WHO = {
    Visibility.PUBLIC: "Public: in lists, for everybody",
    Visibility.UNLISTED: "Unlisted: for whoever has its address",
    Visibility.PRIVATE: "Private: for you and the operators",
}


@cache
def _languages() -> list[tuple[str, str]]:
    """Return the languages to choose from by name; the first is none."""
    named = [
        (aliases[0].lower(), name)
        for name, aliases, _, _ in get_all_lexers(plugins=False)
        if aliases and aliases[0].lower() in languages()
    ]
    return [("", "Guess it"), *sorted(named, key=lambda pair: pair[1].lower())]


class SnippetForm(EndingForm):
    """A snippet's text, who may read it and for how long."""

    spans = {"hour": ("1 hour", timedelta(hours=1))} | days(1, 7, 30)

    title = forms.CharField(label="Title", required=False, max_length=MAX_TITLE)
    content = forms.CharField(
        label="Text",
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={**PLAIN, "rows": 14, "wrap": "off", "dir": "auto", "class": "text"}
        ),
    )
    file = forms.FileField(
        label="Or a file", required=False, allow_empty_file=True, help_text="Text, in UTF-8."
    )
    language = forms.ChoiceField(label="Language", required=False)
    visibility = forms.ChoiceField(
        label="Who may read it?",
        choices=list(_WHO.items()),
        initial=Visibility.PUBLIC,
        widget=forms.RadioSelect,
    )
    max_views = forms.IntegerField(
        label="Times that it is shown",
        required=False,
        min_value=1,
        max_value=MOST_VIEWS,
        help_text="With 1 it is shown once, and is gone then. Leave it empty for no limit.",
    )
    tags = TagsField()

    def __init__(self, *args: Any, now: datetime, **kwargs: Any) -> None:
        super().__init__(*args, now=now, **kwargs)
        choice: Any = self.fields["language"]
        choice.choices = _languages()
        limit = settings.SNIPPET_MAX_BYTES
        self.fields["content"].widget.attrs["data-most"] = limit
        self.fields["content"].help_text = f"At most {filesizeformat(limit)}."

    def clean_content(self) -> str:
        """Return the text with the ends of lines that it had before it was in a form."""
        return _one_kind_of_ends(self.cleaned_data["content"])

    def clean(self) -> dict[str, Any]:
        self._take_file(self.cleaned_data.get("file"))
        if not self.cleaned_data.get("content") and "content" not in self.errors:
            self.add_error("content", "Paste a text, or choose a file.")
        return super().clean()

    def _take_file(self, file: UploadedFile[bytes] | None) -> None:
        """Take the text, and what is not filled in, from a file: the form shows it if need be."""
        if file is None:
            return
        if file.size is None or file.size > settings.SNIPPET_MAX_BYTES:
            self.add_error(
                "file", f"It is larger than {filesizeformat(settings.SNIPPET_MAX_BYTES)}."
            )
            return
        try:
            text = file.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            self.add_error("file", "It is no text in UTF-8.")
            return
        if "\0" in text:
            self.add_error("file", "It is no text: there are null characters in it.")
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

    def _given(self) -> dict[str, Any]:
        names = ("title", "content", "language", "tags", "visibility", "max_views")
        return {name: self.cleaned_data[name] for name in names}


def _one_kind_of_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _language_of(name: str) -> str:
    """Return the language that files of this name are in; empty if none or several are."""
    lexer = find_lexer_class_for_filename(name)
    alias = lexer.aliases[0].lower() if lexer is not None and lexer.aliases else ""
    return alias if alias in languages() else ""


class SnippetCreationForm(SnippetForm):
    """A snippet to be made."""

    def fields_of(self) -> dict[str, Any]:
        """Return what `services.create` takes; raises ValidationError or ApiError."""
        given = {**self._given(), "expires_at": self.end()}
        return SnippetDraftSerializer().fields_of(given, now=self.now)

    def ask_the_rules(self) -> object:
        return self.fields_of()


class SnippetChangeForm(SnippetForm):
    """What may be changed of a snippet; `version` is that which one has seen."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, snippet: Snippet, now: datetime, **kwargs: Any) -> None:
        names = ("title", "content", "language", "visibility", "max_views", "version")
        initial = {name: getattr(snippet, name) for name in names}
        initial |= {"lasts": KEEP, "tags": snippet.tag_names}
        end = snippet.expires_at
        kept = "for ever" if end is None else f"until {exact(end)}"
        super().__init__(*args, now=now, kept=kept, initial=initial, **kwargs)

    def clean_content(self) -> str:
        """Return the text; one that nobody touched with the ends of lines that it has."""
        text, before = super().clean_content(), self.initial["content"]
        return before if _one_kind_of_ends(before) == text else text

    def changes(self) -> dict[str, Any]:
        """Return what was changed, for `services.update`; raises ValidationError or ApiError."""
        given = self._given()
        given = {name: given[name] for name in given if given[name] != self.initial[name]}
        if self.cleaned_data["lasts"] != KEEP:
            given["expires_at"] = self.end()
        return SnippetChangeSerializer().fields_of(given, now=self.now)

    def ask_the_rules(self) -> object:
        return self.changes()


class SnippetSearchForm(forms.Form):
    """What one looks for in the list of snippets."""

    q = search_field("Find by title or tag", "Part of a title, or a tag", longest=MAX_SEARCH)
