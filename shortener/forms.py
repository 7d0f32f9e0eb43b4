"""The admin's forms of short links; the API's own rules judge what is typed in."""

from collections.abc import Callable
from typing import Any

from django import forms
from rest_framework.exceptions import APIException
from unfold.widgets import UnfoldAdminTextInputWidget

from foundation.admin.forms import RuleField, TagsText
from foundation.database.clock import database_now
from foundation.http.errors import error_body
from shortener.codes import MAX_LENGTH
from shortener.models import ShortURL
from shortener.serializers import LimitsSerializer, LinkChangeSerializer, LinkSerializer
from shortener.services import NewLink, key_taken, used_keys
from targets.canonical import MAX_URL_BYTES

_RULES = LimitsSerializer().fields


class AdminLinkChangeForm(forms.ModelForm[ShortURL]):
    """What may be changed of a link; where it leads only if it is retargetable."""

    long_url = forms.CharField(
        label="Long URL",
        required=False,
        max_length=MAX_URL_BYTES,
        widget=UnfoldAdminTextInputWidget,
        help_text="Everybody can see where it led before.",
    )

    max_visits = RuleField(_RULES["max_visits"], help_text="Leave empty for no limit.")
    watch = forms.BooleanField(
        required=False, help_text="Keep checking whether the destination works."
    )
    tags = TagsText()

    class Meta:
        model = ShortURL
        fields = ["expires_at", "max_visits", "disabled", "when_gone"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance._state.adding:
            self.initial["tags"] = self.instance.tag_names
            self.initial["watch"] = self.instance.target_id is not None
            self.initial["long_url"] = self.instance.long_url
            if not self.instance.retargetable:
                del self.fields["long_url"]

    def clean(self) -> dict[str, Any]:
        valid = super().clean() or self.cleaned_data
        if not self.errors:
            self._judge()
        return valid

    def changes(self) -> dict[str, Any]:
        """Return what was changed, for `services.update`."""
        given = {name: self.cleaned_data[name] for name in self.changed_data}
        return LinkChangeSerializer().changes(given, now=database_now())

    def _judge(self) -> None:
        self._tell(self.changes)

    def _tell(self, judge: Callable[[], object]) -> None:
        """Tell at its field what the API would refuse."""
        try:
            judge()
        except APIException as error:
            body = error_body(error)
            details = {name: text for name, text in body["details"].items() if name in self.fields}
            self.add_error(None, forms.ValidationError(details or body["message"]))


class CreateForm(AdminLinkChangeForm):
    """A link to be made."""

    long_url = forms.CharField(
        label="Long URL",
        max_length=MAX_URL_BYTES,
        widget=UnfoldAdminTextInputWidget(attrs={"autofocus": True}),
    )
    key = forms.CharField(
        required=False,
        max_length=MAX_LENGTH,
        empty_value=None,
        strip=False,
        widget=UnfoldAdminTextInputWidget,
        help_text="Leave empty for a random key. A key is never used again for another URL.",
    )

    class Meta:
        model = ShortURL
        fields = ["long_url", "key", "expires_at", "max_visits", "when_gone", "retargetable"]

    def clean_key(self) -> str | None:
        """Refuse a key that leads somewhere or once did."""
        key: str | None = self.cleaned_data["key"]
        if key is not None and used_keys([key]):
            raise forms.ValidationError(key_taken(key).message)
        return key

    def new_link(self) -> NewLink:
        """Return the wish; raises ValidationError or ApiError as the API does."""
        names = ("long_url", "key", "expires_at", "max_visits", "watch", "when_gone")
        given = {name: self.cleaned_data[name] for name in (*names, "retargetable", "tags")}
        return LinkSerializer().new_link(given, now=database_now())

    def _judge(self) -> None:
        self._tell(self.new_link)
