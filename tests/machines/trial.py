"""The trial: all machines under load, three faults one after another, and no load at the end."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tests.acceptance.processes import until
from tests.chaos.deployments import manage
from tests.kafka.broker import RealBroker
from tests.kafka.judging import Reader
from tests.machines.client import Client
from tests.machines.network import INSIDE, OUTSIDE, WEB, WORLD, Machine, build_bridges
from tests.machines.servers import (
    MASTER,
    Postgres,
    Sentinels,
    Valkey,
    kill,
    master_address,
)
from tests.machines.units import KINDS, PORT, Keeper, Unit
from tests.machines.world import World

EVENT_STATES = ("alive", "potentially_dead", "dead")
HOST_DELAY = 0.3  # seconds
HOSTS, TARGETS = 40, 200
TOPIC = "machines"
VALKEY_DIED = "Valkey's master killed, failed over"
CUT = 30.0  # seconds
_CUT_INSIDE = 20.0  # seconds, longer than a lease of a host
_DECIDES = 3.0  # seconds until the operator promotes the standby
_WARM_UP, _AFTERMATH = 15.0, 25.0  # seconds
_DRAINS_WITHIN = 90.0
SETTINGS = {  # short times and a low load: two cores are enough
    "ALLOW_NETWORKS": WEB,
    "ALLOWED_HOSTS": "*",
    "BASE_URL": "http://links.example",
    "CHECK_INTERVAL": "1s",
    "CHECK_PERIOD": "15s",
    "CHECK_RETRIES": "0",
    "CLIENT_CONNECTIONS": "10000",
    "DEAD_RECHECK_PERIOD": "5s",
    "EVENT_STATES": ",".join(EVENT_STATES),
    "HOST_DELAY": f"{HOST_DELAY * 1000:.0f}ms",
    "HTTP_HOST": "0.0.0.0",
    "HTTP_PORT": str(PORT),
    "HTTP_TIMEOUT": "2s",
    "KAFKA_START": "start",
    "KAFKA_TIMEOUT": "2s",
    "KAFKA_TOPIC": TOPIC,
    "LOG_LEVEL": "INFO",
    "MAX_CONCURRENCY": "40",  # in total, so that no machine waits for places of the other
    "RATE_LIMIT": "100000/1m",
    "RECHECK_PERIOD": "4s",
    "RECHECK_THRESHOLD": "2",
    "SECRET_KEY": "only-for-tests-" + "x" * 40,
}


class Fault(NamedTuple):
    """A fault and its time; monotonic seconds."""

    name: str
    began_at: float
    ended_at: float  # end of the fault: standby promoted, cable plugged in, or new Valkey master


@dataclass
class Trial:
    """A run, with its machines and its parts.

    All processes end with deploy/try-machines.
    """

    folder: Path
    began: float = field(default_factory=time.monotonic)
    faults: list[Fault] = field(default_factory=list)

    def build(self) -> None:
        """Start all servers and the product; return when both web servers are ready."""
        self.folder.chmod(0o755)  # PostgreSQL runs as its own user
        self.data = [Machine("data1", 11), Machine("data2", 12)]
        self.workers = [Machine(f"work{n}", 20 + n, (INSIDE, OUTSIDE)) for n in (1, 2)]
        hosts = build_bridges(HOSTS)
        for machine in (*self.data, *self.workers):
            machine.build()
        self.world = World(hosts)
        self.world.start()
        self._start_servers()
        settings = self._settings()
        manage("migrate", **settings)
        token = manage("create_token", "machines", **settings)
        self.keeper = Keeper(
            [self._unit(kind, machine, settings) for machine in self.workers for kind in KINDS]
        )
        self.keeper.start()
        self.client = Client([one.outer_address for one in self.workers], token, self.world)
        self.reader = Reader(self.kafka.address, TOPIC)
        self.say("all machines run")

    def _start_servers(self) -> None:
        self.postgres, self.standby = [Postgres(one, self.folder) for one in self.data]
        self.postgres.create()
        self.standby.follow(self.postgres)
        self.say("PostgreSQL and its standby")
        self.valkey, self.replica = [Valkey(one, self.folder) for one in self.data]
        self.valkey.start()
        self.replica.start(master=self.valkey)
        Sentinels(self.folder).start(self.data, self.valkey)
        self.say("Valkey, its replica and three Sentinels")
        folder = self.folder / "kafka"
        folder.mkdir()
        self.kafka = RealBroker(folder, host=WORLD)
        self.kafka.start()
        self.kafka.make_topic(TOPIC)
        self.say("Kafka")

    def _settings(self) -> dict[str, str]:
        databases = ",".join(f"{one.address}:5432" for one in self.data)
        sentinels = ",".join(f"{one}:26379" for one in [*(m.address for m in self.data), WORLD])
        return SETTINGS | {
            "DATA_DIR": str(self.folder / "shared"),
            "DATABASE_URL": f"postgresql://postgres@{databases}/linkwatch"
            "?target_session_attrs=read-write",
            "KAFKA_BOOTSTRAP_SERVERS": self.kafka.address,
            "REDIS_URL": f"redis+sentinel://{sentinels}/{MASTER}/0",
        }

    def _unit(self, kind: str, machine: Machine, settings: dict[str, str]) -> Unit:
        own = {"DATA_DIR": str(self.folder / f"{machine.name}-data")}
        log = self.folder / f"{machine.name}-{kind}.log"
        return Unit(kind, machine, settings | own, log)

    def run(self) -> None:
        """Run the trial; at the end, stop checks and wait until all is sent and counted."""
        self.client.prepare(TARGETS)
        self.client.start()
        self.say("clients send requests")
        self._keep_for(_WARM_UP)
        faults = (
            self._kill_database,
            self._cut_off_worker,
            self._kill_valkey,
            self._cut_inside,
        )
        for cause in faults:
            cause()
            self._keep_for(_AFTERMATH)
        self.client.stop()
        self.say("clients have stopped")
        self.keeper.stop("tasks")
        self._drain()

    def _kill_database(self) -> None:
        began_at = time.monotonic()
        kill(self.postgres.process)
        self.say("the primary is killed")
        self._keep_for(_DECIDES)
        self.standby.promote()
        self._note("primary killed, standby promoted", began_at)
        self._keep_for(10)
        self.postgres, self.standby = self.standby, self.postgres
        self.standby.follow(self.postgres)
        self.say("the former primary follows")

    def _cut_off_worker(self) -> None:
        began_at, machine = time.monotonic(), self.workers[1]
        machine.cut_off()
        self.say(f"{machine.name} is cut off")
        self._keep_for(CUT)
        machine.join()
        self._note(f"worker cut off for {CUT:.0f} s", began_at)

    def _kill_valkey(self) -> None:
        began_at = time.monotonic()
        kill(self.valkey.process)
        self.say("the master of Valkey is killed")
        until(lambda: master_address() == self.replica.machine.address and self.replica.role)
        until(lambda: self.replica.role == "master")
        self._note(VALKEY_DIED, began_at)
        self._keep_for(5)
        self.valkey.start()
        until(lambda: self.valkey.role == "slave")
        self.say("the former master follows")

    def _cut_inside(self) -> None:
        """Cut a worker off from the servers only: it still reaches the hosts that it checks."""
        began_at, machine = time.monotonic(), self.workers[0]
        machine.cut_off(INSIDE)
        self.say(f"{machine.name} has no servers")
        self._keep_for(_CUT_INSIDE)
        machine.join()
        self._note(f"worker cut off from the servers for {_CUT_INSIDE:.0f} s", began_at)

    def _note(self, name: str, began_at: float) -> None:
        self.faults.append(Fault(name, began_at, time.monotonic()))
        self.say(name)

    def _drain(self) -> None:
        """Wait until all events have been sent and all views counted, and this has not changed for
        a while."""

        def is_drained() -> bool:
            metrics = self.client.insist("GET", "/v1/metrics")
            self.reader.read()
            return metrics["stream_backlog"] == 0 and not self._events_waiting()

        for pause in (3, 0):
            until(is_drained, within=_DRAINS_WITHIN)
            time.sleep(pause)
        self.client.read_to_end()
        self.reader.read_to_end()
        self.say("all events are sent and all views counted")

    def _events_waiting(self) -> int:
        """Return how many events have no position, and how many sinks lag."""
        query = (
            "SELECT (SELECT count(*) FROM targets_transition WHERE position IS NULL) + "
            "(SELECT count(*) FROM targets_sink WHERE position < "
            "(SELECT max(position) FROM targets_transition))"
        )
        return int(self.postgres.ask(query, database="linkwatch"))

    def _keep_for(self, seconds: float) -> None:
        """Let time pass while reading Kafka."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.reader.read()
            time.sleep(0.1)

    def say(self, what: str) -> None:
        print(f"{time.monotonic() - self.began:6.1f} s: {what}", flush=True)
