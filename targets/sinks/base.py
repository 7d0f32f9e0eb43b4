"""The old names of classes and functions of `outbox.messages` and `outbox.readers`."""

from foundation.moved_names import moved

__getattr__ = moved(
    __name__,
    {
        "EventSink": "outbox.messages.MessageReader",
        "Message": "outbox.messages.Message",
        "sinks_now": "outbox.readers.configured_readers",
    },
)
