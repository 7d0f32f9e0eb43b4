"""Simulates a year of CI for repositories with many links.

The linked servers throttle, block clients, fail for an hour, move pages and delete them. The
server's own code checks the links and the client's own code judges them; only the clock is
simulated. `tests/client/year.py` runs it by hand.
"""

import json
import random
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from batches import ending
from linkwatch_client.api import LinkwatchApi
from linkwatch_client.exit_gate import judge_links
from linkwatch_client.findings import LinkPlace
from linkwatch_client.status_requests import query
from tests.checker.shifts import work_until_nothing_is_due

START = datetime(2026, 1, 1, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
NEVER = START + 3650 * DAY
GRACE = 16 * DAY  # a check every 10 days, then three failures on different days
_PAGES_OF_A_HOST = 6


@dataclass
class SimulatedHost:
    """A server; during `hours` it fails with the given status."""

    number: int
    hours: list[tuple[datetime, int]] = field(default_factory=list)
    walled_from: datetime = NEVER

    @property
    def address(self) -> str:
        return f"127.77.{self.number // 200}.{self.number % 200 + 1}"


@dataclass
class SimulatedPage:
    """A page; `typed_wrong` marks a mistyped URL, at which no page ever existed."""

    host: SimulatedHost
    path: str
    dies_at: datetime = NEVER
    moves_at: datetime = NEVER
    typed_wrong: bool = False

    def is_dead(self, now: datetime) -> bool:
        return self.typed_wrong or now >= self.dies_at


class SimulatedWeb:
    """All hosts and pages, generated from a seed."""

    def __init__(self, *, hosts: int, days: int, seed: int) -> None:
        self.random = random.Random(seed)
        self.days = days
        self.hosts = [self._host(number) for number in range(hosts)]
        self.pages = {
            page.path: page
            for host in self.hosts
            for page in (self._page(host, number) for number in range(_PAGES_OF_A_HOST))
        }

    def _moment(self) -> datetime:
        return START + self.random.random() * self.days * DAY

    def _host(self, number: int) -> SimulatedHost:
        host = SimulatedHost(number)
        kind = number % 5
        if kind == 0:  # throttles on many days
            host.hours = [(self._moment(), 429) for _ in range(self.days // 8 + 1)]
        elif kind == 1:  # fails for an hour now and then, sometimes by 404
            host.hours = [
                (self._moment(), self.random.choice([503, 500, 502, 404]))
                for _ in range(self.days // 20 + 1)
            ]
        elif kind == 2:
            host.walled_from = self._moment()
        return host

    def _page(self, host: SimulatedHost, number: int) -> SimulatedPage:
        page = SimulatedPage(host, f"/h{host.number}/p{number}")
        if host.walled_from == NEVER and self.random.random() < 0.15:  # never behind a bot wall
            page.dies_at = self._moment()
        elif self.random.random() < 0.15:
            page.moves_at = self._moment()
        return page

    def type_wrong(self) -> SimulatedPage:
        """Return a page that never existed."""
        host = self.random.choice([host for host in self.hosts if host.walled_from == NEVER])
        page = SimulatedPage(host, f"/h{host.number}/typo{len(self.pages)}", typed_wrong=True)
        self.pages[page.path] = page
        return page

    def answer(self, path: str) -> tuple[int, str]:
        """Return status and headers of the page at this path now."""
        now = datetime.now(UTC)
        page = self.pages.get(path.removesuffix("-new"))
        if page is None:
            return (200, "") if path == "/" else (404, "")
        if now >= page.host.walled_from:
            return 403, "cf-mitigated: challenge"
        for begin, status in page.host.hours:
            if begin <= now < begin + HOUR:
                return status, "Retry-After: 900" if status == 429 else ""
        if page.is_dead(now):
            return 404, ""
        if now >= page.moves_at and not path.endswith("-new"):
            return 301, f"Location: {path}-new"
        return 200, "Content-Type: text/html"


@dataclass
class CiFigures:
    """The results of the runs of one tool."""

    runs: int = 0
    red: int = 0
    false: int = 0  # red, although no link that the tool reported is dead
    findings: int = 0
    false_findings: int = 0
    missed: int = 0  # links to pages dead for longer than GRACE that a run did not report

    @property
    def found(self) -> int:
        """The number of reported links to dead pages."""
        return self.findings - self.false_findings

    @property
    def real_share(self) -> float:
        return 1.0 if not self.red else 1 - self.false / self.red

    def line(self, name: str) -> str:
        return (
            f"{name:<10} {self.runs:>6} {self.red:>6} {self.false:>6} {self.real_share:>9.1%}"
            f" {self.found:>11} {self.false_findings:>12} {self.missed:>7}"
        )


HEAD = (
    f"{'':<10} {'runs':>6} {'red':>6} {'false':>6} {'real red':>9} {'dead found':>11}"
    f" {'false alarms':>12} {'missed':>7}"
)
Tool = Callable[[list[str], set[str]], set[str]]  # all links and the new ones -> those reported


@dataclass
class CiTool:
    """A tool with its own copies of the repositories, because people fix links that it reports."""

    name: str
    find: Tool
    links: list[list[SimulatedPage]]
    figures: CiFigures = field(default_factory=CiFigures)
    merged: Callable[[int, SimulatedPage], None] = lambda repository, page: None

    def run(
        self, repository: int, new: SimulatedPage | None, url: Callable[[SimulatedPage], str]
    ) -> None:
        """Run the tool on a change of a repository, which may add a link."""
        links, now = self.links[repository], datetime.now(UTC)
        pages = {url(page): page for page in (*links, *([new] if new else []))}
        red = self.find(list(pages), {url(new)} if new else set())
        bad = {one for one in red if pages[one].is_dead(now)}
        figures = self.figures
        figures.runs += 1
        figures.red += bool(red)
        figures.false += bool(red) and not bad
        figures.findings += len(red)
        figures.false_findings += len(red) - len(bad)
        old = [page for page in links if page.dies_at + GRACE < now]
        figures.missed += sum(url(page) not in red for page in old)
        links[:] = [page for page in links if url(page) not in bad]
        if new is not None and url(new) not in red:
            links.append(new)
            self.merged(repository, new)


class ClockedApi(LinkwatchApi):
    """The client's API of the server; it advances the clock while a batch is open."""

    shift: Callable[[timedelta], None]

    def call(self, method, path, body=None, *, creates=False):
        if (method, path) != ("POST", "/v1/batches"):
            return super().call(method, path, body, creates=creates)
        batch = super().call(method, path, body | {"wait": "0s"}, creates=creates)
        for _ in range(2):
            work_until_nothing_is_due()
            self.shift(timedelta(seconds=35))
        work_until_nothing_is_due()
        ending.look()
        return super().call("GET", f"{path}/{batch['id']}?limit=1")


def linkwatch(api: LinkwatchApi) -> Tool:
    """Return Linkwatch as a tool."""

    def find(links: list[str], new: set[str]) -> set[str]:
        result = query(api, links, new=new, max_age="1d", patience=300, progress=lambda _: None)
        places = [LinkPlace(url=url) for url in links]
        findings = judge_links(places, result.statuses, new=new)
        return {finding.place.url for finding in findings if finding.fails}

    return find


def lychee(binary: str, folder: Path) -> Tool:
    """Return lychee with retries as a tool."""
    options = ["--format", "json", "--no-progress", "--max-retries", "2", "--retry-wait-time", "1"]

    def find(links: list[str], new: set[str]) -> set[str]:
        file = folder / "links.md"
        file.write_text("".join(f"- <{url}>\n" for url in links))
        done = subprocess.run(
            [binary, *options, "--config", "/dev/null", str(file)], capture_output=True, text=True
        )
        report = json.loads(done.stdout)
        maps = (report["error_map"], report.get("timeout_map", {}))
        return {row["url"] for found in maps for rows in found.values() for row in rows}

    return find


def run_year(
    web: SimulatedWeb,
    tools: list[CiTool],
    *,
    url: Callable[[SimulatedPage], str],
    move_to: Callable[[datetime], None],
    every: int,
) -> None:
    """Simulate the days: checks each day, and a run of each repository every `every` days."""
    repositories = range(len(tools[0].links))
    moments: list[tuple[datetime, int | None]] = [
        (START + number * DAY, None) for number in range(1, web.days)
    ]
    for repository in repositories:
        for day in range(1, web.days - 1, every):
            at = START + (day + web.random.random() * every) * DAY
            moments.append((at, repository))
    for at, repository in sorted(moments, key=lambda one: one[0]):
        move_to(max(at, datetime.now(UTC)))
        work_until_nothing_is_due()
        if repository is None:
            continue
        new = None
        if web.random.random() < 0.3:
            fine = [page for page in web.pages.values() if not page.typed_wrong]
            new = web.type_wrong() if web.random.random() < 0.2 else web.random.choice(fine)
        for tool in tools:
            known = new in tool.links[repository]
            tool.run(repository, None if known else new, url)
