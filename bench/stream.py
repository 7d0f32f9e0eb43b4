"""Measures the CPU time of folding views, sending them to the stream, and counting them.

Sends 200,000 views in flushes of 1,250 (50 ms at 25,000 a second), each counted at once: of one
link by 20 visitors (`hot`), and of 1,000 links, the nth viewed 1/n as often as the first, by 20,000
visitors (`wide`). `request` is the call in the request path, `producer` the thread that folds and
sends, then worker and Valkey (with an append-only file, as `manage.py up` runs it); the peer has an
entry for each view, its visitor hashed in the request, as before views were folded. All run in this
process, alternately and several times, and the median is reported; the counts must be exact.

A backlog of `wide` with one entry per view is counted, and read by a bare XREADGROUP + XACK with
batches of the same size; then the same views are counted from folded entries. Then a producer sends
2,000 views a second and `manage.py run_analytics` counts them, while the backlog is measured.
"""

import gc
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

from harness import ROOT, report, sized, valkey

VIEWS = sized(200_000, toy=2_000)
FLUSH = 1_250  # views between two flushes: 25,000 a second
SHAPES = {"hot": (1, 20), "wide": (1_000, 20_000)}  # subjects, visitors
ROUNDS = sized(3, toy=1)
RATE = sized(2_000, toy=200)  # views a second while the backlog is watched
SECONDS = sized(15.0, toy=1.0)

View = tuple[str, str, bytes]  # subject, address, agent


class Cost(NamedTuple):
    """Microseconds of CPU time per view."""

    request: float
    producer: float
    worker: float
    valkey: float
    entries: float  # of the stream, per view


def main() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as folder,
        valkey(data_dir=folder, appendonly="yes", save="") as redis_url,
    ):
        set_up_django(folder, redis_url)
        folded, single = measure()
        drained = [drain(seed=round_) for round_ in range(ROUNDS)]
        backlog = watch_backlog()
    figures: dict[str, object] = {
        f"{shape}, {name}, µs a view": median(getattr(cost, name) for cost in costs)
        for shape, costs in folded.items()
        for name in ("request", "producer", "worker", "valkey")
    }
    folded_costs = {shape: counting_cost(costs) for shape, costs in folded.items()}
    single_costs = {shape: counting_cost(costs) for shape, costs in single.items()}
    report(
        "stream",
        {
            **figures,
            "wide, entries a view": median(cost.entries for cost in folded["wide"]),
            f"backlog at {RATE:,} views/s, entries, median": backlog[len(backlog) // 2],
            f"backlog at {RATE:,} views/s, entries, highest": backlog[-1],
        },
        peer={
            f"{shape}, an entry a view: {name}, µs": median(getattr(cost, name) for cost in costs)
            for shape, costs in single.items()
            for name in ("request", "producer", "worker", "valkey")
        },
        ratio={
            "hot, worker + Valkey, µs a view": folded_costs["hot"],
            "wide, worker + Valkey to an entry a view": folded_costs["wide"] / single_costs["wide"],
            "counting an entry a view to bare reading": median(ratio for ratio, _ in drained),
            "counting folded views to the same": median(ratio for _, ratio in drained),
            "highest backlog": float(backlog[-1]),
        },
        goal={
            "hot, worker + Valkey, µs a view": "≤ 1",
            "counting an entry a view to bare reading": "≥ 0.3",
            "counting folded views to the same": "≥ 0.3",
            "highest backlog": "< 300 entries",
        },
    )


def counting_cost(costs: list[Cost]) -> float:
    """Return the cost of counting a view after it was folded."""
    return median(cost.worker + cost.valkey for cost in costs)


def measure() -> tuple[dict[str, list[Cost]], dict[str, list[Cost]]]:
    """Return the costs by shape and round: folded, and with one entry per view."""
    folded: dict[str, list[Cost]] = {shape: [] for shape in SHAPES}
    single: dict[str, list[Cost]] = {shape: [] for shape in SHAPES}
    for round_ in range(ROUNDS):
        for shape, (subjects, visitors) in SHAPES.items():
            views = choose_views(subjects, visitors, seed=round_)
            single[shape].append(cost(views, put_single))
            folded[shape].append(cost(views, put))
    return folded, single


def set_up_django(folder: str, redis_url: str) -> None:
    os.environ.update(
        REDIS_URL=redis_url,
        DATA_DIR=folder,
        SECRET_KEY="b" * 50,
        DJANGO_SETTINGS_MODULE="linkwatch.settings",
    )
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def client() -> Any:
    from foundation.valkey import clients

    return clients.client()


def choose_views(subjects: int, visitors: int, *, seed: int) -> list[View]:
    """Return VIEWS views, as requests see them."""
    generator = random.Random(seed)
    names = [f"short:{number:07}" for number in range(subjects)]
    weights = [1 / (number + 1) for number in range(subjects)]
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 {}"
    agents = [agent.format(number).encode() for number in range(visitors)]
    return [
        (subject, "192.0.2.1", generator.choice(agents))
        for subject in generator.choices(names, weights, k=VIEWS)
    ]


def cost(views: list[View], put: Callable[[Any, View], None]) -> Cost:
    """Send all views with `put` into an empty Redis, and count them as they arrive."""
    from analytics import stream

    redis, producer, worker = start()
    request = sending = working = 0.0
    before = valkey_seconds(redis)
    for first in range(0, len(views), FLUSH):
        flushed = views[first : first + FLUSH]
        times = [time.thread_time()]
        for view in flushed:
            put(producer, view)
        times.append(time.thread_time())
        assert producer._flush()
        times.append(time.thread_time())
        count(worker, until=first + len(flushed))
        times.append(time.thread_time())
        request += times[1] - times[0]
        sending += times[2] - times[1]
        working += times[3] - times[2]
    check(views)
    a_view = 1e6 / VIEWS
    return Cost(
        request=request * a_view,
        producer=sending * a_view,
        worker=working * a_view,
        valkey=(valkey_seconds(redis) - before) * a_view,
        entries=redis.xinfo_stream(stream.STREAM)["entries-added"] / VIEWS,
    )


def start() -> tuple[Any, Any, Any]:
    """Return a client of an empty Redis, a producer that we flush, and a worker."""
    from analytics import stream
    from analytics.worker import Worker

    redis = client()
    redis.flushdb()
    gc.freeze()  # real processes do not have all these views in memory for the collector
    stream._producer = producer = stream._StreamProducer()
    producer._thread = threading.current_thread()
    worker = Worker(should_stop=lambda: False)
    worker._prepare()
    return redis, producer, worker


def count(worker: Any, *, until: int) -> None:
    while int(client().hget("counts", "events_view") or 0) < until:
        worker.step()


def check(views: list[View]) -> None:
    """Check that the counts are exact."""
    for subject, n in Counter(subject for subject, _, _ in views).items():
        assert int(client().get(f"views:{subject}")) == n


def put(_: Any, view: View) -> None:
    from analytics import stream

    stream.view(*view)


def put_single(producer: Any, view: View) -> None:
    from analytics import stream

    subject, address, agent = view
    now = time.time()
    visitor = stream.visitor.__wrapped__(address, agent, int(now) // 86_400)
    producer.buffer.append(
        stream.ViewEvent(stream.ViewEventKind.VIEW, subject, int(now * 1000), visitor)
    )


def valkey_seconds(redis: Any) -> float:
    """Return the CPU time of Valkey."""
    used = redis.info("cpu")
    return float(used["used_cpu_user"] + used["used_cpu_sys"])


def drain(*, seed: int) -> tuple[float, float]:
    """Return how fast a backlog is counted, relative to reading one entry per view.

    First a backlog with one entry per view, then one of folded views.
    """
    views = choose_views(*SHAPES["wide"], seed=seed)
    bare, single = drain_once(views, put_single)
    _, folded = drain_once(views, put)
    return bare / single, bare / folded


def drain_once(views: list[View], put: Callable[[Any, View], None]) -> tuple[float, float]:
    """Return the seconds of reading and acknowledging a backlog, and of counting it."""
    redis, producer, worker = start()
    for first in range(0, len(views), FLUSH):
        for view in views[first : first + FLUSH]:
            put(producer, view)
        assert producer._flush()
    bare = drain_bare(redis)
    began = time.perf_counter()
    count(worker, until=VIEWS)
    seconds = time.perf_counter() - began
    check(views)
    return bare, seconds


def drain_bare(redis: Any) -> float:
    """Read and acknowledge everything in a separate group; return the seconds."""
    from analytics import stream, worker

    redis.xgroup_create(stream.STREAM, "bare", id="0")
    start = time.perf_counter()
    while entries := redis.xreadgroup("bare", "c", {stream.STREAM: ">"}, count=worker.BATCH_SIZE):
        redis.xack(stream.STREAM, "bare", *(id_ for id_, _ in entries[0][1]))
    seconds = time.perf_counter() - start
    redis.xgroup_destroy(stream.STREAM, "bare")
    return seconds


def watch_backlog() -> list[int]:
    """Emit at RATE for SECONDS; return the observed backlogs, sorted."""
    from analytics import metrics, stream

    client().flushdb()
    stream._producer = stream._StreamProducer()
    command = [sys.executable, "manage.py", "run_analytics"]
    worker = subprocess.Popen(command, cwd=ROOT)
    backlogs: list[int] = []
    try:
        while not metrics.stream(client()).workers:
            time.sleep(0.1)
        emitted = 0
        start = time.perf_counter()
        while (elapsed := time.perf_counter() - start) < SECONDS:
            while emitted < elapsed * RATE:
                stream.view(f"s_{emitted % 1_000:022}", "192.0.2.1", b"%d" % (emitted % 50_000))
                emitted += 1
            backlogs.append(metrics.stream(client()).stream_backlog or 0)
            time.sleep(0.005)
        while int(client().hget("counts", "events_view") or 0) < emitted:
            time.sleep(0.05)
    finally:
        worker.terminate()
        worker.wait(timeout=30)
    return sorted(backlogs)


if __name__ == "__main__":
    main()
