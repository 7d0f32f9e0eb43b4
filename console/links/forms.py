"""The console's forms for short links, based on `shortener/forms.py`."""

from copy import copy
from datetime import datetime
from typing import Any, ClassVar

from django import forms

from console.forms import (
    KEEP,
    ExpiryForm,
    OwnershipFilterForm,
    SharingForm,
    TagsField,
    days,
    search_field,
)
from foundation.admin.forms import TagsTextField
from foundation.templatetags.times import exact
from shortener.forms import LinkEditForm, NewLinkForm
from shortener.models import LinkState, ShortURL
from shortener.serializers import MAX_SEARCH

_OFF = LinkState.DISABLED


class BaseLinkForm(ExpiryForm, SharingForm):
    """The fields that the console's forms for links add: the expiry, the team and tags."""

    spans = days(7, 30, 90)
    field_order = ("long_url", "key", "lasts", "until")
    tags: TagsTextField = TagsField()


class LinkCreationForm(BaseLinkForm, NewLinkForm):
    """A new link."""

    class Meta(NewLinkForm.Meta):
        exclude: ClassVar = ["expires_at"]


class LinkChangeForm(BaseLinkForm, LinkEditForm):
    """Changes to a link; `version` is the link's version when the form was rendered."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    class Meta(LinkEditForm.Meta):
        exclude: ClassVar = ["expires_at", "disabled"]

    def __init__(self, *args: Any, link: ShortURL, now: datetime, **kwargs: Any) -> None:
        current = "never" if link.expires_at is None else exact(link.expires_at)
        initial = {"lasts": KEEP, "version": link.version}
        # A copy, because a ModelForm writes to its instance before validation is complete.
        super().__init__(
            *args, now=now, current=current, initial=initial, instance=copy(link), **kwargs
        )

    def check_rules(self) -> object:
        end = self.cleaned_data.get("expires_at")
        if end is not None and end <= self.now:
            self.add_error(
                "until",
                "This date is in the past. To turn the link off now, disable it on its page.",
            )
        return super().check_rules()


class LinkSearchForm(OwnershipFilterForm):
    """The search form of the list of links."""

    q = search_field(
        "Find by key, destination or tag", "Key, destination or tag", max_length=MAX_SEARCH
    )
    tag = forms.CharField(required=False, max_length=MAX_SEARCH, widget=forms.HiddenInput)
    state = forms.ChoiceField(
        label="State",
        required=False,
        choices=[
            ("", "Any state"),
            *((state.value, str(state.label).capitalize()) for state in LinkState if state != _OFF),
            (_OFF.value, "Disabled"),
        ],
    )
