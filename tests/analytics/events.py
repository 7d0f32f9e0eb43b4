"""Events for tests, appended to the stream as a producer does."""

from datetime import UTC, datetime

from analytics import stream
from analytics.stream import ViewEvent, ViewEventKind
from analytics.visit_dimensions import as_text
from analytics.worker import Worker


def put(*events):
    """Append events to the stream, each as a separate entry."""
    producer = stream._StreamProducer()
    producer.buffer.extend(events)
    assert producer._flush()


def view(subject, *, at=None, visitor="", n=1, dimensions=""):
    at = milliseconds(at or datetime.now(UTC))
    return ViewEvent(ViewEventKind.VIEW, subject, at, visitor, n, dimensions)


def visit(subject, referrer="direct", device="desktop", country="", *, at=None, n=1):
    """Return `n` visits of one kind."""
    reported = as_text({(referrer, device, country): n})
    return view(subject, at=at, n=n, dimensions=reported)


def event(kind, subject):
    return ViewEvent(kind, subject, milliseconds(datetime.now(UTC)))


def milliseconds(at):
    return int(at.timestamp() * 1000)


def worker():
    """Return a worker in this process that is ready to count."""
    one = Worker(should_stop=lambda: False)
    one._prepare()
    return one


def count_all():
    """Have a worker count everything in the stream."""
    one = worker()
    one.step()
    while one._batch or _backlog():
        one.step()
    return one


def _backlog():
    from analytics import metrics
    from foundation.valkey.clients import client

    return metrics.stream(client()).stream_backlog
