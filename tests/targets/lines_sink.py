"""A sink of another kind: writes each event as a line of JSON to every `*.jsonl` of a folder."""

import json
import os
from datetime import timedelta

from django.conf import settings

from outbox.events import cloud_events
from outbox.messages import Message, MessageReader

LONGEST = 5000  # bytes of a line


class LineTooLongError(Exception):
    """The line is too long for the file."""


class LinesSink(MessageReader):
    """Appends to one file. A missing file is a failure and is not created."""

    begins_at_start = True
    timeout = timedelta(seconds=1)
    refusals = (LineTooLongError,)

    def __init__(self, path):
        self.name = f"lines:{path.stem}"
        self.path = path

    def encode(self, transition):
        return [
            Message(key=event["subject"].encode(), value=json.dumps(event).encode())
            for event in cloud_events(transition)
        ]

    def send(self, messages):
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            return [self._write(file, message.value) for message in messages]
        finally:
            os.close(file)

    def _write(self, file, line):
        if len(line) > LONGEST:
            return LineTooLongError(f"{len(line)} bytes")
        os.write(file, line + b"\n")
        return None


def instances():
    """Yield a sink for each existing file."""
    return map(LinesSink, sorted(settings.LINES_FOLDER.glob("*.jsonl")))  # type: ignore[misc]
