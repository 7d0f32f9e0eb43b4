"""200,000 views in the stream, counted by a worker, against a bare XREADGROUP + XACK of the same.

Both in this process, one after the other and several times, on one Valkey with an append-only file,
as `manage.py up` runs it, with batches of the same size. Views are of 1,000 subjects, the nth
viewed 1/n as often as the first, by 50,000 visitors; what the worker counts must be exact. Then a
producer emits 2,000 events a second and a `manage.py run_analytics` counts them, while the backlog
is looked at. Of the rounds' ratios the median counts.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from typing import Any

from harness import ROOT, report, sized, valkey

EVENTS = sized(200_000, toy=2_000)
SUBJECTS = 1_000
VISITORS = 50_000
ROUNDS = sized(3, toy=1)
RATE = sized(2_000, toy=200)  # events a second
SECONDS = sized(15.0, toy=1.0)


def main() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as folder,
        valkey(data_dir=folder, appendonly="yes", save="") as redis_url,
    ):
        set_up_django(folder, redis_url)
        counted, bare = [], []
        for round_ in range(ROUNDS):
            chosen = fill(round_)
            bare.append(EVENTS / drain_bare())
            counted.append(EVENTS / drain(chosen))
        backlog = watch_backlog()
    ratios = sorted(ours / peers for ours, peers in zip(counted, bare, strict=True))
    report(
        "stream",
        {
            "counted, events/s": max(counted),
            f"backlog at {RATE:,} events/s, median": backlog[len(backlog) // 2],
            f"backlog at {RATE:,} events/s, 99 %": backlog[len(backlog) * 99 // 100],
            f"backlog at {RATE:,} events/s, highest": backlog[-1],
        },
        peer={"bare XREADGROUP + XACK, events/s": max(bare)},
        ratio={
            "counting to bare reading": ratios[ROUNDS // 2],
            "highest backlog": float(backlog[-1]),
        },
        goal={"counting to bare reading": "≥ 0.3", "highest backlog": "< 300 events"},
    )


def set_up_django(folder: str, redis_url: str) -> None:
    os.environ.update(
        REDIS_URL=redis_url,
        DATA_DIR=folder,
        SECRET_KEY="b" * 50,
        DJANGO_SETTINGS_MODULE="linkwatch.settings",
    )
    sys.path.insert(0, str(ROOT))
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def client() -> Any:
    from foundation.valkey import clients

    return clients.client()


def fill(seed: int) -> list[str]:
    """Put EVENTS views into an empty Redis, as a producer does; returns their subjects."""
    from analytics import stream

    client().flushdb()
    chooser = random.Random(seed)
    now = int(time.time() * 1000)
    subjects = [f"s_{number:022}" for number in range(SUBJECTS)]
    weights = [1 / (number + 1) for number in range(SUBJECTS)]
    chosen = chooser.choices(subjects, weights, k=EVENTS)
    producer = stream._Producer()
    for subject in chosen:
        visitor = f"{chooser.randrange(VISITORS):016x}"
        producer.buffer.append(stream.Event(stream.Kind.VIEW, subject, now, visitor))
    assert producer._flush()
    return chosen


def drain_bare() -> float:
    """Read and acknowledge everything in a group of its own; returns the seconds."""
    from analytics import stream, worker

    redis = client()
    redis.xgroup_create(stream.STREAM, "bare", id="0")
    start = time.perf_counter()
    read = 0
    while read < EVENTS:
        found = redis.xreadgroup("bare", "c", {stream.STREAM: ">"}, count=worker.BATCH)
        ids = [id_ for id_, _ in found[0][1]]
        redis.xack(stream.STREAM, "bare", *ids)
        read += len(ids)
    seconds = time.perf_counter() - start
    redis.xgroup_destroy(stream.STREAM, "bare")
    return seconds


def drain(chosen: list[str]) -> float:
    """Have a worker count everything; returns the seconds."""
    from analytics.worker import Worker
    from foundation.valkey import metrics

    redis = client()
    one = Worker(should_stop=lambda: False)
    one._prepare()
    start = time.perf_counter()
    while metrics.totals(redis).get("events_view", 0) < EVENTS:
        one.step()
    seconds = time.perf_counter() - start
    for subject, views in Counter(chosen).items():
        assert int(redis.get(f"views:{subject}")) == views
    return seconds


def watch_backlog() -> list[int]:
    """Emit at RATE for SECONDS; returns the backlogs that were seen, sorted, at the end none."""
    from analytics import metrics, stream

    client().flushdb()
    command = [sys.executable, "manage.py", "run_analytics"]
    worker = subprocess.Popen(command, cwd=ROOT)
    seen: list[int] = []
    try:
        while not metrics.stream(client()).workers:
            time.sleep(0.1)
        emitted = 0
        start = time.perf_counter()
        while (passed := time.perf_counter() - start) < SECONDS:
            while emitted < passed * RATE:
                stream.view(f"s_{emitted % SUBJECTS:022}", str(emitted % VISITORS), b"bench")
                emitted += 1
            seen.append(metrics.stream(client()).stream_backlog or 0)
            time.sleep(0.005)
        while int(client().hget("counts", "events_view") or 0) < emitted:
            time.sleep(0.05)
    finally:
        worker.terminate()
        worker.wait(timeout=30)
    return sorted(seen)


if __name__ == "__main__":
    main()
