"""Plug-ins for site generators mark dead links: builds sample projects."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from linkwatch_client.mkdocs_plugin import mark_anchors
from linkwatch_client.site_links import DeadLink
from tests.acceptance.processes import ROOT, environment
from tests.client.conftest import ALIVE, COPY, DEAD, knows, stand_in

pytestmark = [pytest.mark.any_database, pytest.mark.slow]

SAMPLES = Path(__file__).parent / "samples"
GONE, FINE = "https://a.example/gone?a=1&b=2", "https://b.example/"


@pytest.fixture
def known():
    return {GONE: DEAD, FINE: ALIVE}


@pytest.fixture
def server(known):
    with stand_in(knows(known)) as found:
        yield found


def build(folder, server, *command):
    given = {**server.environment, "PYTHONPATH": f"{ROOT / 'client'}:{folder}", "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=environment(**given, NO_MKDOCS_2_WARNING="1"),
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


@dataclass
class Site:
    """A sample project, and the command that builds it."""

    folder: Path
    out: Path
    build: Callable[..., tuple[int, str]]

    def __call__(self, *options):
        return self.build(*options)


@pytest.fixture
def sphinx(tmp_path, server):
    folder = shutil.copytree(SAMPLES / "sphinx", tmp_path / "site")
    return Site(
        folder,
        folder / "out",
        lambda *options: build(folder, server, "sphinx", "-q", *options, ".", "out"),
    )


def test_sphinx_marks_dead_links_after_a_single_look_up(sphinx, server):
    code, output = sphinx()
    assert code == 0
    page = (sphinx.out / "index.html").read_text()
    [link] = re.findall(r"<a [^>]*a\.example[^>]*>.*?</a>[^,]*", page)
    assert 'class="linkwatch-dead reference external"' in link
    assert 'title="The server returned 404 Not Found. Failing since 2026-11-14."' in link
    assert link.endswith("the handbook</a> (dead link)")
    assert page.count("linkwatch-dead") == 1
    assert "linkwatch-dead" not in (sphinx.out / "other.html").read_text()
    assert "index.rst:4: WARNING: https://a.example/gone?a=1&b=2 is dead" in output
    [request] = server.requests
    assert request.body["urls"] == [GONE, FINE]


LINK_TO_COPY = (
    f'<a class="linkwatch-copy" href="{COPY["url"]}"'
    f' data-originalurl="https://a.example/gone?a=1&amp;b=2" data-versionurl="{COPY["url"]}"'
    ' data-versiondate="2026-10-12">copy from 2026-10-12</a>'
)


def test_sphinx_shows_the_copy_next_to_a_dead_link(sphinx, server, known):
    known[GONE] = DEAD | {"copy": COPY}
    assert sphinx()[0] == 0
    page = (sphinx.out / "index.html").read_text()
    assert f"the handbook</a> (dead link) {LINK_TO_COPY}, " in page
    assert len(server.requests) == 1
    sphinx("-b", "text", "-d", "other-doctrees")
    assert "(dead link) copy from 2026-10-12" in (sphinx.out / "index.txt").read_text()
    sphinx("-D", "linkwatch_copy_text=")
    assert "linkwatch-copy" not in (sphinx.out / "index.html").read_text()


def test_mkdocs_shows_the_copy_next_to_a_dead_link(mkdocs, server, known):
    known[GONE] = DEAD | {"copy": COPY}
    assert mkdocs()[0] == 0
    page = (mkdocs.out / "index.html").read_text()
    assert f'<span class="linkwatch-dead">(dead link)</span> {LINK_TO_COPY}, ' in page
    assert len(server.requests) == 1


def test_sphinx_rewrites_pages_whose_links_died_or_recovered(sphinx, server, known):
    sphinx()
    known[FINE], known[GONE] = DEAD, ALIVE
    sphinx()
    assert "the handbook</a>, " in (sphinx.out / "index.html").read_text()
    assert "(dead link)" in (sphinx.out / "other.html").read_text()
    assert len(server.requests) == 2


def test_failures_of_sphinx_builds_for_dead_links_are_configurable(sphinx):
    assert sphinx("-W")[0] == 1
    assert sphinx("-E", "-W", "-D", "suppress_warnings=linkwatch.dead")[0] == 0


def test_sphinx_builds_without_a_server(sphinx, server, monkeypatch):
    monkeypatch.setattr(server, "url", "http://127.0.0.1:9")
    code, output = build(sphinx.folder, server, "sphinx", "-W", ".", "out")
    assert (code, "Links were not looked up." in output) == (0, True)
    assert "the handbook</a>" in (sphinx.out / "index.html").read_text()


# MkDocs finds plug-ins by the entry points of installed packages; this file replaces a package.
ENTRY_POINTS = "[mkdocs.plugins]\nlinkwatch = linkwatch_client.mkdocs_plugin:LinkwatchPlugin\n"


@pytest.fixture
def mkdocs(tmp_path, server):
    folder = shutil.copytree(SAMPLES / "mkdocs", tmp_path / "site")
    info = folder / "linkwatch_client-0.3.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: linkwatch-client\nVersion: 0.3.0\n"
    )
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    return Site(
        folder,
        folder / "site",
        lambda *options: build(folder, server, "mkdocs", "build", *options),
    )


def test_mkdocs_marks_dead_links_after_a_single_look_up(mkdocs, server):
    code, output = mkdocs()
    assert code == 0, output
    page = (mkdocs.out / "index.html").read_text()
    [link] = re.findall(r"<a [^>]*a\.example[^>]*>.*?</a>[^,]*", page)
    assert 'data-linkwatch="The server returned 404 Not Found. Failing since 2026-11-14."' in link
    assert link.count("title=") == 1
    assert link.endswith('</a> <span class="linkwatch-dead">(dead link)</span>')
    assert page.count("linkwatch-dead") == 1
    assert "linkwatch" not in (mkdocs.out / "other/index.html").read_text()
    assert "index.md: https://a.example/gone?a=1&b=2 is dead: The server returned 404" in output
    [request] = server.requests
    assert request.body["urls"] == [GONE, FINE]


def test_a_strict_build_of_mkdocs_fails_for_dead_links(mkdocs, known):
    assert mkdocs("--strict")[0] == 1
    known[GONE] = ALIVE
    assert mkdocs("--strict")[0] == 0


def test_mkdocs_builds_without_a_server(mkdocs, server, monkeypatch):
    monkeypatch.setattr(server, "url", "http://127.0.0.1:9")
    code, output = mkdocs("--strict")
    assert (code, "Links were not looked up." in output) == (0, True)


def test_a_servers_text_cannot_close_an_attribute():
    page = f'<p>\n<a title="x" href="{FINE}">a\nb</a> &amp; <b>c</b></p><a href="{FINE}">open'
    marked = mark_anchors(page, {FINE: DeadLink('"><script>')}, mark="<dead>")
    verdict = "&quot;&gt;&lt;script&gt;"
    assert marked == (
        f'<p>\n<a data-linkwatch="{verdict}" title="x" href="{FINE}">a\nb</a>'
        ' <span class="linkwatch-dead">&lt;dead&gt;</span> &amp; <b>c</b></p>'
        f'<a data-linkwatch="{verdict}" title="{verdict}" href="{FINE}">open'
    )


def test_html_that_python_cannot_parse_does_not_end_a_build():
    page = f'<a href="{FINE}">a</a> <![1] <a href="{FINE}">b</a>'
    marked = mark_anchors(page, {FINE: DeadLink("Gone.")}, mark="dead")
    assert marked.startswith(f'<a data-linkwatch="Gone." title="Gone." href="{FINE}">a</a> <span')
