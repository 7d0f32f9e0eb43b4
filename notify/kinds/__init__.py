"""The kinds of channels, each in its own folder, which is loaded at first use."""

from functools import cache
from typing import TYPE_CHECKING

from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from notify.kinds.kind import ChannelKindBase

_KINDS = {
    "webhook": "notify.kinds.webhook.webhook_kind.Webhook",
    "mail": "notify.kinds.mail.mail_kind.Mail",
    "apprise": "notify.kinds.apprise.apprise_kind.Apprise",
    "feed": "notify.kinds.feed.feed_kind.Feed",
}


@cache
def kind_of(name: str) -> "ChannelKindBase":
    """Return the kind of this name, one of ChannelKind; raises KeyError for any other name."""
    kind: ChannelKindBase = import_string(_KINDS[name])()
    return kind
