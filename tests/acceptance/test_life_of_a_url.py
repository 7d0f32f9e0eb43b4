"""`make up`, then the README's first five minutes, as a newcomer would have them."""

import re
import signal
import sqlite3
import subprocess
import sys
import time

import psutil
import pytest

from tests.acceptance.processes import (
    ROOT,
    Client,
    answers,
    environment,
    free_port,
    is_alive,
    running,
    until,
)
from tests.counting_server import counting_server

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

SHUTDOWN_GRACE = 5


@pytest.fixture
def settings_of_product(tmp_path):
    return {
        "DATA_DIR": str(tmp_path / "data"),
        "HTTP_PORT": str(free_port()),
        "ALLOW_NETWORKS": "127.0.0.0/8",
        "RECHECK_PERIOD": "2s",
        "HTTP_TIMEOUT": "2s",
        "CHECK_INTERVAL": "1s",
        "SHUTDOWN_GRACE": f"{SHUTDOWN_GRACE}s",
    }


def test_a_url_is_registered_lives_dies_and_is_told_of(tmp_path, settings_of_product):
    log = tmp_path / "log"
    base = f"http://127.0.0.1:{settings_of_product['HTTP_PORT']}"
    with running("up", log=log, **settings_of_product) as up:
        until(lambda: answers(base + "/readyz"))
        token = re.search(r"API token +(\w+)", log.read_text())[1]
        call = Client(base, token)

        with counting_server(["127.0.0.1"]) as site:
            url = site.url("127.0.0.1", "/page")
            target = call("POST", "/v1/targets", {"url": url, "reference_id": "doc-1"})
            assert target["state"] == "pending"
            path = f"/v1/targets/{target['id']}"
            until(lambda: call("GET", path)["state"] == "alive")
        call("POST", path + "/check")  # the site is stopped now
        until(lambda: call("GET", path)["state"] == "potentially_dead")
        until(lambda: call("GET", path)["state"] == "dead")

        events = until(lambda: call("GET", "/v1/events")["items"])
        assert [event["data"]["reference_ids"] for event in events] == [["doc-1"]]
        assert events[0]["type"] == "linkwatch.target.dead"
        outcomes = [result["outcome"] for result in call("GET", path + "/results")["items"]]
        assert outcomes == ["failure", "failure", "failure", "success"]
        states = [move["to_state"] for move in call("GET", path + "/transitions")["items"]]
        assert states == ["dead", "potentially_dead", "alive"]
        assert call("GET", "/v1/stats")["targets"]["dead"] == 1
        assert call("GET", "/v1/health")["status"] == "ok"

        children = psutil.Process(up.pid).children()
        assert len(children) >= 4
        began = time.monotonic()
        up.send_signal(signal.SIGTERM)
        assert up.wait(SHUTDOWN_GRACE + 2) == 0
        assert time.monotonic() - began < SHUTDOWN_GRACE + 2
    assert [child for child in children if is_alive(child)] == []
    assert _leases(tmp_path / "data" / "linkwatch.db") == []


def test_whoever_kills_the_supervisor_kills_everything(tmp_path, settings_of_product):
    base = f"http://127.0.0.1:{settings_of_product['HTTP_PORT']}"
    with running("up", log=tmp_path / "log", **settings_of_product) as up:
        until(lambda: answers(base + "/readyz"))
        supervisor = psutil.Process(up.pid)
        until(lambda: len(supervisor.children()) >= 4)
        family = supervisor.children(recursive=True)
        up.kill()
        up.wait()
        until(lambda: not any(is_alive(child) for child in family), within=SHUTDOWN_GRACE + 5)


def test_a_process_that_dies_is_started_again(tmp_path, settings_of_product):
    base = f"http://127.0.0.1:{settings_of_product['HTTP_PORT']}"
    with running("up", log=tmp_path / "log", **settings_of_product) as up:
        until(lambda: answers(base + "/readyz"))
        children = psutil.Process(up.pid).children()
        next(child for child in children if "run_web" in child.cmdline()).kill()
        until(lambda: not answers(base + "/livez"))
        until(lambda: answers(base + "/livez"))


def test_a_second_one_on_the_same_data_is_refused_with_a_sentence(tmp_path, settings_of_product):
    base = f"http://127.0.0.1:{settings_of_product['HTTP_PORT']}"
    with running("up", log=tmp_path / "log", **settings_of_product):
        until(lambda: answers(base + "/readyz"))
        for changes, sentence in (
            ({}, "Linkwatch already runs on"),
            ({"DATA_DIR": str(tmp_path / "other")}, "HTTP_HOST, HTTP_PORT: 127.0.0.1"),
        ):
            log = tmp_path / "second"
            with running("up", log=log, **{**settings_of_product, **changes}) as second:
                assert second.wait(20) == 1
            assert sentence in log.read_text()


def _leases(path):
    with sqlite3.connect(path) as database:
        found = database.execute("SELECT key FROM hosts_slot WHERE token IS NOT NULL").fetchall()
    database.close()
    return found


def test_bad_settings_stop_start_up_with_a_sentence_each(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "up"],
        cwd=ROOT,
        env=environment(DATA_DIR=str(tmp_path), CHECK_INTERVAL="15x", HTTP_PORT="0"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "linkwatch: setting HTTP_PORT: 0 is not between 1 and 65535.",
        "linkwatch: setting CHECK_INTERVAL: "
        "'15x' is not a duration such as 200ms, 15s, 1h30m or 10d.",
    ]
