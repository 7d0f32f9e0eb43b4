"""Forms for snippets, in the admin and in the console.

The fields are those of the API's serializers, which validate them; their widgets come from the
model. A subclass may leave fields out, or add some.
"""

from typing import Any, ClassVar

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts.sharing import SHARING_HINTS, SHARING_LABELS
from foundation.admin.forms import ApiForm, TagsTextField, field_names
from snippets.models import Snippet, Visibility
from snippets.serializers import SnippetChangeSerializer, SnippetDraftSerializer

_VISIBILITIES = {
    Visibility.PUBLIC: "Public: listed, and anyone can read it",
    Visibility.UNLISTED: "Unlisted: anyone with the link can read it",
    Visibility.PRIVATE: "Private: only you, operators and those you share it with can read it",
}


class ContentField(forms.CharField):
    """A text with `\\n` at the ends of lines, where browsers send `\\r\\n`."""

    def __init__(self, widget: forms.Textarea) -> None:
        super().__init__(label="Text", strip=False, widget=widget)

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value) or "").replace("\r\n", "\n").replace("\r", "\n")

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.to_python(initial) != self.to_python(data))


class SnippetForm(ApiForm, forms.ModelForm[Snippet]):
    """The fields of a snippet that people fill in."""

    content = ContentField(UnfoldAdminTextareaWidget(attrs={"rows": 24}))
    tags = TagsTextField()

    class Meta:
        model = Snippet
        fields: ClassVar[list[str]] = []
        labels: ClassVar = {"visibility": "Visibility", "max_views": "View limit", **SHARING_LABELS}
        help_texts: ClassVar = {
            "language": "A language name that Pygments knows, such as python.",
            "size": "In bytes.",
            "max_views": "The text is deleted after this many views. A snippet with a view limit "
            "is not listed. Leave blank for no limit.",
            **SHARING_HINTS,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "team" in self.fields:  # it is selected, not typed
            self.fields["team"].widget.attrs.pop("maxlength", None)
        visibility: Any = self.fields.get("visibility")
        if visibility is not None:  # the admin omits fields that people may not change
            visibility.choices = list(_VISIBILITIES.items())


class NewSnippetForm(SnippetForm):
    """A new snippet."""

    serializer_class = SnippetDraftSerializer

    class Meta(SnippetForm.Meta):
        fields = field_names(SnippetDraftSerializer(), "title", "content")

    def new_fields(self) -> dict[str, Any]:
        """Return the fields for `services.create`; raises ValidationError or ApiError."""
        serializer = SnippetDraftSerializer()
        return serializer.snippet_fields(self.filled_in_fields(serializer), now=self.now)

    def check_rules(self) -> object:
        return self.new_fields()


class SnippetEditForm(SnippetForm):
    """Changes to a snippet, but not to a sealed text: views in forms are not counted."""

    serializer_class = SnippetChangeSerializer

    class Meta(SnippetForm.Meta):
        fields = field_names(SnippetChangeSerializer(), "title", "content")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["tags"] = self.instance.tag_names
        if self.instance.is_sealed:
            del self.fields["content"]
        else:
            self.fields["content"].required = True

    def changes(self) -> dict[str, Any]:
        """Return the changed fields, for `services.update`; raises ValidationError or ApiError."""
        serializer = SnippetChangeSerializer()
        return serializer.snippet_fields(self.changed_fields(serializer), now=self.now)

    def check_rules(self) -> object:
        return self.changes()
