"""The same tests against pywb, a real archive, with WARC files from here; see CONTRIBUTING.md."""

import os
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from archives.archive_settings import Archive
from tests.archives.corpus import dead_pages, holdings
from tests.archives.test_corpus import judged, survey
from tests.archives.warc import write_warc
from tests.ports import free_port

PYWB = os.environ.get("LINKWATCH_PYWB", "")  # the folder of pywb's programs
pytestmark = [
    pytest.mark.release,
    pytest.mark.django_db,
    pytest.mark.one_database,
    pytest.mark.usefixtures("reachable"),
    pytest.mark.skipif(not PYWB, reason="LINKWATCH_PYWB names no pywb"),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pywb")
    write_warc(folder / "pages.warc", holdings(dead_pages()))
    manager = Path(PYWB) / "wb-manager"
    for words in (["init", "web"], ["add", "web", "pages.warc"]):
        subprocess.run([manager, *words], cwd=folder, check=True, capture_output=True)
    port = free_port()
    command = [f"{PYWB}/wayback", "-p", str(port), "-b", "127.0.0.1"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
    home = f"http://127.0.0.1:{port}/web"
    try:
        for _ in range(300):
            try:
                httpx.get(f"{home}/cdx?url=http://a.example/", timeout=5)
                break
            except httpx.TransportError:
                time.sleep(0.2)
        yield home
    finally:
        server.terminate()
        server.wait(30)


@pytest.mark.parametrize("dialect", ["cdx", "timemap", "timegate"])
def test_the_expected_copy_is_found_in_pywb(home, dialect, turn):
    pages = dead_pages()
    archive = {
        "cdx": Archive(kind="cdx", url=f"{home}/cdx", replay=f"{home}/"),
        "timemap": Archive(kind="timemap", url=f"{home}/timemap/link/"),
        "timegate": Archive(kind="timegate", url=f"{home}/"),
    }[dialect]
    by_label, verified_wrong = survey(archive, pages, turn)
    judged(by_label, verified_wrong, pages)
