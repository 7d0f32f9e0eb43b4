"""Feeds: the messages of a channel, which feed readers fetch (`feeds.py`)."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.actors import Actor
from foundation import kept_secrets as secrets
from notify.kinds.kind import ChannelKindBase, SendAttempt, SendOutcome
from notify.message_rendering import as_fragment, as_text
from notify.message_types import Content
from notify.models import Channel, Delivery


class Feed(ChannelKindBase):
    """Feeds with an entry for each message."""

    passive: ClassVar[bool] = True

    def new_secret(self) -> str:
        return secrets.feed_token()

    def clean(self, settings: Mapping[str, Any], *, by: Actor) -> dict[str, Any]:
        """Return no settings: a feed has none."""
        return {}

    def compose(self, channel: Channel, content: Content) -> str:
        """Return the entry as JSON."""
        entry = {
            "link": content.link,
            "html": as_fragment(channel, content),
            "text": as_text(channel, content),
        }
        return json.dumps(entry, ensure_ascii=False)

    async def send(self, channel: Channel, delivery: Delivery) -> SendAttempt:
        """Do nothing: feed readers fetch the message."""
        return SendAttempt(outcome=SendOutcome.ACCEPTED)
