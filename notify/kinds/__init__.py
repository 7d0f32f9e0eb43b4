"""The kinds of channels, each a module that is loaded when a channel of it is first met."""

from functools import cache
from typing import TYPE_CHECKING

from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from notify.kinds.base import Kind

_KINDS = {
    "webhook": "notify.kinds.webhook.Webhook",
    "mail": "notify.kinds.mail.Mail",
    "apprise": "notify.kinds.apprise.Apprise",
    "feed": "notify.kinds.feed.Feed",
}


@cache
def kind_of(name: str) -> "Kind":
    """Return the kind of this name, one of ChannelKind; raises KeyError for another."""
    kind: Kind = import_string(_KINDS[name])()
    return kind
