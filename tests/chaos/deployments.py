"""The two deployments that chaos runs on: many processes on PostgreSQL, and `manage.py up`."""

import random
import re
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.acceptance.processes import ROOT, environment, is_alive, until
from tests.batches.receiving import CallbackReceiver
from tests.chaos import audit, batch_audit, copies, repair_audit
from tests.chaos.load import Load
from tests.chaos.network_and_clock import TimeOfDay, Wire
from tests.chaos.parts import GRACE, Part, Process
from tests.chaos.run import Chaos, Plan
from tests.chaos.servers import Kafka, Postgres, Valkey
from tests.chaos.zoo import Zoo
from tests.hours.clock import Clock
from tests.kafka.judging import Reader, id_of
from tests.ports import free_port

_POSTGRES, _VALKEY = ("postgres", "postgres-wire"), ("valkey", "valkey-wire")
NEEDS = {  # the servers that each process depends on
    "web": (*_POSTGRES, *_VALKEY),
    "tasks": (*_POSTGRES, *_VALKEY),
    "relay": (*_POSTGRES, "kafka"),
    "analytics": (*_POSTGRES, *_VALKEY),
}
SETTINGS = {  # short times, so that much happens
    "ALLOW_NETWORKS": "127.0.0.0/8",
    "BUSY_TIMEOUT": "9s",
    "CHECK_BACKOFF": "100ms",
    "CHECK_INTERVAL": "1s",
    "CHECK_PERIOD": "6s",
    "CHECK_RETRIES": "1",
    "EVENT_STATES": ",".join(audit.EVENT_STATES),
    "HOST_DELAY": "200ms",
    "HTTP_TIMEOUT": "1s",
    "KAFKA_TIMEOUT": "2s",
    "LOG_LEVEL": "WARNING",
    "RATE_LIMIT": "100000/1m",
    "RECHECK_PERIOD": "2s",
    "SECRET_KEY": "only-for-tests-" + "x" * 40,
    "SHUTDOWN_GRACE": f"{GRACE:.0f}s",
}


def manage(*command: str, **settings: str) -> str:
    """Run a command to its end and return what it prints."""
    whole = [sys.executable, "manage.py", *command]
    done = subprocess.run(
        whole, cwd=ROOT, env=environment(**settings), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def _write_history(settings: dict[str, str]) -> None:
    """Write the data for repairs and copies: pages that moved long ago or have died."""
    manage("shell", "-c", repair_audit.SINCE_LONG_AGO + copies.REGISTER, **settings)


def _basics(name: str, plan: Plan) -> tuple[str, Path, random.Random]:
    """Return a part's name, log and random number generator."""
    return name, plan.folder / f"{name}.log", random.Random(f"{plan.seed} {name}")


def cluster(plan: Plan) -> list[str]:
    """Cause faults in processes of each kind and their servers; return the violations."""
    with copies.archive() as archive:
        return _cluster(plan, SETTINGS | copies.settings(archive))


def _cluster(plan: Plan, basics: dict[str, str]) -> list[str]:
    postgres = Postgres(*_basics("postgres", plan), clock=_clock("postgres", plan))
    valkey = Valkey(*_basics("valkey", plan), clock=_clock("valkey", plan))
    kafka = Kafka(*_basics("kafka", plan))
    parts: dict[str, Part] = {"postgres": postgres, "valkey": valkey, "kafka": kafka}
    zoo = Zoo(plan.hosts)
    zoo.start()
    receiver = CallbackReceiver(batch_audit.receiver_status)
    try:
        receiver.start()
        for server in [*parts.values()]:
            server.start()
        wires = [
            _wire("postgres-wire", plan, postgres.socket),
            _wire("valkey-wire", plan, valkey.socket),
        ]
        parts |= {wire.name: wire for wire in wires}
        settings = basics | {
            "DATA_DIR": str(plan.folder / "data"),
            "DATABASE_URL": f"postgresql://postgres@127.0.0.1:{wires[0].port}/postgres",
            "KAFKA_API_VERSION": kafka.api_version,
            "KAFKA_BOOTSTRAP_SERVERS": kafka.address,
            "KAFKA_START": "start",
            "KAFKA_TOPIC": kafka.topic,
            "REDIS_URL": f"redis://127.0.0.1:{wires[1].port}/0",
        }
        load = _start_processes(plan, parts, settings, zoo, receiver)
        parts["clocks"] = clocks = _time_of_day(plan, parts)
        if plan.release:
            for part in [*wires, clocks]:
                part.faults = ()
            postgres.faults = valkey.faults = ("kill", "restart")
        chaos = Chaos(plan, parts, [postgres, valkey, *wires], clocks, load, zoo, receiver)
        chaos.backdate = lambda: _write_history(settings)
        faults = _judge_cluster(chaos, database=postgres.url, address=kafka.address)
        return faults + _delete_batches(postgres.url, settings)
    finally:
        for part in reversed(parts.values()):
            part.destroy()
        zoo.stop()
        receiver.stop()


def _clock(name: str, plan: Plan) -> Clock:
    """Return a clock that only this part uses."""
    return Clock(plan.folder / f"{name}.clock")


def _wire(name: str, plan: Plan, socket: str) -> Wire:
    wire = Wire(*_basics(name, plan), socket=socket)
    wire.start()
    return wire


def _time_of_day(plan: Plan, parts: dict[str, Part]) -> TimeOfDay:
    clocks = [part.clock for part in parts.values() if part.clock]
    return TimeOfDay(*_basics("clocks", plan), clocks=clocks)


def _start_processes(
    plan: Plan,
    parts: dict[str, Part],
    settings: dict[str, str],
    zoo: Zoo,
    receiver: CallbackReceiver,
) -> Load:
    manage("migrate", **settings)
    # A setting of the operator: callbacks of other people reach no loopback address.
    person = {"DJANGO_SUPERUSER_PASSWORD": "only-for-tests", "DJANGO_SUPERUSER_EMAIL": ""}
    manage("createsuperuser", "--noinput", "--username=chaos", **person, **settings)
    token = manage("create_token", "chaos", **settings)
    ports = [free_port(), free_port()]
    for number, port in enumerate(ports, start=1):
        for kind, needs in NEEDS.items():
            name = f"{kind}{number}"
            parts[name] = Process(
                *_basics(name, plan),
                code=plan.release if plan.release and number == 2 else ROOT,
                faults=("kill", "stop", "restart", *([] if plan.release else ["jump"])),
                clock=_clock(name, plan),
                command=f"run_{kind}",
                needs=[parts[server] for server in needs],
                settings=settings | {"HTTP_PORT": str(port)},
                url=f"http://127.0.0.1:{port}/livez" if kind == "web" else None,
                kills_children=kind == "tasks",
            )
            parts[name].start()
    return Load(ports, token, zoo, receiver, seed=plan.seed)


def _judge_cluster(chaos: Chaos, *, database: str, address: str) -> list[str]:
    with Reader(address, Kafka.topic) as reader:
        over = threading.Event()
        along = threading.Thread(target=_read_along, args=[reader, over])
        along.start()
        try:
            chaos.cause_faults()
            if chaos.plan.release:
                _upgrade_tasks(chaos, database)
            chaos.finish_batches(database)
            chaos.finish_copies(database)
            if chaos.plan.release:
                _roll_back(chaos, chaos.plan.release)
            for part in chaos.named("tasks"):
                part.end()
            chaos.drain()
        finally:
            over.set()
            along.join()
        events = [one for one in audit.transitions(database) if one.to_state in audit.EVENT_STATES]
        messages = reader.read_to_end()
    views = chaos.views()
    faults = audit.feed(chaos.load, [one.id for one in events])
    faults += audit.kafka(((one.key().decode(), id_of(one)) for one in messages), events)
    for part in [*chaos.named("relay"), *chaos.named("analytics"), *chaos.named("web")]:
        part.end()
    faults += audit.registry(database, chaos.load.registered)
    faults += batch_audit.faults(database, chaos.load.batches, chaos.receiver.got)
    faults += repair_audit.faults(database, chaos.load.repairs)
    faults += copies.faults(database)
    chaos.print_figures()
    if chaos.plan.release is None:  # an earlier release may report fewer parts of its health
        faults += chaos.health().faults()
    print(f"{len(events)} events, {len(messages)} messages in Kafka; {views}", flush=True)
    return faults + views.faults() + chaos.faults()


def _delete_batches(database: str, settings: dict[str, str]) -> list[str]:
    """Run the cleanups after BATCH_RETENTION; return the batches that are left."""
    manage("shell", "-c", batch_audit.FORGET, **settings)
    return batch_audit.left(database)


def _upgrade_tasks(chaos: Chaos, database: str) -> None:
    """Let each `run_tasks` run this code, and repeat all jobs: the release has failed at those that
    it does not know."""
    for part in chaos.named("tasks"):
        if isinstance(part, Process) and part.code != ROOT:
            part.end()
            part.code = ROOT
            part.start()
    audit.rows(database, "UPDATE django_q_schedule SET next_run = now() RETURNING id")


def _roll_back(chaos: Chaos, release: Path) -> None:
    """Let every process run only the release's code, and check targets for a while."""
    for part in chaos.parts.values():
        if isinstance(part, Process) and part.code != release:
            part.end()
            part.code = release
            part.start()
    checks = len(chaos.zoo.asked_at)
    until(lambda: len(chaos.zoo.asked_at) > checks + chaos.plan.hosts)


def _read_along(reader: Reader, over: threading.Event) -> None:
    while not over.is_set():
        reader.read()


@dataclass
class Up(Process):
    """`manage.py up`, which restarts its own children."""

    release: Path | None = None  # the checkout that every second start runs

    def start(self) -> None:
        """Start the part; if there is a release, alternate between the two versions of the code."""
        if self.release is not None and self.process is not None:
            self.code = ROOT if self.code == self.release else self.release
            print(f"    {self.name} runs the code of {self.code}", flush=True)
        super().start()

    def kill_child(self, _: float) -> None:
        """Kill one of the product's processes; `up` restarts it soon."""
        children = self._living()
        victim = self.chance.choice(children)
        print(f"    which is {victim.name()}", flush=True)
        with self.striking():
            victim.kill()
        until(lambda: not is_alive(victim))
        # A process that was killed just before may come back as well.
        until(lambda: len(self._living()) >= len(children) and self.is_ready())

    def _living(self) -> list[psutil.Process]:
        return [child for child in self.process.children() if is_alive(child)]


def up(plan: Plan) -> list[str]:
    """Cause faults in `manage.py up` on SQLite and its children; return the violations."""
    with copies.archive() as archive:
        return _up(plan, SETTINGS | copies.settings(archive))


def _up(plan: Plan, basics: dict[str, str]) -> list[str]:
    port, data = free_port(), plan.folder / "data"
    database = str(data / "linkwatch.db")
    settings = basics | {"DATA_DIR": str(data), "HTTP_PORT": str(port)}
    part = Up(
        *_basics("up", plan),
        release=plan.release,
        faults=("kill", "kill_child", "restart"),
        clock=_clock("up", plan),
        command="up",
        settings=settings,
        url=f"http://127.0.0.1:{port}/readyz",
    )
    zoo = Zoo(plan.hosts)
    zoo.start()
    receiver = CallbackReceiver(batch_audit.receiver_status)
    try:
        receiver.start()
        part.start()
        token = until(lambda: re.findall(r"API token +(\w+)", part.log.read_text()))
        load = Load([port], token[0], zoo, receiver, seed=plan.seed)
        parts: dict[str, Part] = {"up": part}
        parts["clocks"] = clocks = _time_of_day(plan, parts)
        if plan.release:
            clocks.faults = ()
        chaos = Chaos(plan, parts, [part], clocks, load, zoo, receiver)
        chaos.backdate = lambda: _write_history(settings)
        chaos.cause_faults()
        if part.code == plan.release:  # the release has no batches
            part.end()
            part.start()
        chaos.finish_batches(database)
        chaos.finish_copies(database)
        chaos.drain()
        views = chaos.views()
        part.end()
        if plan.release and part.code != plan.release:  # at the end it has been rolled back
            part.start()
            part.end()
        manage("run_relay", "--once", **settings)
        faults = audit.registry(database, load.registered)
        faults += batch_audit.faults(database, load.batches, receiver.got)
        faults += repair_audit.faults(database, load.repairs)
        faults += copies.faults(database)
        chaos.print_figures()
        print(views, flush=True)
        return faults + views.faults() + chaos.faults() + _delete_batches(database, settings)
    finally:
        part.destroy()
        zoo.stop()
        receiver.stop()
