"""`make up` with Kafka: a URL dies, and a consumer from another library soon gets the event."""

import re
import time
from datetime import datetime

import pytest

from tests import migrated
from tests.acceptance.processes import Client, answers, running, until
from tests.counting_server import counting_server
from tests.kafka.judging import Reader, headers_of
from tests.ports import free_port

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]


def test_a_consumer_gets_a_death_within_two_seconds(broker, tmp_path):
    topic = broker.make_topic()
    port = free_port()
    base, log = f"http://127.0.0.1:{port}", tmp_path / "log"
    migrated.copy_to(tmp_path / "data/linkwatch.db")
    with (
        running(
            "up",
            log=log,
            DATA_DIR=str(tmp_path / "data"),
            HTTP_PORT=str(port),
            ALLOW_NETWORKS="127.0.0.0/8",
            RECHECK_THRESHOLD="1",
            CHECK_RETRIES="0",
            CHECK_INTERVAL="1s",
            KAFKA_BOOTSTRAP_SERVERS=broker.address,
            KAFKA_API_VERSION=broker.api_version,
            KAFKA_TOPIC=topic,
        ),
        Reader(broker.address, topic) as reader,
        counting_server(["127.0.0.2"], status=lambda path: 404) as site,
    ):
        until(lambda: answers(base + "/readyz"))
        call = Client(base, re.search(r"API token +(\w+)", log.read_text())[1])
        delays = []
        while min(delays, default=9) > 2 and len(delays) < 20:  # the machine may be busy
            gone = site.url("127.0.0.2", f"/page-{len(delays)}")
            target = call("POST", "/v1/targets", {"url": gone, "reference_id": "doc-1"})
            *_, message = reader.read_until(lambda: len(reader.messages) > len(delays))
            died = datetime.fromisoformat(headers_of(message)["ce_time"].decode()).timestamp()
            delays.append(time.time() - died)
            assert message.key().decode() == target["id"]

        assert min(delays) <= 2, f"it took {delays} s"
        until(lambda: call("GET", "/v1/stats")["sinks"]["kafka"]["pending"] == 0)
        assert call("GET", "/v1/health")["dependencies"]["kafka"] == "ok"
