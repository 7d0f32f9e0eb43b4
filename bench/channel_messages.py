"""Events for 200 channels, 20 of which never answer, against bare httpx loops.

Each event is for one channel. Linkwatch numbers the events, reads them once for all channels,
composes, stores, signs and posts them and records the results, on a durable PostgreSQL. The peer
posts the same prepared bodies to the 180 that answer, concurrently to all channels and one at a
time for each: with one client for all servers, and with one for each. All run in this process, one
after the other; the receiver is a separate process.
"""

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
from harness import postgres, report, sized, wait_for_port

from tests.ports import free_port

EVENTS = sized(10_000, toy=200)
CHANNELS = sized(200, toy=20)
SILENT = CHANNELS // 10
ROUNDS = sized(2, toy=1)
DELIVERED = EVENTS - EVENTS // CHANNELS * SILENT  # messages of a round
PATIENCE = 180.0  # seconds


def main() -> None:
    port = free_port()
    command = [sys.executable, __file__, "receive", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as receiver:
        try:
            wait_for_port("127.0.0.1", port)
            settings = {"ALLOW_NETWORKS": "127.0.0.0/8", "ALLOW_PORTS": "1-65535", "REDIS_URL": ""}
            with postgres(**settings):
                run(port)
        finally:
            receiver.kill()


def run(port: int) -> None:
    make_channels(port)
    results, sizes, spent = [], [], []
    statements: Counter[str] = Counter()
    with count_statements(statements):
        for number in range(ROUNDS):
            make_events()
            began = cpu_of_relay()
            results.append(DELIVERED / deliver_all((number + 1) * DELIVERED))
            spent.append((cpu_of_relay() - began) / DELIVERED)
            sizes.append(psutil.Process(os.getpid()).memory_info().rss / 1e6)
    ready = message_bodies()
    count = sum(map(len, ready.values()))
    bare = count / asyncio.run(post_all(ready))
    per_server = count / asyncio.run(post_to_each(ready))
    report(
        "channel_messages",
        {
            f"{CHANNELS - SILENT} channels that answer, messages/s": max(results),
            "CPU of a message, ms": min(spent) * 1e3,
            "reads of the outbox in a round": statements["outbox"] / ROUNDS,
            "statements in a round": statements["all"] / ROUNDS,
            **{f"MB after round {n + 1}": size for n, size in enumerate(sizes)},
        },
        peer={
            "bare httpx loop, messages/s": bare,
            "one httpx client per server, messages/s": per_server,
        },
        ratio={
            "linkwatch to a bare loop": max(results) / bare,
            "linkwatch to one client per server": max(results) / per_server,
        },
        goal={"linkwatch to a bare loop": "≥ 0.5", "linkwatch to one client per server": "≥ 0.8"},
    )


def make_channels(port: int) -> None:
    """Make a channel for each host; the last ones never answer."""
    from django.utils import timezone

    from notify import services
    from notify.models import ChannelKind

    now = timezone.now()
    services.MAX_CHANNELS = CHANNELS
    for number in range(CHANNELS):
        word = "silent" if number >= CHANNELS - SILENT else "answers"
        hook = {"url": f"http://127.0.1.{number + 1}:{port}/{word}"}
        fields = {"kind": ChannelKind.WEBHOOK, "name": str(number), "settings": hook}
        channel, _ = services.create_channel(fields, now=now)
        subscription = {"what": ["dead"], "host": f"h{number}.example", "grouped": False}
        services.subscribe(channel.id, subscription, now=now)


def make_events() -> None:
    """Commit EVENTS deaths, spread evenly over the hosts, with ten references each."""
    from django.utils import timezone

    from outbox.models import Event

    now = timezone.now()
    Event.objects.bulk_create(
        (
            Event(from_state="potentially_dead", to_state="dead", at=now, payload=payload(number))
            for number in range(EVENTS)
        ),
        batch_size=1000,
    )


def payload(number: int) -> dict[str, Any]:
    url = f"https://h{number % CHANNELS}.example/{number}"
    return {
        "target_id": f"t_{number}",
        "url": url,
        "canonical_url": url,
        "reference_ids": [f"document-{n}" for n in range(10)],
        "state": "dead",
        "previous_state": "potentially_dead",
        "failures": 3,
        "first_failed_at": None,
        "checked_at": None,
        "error": {"kind": "connect", "status_code": None, "message": "It cannot be reached."},
    }


def deliver_all(total: int) -> float:
    """Run a relay until `total` messages are delivered; return the seconds."""
    from notify.models import Channel, Delivery, DeliveryState
    from notify.sending import Sender
    from outbox.relay_threads import number_and_feed

    Channel.objects.update(next_attempt_at=None)  # those of the last round that did not answer
    stopped = threading.Event()
    sender = Sender(until=stopped.is_set)
    work = (sender.run, lambda: number_and_feed(until=stopped.is_set))
    threads = [threading.Thread(target=step) for step in work]
    delivered = Delivery.objects.filter(state=DeliveryState.DELIVERED)
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    while delivered.count() < total and time.perf_counter() - start < PATIENCE:
        time.sleep(0.05)
    seconds = time.perf_counter() - start
    assert delivered.count() == total
    stopped.set()
    for thread in threads:
        thread.join()
    return seconds


@contextmanager
def count_statements(statements: Counter[str]) -> Iterator[None]:
    """Count the statements of all threads but this one, and those that read events."""
    from django.db.backends.signals import connection_created

    def count(execute: Any, sql: str, *rest: Any) -> Any:
        statements["all"] += 1
        statements["outbox"] += '"targets_transition"."payload"' in sql
        return execute(sql, *rest)

    def watch(connection: Any, **_: Any) -> None:
        connection.execute_wrappers.append(count)

    connection_created.connect(watch)
    yield
    connection_created.disconnect(watch)


def cpu_of_relay() -> float:
    """Return the seconds of CPU that all threads but this one, which waits, have used."""
    return time.process_time() - time.thread_time()


def message_bodies() -> dict[str, list[bytes]]:
    """Return a third of the messages of a round, by URL; that is enough for a rate."""
    from notify.models import Delivery, DeliveryState

    bodies: dict[str, list[bytes]] = {}
    rows = Delivery.objects.filter(state=DeliveryState.DELIVERED).select_related("channel")
    for row in rows.order_by("number")[: DELIVERED // 3]:
        bodies.setdefault(row.channel.settings["url"], []).append(row.body.encode())
    return bodies


async def post_all(ready: dict[str, list[bytes]]) -> float:
    """Post all messages with one client; return the seconds that it took."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=CHANNELS)
    async with httpx.AsyncClient(limits=limits, trust_env=False) as client:
        start = time.perf_counter()
        await asyncio.gather(*(post(client, url, messages) for url, messages in ready.items()))
        return time.perf_counter() - start


async def post_to_each(ready: dict[str, list[bytes]]) -> float:
    """Post all messages with a client for each server; return the seconds that it took."""
    context = httpx.create_ssl_context()  # not used, but slow to make

    async def post_to(url: str) -> None:
        async with httpx.AsyncClient(verify=context, trust_env=False) as client:
            await post(client, url, ready[url])

    start = time.perf_counter()
    await asyncio.gather(*map(post_to, ready))
    return time.perf_counter() - start


async def post(client: httpx.AsyncClient, url: str, messages: list[bytes]) -> None:
    """Post messages one at a time."""
    for body in messages:
        reply = await client.post(url, content=body, headers={"content-type": "application/json"})
        assert reply.status_code == 204


class Receiver(asyncio.Protocol):
    """Responds with 204 to POSTs with a Content-Length, but never to those to /silent."""

    def connection_made(self, transport: Any) -> None:
        self._transport, self._read = transport, b""

    def data_received(self, data: bytes) -> None:
        self._read += data
        while True:
            head, end, rest = self._read.partition(b"\r\n\r\n")
            if not end or b"/silent " in head:
                return
            _, _, length = head.lower().partition(b"content-length: ")
            size = int(length.partition(b"\r\n")[0])
            if len(rest) < size:
                return
            self._read = rest[size:]
            self._transport.write(b"HTTP/1.1 204 No Content\r\n\r\n")


async def receive(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Receiver, "0.0.0.0", port)
    await server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1:2] == ["receive"]:
        asyncio.run(receive(int(sys.argv[2])))
    else:
        sys.path.insert(0, str(Path(__file__).parent))
        main()
