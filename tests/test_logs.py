"""Log lines of processes are JSON with time zones, even when a process fails."""

import json
import logging
import sys
import threading
from datetime import UTC, datetime

import pytest
from django.core.management.base import CommandError

from linkwatch.logs import TextFormatter, log_failures_as_json, logs_json
from tests.test_settings import start

pytestmark = pytest.mark.any_database


@pytest.fixture
def log(monkeypatch, capsys):
    """Return the lines that were written to standard error since the last call."""
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    return lambda: [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_a_failed_start_logs_a_line_for_each_reason(tmp_path):
    done = start(tmp_path, command="run_web", HTTP_PORT="0", LOG_LEVEL="loud")
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [line["message"].split(":")[0] for line in lines] == [
        "setting HTTP_PORT",
        "setting LOG_LEVEL",
    ]
    assert {line["level"] for line in lines} == {"CRITICAL"}
    assert all(line["time"].endswith("Z") for line in lines)
    assert done.returncode == 1
    nowhere = str(tmp_path / "none" / "linkwatch.db")
    done = start(tmp_path, command="run_tasks", DATABASE_URL=nowhere)
    last = [json.loads(line) for line in done.stderr.splitlines()][-1]
    assert (done.returncode, "migrate" in last["message"]) == (1, True)


def test_a_command_explains_the_failure_in_words(tmp_path):
    done = start(tmp_path, HTTP_PORT="0")
    assert (
        done.stderr == "linkwatch: setting HTTP_PORT: '0' is not a whole number from 1 to 65535.\n"
    )
    assert not logs_json(["manage.py", "run_relay", "--once"])


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (CommandError("No.", returncode=3), 3, "No."),
        (SystemExit("One.\nTwo."), 1, "One."),
        (ValueError("x"), 1, "The process has crashed"),
    ],
)
def test_any_failure_that_ends_a_process_is_logged_as_one_line(log, error, status, message):
    with pytest.raises(SystemExit) as end, log_failures_as_json():
        raise error
    line = log()[0]
    assert (end.value.code, line["message"]) == (status, message)
    assert ("exc_info" in line) == isinstance(error, ValueError)


def test_other_exits_of_a_process_are_unchanged(log):
    with pytest.raises(SystemExit) as end, log_failures_as_json():
        sys.exit(0)
    assert (end.value.code, log()) == (0, [])


def test_a_crash_of_a_thread_is_logged_as_one_line(log):
    def crash():
        raise ValueError("in a thread")

    with log_failures_as_json():
        thread = threading.Thread(target=crash, name="the feeder")
        thread.start()
        thread.join()
    [line] = log()
    assert line["message"] == "the feeder has crashed"
    assert "in a thread" in line["exc_info"]


def test_times_have_their_zone_in_the_readable_format_too():
    record = logging.LogRecord("a", logging.INFO, "", 1, "b", (), None)
    record.created = datetime(2026, 3, 1, 12, 0, 0, 5000, tzinfo=UTC).timestamp()
    assert TextFormatter().format(record) == "2026-03-01T12:00:00.005Z INFO a: b"


@pytest.mark.parametrize(("durability", "synchronous"), [("crash", "1"), ("power", "2")])
def test_durability_says_whether_a_commit_waits_for_the_disk(tmp_path, durability, synchronous):
    script = (
        "from django.db import connection\n"
        "with connection.cursor() as cursor:\n"
        "    print(*cursor.execute('PRAGMA synchronous').fetchone())\n"
    )
    done = start(tmp_path, "-c", script, command="shell", DURABILITY=durability)
    assert done.stdout.splitlines()[-1] == synchronous


def test_any_other_durability_is_refused(tmp_path):
    assert "use crash or power" in start(tmp_path, DURABILITY="fire").stderr
