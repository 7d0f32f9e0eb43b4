"""What people fill in about short links; the API's own rules judge it."""

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from typing import Any, cast

from django import forms
from rest_framework.exceptions import APIException

from foundation.admin.forms import TagsText
from foundation.http.errors import ApiError, error_body
from foundation.templatetags.times import exact
from shortener.codes import MAX_LENGTH, InvalidKeyError, check_custom
from shortener.destinations import accept
from shortener.models import LinkState, ShortURL
from shortener.serializers import MAX_SEARCH, MAX_VISITS, LinkChangeSerializer, LinkSerializer
from shortener.services import Wish, key_taken, used_keys
from targets.canonical import MAX_URL_BYTES

KEEP, DATE, EVER = "keep", "date", "ever"
_SPANS = [(str(days), f"{days} days") for days in (7, 30, 90)]
_ENDS = [*_SPANS, (DATE, "Until a date"), (EVER, "For ever")]
_PLAIN = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
_OFF = LinkState.DISABLED
_FIELDS = {"expires_at": "until", "ttl": "lasts"}  # of the API, where the form has another name


class _Tags(TagsText):
    """Tags, separated by commas, in a field of our own pages."""

    def __init__(self) -> None:
        super().__init__()
        self.widget = forms.TextInput(attrs={**_PLAIN, "placeholder": "spring, newsletter"})


class LimitsForm(forms.Form):
    """When a link ends, and how it is found; `now` is the database's time."""

    lasts = forms.ChoiceField(
        label="How long does it last?", choices=_ENDS, initial=EVER, widget=forms.RadioSelect
    )
    until = forms.DateField(
        label="Last day",
        required=False,
        help_text="Until the end of that day, in UTC.",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    max_visits = forms.IntegerField(
        label="Limit of visits",
        required=False,
        min_value=1,
        max_value=MAX_VISITS,
        help_text="Leave it empty for no limit.",
    )
    tags = _Tags()
    watch = forms.BooleanField(
        label="Watch the destination",
        required=False,
        help_text="It is checked now and then, and you see here whether it still works.",
    )

    def __init__(self, *args: Any, now: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.now = now

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if given.get("lasts") == DATE and "until" in given and given["until"] is None:
            self.add_error("until", "Choose the last day.")
        if not self.errors:
            self._judge(self._ask_the_rules)
        return given

    def _ask_the_rules(self) -> object:
        raise NotImplementedError

    def _judge(self, judge: Callable[[], object]) -> None:
        """Tell beside its field what the API would refuse."""
        try:
            judge()
        except APIException as error:
            self.tell(error)

    def tell(self, error: APIException) -> None:
        """Show an error of the API beside the field that it is about, else above the form."""
        body = error_body(error)
        details = {_FIELDS.get(name, name): text for name, text in body["details"].items()}
        known = {name: text for name, text in details.items() if name in self.fields}
        self.add_error(None, forms.ValidationError(known or body["message"]))

    def _end(self) -> datetime | None:
        """Return when the link ends; None for never."""
        chosen = self.cleaned_data["lasts"]
        if chosen == EVER:
            return None
        if chosen == DATE:
            return datetime.combine(self.cleaned_data["until"], time.max, UTC)
        return self.now + timedelta(days=int(chosen))


class CreationForm(LimitsForm):
    """A link to be made."""

    long_url = forms.CharField(
        label="Where does it lead?",
        max_length=MAX_URL_BYTES,
        widget=forms.TextInput(
            attrs={**_PLAIN, "inputmode": "url", "placeholder": "https://example.org/page"}
        ),
    )
    key = forms.CharField(
        label="Key",
        required=False,
        max_length=MAX_LENGTH,
        empty_value=None,
        help_text="Leave it empty for a random one. A key never leads anywhere else later.",
        widget=forms.TextInput(attrs={**_PLAIN, "placeholder": "spring"}),
    )

    field_order = ("long_url", "key", "lasts", "until", "max_visits", "tags", "watch")

    def clean_long_url(self) -> str:
        """Take an address without its scheme as people say it."""
        text: str = self.cleaned_data["long_url"]
        text = text if "://" in text else f"https://{text}"
        try:
            accept(text, watch=False)
        except ApiError as error:
            raise forms.ValidationError(error.message) from None
        return text

    def clean_key(self) -> str | None:
        """Refuse a key that leads somewhere or once did."""
        key: str | None = self.cleaned_data["key"]
        if key is None:
            return None
        try:
            check_custom(key)
        except InvalidKeyError as error:
            raise forms.ValidationError(str(error)) from None
        if used_keys([key]):
            raise forms.ValidationError(key_taken(key).message)
        return key

    def wish(self) -> Wish:
        """Return the wish; raises ValidationError or ApiError as the API does."""
        given = {name: self.cleaned_data[name] for name in ("long_url", "key", "max_visits")}
        given |= {name: self.cleaned_data[name] for name in ("tags", "watch")}
        return LinkSerializer().wish({**given, "expires_at": self._end()}, now=self.now)

    def _ask_the_rules(self) -> object:
        return self.wish()


class ChangeForm(LimitsForm):
    """What may be changed of a link; `version` is that which one has seen."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, link: ShortURL, now: datetime, **kwargs: Any) -> None:
        self.link = link
        initial = {
            "lasts": KEEP,
            "max_visits": link.max_visits,
            "tags": link.tag_names,
            "watch": link.target_id is not None,
            "version": link.version,
        }
        super().__init__(*args, now=now, initial=initial, **kwargs)
        end = "for ever" if link.expires_at is None else f"until {exact(link.expires_at)}"
        lasts = cast("forms.ChoiceField", self.fields["lasts"])
        lasts.choices = [
            (KEEP, f"As it is: {end}"),
            *((days, f"{words} from now") for days, words in _SPANS),
            *_ENDS[len(_SPANS) :],
        ]

    def changes(self) -> dict[str, Any]:
        """Return what was changed, for `services.update`; raises ValidationError."""
        names = {"max_visits", "tags", "watch"} & set(self.changed_data)
        given = {name: self.cleaned_data[name] for name in names}
        if self.cleaned_data["lasts"] != KEEP:
            given["expires_at"] = self._end()
        return LinkChangeSerializer().changes(given, now=self.now)

    def _ask_the_rules(self) -> object:
        changes = self.changes()
        end = changes.get("expires_at")
        if end is not None and end <= self.now:
            self.add_error("until", "This day is over. End it on its page ends the link now.")
        return changes


class SearchForm(forms.Form):
    """What one looks for in the list of links."""

    q = forms.CharField(
        label="Find by key, destination or tag",
        required=False,
        max_length=MAX_SEARCH,
        widget=forms.TextInput(
            attrs={**_PLAIN, "type": "search", "placeholder": "Key, destination or tag"}
        ),
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
