"""Finding links: 1,000 Markdown files (10 MB) and HTML, with line and column, in one process.

The files are this project's documents and pages made of them, repeated to the size.
"""

import resource
import time
from pathlib import Path

from harness import ROOT, report, sized

import linkwatch  # noqa: F401 - which finds the client's package
from linkwatch_client.extraction import extract

FILES = sized(1000, toy=20)
FILE_BYTES = 10_000
HTML_BYTES = sized(20_000_000, toy=200_000)
GOAL_SECONDS = 1.0
GOAL_RATE = 20.0  # MB/s


def main() -> None:
    documents = markdown_files()
    page = html_page()
    before = peak_memory()
    seconds, links = timed([("a.md", document) for document in documents])
    html_seconds, html_links = timed([("a.html", page)])
    size = sum(map(len, documents)) / 1e6
    rate = len(page) / 1e6 / html_seconds
    report(
        "scan",
        {
            "Markdown files": len(documents),
            "Markdown, MB": round(size, 1),
            "Markdown, links": links,
            "Markdown, CPU seconds": round(seconds, 3),
            "HTML, links": html_links,
            "HTML, MB/s": round(rate, 1),
            "peak memory grew by, MB": round((peak_memory() - before) / 1024, 1),
        },
        peer={},
        ratio={"Markdown: goal to CPU seconds": GOAL_SECONDS / seconds, "HTML": rate / GOAL_RATE},
        goal=dict.fromkeys(("Markdown: goal to CPU seconds", "HTML"), "1.00"),
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


def timed(files: list[tuple[str, bytes]]) -> tuple[float, int]:
    """Return the fastest CPU time of three rounds, and the number of links."""
    best, links = float("inf"), 0
    for _ in range(3):
        started = time.process_time()
        links = sum(len(extract(name, data)) for name, data in files)
        best = min(best, time.process_time() - started)
    return best, links


def peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()
