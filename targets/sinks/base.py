"""The old names of `outbox.messages` and `outbox.readers`: a sink is made of these."""

from foundation.moved_names import moved

__getattr__ = moved(
    __name__,
    {
        "EventSink": "outbox.messages.MessageReader",
        "Message": "outbox.messages.Message",
        "sinks_now": "outbox.readers.readers_now",
    },
)
