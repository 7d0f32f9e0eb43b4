"""Other checkers and bare fetch loops, on the same pages in the same minute. They store no
results."""

import asyncio
import json
import os
import resource
import shutil
import ssl
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from _sites import Sites

CONCURRENCY = 256


@dataclass(frozen=True)
class PeerRun:
    """The speed and cost of a peer."""

    rate: float  # links/s
    cpu_ms: float  # of a link, in the peer


def aiohttp_run(urls: list[str], *, root: Path | None = None, is_pooled: bool = False) -> PeerRun:
    """Fetch these URLs with aiohttp in this process, reusing connections if `is_pooled`."""
    import aiohttp

    async def fetch_all() -> None:
        remaining = iter(urls)
        tls = ssl.create_default_context(cafile=root) if root else True
        connector = aiohttp.TCPConnector(force_close=not is_pooled, limit=CONCURRENCY, ssl=tls)
        async with aiohttp.ClientSession(connector=connector) as session:

            async def fetch() -> None:
                for url in remaining:
                    async with session.get(url) as response:
                        await response.read()

            await asyncio.gather(*(fetch() for _ in range(CONCURRENCY)))

    start, before = time.perf_counter(), _cpu(resource.RUSAGE_SELF)
    asyncio.run(fetch_all())
    spent = time.perf_counter() - start
    cpu = _cpu(resource.RUSAGE_SELF) - before
    return PeerRun(rate=len(urls) / spent, cpu_ms=1000 * cpu / len(urls))


def linkinator_run(sites: Sites, *, root: Path | None = None) -> PeerRun | None:
    """Check the links of a page with linkinator; None if it is not installed."""
    command = _find_program("linkinator")
    if command is None:
        return None
    command += [sites.start_page, "--format", "json", "--concurrency", str(CONCURRENCY)]
    environment = {"NODE_EXTRA_CA_CERTS": str(root)} if root else {}
    output, spent, cpu = _run(command, environment=environment)
    links = sum(link["state"] == "OK" for link in json.loads(output)["links"])
    return PeerRun(rate=links / spent, cpu_ms=1000 * cpu / links)


def lychee_run(urls: list[str]) -> PeerRun | None:
    """Check a list with lychee; None if it is not installed."""
    command = _find_program("lychee")
    if command is None:
        return None
    command += ["--no-progress", "--format", "json", "--max-retries", "0"]
    # By default it waits 50 ms between requests to a host, and does not trust our certificates.
    command += ["--host-concurrency", str(CONCURRENCY), "--host-request-interval", "0ms"]
    command += ["--insecure", "--max-concurrency", str(CONCURRENCY)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "links.txt"
        file.write_text("\n".join(urls))
        output, spent, cpu = _run([*command, str(file)])
    links: int = json.loads(output)["successful"]
    return PeerRun(rate=links / spent, cpu_ms=1000 * cpu / links)


def _find_program(name: str) -> list[str] | None:
    """Return a command with the program's path: from LYCHEE or LINKINATOR, or from the PATH."""
    program = os.environ.get(name.upper()) or shutil.which(name)
    if program is None:
        print(f"{name} is not here")
        return None
    return [program]


def _run(
    command: list[str], *, environment: Mapping[str, str] | None = None
) -> tuple[str, float, float]:
    """Return a program's output, its elapsed seconds and its processor time."""
    start, before = time.perf_counter(), _cpu(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile("w+") as output:  # linkinator closes a pipe early
        subprocess.run(
            command,
            check=False,
            stdout=output,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
            timeout=60,
        )
        spent = time.perf_counter() - start
        output.seek(0)
        return output.read(), spent, _cpu(resource.RUSAGE_CHILDREN) - before


def _cpu(whose: int) -> float:
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime
