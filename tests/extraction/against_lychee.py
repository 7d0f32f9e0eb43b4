"""Compares the links that Linkwatch and lychee find in folders; prints a table and reasons.

`python -m tests.extraction.against_lychee --lychee PATH FOLDER...` prints each difference with
`--list`.
"""

import argparse
import re
import subprocess
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from linkwatch_client.extraction import UnreadableFile, extract

SUFFIXES = (".md", ".markdown", ".mdx", ".html", ".htm")
_LINE = re.compile(r"^(\S+) \((.+)\)(?: \[excluded\])?$")
_SCHEMES = ("http", "https", "file")

Pairs = set[tuple[str, str]]  # a file and a URL


def normalized(url: str) -> str | None:
    """Return a URL in a form for comparison, or None if it leads to no page or file."""
    try:
        parts = urlsplit(url.strip().replace("\\", "/"))
        port = f":{parts.port}" if parts.port and parts.port not in (80, 443) else ""
    except ValueError:
        return None
    if parts.scheme.lower() not in _SCHEMES:
        return None
    host = unquote((parts.hostname or "").lower())
    with suppress(UnicodeError):
        host = host.encode("idna").decode() if not host.isascii() else host
    path = urljoin("http://a/", parts.path or "/")
    path = urlsplit(path).path
    if parts.scheme.lower() == "file" or path == "/":
        path = path.rstrip("/")  # lychee may or may not end folders with a slash
    query = f"?{parts.query}" if parts.query else ""
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return unquote(f"{parts.scheme.lower()}://{host}{port}{path}{query}{fragment}")


def ours(folder: Path, files: list[Path]) -> Pairs:
    """Return the links that Linkwatch finds, relative links as addresses of files."""
    found: Pairs = set()
    for file in files:
        try:
            links = extract(file.name, file.read_bytes())
        except UnreadableFile as error:
            print(f"{file}: {error}")
            continue
        for link in links:
            root = folder.as_uri() if link.url.startswith("/") and link.url[1:2] != "/" else ""
            url = root + link.url if root else _joined(file.as_uri(), link.url)
            if (same := normalized(url)) is not None:
                found.add((str(file), same))
    return found


def _joined(base: str, url: str) -> str:
    try:
        return urljoin(base, url)
    except ValueError:
        return ""


def theirs(lychee: str, folder: Path, files: list[Path]) -> Pairs:
    """Return the links that lychee finds, and the files that stop it, which are read one by one."""
    options = ["--dump", "-v", "--no-progress", "--offline", "--root-dir", str(folder)]
    found: Pairs = set()
    pending = [files[start : start + 500] for start in range(0, len(files), 500)]
    while pending:
        some = pending.pop()
        done = subprocess.run(
            [lychee, *options, "--config", "/dev/null", *map(str, some)],
            capture_output=True,
            text=True,
        )
        if done.returncode and len(some) > 1:
            middle = len(some) // 2
            pending += [some[:middle], some[middle:]]
            continue
        if done.returncode:
            print(f"lychee stops at {some[0]}: {done.stderr.strip().splitlines()[-1:]}")
        for line in done.stdout.splitlines():
            if (found_line := _LINE.match(line)) and (same := normalized(found_line[1])):
                found.add((found_line[2], same))
    return found


def differences(lychee: str, folder: Path) -> tuple[int, Pairs, Pairs, Pairs]:
    """Return the number of files, and the links of both, of Linkwatch alone and of lychee alone."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    we, they = ours(folder, files), theirs(lychee, folder, files)
    return len(files), we & they, we - they, they - we


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--lychee", default="lychee")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    print("| folder | files | both | only ours | only lychee's |\n| --- | --- | --- | --- | --- |")
    for folder in options.folders:
        count, both, we, they = differences(options.lychee, folder.resolve())
        print(f"| {folder.name} | {count:,} | {len(both):,} | {len(we):,} | {len(they):,} |")
        if options.list:
            for mark, pairs in (("+", we), ("-", they)):
                for file, url in sorted(pairs):
                    print(f"{mark} {Path(file).relative_to(folder.resolve())} {url}")


if __name__ == "__main__":
    main()
