"""A Kafka for tests: a real broker, or librdkafka's mock cluster.

The real broker is `kafka.Kafka` in KRaft mode from Maven's artefacts (pom.xml), copied once into
the user's cache; `python -m tests.kafka.broker` does only that. The mock speaks the protocol and
nothing more: tests that kill or configure a broker can't use it.
"""

import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

import trustme
from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import (
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewTopic,
)

from tests.acceptance.processes import until
from tests.ports import free_port

POM = Path(__file__).parent / "pom.xml"
USER, PASSWORD = "linkwatch", "correct horse"
PROPERTIES = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@{host}:{controller}
controller.listener.names=CONTROLLER
listeners=PLAIN://{host}:{port},SECURE://{host}:{secure},CONTROLLER://{host}:{controller}
advertised.listeners=PLAIN://{host}:{port},SECURE://{host}:{secure}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAIN:PLAINTEXT,SECURE:SASL_SSL
inter.broker.listener.name=PLAIN
log.dirs={folder}/data
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=5000
broker.heartbeat.interval.ms=500
listener.name.secure.sasl.enabled.mechanisms=PLAIN
listener.name.secure.plain.sasl.jaas.config=\
org.apache.kafka.common.security.plain.PlainLoginModule required user_{user}="{password}";
listener.name.secure.ssl.keystore.type=PEM
listener.name.secure.ssl.keystore.location={folder}/server.pem
"""


class UnavailableError(Exception):
    """No real broker is available on this machine."""


def artefacts() -> Path:
    """Return the folder with the broker's jars; Maven downloads missing ones."""
    if not (shutil.which("java") and shutil.which("mvn")):
        raise UnavailableError("Java or Maven is missing")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "linkwatch-kafka"
    folder = cache / hashlib.sha256(POM.read_bytes()).hexdigest()[:16]
    if folder.exists():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(dir=cache))
    goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={part}"]
    try:
        _maven(*goal)
    except UnavailableError:
        shutil.rmtree(part)
        raise
    try:
        part.rename(folder)
    except OSError:  # another run finished first
        shutil.rmtree(part)
    return folder


def _maven(*arguments: str) -> None:
    """Run Maven; retry a failure, because Maven downloads over the network."""
    for pause in (5, 20, 60, None):
        command = ["mvn", "-q", "-B", "-f", str(POM), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return
        if pause is not None:
            time.sleep(pause)
    raise UnavailableError(f"Maven failed: {done.stdout[-500:]}")


class RealBroker:
    """A broker that is its own controller, with its data in `folder`."""

    is_real = True
    api_version = ""

    def __init__(self, folder: Path, *, host: str = "127.0.0.1") -> None:
        self.folder = folder
        self.jars = artefacts()
        self.port, self.secure_port, controller = free_port(), free_port(), free_port()
        self.address = f"{host}:{self.port}"
        self.secure_address = f"{host}:{self.secure_port}"
        self.process: subprocess.Popen[bytes] | None = None
        self._make_certificates()
        self.properties = folder / "server.properties"
        self.properties.write_text(
            PROPERTIES.format(
                host=host,
                port=self.port,
                secure=self.secure_port,
                controller=controller,
                folder=folder,
                user=USER,
                password=PASSWORD,
            )
        )
        uuid_of_cluster = "MkU3OEVBNTcwNTJENDM2Qk"
        command = self._java("kafka.tools.StorageTool", "format", "-t", uuid_of_cluster, "-c")
        subprocess.run([*command, str(self.properties)], check=True, capture_output=True)

    def _make_certificates(self) -> None:
        authority = trustme.CA()
        self.ca_file = self.folder / "ca.pem"
        authority.cert_pem.write_to_path(str(self.ca_file))
        chain = authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.bytes()
        # Java reads keys in PKCS 8 only.
        pem = self.folder / "server.pem"
        pem.write_bytes(_as_pkcs8(chain))

    def _java(self, *arguments: str) -> list[str]:
        jvm = ["java", "-Xmx384m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
        return [*jvm, "-cp", f"{self.jars}/*", *arguments]

    def start(self) -> None:
        """Start the broker and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self._java("kafka.Kafka", str(self.properties)), stdout=log, stderr=log
            )
        until(self._answers, within=180)

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "log").read_text()[-2000:]
        try:
            return bool(self.admin().list_topics(timeout=5).brokers)
        except KafkaException:
            return False

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Stop the broker by its pid."""
        process, self.process = self.process, None
        if process is not None:
            process.send_signal(number)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def admin(self) -> AdminClient:
        return AdminClient({"bootstrap.servers": self.address, "log_level": 0})

    def make_topic(self, name: str | None = None, **options: str) -> str:
        """Create a topic with three partitions; return its name."""
        name = name or f"events-{uuid.uuid4().hex[:8]}"
        topic = NewTopic(name, num_partitions=3, replication_factor=1, config=options)
        admin = self.admin()  # keep it: its end cancels the request
        admin.create_topics([topic])[name].result(60)
        return name

    def change_topic(self, name: str, option: str, value: str) -> None:
        entry = ConfigEntry(option, value, incremental_operation=AlterConfigOpType.SET)
        resource = ConfigResource("TOPIC", name, incremental_configs=[entry])
        admin = self.admin()
        admin.incremental_alter_configs([resource])[resource].result(60)


class MockBroker:
    """librdkafka's mock cluster in this process; it creates topics on first use."""

    is_real = False
    api_version = "2.0"  # kafka-python can't detect its version

    def __init__(self) -> None:
        self.cluster = Producer({"test.mock.num.brokers": 1, "log_level": 0})
        brokers = self.cluster.list_topics(timeout=60).brokers
        first = next(iter(brokers.values()))
        self.address = f"{first.host}:{first.port}"

    def make_topic(self, name: str | None = None) -> str:
        name = name or f"events-{uuid.uuid4().hex[:8]}"
        self.cluster.list_topics(name, timeout=60)
        return name

    def stop(self) -> None:
        pass


def _as_pkcs8(pem: bytes) -> bytes:
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
        load_pem_private_key,
    )

    key = load_pem_private_key(pem, None)
    certificates = pem[pem.index(b"-----BEGIN CERTIFICATE") :]
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + certificates


if __name__ == "__main__":
    artefacts()
