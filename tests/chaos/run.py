"""A whole deployment under load; a fault happens every few seconds, and an audit follows."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import psutil

from checker.tasks import _HANG_PAUSE
from outbox.relay_threads import MAX_WAIT
from tests.acceptance.processes import PATIENCE, is_alive, until
from tests.batches.receiving import CallbackReceiver
from tests.chaos import audit, batch_audit, copies
from tests.chaos.load import Load
from tests.chaos.network_and_clock import TimeOfDay
from tests.chaos.parts import Outage, Part
from tests.chaos.zoo import Zoo

DRAINS_WITHIN = 240.0  # seconds, on a busy machine
_AFTERMATH = 15.0  # seconds after an outage of a server in which a process may end unasked
_LOOK = 0.2
_WIPES = (("valkey", "flush"), ("valkey", "lose_data"))
_CERTAIN = (
    ("postgres", "fill_disk"),
    ("postgres-wire", "cut_there"),
    ("valkey-wire", "cut_back"),
    ("clocks", "jump"),
)
_LAST = {"stop", "fill_disk", "cut_there", "cut_back", "jump"}  # faults that last for some seconds
_SCHEDULED = 45.0  # seconds until the scheduler, which checks every 30, has started what is due
_LATE = timedelta(hours=1, minutes=1)  # due after a clock was an hour ahead
_SEND_LASTS = 3.0  # seconds: the KAFKA_TIMEOUT of these deployments, and a margin
_SAMPLE_EVERY = 5.0


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How long chaos runs, and how many faults it causes."""

    folder: Path
    seed: int
    seconds: float
    targets: int
    hosts: int
    longest_stop: float  # seconds
    every: float = 5.0  # seconds between two faults
    release: Path | None = None  # a checkout of a release that runs next to this code


@dataclass
class Chaos:
    """A deployment with its parts, its users and its zoo; all parts need `servers`."""

    plan: Plan
    parts: dict[str, Part]
    servers: list[Part]
    clocks: TimeOfDay
    load: Load
    zoo: Zoo
    receiver: CallbackReceiver
    backdate: Callable[[], object] = lambda: None  # the data for repairs and copies
    complaints: list[str] = field(default_factory=list)
    looks: list[audit.Health] = field(default_factory=list)
    samples: dict[tuple[str, int], list[tuple[int, int]]] = field(default_factory=dict)
    _over: threading.Event = field(default_factory=threading.Event)

    def named(self, start: str) -> list[Part]:
        return [part for name, part in self.parts.items() if name.startswith(start)]

    def cause_faults(self) -> None:
        """Cause one fault after the other until all are over and every client is served."""
        self.load.prepare(self.plan.targets)
        self.backdate()
        watchers = [threading.Thread(target=work) for work in (self._look, self._sample)]
        for watcher in watchers:
            watcher.start()
        self.load.start()
        try:
            self._hurt_all()
            self._heal()
        finally:
            self._over.set()
            self.load.stop()
            for watcher in watchers:
                watcher.join()

    def _hurt_all(self) -> None:
        chance, begin = random.Random(self.plan.seed), time.monotonic()
        steps = int(self.plan.seconds / self.plan.every)
        certain = {} if self.plan.release else self._certain(chance, steps)
        for step in range(steps):
            self._keep_for(begin + step * self.plan.every - time.monotonic())
            seconds = chance.uniform(1, self.plan.longest_stop)
            if step in certain:
                part, fault = certain[step]
                self._keep_until(part.is_well)
                seconds = self.plan.longest_stop
            else:
                part, fault = self._choose(chance, clocks_jump=step >= steps // 2)
            length = f" for {seconds:.1f} s" if fault in _LAST else ""
            print(f"{time.monotonic() - begin:6.1f} s: {fault} {part.name}{length}", flush=True)
            part.suffer(fault, seconds=seconds)

    def _certain(self, chance: random.Random, steps: int) -> dict[int, tuple[Part, str]]:
        """Return the faults that happen in each run, by step.

        A clock that jumps may delay the saving of counts for an hour. Valkey loses its data before
        that: later, the audit could not determine which views may be lost.
        """
        first, second = range(steps // 4, steps // 2), range(steps // 2, steps)
        planned = zip(chance.sample(first, len(_WIPES)), _WIPES, strict=True)
        later = zip(chance.sample(second, len(_CERTAIN)), _CERTAIN, strict=True)
        return {
            step: (self.parts[name], fault)
            for step, (name, fault) in [*planned, *later]
            if name in self.parts and (fault != "fill_disk" or fault in self.parts[name].faults)
        }

    def _choose(self, chance: random.Random, *, clocks_jump: bool) -> tuple[Part, str]:
        while True:
            part = chance.choice([part for part in self.parts.values() if part.faults])
            fault = chance.choice(part.faults)
            if part.is_well() and (clocks_jump or fault != "jump"):
                return part, fault
            self._keep()

    def _keep_until(self, enough: Callable[[], bool]) -> None:
        while not enough():
            self._keep()
            time.sleep(_LOOK)

    def _keep_for(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        self._keep_until(lambda: time.monotonic() >= deadline)

    def _keep(self) -> None:
        """Start parts again that have ended, as systemd would; complain about unexcused ends."""
        for part in self.parts.values():
            if not part.is_well() or not part.has_ended():
                continue
            now, status = time.monotonic(), part.process.wait(PATIENCE)
            excused = any(one.had_fault(now - _AFTERMATH, now) for one in self.servers)
            print(f"{part.name} has ended by itself with {status}", flush=True)
            if not excused:
                part.complaints.append(f"{part.name} ended by itself with {status}")
            part.suffer("revive")

    def _heal(self) -> None:
        """Wait until all parts are healthy, and make jobs due that a clock jump has delayed."""
        self._keep_until(lambda: all(part.is_well() for part in self.parts.values()))
        if self.plan.release is None:  # otherwise no clock has jumped
            self.clocks.outages.append(Outage(time.monotonic(), "jump"))
            self.clocks.shift(_LATE)
        heard = dict(self.load.heard)
        deadline = time.monotonic() + PATIENCE
        deaf = list(range(self.load.listeners))
        while deaf and time.monotonic() < deadline:
            self._keep()
            time.sleep(_LOOK)
            deaf = [n for n in deaf if self.load.heard[n] <= heard.get(n, 0)]
        if deaf:
            self.complaints.append(f"listeners {deaf} hear nothing any more")

    def _look(self) -> None:
        """Request the health of each web process, repeatedly."""
        while not self._over.wait(1.0):
            for number in range(len(self.load.ports)):
                answer = self.load.ask(number, "GET", "/v1/health")
                said = answer.body.get("dependencies") if isinstance(answer.body, dict) else None
                self.looks.append(audit.Health(number, answer.start, answer.end, said))

    def _sample(self) -> None:
        """Note the memory and open files of each process of the product."""
        while not self._over.wait(_SAMPLE_EVERY):
            for part in self.parts.values():
                with suppress(psutil.Error, AttributeError):
                    key = (part.name, part.process.pid)
                    size = part.process.memory_info().rss, part.process.num_fds()
                    if is_alive(part.process):
                        self.samples.setdefault(key, []).append(size)

    def drain(self) -> None:
        """Wait until all events are sent and all views counted."""

        seen: dict[str, Any] = {}

        def is_drained() -> bool:
            seen["health"] = health = self.load.ask(0, "GET", "/v1/health").body
            seen["metrics"] = metrics = self.load.get("/v1/metrics")
            return not health["events"]["events_pending"] and not metrics["stream_backlog"]

        try:
            until(is_drained, within=DRAINS_WITHIN)
            time.sleep(3)  # by now, the views in the memory of a web process have arrived
            until(is_drained, within=DRAINS_WITHIN)
        except AssertionError:
            print(f"Not drained: {seen}")
            raise

    def finish_batches(self, database: str) -> None:
        """Wait until all batches have ended and called back; the audit reports the others."""
        with suppress(AssertionError):
            until(lambda: not batch_audit.unfinished(database), within=DRAINS_WITHIN)

    def finish_copies(self, database: str) -> None:
        """Wait until all dead pages were looked up in the archive; the audit reports the others."""
        with suppress(AssertionError):
            until(lambda: copies.answered(database) == len(copies.PAGES), within=DRAINS_WITHIN)

    def views(self) -> audit.Views:
        """Return the fate of the views, now that all are counted."""
        paths = [f"/v1/snippets/{id_}/metrics" for id_ in self.load.snippets]
        paths += [f"/v1/urls/{key}/metrics" for key in self.load.links]
        counted = sum(self.load.get(path)["views"] for path in paths)
        webs = self.named("web") or self.named("up")
        valkey = self.named("valkey") or webs[:1]
        return audit.views(self.load.answers, counted, webs, valkey)

    def faults(self) -> list[str]:
        """Return the faults that the database does not show."""
        found = self.complaints + [one for part in self.parts.values() for one in part.complaints]
        found += audit.doubles(self.zoo.doubles, [*self.named("postgres"), self.clocks])
        return found + audit.errors(self.load.answers, self.servers)

    def print_figures(self) -> None:
        """Print the figures that a person judges."""
        statuses = Counter(one.status for one in self.load.answers)
        print(f"{len(self.load.registered)} targets, {len(self.zoo.asked_at)} requests to them;")
        print(f"answers by status {dict(statuses)}; {self.load.heard.total()} live messages")
        print(f"{len(self.load.repairs)} pages repaired;")
        print(f"{len(self.load.batches)} batches, {len(self.receiver.got)} callbacks;")
        tasks = self.named("tasks") or self.named("up")
        idle = audit.longest_idle(self.zoo.asked_at, tasks, self.servers)
        print(f"checks idle for {idle:.1f} s at most while a run_tasks and its servers were there")
        for excuse in (one for part in self.parts.values() for one in part.excuses):
            print(f"by design: {excuse}")
        health = self.health()
        for what, times in sorted(health.tally.items()):
            print(f"health, {what}: {times} times")
        print(f"health was correct in {health.true} of {health.judged} looks")
        self._keep_notes()
        for (name, pid), sizes in self.samples.items():
            if len(sizes) * _SAMPLE_EVERY > self.plan.seconds / 4:
                (first, files), (last, more) = sizes[min(3, len(sizes) - 1)], sizes[-1]
                print(f"{name} {pid}: {first >> 20} to {last >> 20} MiB, {files} to {more} files")

    def health(self) -> audit.Truth:
        """Return how often health reported the truth; nothing is judged if all is one process."""
        if "postgres" not in self.parts:
            return audit.Truth()
        written = [one.end for one in self.load.answers if one.is_written()]
        return audit.health(self.looks, self._needs(), self.named("web"), written)

    def _needs(self) -> dict[str, audit.Needs]:
        """Return the needs of each part of the health."""
        postgres, valkey, clocks = self.named("postgres"), self.named("valkey"), [self.clocks]
        kafka, tasks, relays = self.parts["kafka"], self.named("tasks"), self.named("relay")
        of_database = ("schema", "network")
        return {
            "disk": audit.Needs([]),
            "database": audit.Needs(postgres, clocks),
            **{name: audit.Needs(postgres, clocks) for name in of_database},
            "redis": audit.Needs(valkey, clocks),
            # Schedules and heartbeats look an hour late until their next turn.
            "tasks": audit.Needs(postgres, [*clocks, *tasks], recovers=_SCHEDULED),
            "relay": audit.Needs(postgres, [*clocks, *relays], recovers=MAX_WAIT + audit.NOTICED),
            "analytics": audit.Needs(valkey, clocks),
            # A checker worker that waited for a Redis that hangs checks only some time later
            # whether it lost the beat.
            "checker": audit.Needs(
                postgres, [*valkey, *clocks, *tasks], recovers=_HANG_PAUSE + audit.NOTICED
            ),
            # A broker that hangs is noticed when a message is not acknowledged in time. A sink is
            # down until it has answered once more: the relay waits before it tries again, and a
            # relay that was killed keeps the sink's lease for a while.
            "kafka": audit.Needs(
                [kafka],
                [*postgres, *clocks, *relays],
                recovers=MAX_WAIT + audit.NOTICED,
                notices=_SEND_LASTS + audit.NOTICED,
            ),
        }

    def _keep_notes(self) -> None:
        """Write the times of all outages, health answers and errors to a file, for debugging."""
        notes = {
            "clocks": [time.monotonic(), time.time()],
            "outages": {name: part.outages for name, part in self.parts.items()},
            "looks": [look._asdict() for look in self.looks],
            "errors": [one._asdict() for one in self.load.answers if one.status in (0, 500, 503)],
        }
        text = json.dumps(notes, default=asdict)
        (self.plan.folder / "notes.json").write_text(text)
