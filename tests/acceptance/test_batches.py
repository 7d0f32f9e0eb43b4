"""A batch survives the end of all processes, and its callback arrives."""

import os
import re
import signal
from contextlib import suppress

import psutil
import pytest

from foundation.ids import raw_id
from tests import migrated
from tests.acceptance.processes import Client, answers, running, until
from tests.batches.receiving import CallbackReceiver
from tests.counting_server import counting_server
from tests.ports import free_port

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

SITES = [f"127.8.0.{number}" for number in range(1, 4)]


def kill(up):
    """Kill the process and all its children at once."""
    family = [psutil.Process(up.pid), *psutil.Process(up.pid).children(recursive=True)]
    for process in family:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    psutil.wait_procs(family, timeout=10)


@pytest.fixture
def receiver():
    receiver = CallbackReceiver()
    receiver.start()
    yield receiver
    receiver.stop()


def test_a_batch_completes_and_calls_back_after_all_processes_were_killed(tmp_path, receiver):
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    changes = {"DATA_DIR": str(tmp_path / "data"), "HTTP_PORT": str(port)}
    changes |= {"ALLOW_NETWORKS": "127.0.0.0/8", "HOST_DELAY": "3s", "CHECK_INTERVAL": "500ms"}
    log = tmp_path / "log"
    migrated.copy_to(tmp_path / "data/linkwatch.db")
    with counting_server(SITES) as site:
        with running("up", log=log, **changes) as up:
            until(lambda: answers(f"{base}/readyz"))
            token = until(lambda: re.search(r"API token +(\w+)", log.read_text()))[1]
            api = Client(base, token)
            urls = [site.url(host, f"/{number}") for host in SITES for number in range(3)]
            made = api(
                "POST", "/v1/batches", {"urls": urls, "max_age": "1h", "callback_url": receiver.url}
            )
            until(lambda: site.requests)
            kill(up)
        assert made["counts"]["waiting"] == len(urls)
        assert site.requests.total() < len(urls), "it was killed in the middle"
        assert not receiver.got
        with running("up", log=log, **changes):
            until(lambda: answers(f"{base}/readyz"))
            until(lambda: api("GET", f"/v1/batches/{made['id']}")["done"], within=240)
            until(lambda: receiver.got)
            batch = api("GET", f"/v1/batches/{made['id']}")
            assert api("GET", "/v1/targets")["items"] == []
    assert {item["status"] for item in batch["items"]} == {"checked"}
    assert {item["state"] for item in batch["items"]} == {"alive"}
    for callback in receiver.got:
        assert callback.is_signed(made["secret"])
        assert callback.id == str(raw_id("batch", made["id"]))
        assert callback.data["counts"]["checked"] == len(urls)
