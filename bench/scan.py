"""Finds links in 1,000 Markdown files (10 MB) and HTML, with line and column, in one process.

The files are this project's documents and pages made of them, repeated to the size.

Then runs `scan` as a process, in a repository with 13,000 links that a running server knows, and
the interpreter alone, alternately. The ratio is of the processor time of client, git and server,
which on an idle machine is at least the elapsed time. A loop of ten million additions
measures the speed of a core, so that times of different machines can be compared.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _server import make_token, serve
from harness import ROOT, cpu_seconds, loop_seconds, report, sized, sqlite, valkey

import linkwatch  # noqa: F401 - which makes the client importable
from linkwatch_client.extraction import extract

FILES = sized(1000, toy=20)
FILE_BYTES = 10_000
HTML_BYTES = sized(20_000_000, toy=200_000)
GOAL_SECONDS = 1.0
GOAL_RATE = 20.0  # MB/s
LINKS = sized(13_000, toy=260)  # of the repository
LINKS_PER_FILE = 13
ROUNDS = sized(5, toy=1)
GOAL_SCAN = 2.0  # seconds beyond the interpreter's start
_PROSE = (
    "Read what follows before you install anything, and keep a copy of the old settings.\n" * 30
)


def main() -> None:
    documents = markdown_files()
    page = html_page()
    before = peak_memory()
    seconds, links = extract_all([("a.md", document) for document in documents])
    html_seconds, html_links = extract_all([("a.html", page)])
    size = sum(map(len, documents)) / 1e6
    rate = len(page) / 1e6 / html_seconds
    memory = peak_memory() - before
    scan, start, elapsed = scan_repository()
    loop = loop_seconds()
    report(
        "scan",
        {
            "Markdown files": len(documents),
            "Markdown, MB": round(size, 1),
            "Markdown, links": links,
            "Markdown, CPU seconds": round(seconds, 3),
            "HTML, links": html_links,
            "HTML, MB/s": round(rate, 1),
            "peak memory grew by, MB": round(memory / 1024, 1),
            "links of the repository": LINKS,
            "scan of it, with the server, CPU seconds": round(scan, 3),
            "scan of it, elapsed seconds": round(elapsed, 3),
        },
        peer={
            "start of the interpreter, CPU seconds": round(start, 3),
            "10 million additions, CPU seconds": round(loop, 3),
        },
        ratio={
            "Markdown: goal to CPU seconds": GOAL_SECONDS / seconds,
            "HTML": rate / GOAL_RATE,
            "scan: goal to CPU seconds beyond the start": GOAL_SCAN / (scan - start),
        },
        goal=dict.fromkeys(
            (
                "Markdown: goal to CPU seconds",
                "HTML",
                "scan: goal to CPU seconds beyond the start",
            ),
            "1.00",
        ),
    )


def markdown_files() -> list[bytes]:
    text = b"\n".join(path.read_bytes() for path in sorted((ROOT / "docs").rglob("*.md")))
    text *= FILES * FILE_BYTES // len(text) + 1
    return [text[n * FILE_BYTES : (n + 1) * FILE_BYTES] for n in range(FILES)]


def html_page() -> bytes:
    import markdown

    paths: list[Path] = sorted((ROOT / "docs").rglob("*.md"))
    text = "\n".join(markdown.markdown(path.read_text(), extensions=["extra"]) for path in paths)
    page = text.encode()
    return (page * (HTML_BYTES // len(page) + 1))[:HTML_BYTES]


def extract_all(files: list[tuple[str, bytes]]) -> tuple[float, int]:
    """Return the fastest CPU time of three rounds, and the number of links."""
    best, links = float("inf"), 0
    for _ in range(3):
        started = time.process_time()
        links = sum(len(extract(name, data)) for name, data in files)
        best = min(best, time.process_time() - started)
    return best, links


def scan_repository() -> tuple[float, float, float]:
    """Return medians: CPU seconds of `scan` and of the interpreter alone, and seconds of `scan`."""
    commands = {"scan": ["-m", "linkwatch_client", "scan"], "start": ["-c", ""]}
    spent: dict[str, list[float]] = {name: [] for name in commands}
    elapsed: dict[str, list[float]] = {name: [] for name in commands}
    with (
        valkey() as redis,
        sqlite(REDIS_URL=redis, LOOKUP_LIMIT="999999/1s"),
        serve() as (port, server),
        tempfile.TemporaryDirectory() as folder,
    ):
        write_repository(Path(folder), watch_links())
        environment = os.environ | {
            "PYTHONPATH": str(ROOT / "client"),
            "LINKWATCH_URL": f"http://127.0.0.1:{port}",
            "LINKWATCH_TOKEN": make_token(),
        }
        for number in range(ROUNDS + 1):
            for name, arguments in commands.items():
                before, began = all_cpu_seconds(server), time.perf_counter()
                output = subprocess.run(
                    [sys.executable, *arguments],
                    cwd=folder,
                    env=environment,
                    stdout=subprocess.PIPE,
                    text=True,
                    check=True,
                ).stdout
                if number:  # the first run is the server's first
                    elapsed[name].append(time.perf_counter() - began)
                    spent[name].append(all_cpu_seconds(server) - before)
                assert name == "start" or output.startswith(f"{LINKS:,} links in"), output
    median = statistics.median
    return median(spent["scan"]), median(spent["start"]), median(elapsed["scan"])


def all_cpu_seconds(server: int) -> float:
    """Return the processor time of the server, and of the processes that have ended here."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime + cpu_seconds(server)


def watch_links() -> list[str]:
    """Create targets that have just been checked; return their URLs."""
    from foundation.database.clock import database_now
    from targets.models import Target

    now = database_now()
    urls = [f"https://h{n % 700}.example/page/{n}" for n in range(LINKS)]
    Target.objects.bulk_create(
        Target(
            url=url,
            canonical_url=url,
            host=url.split("/")[2],
            created_at=now,
            state="alive",
            state_changed_at=now,
            next_check_at=now,
            last_checked_at=now,
            last_status_code=200,
            recent="sss",
        )
        for url in urls
    )
    return urls


def write_repository(folder: Path, urls: list[str]) -> None:
    """Write the links into Markdown files of a git repository."""
    for number in range(0, len(urls), LINKS_PER_FILE):
        links = "".join(
            f"See [page {url.rpartition('/')[2]}]({url}).\n\n"
            for url in urls[number : number + LINKS_PER_FILE]
        )
        (folder / f"{number}.md").write_text(f"# Page {number}\n\n{_PROSE}\n{links}")
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)


def peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()
