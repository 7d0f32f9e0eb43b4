"""Measures the path of a request: our modules and functions that it runs, and moves between them.

A function is counted once, even if it is called several times. A move is a call from a function of
one module to a function of another; code of libraries between the two is left out. A resumed
coroutine counts as another call. Runs on SQLite without Valkey, so that nothing else runs. To
compare two commits, run `python bench/journeys.py` on each.
"""

import asyncio
import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from types import CodeType, FrameType
from typing import Any

import httpx
from harness import ROOT, report, sqlite

BASELINE = {"modules": 43, "functions": 178, "moves": 80}  # of 0.2.0
_IGNORED_FOLDERS = ("tests", "bench", ".venv", "migrations")


@dataclass
class Journey:
    """The calls of a request."""

    functions: set[CodeType] = field(default_factory=set)
    moves: int = 0

    @property
    def figures(self) -> dict[str, int]:
        """How many modules and functions there were, and how many moves."""
        modules = {code.co_filename for code in self.functions}
        return {"modules": len(modules), "functions": len(self.functions), "moves": self.moves}

    def record(self, frame: FrameType, event: str, _argument: object) -> None:
        """Record a call; called by the profiler."""
        code = frame.f_code
        if event != "call" or not _is_own(code):
            return
        self.functions.add(code)
        caller = frame.f_back
        while caller is not None and not _is_own(caller.f_code):
            caller = caller.f_back
        if caller is None or caller.f_code.co_filename != code.co_filename:
            self.moves += 1


_own: dict[str, bool] = {}


def _is_own(code: CodeType) -> bool:
    name = code.co_filename
    if name not in _own:
        path = name.removeprefix(f"{ROOT}/")
        _own[name] = path != name and not any(part in path.split("/") for part in _IGNORED_FOLDERS)
    return _own[name]


_recorded: list[Journey] = []  # the current one, if any


def _profile(frame: FrameType, event: str, argument: object) -> None:
    for journey in _recorded:
        journey.record(frame, event, argument)


@contextmanager
def record_journey() -> Iterator[Journey]:
    """Record all calls of all threads in the block."""
    journey = Journey()
    _recorded.append(journey)
    try:
        yield journey
    finally:
        _recorded.remove(journey)


async def send(
    method: str, path: str, body: Any = None, *, token: str = "", accept: str = "*/*"
) -> tuple[int, bytes]:
    """Send a request to the whole application; return status and body."""
    from linkwatch.asgi import application

    headers = {"accept": accept, **({"authorization": f"Token {token}"} if token else {})}
    transport = httpx.ASGITransport(application)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        response = await client.request(method, path, json=body, headers=headers)
    return response.status_code, response.content


async def request_journeys(token: str) -> dict[str, Journey]:
    """Return the journeys of requests. Each request is sent twice, so that the second needs no
    imports."""
    journeys: dict[str, Journey] = {}

    async def twice(
        name: str, method: str, path: str, body: Callable[[int], Any] | None = None, **more: Any
    ) -> bytes:
        content = b""
        for number, key in enumerate((f"{name}, cold", name), start=1):
            data = body(number) if body else None
            with record_journey() as journeys[key]:
                status, content = await send(method, path.replace("#", str(number)), data, **more)
            assert status < 400, (name, status, content)
        if not path.startswith(("/s/", "/v1/snippets/")):
            del journeys[f"{name}, cold"]
        return content

    def url(number: int) -> dict[str, Any]:
        return {
            "url": f"http://93.184.216.{number}/",
            "reference_id": f"doc:{number}",
        }

    await twice("POST /v1/targets", "POST", "/v1/targets", url, token=token)
    await twice("GET /v1/targets (2 rows)", "GET", "/v1/targets", token=token)
    link = json.loads(
        await twice(
            "POST /v1/urls, watched",
            "POST",
            "/v1/urls",
            lambda number: {"long_url": f"http://93.184.217.{number}/", "watch": True},
            token=token,
        )
    )
    snippet = json.loads(
        await twice(
            "POST /v1/snippets",
            "POST",
            "/v1/snippets",
            lambda number: {"content": f"text {number}"},
            token=token,
        )
    )
    await twice("GET /s/{key}", "GET", f"/s/{link['key']}")
    await twice("GET /v1/snippets/{id}", "GET", f"/v1/snippets/{snippet['id']}")
    await twice("GET /snippets/{id}, page", "GET", f"/snippets/{snippet['id']}", accept="text/html")
    return journeys


def background_journeys() -> dict[str, Journey]:
    """Return the journeys of background work: a claim, a death, its event."""

    from checker.claims import claim_due
    from checker.engine.fetch import Probe
    from checker.recording import Finding, record
    from foundation.database.clock import database_now
    from hosts.models import Host, Slot
    from targets.models import Target
    from targets.state import Outcome

    long_ago = database_now() - timedelta(days=30)
    Target.objects.update(
        state="potentially_dead", failures=99, first_failed_at=long_ago, next_check_at=long_ago
    )
    journeys: dict[str, Journey] = {}
    for _ in (1, 2):
        Host.objects.filter(check_at__isnull=False).update(check_at=long_ago)
        Slot.objects.filter(check_ready_at__isnull=False).update(check_ready_at=long_ago)
        with record_journey() as journeys["claim_due"]:
            jobs = claim_due(1).jobs
        job = jobs[0]
        now = database_now()
        probe = Probe(
            outcome=Outcome.FAILURE,
            reason="http_404",
            status_code=404,
            latency_ms=80,
            error="The server answered 404 Not Found.",
            attempts=1,
            final_url=job.targets[0].url,
        )
        finding = Finding(
            token=job.lease.token,
            target_id=job.targets[0].id,
            started_at=now,
            checked_at=now,
            probe=probe,
        )
        with record_journey() as journeys["record, one death"]:
            record([finding], finished=[job.lease.token], delay=timedelta(seconds=1))
        assert Target.objects.filter(state="dead").exists()
        with record_journey() as journeys["number_events"]:
            number_events()
        with record_journey() as journeys["feed the fan-out"]:
            feed_events()
    return journeys


def number_events() -> None:
    """Assign positions to the current events."""
    from outbox import relay

    assert relay.number_events()


def feed_events() -> None:
    """Pass the current events to all channels."""
    from notify.reader import NotifyReader
    from outbox.relay import Feeder

    feeder = Feeder(NotifyReader())
    feeder.feed()
    feeder.close()


def make_channel(token: str) -> None:
    """Create a webhook that receives a message about every death."""
    body: dict[str, Any] = {
        "kind": "webhook",
        "name": "bench",
        "settings": {"url": "https://93.184.216.34/hook"},
    }
    status, content = asyncio.run(send("POST", "/v1/channels", body, token=token))
    assert status == 201, content
    body = {"channel": json.loads(content)["id"], "what": ["dead"], "grouped": False}
    status, content = asyncio.run(send("POST", "/v1/subscriptions", body, token=token))
    assert status == 201, content


def main() -> None:
    """Print three figures for each journey, and compare those of a registration with 0.2.0."""
    from _server import make_token

    # Before any thread starts: Python 3.11 profiles new threads only.
    threading.setprofile(_profile)
    sys.setprofile(_profile)
    with sqlite(REDIS_URL=""):
        token = make_token()
        make_channel(token)
        journeys = asyncio.run(request_journeys(token)) | background_journeys()
    post = journeys["POST /v1/targets"].figures
    report(
        "journeys",
        {
            f"{name}: {what}": figure
            for name, journey in journeys.items()
            for what, figure in journey.figures.items()
        },
        peer={f"POST /v1/targets in 0.2.0: {what}": figure for what, figure in BASELINE.items()},
        ratio={
            f"POST /v1/targets to 0.2.0: {what}": post[what] / figure
            for what, figure in BASELINE.items()
        },
        goal={
            "POST /v1/targets to 0.2.0: modules": "≤ 0.65",
            "POST /v1/targets to 0.2.0: functions": "≤ 0.61",
            "POST /v1/targets to 0.2.0: moves": "≤ 0.57",
        },
    )


if __name__ == "__main__":
    main()
