"""Forms for short links, in the admin and in the console.

The fields are those of the API's serializers, which validate them; their widgets come from the
model. A subclass may leave fields out, or add some.
"""

from typing import Any, ClassVar

from django import forms

from accounts.sharing import SHARING_HINTS, SHARING_LABELS
from foundation.admin.forms import PLAIN, ApiForm, TagsTextField, VersionedModelForm, field_names
from foundation.http.errors import ApiError
from shortener.destinations import accept
from shortener.models import ShortURL, WhenGone
from shortener.serializers import LinkChangeSerializer, LinkSerializer
from shortener.services import NewLink, check_limit, key_taken, used_keys

_WHEN_GONE = {
    WhenGone.PAGE: "Visitors see a warning first",
    WhenGone.LEAD_ON: "Visitors are redirected anyway",
    WhenGone.ARCHIVE: "Visitors are redirected to a verified copy in a web archive",
}
_ATTRIBUTES: dict[str, dict[str, Any]] = {
    "long_url": {**PLAIN, "inputmode": "url", "placeholder": "https://example.org/page"},
    "key": {**PLAIN, "placeholder": "spring"},
}


class LinkForm(ApiForm, forms.ModelForm[ShortURL]):
    """The fields of a link that people fill in."""

    watch = forms.BooleanField(
        label="Watch the destination",
        help_text="Linkwatch checks it regularly and shows on the link's page whether it still "
        "works.",
    )
    tags = TagsTextField()

    class Meta:
        model = ShortURL
        fields: ClassVar[list[str]] = []
        labels: ClassVar = {
            "long_url": "Destination URL",
            "max_visits": "Visit limit",
            "when_gone": "If the destination is dead",
            "retargetable": "The destination can be changed later",
            **SHARING_LABELS,
        }
        help_texts: ClassVar = {
            "key": "Leave blank for a random key. Keys are never reused.",
            "max_visits": "Leave blank for no limit.",
            "when_gone": "Applies only if the destination is watched. "
            "Programs are always redirected.",
            "retargetable": "Past destinations will be public. You can't change this option later; "
            "without it, the destination is fixed.",
            **SHARING_HINTS,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, attributes in _ATTRIBUTES.items():
            if name in self.fields:
                self.fields[name].widget.attrs |= attributes
        if "team" in self.fields:  # it is selected, not typed
            self.fields["team"].widget.attrs.pop("maxlength", None)
        when_gone: Any = self.fields.get("when_gone")
        if when_gone is not None:
            when_gone.choices = list(_WHEN_GONE.items())
        if "long_url" in self.fields:  # optional in the API's PATCH, but not in a form
            self.fields["long_url"].required = True

    def clean_long_url(self) -> str:
        """Return the URL, with `https://` if people leave the scheme out."""
        text: str = self.cleaned_data["long_url"]
        text = text if "://" in text else f"https://{text}"
        try:
            accept(text, watch=False)
        except ApiError as error:
            raise forms.ValidationError(error.message) from None
        return text


class NewLinkForm(LinkForm):
    """A new link."""

    serializer_class = LinkSerializer

    class Meta(LinkForm.Meta):
        fields = [
            name
            for name in field_names(LinkSerializer(), "long_url", "key")
            if name != "earlier_visits"  # for imports only
        ]

    def clean_key(self) -> str:
        """Reject a key that a link has or once had."""
        key: str = self.cleaned_data["key"]
        if key and used_keys([key]):
            raise forms.ValidationError(key_taken(key).message)
        return key

    def new_link(self) -> NewLink:
        """Return the new link; raises the ValidationError or ApiError of the API."""
        serializer = LinkSerializer()
        return serializer.new_link(self.filled_in_fields(serializer), now=self.now)

    def check_rules(self) -> object:
        return self.new_link()


class LinkEditForm(LinkForm):
    """Changes to a link; the destination is a field only if the link is retargetable."""

    serializer_class = LinkChangeSerializer

    class Meta(LinkForm.Meta):
        fields = field_names(LinkChangeSerializer(), "long_url")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        link = self.instance
        self.initial.update(
            tags=link.tag_names,
            watch=link.target_id is not None,
            when_gone=link.chosen_when_gone.value,
        )
        if not link.retargetable:
            self.fields.pop("long_url", None)
        when_gone: Any = self.fields.get("when_gone")
        if when_gone is not None and not (link.retargetable or link.archive_when_gone):
            when_gone.choices = [each for each in _WHEN_GONE.items() if each[0] != WhenGone.ARCHIVE]

    def changes(self) -> dict[str, Any]:
        """Return the changed fields, for `services.update`; raises ValidationError or ApiError."""
        serializer = LinkChangeSerializer()
        return serializer.changes(self.changed_fields(serializer), now=self.now)

    def check_rules(self) -> object:
        check_limit(self.instance, self.cleaned_data["max_visits"])
        return self.changes()


class LinkAdminForm(VersionedModelForm, LinkEditForm):
    """Changes to a link in the admin."""
