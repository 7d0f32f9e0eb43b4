"""The read path with many requests at once, and while Redis is unavailable."""

import asyncio
import os
import resource
import signal
import urllib.request
from collections import Counter

import pytest

from analytics.stream import STREAM
from tests.acceptance.processes import until
from tests.factories import SnippetFactory
from tests.ports import free_port
from tests.snippets.servers import PATIENCE, valkey, web

pytestmark = [pytest.mark.acceptance, pytest.mark.django_db(transaction=True)]
WINDOW = "rl:GET v1/snippets/<str:pk>:127.0.0.1"


async def ask_at_once(ports, path, *, release_when_all_wait, count):
    """Send `count` requests before any gets its response; return status and X-Cache of each."""
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    opened = [
        await asyncio.open_connection("127.0.0.1", ports[number % len(ports)])
        for number in range(count)
    ]
    for _, writer in opened:
        writer.write(request)
    await asyncio.to_thread(release_when_all_wait)
    replies = await asyncio.gather(*[reader.read() for reader, _ in opened])
    for _, writer in opened:
        writer.close()
    return [_summary(reply.decode()) for reply in replies]


def _summary(reply):
    head, _, body = reply.partition("\r\n\r\n")
    lines = dict(line.split(": ", 1) for line in head.split("\r\n")[1:])
    return head.split(" ")[1], lines.get("x-cache"), body


@pytest.fixture
def many_files():
    """Raise the limit of open files: a thousand sockets are more than the default."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_files")
def test_a_thousand_simultaneous_misses_over_two_processes_load_once(tmp_path, redis):
    snippet = SnippetFactory()
    loads, hold = tmp_path / "loads", tmp_path / "loads.hold"
    module = ("tests.snippets.counting_web", str(loads))
    hold.touch()

    def release_when_all_wait():
        until(lambda: redis.zcard(WINDOW) == 1000, within=PATIENCE)
        until(loads.exists, within=PATIENCE)
        hold.unlink()

    with web(tmp_path, *module) as one, web(tmp_path, *module) as other:
        path = f"/v1/snippets/{snippet.id}"
        replies = asyncio.run(
            ask_at_once([one, other], path, release_when_all_wait=release_when_all_wait, count=1000)
        )
        until(lambda: _views(redis, snippet.id) == 1000, within=PATIENCE)

    assert Counter(status for status, _, _ in replies) == {"200": 1000}
    assert Counter(cache for _, cache, _ in replies) == {"MISS": 1, "WARM": 999}
    assert len({body for _, _, body in replies}) == 1
    assert len(loads.read_text().splitlines()) == 1


def _views(redis, snippet_id):
    entries = [fields for _, fields in redis.xrange(STREAM)]
    return sum(int(one[b"n"]) for one in entries if one[b"subject"] == snippet_id.encode())


class Reader:
    """A client that reads one snippet repeatedly; every response must be a 200."""

    def __init__(self, port, snippet_id):
        self.address = f"http://127.0.0.1:{port}/v1/snippets/{snippet_id}"

    def read(self):
        with urllib.request.urlopen(self.address, timeout=PATIENCE) as response:
            assert response.status == 200
            return response.headers["X-Cache"]

    def read_until(self, cache):
        until(lambda: self.read() == cache, within=PATIENCE)


@pytest.mark.any_database
def test_only_x_cache_reveals_that_redis_was_interrupted(tmp_path):
    snippet = SnippetFactory()
    port = free_port()
    with web(tmp_path, REDIS_URL=f"redis://127.0.0.1:{port}/0") as web_port:
        reader = Reader(web_port, snippet.id)
        with valkey(port, tmp_path) as server:
            reader.read_until("HIT")
            os.kill(server.pid, signal.SIGKILL)
            reader.read_until("MISS")
            assert reader.read() == "MISS"
        with valkey(port, tmp_path) as server:
            reader.read_until("HIT")
            os.kill(server.pid, signal.SIGSTOP)
            reader.read_until("MISS")
            os.kill(server.pid, signal.SIGCONT)
            reader.read_until("HIT")
