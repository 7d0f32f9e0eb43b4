"""Clients of the product that register, ask, follow links and listen, and record their answers."""

import asyncio
import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from websockets.exceptions import WebSocketException

from tests.acceptance.processes import PATIENCE, until
from tests.analytics.sockets import live
from tests.batches.receiving import CallbackReceiver
from tests.chaos.zoo import DRAFT, Zoo

TIMEOUT = 30.0  # seconds
_CLIENTS = 4
_SILENCE = 5.0  # seconds without a message until a listener reconnects
_PAUSE = 0.05  # seconds between two requests of one client
REFUSED = -1
_MOVED = 8  # pages that moved permanently
REFERENCES = 7  # references per target
SUBJECTS = 6  # number of snippets, and number of short links


class Answer(NamedTuple):
    """The result of one request; times are monotonic."""

    start: float
    end: float
    web: int  # the web process
    route: str
    status: int  # 0: no answer came; REFUSED: the connection was refused
    subject: str  # the subject that was viewed, if any
    body: Any

    def is_written(self) -> bool:
        """Return whether the database has accepted a write for this request."""
        return self.route.startswith("POST") and 200 <= self.status < 300


class Load:
    """Keeps clients busy from `start` to `stop`, against any of these web processes."""

    listeners = 10

    def __init__(
        self,
        ports: Sequence[int],
        token: str,
        zoo: Zoo,
        receiver: CallbackReceiver,
        *,
        seed: int,
    ) -> None:
        self.ports = ports
        self.answers: list[Answer] = []
        self.registered: set[str] = set()  # ids of targets whose registration was answered
        self.watched: list[str] = []  # their URLs
        self.batches: dict[str, str] = {}  # secrets of batches whose creation was answered, by id
        self.moved: list[str] = []  # ids of targets whose pages moved permanently
        self.repairs: dict[str, str] = {}  # ids of repairs that were accepted, by target
        self.heard: Counter[int] = Counter()  # messages by listener
        self.snippets: list[str] = []
        self.links: list[str] = []
        self._token = token
        self._hosts = zoo.hosts
        self._urls = zoo.pages()
        self._drafts = zoo.pages(DRAFT)
        self._moved_pages = zoo.moved_pages(_MOVED)
        self._callback_url = receiver.url
        self._seed = seed
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def prepare(self, targets: int) -> None:
        """Create the subjects to view, and the given number of targets."""
        for number in range(SUBJECTS):
            made = self._retry("POST", "/v1/snippets", {"content": f"text {number}"})
            self.snippets.append(made["id"])
            made = self._retry("POST", "/v1/urls", {"long_url": f"https://example.com/{number}"})
            self.links.append(made["key"])
        items = [
            {"url": url, "reference_id": f"document {n}"}
            for url in self._moved_pages
            for n in range(REFERENCES)
        ]
        results = self._retry("POST", "/v1/targets/bulk", {"items": items})["results"]
        self.moved = sorted({result["target"]["id"] for result in results})
        self.registered.update(self.moved)
        while len(self.registered) < targets:
            items = [{"url": next(self._urls), "reference_id": f"r{n}"} for n in range(100)]
            results = self._retry("POST", "/v1/targets/bulk", {"items": items})["results"]
            self.registered.update(result["target"]["id"] for result in results)
            self.watched += [item["url"] for item in items]

    def _retry(self, method: str, path: str, body: Any = None) -> Any:
        def try_once() -> list[Answer]:
            answer = self.ask(0, method, path, body)
            return [answer] if 200 <= answer.status < 300 else []

        (answer,) = until(try_once)
        return answer.body

    def get(self, path: str) -> Any:
        """Return the answer of the first web process; retries until it answers."""
        return self._retry("GET", path)

    def ask(
        self, web: int, method: str, path: str, body: Any = None, *, subject: str = ""
    ) -> Answer:
        """Send one request."""
        start, status, said = time.monotonic(), REFUSED, None
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[web], timeout=TIMEOUT)
        headers = {"Authorization": f"Token {self._token}", "Content-Type": "application/json"}
        try:
            connection.connect()
            status = 0
            connection.request(method, path, body and json.dumps(body), headers)
            response = connection.getresponse()
            text = response.read()
            status = response.status
            said = json.loads(text) if text else None
        except (OSError, http.client.HTTPException, ValueError):
            pass  # killed in the middle, or an HTML page
        finally:
            connection.close()
        route = f"{method} {'/'.join(path.split('/')[:3])}"
        return Answer(start, time.monotonic(), web, route, status, subject, said)

    def start(self) -> None:
        self._threads = [
            threading.Thread(target=self._work, args=[random.Random(self._seed + number)])
            for number in range(_CLIENTS)
        ]
        self._threads.append(threading.Thread(target=lambda: asyncio.run(self._listen())))
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(PATIENCE)

    def _work(self, chance: random.Random) -> None:
        deeds: list[tuple[int, Callable[[int, random.Random], Answer]]] = [
            (10, self._view),
            (10, self._follow),
            (2, self._register),
            (2, self._revive),
            (2, self._ask_about_a_draft),
            (3, self._repair),
            (1, lambda web, _: self.ask(web, "GET", "/v1/targets?limit=50")),
            (1, lambda web, _: self.ask(web, "GET", "/v1/events?limit=50")),
        ]
        weights, acts = zip(*deeds, strict=True)
        while not self._stop.wait(_PAUSE * 2 * chance.random()):
            (act,) = chance.choices(acts, weights)
            self.answers.append(act(chance.randrange(len(self.ports)), chance)._replace(body=None))

    def _view(self, web: int, chance: random.Random) -> Answer:
        subject = chance.choice(self.snippets)
        return self.ask(web, "GET", f"/v1/snippets/{subject}", subject=subject)

    def _follow(self, web: int, chance: random.Random) -> Answer:
        key = chance.choice(self.links)
        return self.ask(web, "GET", f"/s/{key}", subject=key)

    def _register(self, web: int, chance: random.Random) -> Answer:
        answer = self.ask(web, "POST", "/v1/targets", {"url": next(self._urls)})
        if answer.status in (200, 201):
            self.registered.add(answer.body["id"])
        return answer

    def _revive(self, web: int, chance: random.Random) -> Answer:
        """Check a dead page of the zoo again, so that it dies again.

        Pages that archives are asked about stay dead: after another death, they could wait five
        minutes until they are queued again, longer than the audit waits.
        """
        host = chance.choice(self._hosts)
        found = self.ask(web, "GET", f"/v1/targets?state=dead&host={host}&limit=20")
        if found.status != 200 or not found.body["items"]:
            return found
        target = chance.choice(found.body["items"])["id"]
        return self.ask(web, "POST", f"/v1/targets/{target}/check", {"revive": True})

    def _ask_about_a_draft(self, web: int, chance: random.Random) -> Answer:
        """Create a batch of pages that nobody watches and of some pages that are watched."""
        wanted = {
            "urls": [next(self._drafts) for _ in range(3)] + chance.sample(self.watched, 2),
            "max_age": chance.choice(["0s", "1h"]),
            "priority": chance.choice(["normal", "high"]),
            "give_up": "30s",
            "callback_url": self._callback_url,
        }
        answer = self.ask(web, "POST", "/v1/batches", wanted)
        if answer.status in (201, 202):
            self.batches[answer.body["id"]] = answer.body["secret"]
        return answer

    def _repair(self, web: int, chance: random.Random) -> Answer:
        """Let references follow their moved page, or undo that."""
        target = chance.choice(self.moved)
        done = self.repairs.get(target)
        if done is not None and chance.random() < 0.5:
            return self.ask(web, "POST", f"/v1/repairs/accepted/{done}/undo")
        answer = self.ask(web, "POST", "/v1/repairs", {"target_id": target})
        if answer.status == 200:
            self.repairs[target] = answer.body["items"][0]["id"]
        return answer

    async def _listen(self) -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(self.listeners):
                group.create_task(self._listen_as(number))

    async def _listen_as(self, number: int) -> None:
        """Listen to all counts; reconnect whenever the connection is lost."""
        ids = self.snippets + self.links
        while not self._stop.is_set():
            host = f"127.0.0.1:{self.ports[number % len(self.ports)]}"
            with suppress(OSError, WebSocketException, TimeoutError):
                async with live(host, *ids, open_timeout=10) as client:
                    while not self._stop.is_set():
                        async with asyncio.timeout(_SILENCE):
                            await client.recv()
                        self.heard[number] += 1
            await asyncio.sleep(0.5)
