"""Links that moved for good are rewritten, at their exact place."""

import pytest

from linkwatch_client.fixing import new_address
from linkwatch_client.url_status import read_status
from tests.client.conftest import ALIVE, DEAD, knows, stand_in

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


def test_only_the_links_are_rewritten_and_nothing_else_of_the_file(run, server, project):
    path = project.write("docs/a.md", TEXT)
    path.chmod(0o640)
    result = run("fix", "--yes", server=server)
    assert result.exit_code == 0
    assert path.read_bytes().decode() == FIXED
    assert path.stat().st_mode & 0o777 == 0o640
    assert "--- a/docs/a.md" in result.stdout
    assert f"+See [x]({MOVED_TO})" in result.stdout
    assert [child.name for child in path.parent.iterdir()] == ["a.md"]


def test_without_a_yes_nothing_is_written(run, server, project):
    path = project.write("a.md", TEXT)
    result = run("fix", server=server)
    assert result.exit_code == 1
    assert "+++ b/a.md" in result.stdout
    assert path.read_bytes().decode() == TEXT


def test_with_nothing_to_do_all_is_fine(run, server, project):
    project.write("a.md", "https://b.example/\n")
    result = run("fix", server=server)
    assert (result.exit_code, result.stdout) == (0, "")


def test_a_link_in_another_form_is_left_alone_and_named(run, server, project):
    text = f'<a href="{OLD.replace("o", "&#111;")}">x</a>\n'
    path = project.write("a.html", text)
    result = run("fix", "--yes", server=server)
    assert path.read_text() == text
    assert f"a.html:1:10: {OLD} has moved to {MOVED_TO}; it is written in a form" in result.stderr


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
        (OLD, OLD, None),
    ],
)
def test_a_new_address_can_end_no_link_and_is_a_web_address(url, moved_to, expected):
    status = read_status(MOVED | {"moved_to": moved_to}, url=url)
    assert new_address(url, status) == expected


@pytest.mark.parametrize(
    "answer",
    [
        MOVED | {"flags": []},
        MOVED | {"outcome": "failure"},
        DEAD | {"flags": ["moved"], "moved_to": MOVED_TO},
    ],
)
def test_what_has_not_moved_for_good_stays(answer):
    assert new_address(OLD, read_status(answer, url=OLD)) is None
