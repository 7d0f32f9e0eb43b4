"""`fix` rewrites links that moved permanently, at their exact place in the file."""

import json
from urllib.parse import parse_qs, urlsplit
from xml.dom import minidom

import pytest

from linkwatch_client.commands.fix import final_url
from linkwatch_client.fixing import NewURL, new_url
from linkwatch_client.url_status import read_status
from tests.client.conftest import ALIVE, COPY, DEAD, in_json, knows, stand_in

pytestmark = pytest.mark.any_database

OLD, MOVED_TO = "http://a.example/old", "https://a.example/new"
MOVED = ALIVE | {"flags": ["moved"], "moved_to": MOVED_TO}


@pytest.fixture
def server():
    known = {OLD: MOVED, f"{OLD}?a=1&b=2": MOVED | {"moved_to": f"{MOVED_TO}?a=1&b=2"}}
    with stand_in(knows(known)) as found:
        yield found


TEXT = (
    f"\ufeff# A\r\n\r\nSee [x]({OLD}), <{OLD}> and {OLD}/longer\r\n"
    f'<a href="{OLD}?a=1&amp;b=2">y</a> `{OLD}`\n[r]: {OLD}'
)
FIXED = (
    f"\ufeff# A\r\n\r\nSee [x]({MOVED_TO}), <{MOVED_TO}> and {OLD}/longer\r\n"
    f'<a href="{MOVED_TO}?a=1&amp;b=2">y</a> `{OLD}`\n[r]: {MOVED_TO}'
)


def test_fix_rewrites_links_and_nothing_else_in_the_file(run, server, project):
    path = project.write("docs/a.md", TEXT)
    path.chmod(0o640)
    result = run("fix", "--yes", server=server)
    assert result.exit_code == 0
    assert path.read_bytes().decode() == FIXED
    assert path.stat().st_mode & 0o777 == 0o640
    assert "--- a/docs/a.md" in result.stdout
    assert f"+See [x]({MOVED_TO})" in result.stdout
    assert [child.name for child in path.parent.iterdir()] == ["a.md"]


def test_fix_keeps_the_entities_of_markdown(run, server, project):
    text = f"&lt;{OLD}?a=1&amp;b=2&gt; {OLD}?a=1&b=2\n"
    path = project.write("a.md", text)
    run("fix", "--yes", server=server)
    assert path.read_text() == text.replace(OLD, MOVED_TO)


def test_without_confirmation_nothing_is_written(run, server, project):
    path = project.write("a.md", TEXT)
    result = run("fix", server=server)
    assert result.exit_code == 1
    assert "+++ b/a.md" in result.stdout
    assert path.read_bytes().decode() == TEXT


def test_with_nothing_to_fix_the_command_succeeds(run, server, project):
    project.write("a.md", "https://b.example/\n")
    result = run("fix", server=server)
    assert (result.exit_code, result.stdout) == (0, "")


def test_a_link_in_another_form_is_reported_and_not_changed(run, server, project):
    text = f'<a href="{OLD.replace("o", "&#111;")}">x</a>\n'
    path = project.write("a.html", text)
    result = run("fix", "--yes", server=server)
    assert path.read_text() == text
    assert f"a.html:1:10: {OLD} has moved to {MOVED_TO}; not rewritten" in result.stderr


def notebook(source):
    outputs = [{"output_type": "stream", "text": [f"[y]({OLD})\n"]}]
    code = {"cell_type": "code", "outputs": outputs, "source": [f"get('{OLD}/x')\n", f"[y]({OLD})"]}
    cells = [code, {"cell_type": "markdown", "source": source}]
    return json.dumps({"cells": cells, "nbformat": 4}, indent=1)


def test_fix_rewrites_only_the_markdown_of_a_notebook(run, server, project):
    path = project.write("a.ipynb", notebook(["\n", f"`{OLD}` [x]({OLD}/y) [y]({OLD})"]))
    result = run("fix", "--yes", server=server)
    assert result.exit_code == 0
    assert path.read_text() == notebook(["\n", f"`{OLD}` [x]({OLD}/y) [y]({MOVED_TO})"])


@pytest.mark.parametrize("name", ["sitemap.xml", "a.xhtml"])
def test_fix_writes_well_formed_xml(run, project, name):
    text = f"<urlset><url><loc>{OLD}</loc></url></urlset>\n"
    if name == "a.xhtml":
        text = f'<html><a href="{OLD}">x</a></html>\n'
    path = project.write(name, text)
    with stand_in(knows({OLD: MOVED | {"moved_to": f"{MOVED_TO}?a=1&lang=2"}})) as server:
        run("fix", "--yes", server=server)
    assert path.read_text() == text.replace(OLD, f"{MOVED_TO}?a=1&amp;lang=2")
    minidom.parseString(path.read_text())


def test_a_file_that_would_have_other_links_is_reported_and_not_changed(run, project):
    moved_to = f"{MOVED_TO}!"  # without the mark in plain text
    text = f"[a]({OLD}/y) {OLD}\n"
    path = project.write("a.md", text)
    known = {OLD: MOVED | {"moved_to": moved_to}, f"{OLD}/y": MOVED}
    with stand_in(knows(known)) as server:
        result = run("fix", "--yes", server=server)
    assert path.read_text() == text
    assert f"a.md:1:5: {OLD}/y has moved to {MOVED_TO}; not rewritten" in result.stderr
    assert f"a.md:1:29: {OLD} has moved to {moved_to}; not rewritten" in result.stderr


@pytest.mark.parametrize(
    ("url", "moved_to", "expected"),
    [
        (OLD, MOVED_TO, MOVED_TO),
        (f"{OLD}#part", MOVED_TO, f"{MOVED_TO}#part"),
        (f"{OLD}#part", f"{MOVED_TO}#other", f"{MOVED_TO}#other"),
        (OLD, 'https://a/x) [y](z "t"', "https://a/x%29%20%5By%5D%28z%20%22t%22"),
        (OLD, "https://a/<script>`'\n\\", "https://a/%3Cscript%3E%60%27%0A%5C"),
        (OLD, "javascript:alert(1)", None),
        (OLD, "https://", None),
        (OLD, "https://a/\ud800", None),
        ("http://[#a", MOVED_TO, None),
        (OLD, OLD, None),
    ],
)
def test_a_new_address_cannot_close_a_link_and_must_be_a_web_address(url, moved_to, expected):
    status = read_status(MOVED | {"moved_to": moved_to}, url=url)
    assert new_url(url, status) == (expected and NewURL(expected))


@pytest.mark.parametrize(
    "answer",
    [
        MOVED | {"flags": []},
        MOVED | {"outcome": "failure"},
        DEAD | {"flags": ["moved"], "moved_to": MOVED_TO},
    ],
)
def test_links_that_have_not_moved_permanently_are_not_changed(answer):
    assert new_url(OLD, read_status(answer, url=OLD)) is None


COPIED = COPY["url"]
ATTRIBUTES = (
    f'data-originalurl="{OLD}?a=1&amp;b=2" data-versionurl="{COPIED}" data-versiondate="2026-10-12"'
)


@pytest.fixture
def archive():
    dead = DEAD | {"copy": COPY}
    urls = (OLD, f"{OLD}#part", f"{OLD}?a=1&b=2")
    with stand_in(knows(dict.fromkeys(urls, dead))) as found:
        yield found


def test_dead_links_get_archived_copies_and_html_links_become_robust_links(run, archive, project):
    path = project.write("docs/a.md", TEXT)
    result = run("fix", "--archive", "--yes", server=archive)
    assert result.exit_code == 0
    assert path.read_bytes().decode() == (
        f"\ufeff# A\r\n\r\nSee [x]({COPIED}), <{COPIED}> and {OLD}/longer\r\n"
        f'<a {ATTRIBUTES} href="{COPIED}">y</a> `{OLD}`\n[r]: {COPIED}'
    )
    assert f"+See [x]({COPIED})" in result.stdout


def test_attributes_are_added_once_and_only_to_links(run, archive, project):
    text = (
        f'<p><A class="x"\n  HREF="{OLD}#part">x</A> <a href="{OLD}" data-originalurl="y">x</a>'
        f' <img src="{OLD}"></p>\n'
    )
    path = project.write("a.html", text)
    run("fix", "--archive", "--yes", server=archive)
    attributes = (
        f'data-originalurl="{OLD}#part" data-versionurl="{COPIED}#part" '
        'data-versiondate="2026-10-12"'
    )
    assert path.read_text() == (
        f'<p><A {attributes} class="x"\n  HREF="{COPIED}#part">x</A>'
        f' <a href="{COPIED}" data-originalurl="y">x</a> <img src="{COPIED}"></p>\n'
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.ipynb", notebook([f"<a href='{OLD}'>x</a>"])),
        ("a.md", f"---\nsummary: \"<a href='{OLD}'>x</a>\"\n---\n"),
        ("a.html", f"---\r\nsummary: \"<a href='{OLD}'>x</a>\"\r\n---\r\n"),
    ],
)
def test_no_attributes_are_added_in_notebooks_and_front_matter(run, archive, project, name, text):
    path = project.write(name, text)
    run("fix", "--archive", "--yes", server=archive)
    assert path.read_bytes().decode() == text.replace(f"='{OLD}'", f"='{COPIED}'")


def test_without_archive_dead_links_are_not_changed(run, archive, project):
    project.write("a.md", TEXT)
    result = run("fix", "--yes", server=archive)
    assert (result.exit_code, result.stdout) == (0, "")


def test_without_confirmation_no_copy_is_written(run, archive, project):
    path = project.write("a.md", TEXT)
    result = run("fix", "--archive", server=archive)
    assert result.exit_code == 1
    assert path.read_bytes().decode() == TEXT


@pytest.mark.parametrize(
    "copy",
    [
        COPY | {"result": "possible"},
        COPY | {"url": "javascript:alert(1)"},
        COPY | {"url": None},
        COPY | {"captured_at": 'x" onclick="y'},
        None,
    ],
)
def test_only_a_verified_web_copy_replaces_a_link(copy):
    status = read_status(DEAD | {"copy": copy}, url=OLD)
    assert new_url(OLD, status, archive=True) is None


def test_a_copy_cannot_close_a_link_or_an_attribute():
    odd = COPY | {"url": 'https://a/x"><script> y'}
    status = read_status(DEAD | {"copy": odd}, url=OLD)
    address = new_url(OLD, status, archive=True)
    assert address == NewURL("https://a/x%22%3E%3Cscript%3E%20y", "2026-10-12")


def test_the_copy_of_a_revived_page_is_not_used():
    status = read_status(ALIVE | {"copy": COPY}, url=OLD)
    assert new_url(OLD, status, archive=True) is None


def _repaired(request):
    """Answer with the repairs of a repository, on two pages."""
    query = parse_qs(urlsplit(request.path).query)
    assert query["reference_id_prefix"] == ["handbook:"]
    if "page_token" in query:
        return in_json({"items": [{"url": OLD, "moved_to": MOVED_TO}], "next_page_token": None})
    other = {"url": "http://b.example/", "moved_to": "https://b.example/"}
    return in_json({"items": [other], "next_page_token": "next"})


def test_accepted_repairs_become_a_patch_that_git_applies(run, project):
    project.write("linkwatch.toml", 'repository = "handbook"\n')
    before = f"See [x]({OLD}#part)\r\n[y](http://c.example/)\n\u2028[z]({OLD})"
    path = project.write("docs/a.md", before)
    with stand_in(_repaired) as server:
        result = run("fix", "--accepted", "--patch", "repairs.patch", server=server)
    assert result.exit_code == 0, result.stderr
    assert path.read_bytes().decode() == before

    project.git("apply", "repairs.patch")

    assert path.read_bytes().decode() == before.replace(OLD, MOVED_TO)


def test_a_link_follows_a_chain_of_repairs_to_its_end():
    moved = {"http://a/": "http://b/", "http://b/": "http://c/", "http://d/": "http://e/"}
    assert final_url(moved, "http://a/") == "http://c/"
    assert final_url(moved | {"http://c/": "http://a/"}, "http://a/") == "http://c/"
