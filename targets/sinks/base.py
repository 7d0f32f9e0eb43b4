"""The old names of `outbox.messages` and `outbox.readers`: a sink is made of these."""

from typing import TYPE_CHECKING

from foundation.moved import moved

if not TYPE_CHECKING:
    __getattr__ = moved(
        __name__,
        {
            "EventSink": "outbox.messages.MessageReader",
            "Message": "outbox.messages.Message",
            "kinds": "outbox.readers.kinds",
            "sinks_now": "outbox.readers.readers_now",
        },
    )
