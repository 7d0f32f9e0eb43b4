"""A program that records acknowledged requests; when one web server fails, it asks the other."""

import http.client
import itertools
import json
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from uuid import uuid4

from tests.machines.units import PORT
from tests.machines.world import World

TIMEOUT = 5.0  # seconds for a response
_AVOIDED = 2.0  # seconds without requests to a web server that did not respond, as in a proxy
_WRITE_EVERY, _FOLLOW_EVERY, _READ_EVERY = 0.2, 0.05, 0.5  # seconds
_LINKS = 10  # links that the client follows


class Answer(NamedTuple):
    """The result of one request; times are monotonic."""

    start: float
    end: float
    status: int  # 0: no response
    body: Any


class Visit(NamedTuple):
    """A visit of a short link."""

    key: str
    at: float  # monotonic, time of the response
    status: int


class Client:
    """Sends requests to these web servers from `start` to `stop`."""

    def __init__(self, webs: Sequence[str], token: str, world: World) -> None:
        self.webs = webs
        self.targets: dict[str, str] = {}  # acknowledged targets: id by URL
        self.links: dict[str, str] = {}  # acknowledged links: key by URL
        self.unsure: Counter[str] = Counter()  # requests without a response, by URL
        self.differing: list[str] = []  # differences between two sends under one Idempotency-Key
        self.visits: list[Visit] = []
        self.events: list[str] = []  # ids, as read from the feed while it grew
        self.statuses: Counter[int] = Counter()
        self.acknowledged_at: list[float] = []  # monotonic, time of each write
        self.followed: list[str] = []  # keys
        self._token = token
        self._world = world
        self._numbers = itertools.count()
        self._turns = itertools.count()
        self._avoided_until: defaultdict[str, float] = defaultdict(float)  # monotonic, by web
        self._page = ""  # of the feed
        self._over = threading.Event()
        self._threads: list[threading.Thread] = []

    def ask(self, web: str, method: str, path: str, body: Any = None, *, key: str = "") -> Answer:
        """Send a request once."""
        start, status, said = time.monotonic(), 0, None
        connection = http.client.HTTPConnection(web, PORT, timeout=TIMEOUT)
        headers = {"Authorization": f"Token {self._token}", "Content-Type": "application/json"}
        if key:
            headers["Idempotency-Key"] = key
        try:
            connection.request(method, path, body and json.dumps(body), headers)
            response = connection.getresponse()
            text = response.read()
            status = response.status
            said = json.loads(text) if text else None
        except (OSError, http.client.HTTPException, ValueError):
            pass
        finally:
            connection.close()
        if not status:
            self._avoided_until[web] = time.monotonic() + _AVOIDED
        self.statuses[status] += 1
        return Answer(start, time.monotonic(), status, said)

    def insist(self, method: str, path: str, body: Any = None, *, key: str = "") -> Any:
        """Try one web server after another until one succeeds; return the body."""
        while not self._over.is_set():
            answer = self.ask(self._web(), method, path, body, key=key)
            if answer.status in (200, 201):
                return answer.body
            self._over.wait(0.2)
        return None

    def _web(self) -> str:
        now, turn = time.monotonic(), next(self._turns)
        well = [web for web in self.webs if self._avoided_until[web] <= now] or self.webs
        return well[turn % len(well)]

    def prepare(self, targets: int) -> None:
        """Register `pages` pages, and create the links to follow."""
        urls = [self._world.page(next(self._numbers)) for _ in range(targets)]
        items = [{"url": url, "reference_id": url} for url in urls]
        results = self.insist("POST", "/v1/targets/bulk", {"items": items})["results"]
        self.targets |= {url: r["target"]["id"] for url, r in zip(urls, results, strict=True)}
        for number in range(_LINKS):
            made = self.insist("POST", "/v1/urls", {"long_url": f"https://example.com/f/{number}"})
            self.followed.append(made["key"])

    def start(self) -> None:
        works = [self._write_once, self._write_surely, self._follow, self._follow, self._read]
        pauses = [_WRITE_EVERY, _WRITE_EVERY, _FOLLOW_EVERY, _FOLLOW_EVERY, _READ_EVERY]
        self._threads = [
            threading.Thread(target=self._repeat, args=pair, daemon=True)
            for pair in zip(works, pauses, strict=True)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(3 * TIMEOUT)
        self._over.clear()

    def _repeat(self, work: Callable[[], None], pause: float) -> None:
        while not self._over.wait(pause):
            work()

    def _next_write(self) -> tuple[str, str, dict[str, str]]:
        """Return URL, path and body of a target or a short link, in turn."""
        number = next(self._numbers)
        if number % 2:
            url = f"https://example.com/w/{number}"
            return url, "/v1/urls", {"long_url": url}
        url = self._world.page(number)
        return url, "/v1/targets", {"url": url, "reference_id": url}

    def _note(self, url: str, path: str, body: Any) -> None:
        self.acknowledged_at.append(time.monotonic())
        if path == "/v1/urls":
            self.links[url] = body["key"]
        else:
            self.targets[url] = body["id"]

    def _write_once(self) -> None:
        """Write once, and never retry."""
        url, path, body = self._next_write()
        answer = self.ask(self._web(), "POST", path, body)
        if answer.status in (200, 201):
            self._note(url, path, answer.body)
        else:
            self.unsure[url] += 1

    def _write_surely(self) -> None:
        """Write under an Idempotency-Key until the write is acknowledged, and then once more."""
        url, path, body = self._next_write()
        key = uuid4().hex
        first = self.insist("POST", path, body, key=key)
        if first is None:
            self.unsure[url] += 1
            return
        self._note(url, path, first)
        again = self.ask(self._web(), "POST", path, body, key=key)
        name = "key" if path == "/v1/urls" else "id"
        if again.status in (200, 201) and again.body[name] != first[name]:
            self.differing.append(url)

    def _follow(self) -> None:
        key = self.followed[next(self._turns) % len(self.followed)]
        answer = self.ask(self._web(), "GET", f"/s/{key}")
        self.visits.append(Visit(key, answer.end, answer.status))

    def _read(self) -> None:
        """Read the next page of the feed from any web server that responds."""
        token = f"&page_token={self._page}" if self._page else ""
        answer = self.ask(self._web(), "GET", f"/v1/events?limit=200{token}")
        if answer.status == 200 and answer.body["items"]:
            self.events += [event["id"] for event in answer.body["items"]]
            self._page = answer.body["next_page_token"]

    def read_to_end(self) -> None:
        """Read the rest of the feed."""
        while True:
            before = len(self.events)
            self._read()
            if len(self.events) == before:
                return

    def views(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return the redirected visits of each link, and the visits without a known result."""
        led: dict[str, int] = defaultdict(int)
        unsure: dict[str, int] = defaultdict(int)
        for visit in self.visits:
            led[visit.key] += visit.status == 302
            unsure[visit.key] += visit.status == 0
        return led, unsure

    def longest_pause(self, since: float, until: float) -> float:
        """Return the longest time (s) between successful writes that began in this period."""
        ends = sorted(self.acknowledged_at)
        pauses = (then - end for end, then in itertools.pairwise(ends) if since - 1 <= end <= until)
        return max(pauses, default=until - since)
