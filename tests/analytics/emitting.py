"""The product's ASGI application with addresses that emit a given number of events.

`/emit/N` emits N events of one kind each. `/view/N/SUBJECT` emits N views by as many visitors, who
come from three pages. If FLUSH_LOG names a file, the file holds the time (monotonic) at which the
last successful flush began.
"""

import os
import struct
import time
from datetime import UTC, datetime

from analytics import stream
from analytics.stream import ViewEventKind, emit
from linkwatch.asgi import application as product


async def application(scope, receive, send):
    path = scope["path"] if scope["type"] == "http" else ""
    if path.startswith("/emit/"):
        for _ in range(int(path.removeprefix("/emit/"))):
            emit(ViewEventKind.VIEW, "s_a", at=datetime.now(UTC))
    elif path.startswith("/view/"):
        _, _, amount, subject = path.split("/")
        for number in range(int(amount)):
            stream.view(
                subject, "192.0.2.1", b"%d" % number, b"https://h%d.example/" % (number % 3)
            )
    else:
        await product(scope, receive, send)
        return
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def log_flushes(path):
    """Have the producer record its flushes."""
    flush = stream._StreamProducer._flush
    file = os.open(path, os.O_WRONLY | os.O_CREAT)

    def flush_and_report(self):
        began = time.monotonic()
        is_sent = flush(self)
        if is_sent:
            os.pwrite(file, struct.pack("d", began), 0)
        return is_sent

    stream._StreamProducer._flush = flush_and_report  # type: ignore[method-assign]


if log := os.environ.get("FLUSH_LOG"):
    log_flushes(log)
