"""wrk and the servers that it requests, each in its own process, for benches over HTTP."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from harness import ROOT, debian_program, sized, wait_for_port

from tests.ports import free_port

SECONDS = sized(4, toy=1)
CONNECTIONS = 32

# Prints the results of wrk.
_PRINT_RESULTS = """
function done(summary, latency)
  local failed = summary.errors.status + summary.errors.timeout
  io.write(string.format("RESULT %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(95), failed))
end
"""
# Requests each path of the file PATHS in turn, once if ONCE is set, as AGENTS clients.
_REQUEST_IN_TURN = """
local paths, requests, index, agents = {}, {}, 0, tonumber(os.getenv("AGENTS"))
for path in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = path end
function init()
  for number = 1, math.max(#paths, agents) do
    if agents > 0 then wrk.headers["User-Agent"] = "Agent/" .. number % agents end
    requests[number] = wrk.format("GET", paths[(number - 1) % #paths + 1])
  end
end
function request()
  index = index + 1
  if index >= #requests and os.getenv("ONCE") then wrk.thread:stop() end
  return requests[(index - 1) % #requests + 1]
end
"""


class Load(NamedTuple):
    """The results of wrk."""

    requests: int
    per_second: float
    p95: float  # ms


def wrk(
    port: int,
    paths: Sequence[str],
    *,
    seconds: int = SECONDS,
    connections: int = CONNECTIONS,
    once: bool = False,
    agents: int = 0,
) -> Load:
    """Request these paths in turn and return the results; raises RuntimeError for errors.

    `agents`: the number of clients, distinguished by their User-Agent.
    """
    with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as folder:
        script, file = Path(folder) / "paths.lua", Path(folder) / "paths"
        script.write_text(_PRINT_RESULTS if len(paths) == 1 else _PRINT_RESULTS + _REQUEST_IN_TURN)
        file.write_text("\n".join(paths) + "\n")
        command = [debian_program("wrk", package="wrk"), "-t1", f"-c{connections}"]
        command += [f"-d{seconds}s", "-s", str(script), f"http://127.0.0.1:{port}{paths[0]}"]
        environ = os.environ | {"PATHS": str(file), "AGENTS": str(agents)}
        environ |= {"ONCE": "1"} if once else {}
        completed = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    match = re.search(r"RESULT (\d+) (\d+) (\d+) (\d+)", completed.stdout)
    if match is None or match[4] != "0":
        raise RuntimeError(completed.stdout)
    requests, microseconds, p95 = int(match[1]), int(match[2]), int(match[3])
    return Load(requests, requests / microseconds * 1_000_000, p95 / 1000)


@contextmanager
def web() -> Iterator[int]:
    port = free_port()
    with process([sys.executable, "manage.py", "run_web"], port, HTTP_PORT=str(port)):
        yield port


@contextmanager
def process(command: list[str], port: int, **variables: str) -> Iterator[None]:
    """Run a server until the end of the block, which begins once it can be connected to."""
    running = subprocess.Popen(command, cwd=ROOT, env=os.environ | variables)
    try:
        wait_for_port("127.0.0.1", port, seconds=30)
        yield
    finally:
        running.terminate()
        running.wait(timeout=30)
