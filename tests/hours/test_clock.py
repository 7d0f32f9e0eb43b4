"""A clock that tests set: which programs see it, and which must not."""

import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.hours.__main__ import MOMENTS
from tests.hours.clock import Clock

pytestmark = pytest.mark.any_database
LEAP_DAY = datetime(2028, 2, 29, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
WAITS = """
import multiprocessing, queue, threading, time
began = time.monotonic()
time.sleep(0.05)
assert not threading.Event().wait(0.05)
assert not multiprocessing.Semaphore(0).acquire(timeout=0.05)
try:
    queue.SimpleQueue().get(timeout=0.05)
except queue.Empty:
    print(0.2 <= time.monotonic() - began < 60)
"""
SHOWS = "import sys, time\nfor _ in sys.stdin: print(time.time(), time.monotonic(), flush=True)"


@pytest.fixture
def clock(tmp_path):
    return Clock(tmp_path / "clock")


def python(clock, script):
    return [sys.executable, "-c", script], {"env": {**os.environ, **clock.environment}}


def test_a_process_and_its_children_see_the_simulated_time(clock):
    clock.shift = LEAP_DAY - datetime.now(UTC)
    script = "import subprocess; subprocess.run(['date', '-u', '+%F'])"
    command, options = python(clock, script)
    shown = subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout
    assert shown == "2028-02-29\n"


@pytest.mark.parametrize("shift", [HOUR, -HOUR])
def test_timeouts_do_not_change(clock, shift):
    clock.shift = shift
    command, options = python(clock, WAITS)
    done = subprocess.run(command, check=True, capture_output=True, text=True, **options)
    assert done.stdout == "True\n"


def test_a_clock_jump_changes_only_the_time_of_day_of_running_processes(clock):
    command, options = python(clock, SHOWS)
    stdin = stdout = subprocess.PIPE
    with subprocess.Popen(command, text=True, stdin=stdin, stdout=stdout, **options) as process:

        def look():
            process.stdin.write("\n")
            process.stdin.flush()
            return [float(word) for word in process.stdout.readline().split()]

        time, steady = look()
        clock.shift = -HOUR
        later, steady_later = look()
        process.stdin.close()
    assert later - time == pytest.approx(-3600 + steady_later - steady, abs=0.1)


def test_a_process_without_the_clock_file_fails(clock, tmp_path):
    command, options = python(clock, "")
    options["env"]["SHIFTED_CLOCK"] = str(tmp_path / "nothing")
    done = subprocess.run(command, check=False, capture_output=True, text=True, **options)
    assert (done.returncode, done.stderr.count("SHIFTED_CLOCK")) == (126, 1)


def test_a_release_runs_each_moment():
    script = Path(__file__).parents[2] / "deploy/release-check"
    listed = re.search(r"^moments=\((.*)\)$", script.read_text(), re.MULTILINE)
    assert listed
    assert sorted(listed[1].split()) == sorted(MOMENTS)
