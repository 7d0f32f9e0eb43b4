"""What people fill in about short links; the API's own rules judge it."""

from datetime import datetime
from typing import Any

from django import forms

from console.forms import KEEP, PLAIN, EndingForm, TagsField, days, search_field
from foundation.http.errors import ApiError
from foundation.templatetags.times import exact
from shortener.codes import MAX_LENGTH, InvalidKeyError
from shortener.destinations import accept
from shortener.models import LinkState, ShortURL, WhenGone
from shortener.reserved import check_new_key
from shortener.serializers import MAX_SEARCH, MAX_VISITS, LinkChangeSerializer, LinkSerializer
from shortener.services import NewLink, key_taken, used_keys
from targets.canonical import MAX_URL_BYTES

_OFF = LinkState.DISABLED


class _Destination(forms.CharField):
    """Where a link leads."""

    def __init__(self) -> None:
        attrs = {**PLAIN, "inputmode": "url", "placeholder": "https://example.org/page"}
        super().__init__(
            label="Where does it lead?",
            max_length=MAX_URL_BYTES,
            widget=forms.TextInput(attrs=attrs),
        )


class LimitsForm(EndingForm):
    """When a link ends, and how it is found."""

    spans = days(7, 30, 90)

    max_visits = forms.IntegerField(
        label="Limit of visits",
        required=False,
        min_value=1,
        max_value=MAX_VISITS,
        help_text="Leave it empty for no limit.",
    )
    tags = TagsField()
    watch = forms.BooleanField(
        label="Watch the destination",
        required=False,
        help_text="It is checked now and then, and you see here whether it still works.",
    )
    when_gone = forms.ChoiceField(
        label="While it is dead",
        required=False,
        choices=[
            (WhenGone.PAGE, "People are told so first"),
            (WhenGone.LEAD_ON, "Everybody is led on all the same"),
        ],
        help_text="Of a watched destination. Programs are led on in any case.",
    )

    def clean_long_url(self) -> str:
        """Take an address without its scheme as people say it."""
        text: str = self.cleaned_data["long_url"]
        text = text if "://" in text else f"https://{text}"
        try:
            accept(text, watch=False)
        except ApiError as error:
            raise forms.ValidationError(error.message) from None
        return text

    def _when_gone(self) -> dict[str, Any]:
        """Return what was said of a dead destination, if anything was."""
        chosen = self.cleaned_data["when_gone"]
        return {"when_gone": chosen} if chosen else {}


class LinkCreationForm(LimitsForm):
    """A link to be made."""

    long_url = _Destination()
    key = forms.CharField(
        label="Key",
        required=False,
        max_length=MAX_LENGTH,
        empty_value=None,
        help_text="Leave it empty for a random one. It is never given out again.",
        widget=forms.TextInput(attrs={**PLAIN, "placeholder": "spring"}),
    )

    retargetable = forms.BooleanField(
        label="It may be led elsewhere later",
        required=False,
        help_text="Then everybody can see where it led before. Chosen now, for good: all other "
        "links lead where they lead for ever.",
    )

    field_order = ("long_url", "key", "lasts", "until", "max_visits", "tags", "watch")

    def clean_key(self) -> str | None:
        """Refuse a key that leads somewhere or once did."""
        key: str | None = self.cleaned_data["key"]
        if key is None:
            return None
        try:
            check_new_key(key)
        except InvalidKeyError as error:
            raise forms.ValidationError(str(error)) from None
        if used_keys([key]):
            raise forms.ValidationError(key_taken(key).message)
        return key

    def new_link(self) -> NewLink:
        """Return the new link; raises ValidationError or ApiError as the API does."""
        given = {name: self.cleaned_data[name] for name in ("long_url", "key", "max_visits")}
        given |= {name: self.cleaned_data[name] for name in ("tags", "watch", "retargetable")}
        given |= self._when_gone()
        return LinkSerializer().new_link({**given, "expires_at": self.end()}, now=self.now)

    def ask_the_rules(self) -> object:
        return self.new_link()


class LinkChangeForm(LimitsForm):
    """What may be changed of a link; `version` is that which one has seen."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, link: ShortURL, now: datetime, **kwargs: Any) -> None:
        self.link = link
        initial = {
            "lasts": KEEP,
            "max_visits": link.max_visits,
            "tags": link.tag_names,
            "watch": link.target_id is not None,
            "when_gone": link.when_gone,
            "long_url": link.long_url,
            "version": link.version,
        }
        kept = "for ever" if link.expires_at is None else f"until {exact(link.expires_at)}"
        super().__init__(*args, now=now, kept=kept, initial=initial, **kwargs)
        if link.retargetable:
            self.fields["long_url"] = _Destination()

    def changes(self) -> dict[str, Any]:
        """Return what was changed, for `services.update`; raises ValidationError."""
        names = {"long_url", "max_visits", "tags", "watch"} & set(self.changed_data)
        given = {name: self.cleaned_data[name] for name in names}
        if "when_gone" in self.changed_data:
            given |= self._when_gone()
        if self.cleaned_data["lasts"] != KEEP:
            given["expires_at"] = self.end()
        return LinkChangeSerializer().changes(given, now=self.now)

    def ask_the_rules(self) -> object:
        changes = self.changes()
        end = changes.get("expires_at")
        if end is not None and end <= self.now:
            self.add_error("until", "This day is over. End it on its page ends the link now.")
        return changes


class LinkSearchForm(forms.Form):
    """What one looks for in the list of links."""

    q = search_field(
        "Find by key, destination or tag", "Key, destination or tag", longest=MAX_SEARCH
    )
    tag = forms.CharField(required=False, max_length=MAX_SEARCH, widget=forms.HiddenInput)
    state = forms.ChoiceField(
        label="State",
        required=False,
        choices=[
            ("", "Any state"),
            *((state.value, str(state.label).capitalize()) for state in LinkState if state != _OFF),
            (_OFF.value, "Ended"),
        ],
    )
    whose = forms.ChoiceField(
        label="Whose", required=False, choices=[("", "Everybody's"), ("mine", "My own")]
    )
