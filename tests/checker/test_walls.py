"""Marks of bot walls: where they count, where they don't, and that no body makes them slow."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checker.engine.charset import decode, unescape
from checker.engine.walls import WALLS, find_walls
from tests.zoo.wild.pages import modern

pytestmark = pytest.mark.any_database

CHALLENGE = b"<title>Just a moment...</title><script>window._cf_chl_opt={}</script>"


def marks(body: str | bytes = b"", *, status: int = 403, **headers: str) -> tuple[str, ...]:
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    page = body.encode() if isinstance(body, str) else body
    return find_walls(status=status, headers=headers, body=page)


@pytest.mark.parametrize("status", [301, 404, 410, 500, 502])
def test_walls_are_looked_for_only_where_they_answer(status):
    assert marks(CHALLENGE, status=status, cf_mitigated="challenge") == ()


def test_every_mark_that_shows_a_wall_is_told():
    found = marks(CHALLENGE, cf_mitigated="challenge")

    assert found == (
        "cloudflare: header cf-mitigated",
        "cloudflare: _cf_chl_opt",
        "cloudflare: title just a moment",
    )


def test_marks_are_read_with_their_entities_decoded():
    assert marks("https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18") == (
        "akamai: errors.edgesuite.net",
    )


@pytest.mark.parametrize("headers", [{"server": "AkamaiGHost"}, {"server": "awselb/2.0"}])
def test_the_name_of_a_server_that_only_refuses_by_itself_counts_with_a_403_alone(headers):
    assert marks(**headers)
    assert not marks(status=503, **headers)
    assert not marks(status=200, **headers)


@pytest.mark.parametrize(
    ("body", "is_wall"),
    [
        ("error code: 1020", True),
        ("error code: 1015", True),
        ("error code: 1016", False),  # the site's origin has no address
        ("error code: 1001", False),
        ("<p class=cf-error-details>Error <b>1009</b>", True),
        ("<p class=cf-error-details>Error <b>1003</b>", False),
        ("<p>Error 1020 of our printer's manual</p>", False),
    ],
)
def test_cloudflares_errors_are_walls_where_they_refuse_the_asker(body, is_wall):
    assert bool(marks(body)) is is_wall


def test_a_widget_that_asks_about_robots_says_nothing_on_a_503_and_a_heading_does():
    widget = "<h1>This service was discontinued</h1><form>Are you a robot?</form>"

    assert not marks(widget, status=503)
    assert marks("<h1>Are you a robot?</h1>", status=503)
    assert marks(widget, status=403)


@pytest.mark.parametrize("status", [200, 202])
def test_a_riddle_counts_with_a_2xx_by_its_title_or_form_above_little_text(status):
    assert marks(CHALLENGE, status=status)
    assert marks(modern("Robot check", "<p>Enter the letters</p>"), status=status)
    assert not marks(modern("Robot check", "<p>A long story. </p>" * 200), status=status)
    assert not marks(modern("Robot check: a yearly service", ""), status=status)


def test_a_page_that_quotes_a_riddle_is_none():
    assert not marks("<p>The script sets _cf_chl_opt first.</p>", status=200)
    assert not marks('{"title": "_cf_chl_opt"}', status=200, content_type="application/json")


def test_a_script_that_also_runs_on_pages_that_are_let_through_counts_where_nothing_else_is():
    script = "<script src='/_Incapsula_Resource?SWJIYLWA=719d'></script>"

    assert marks(script, status=200)
    assert not marks(script + "<p>Open daily.</p>", status=200)


def test_each_wall_has_a_mark_in_lower_case():
    for wall in WALLS:
        texts = (*wall.headers, *wall.words, *wall.titles, *wall.forms, *wall.scripts)
        assert texts
        assert [text for text in texts if text != text.lower()] == []


HOSTILE = {
    "openings": b"<" * 65_536,
    "scripts": b"<script" * 9_000,
    "titles": b"<title>" * 9_000,
    "headings": b"<h1 " * 16_000,
    "metas": b"<meta charset=nonsense>" * 2_800,
    "open metas": b"<meta " * 10_900,
    "ampersands": b"&" * 65_536,
    "a huge number": b"&#" + b"9" * 65_000 + b";",
    "a huge hexadecimal number": b"&#x" + b"f" * 65_000 + b";",
    "spaces": b"error " + b" " * 65_000 + b"code",
    "numbers": b"reference #" + b"1" * 65_000,
    "words": b"your request was " * 3_800,
    "zeroes": bytes(65_536),
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=list(HOSTILE))
@pytest.mark.parametrize("status", [200, 403, 503])
def test_no_body_makes_the_look_for_a_wall_slow(body, status):
    """Quadratic work on 64 KiB would take minutes."""
    started = time.process_time()

    marks(body, status=status)

    assert time.process_time() - started < 2


@given(st.binary(max_size=400), st.text(max_size=40), st.sampled_from([200, 202, 403, 503]))
def test_no_noise_crashes_the_look_for_a_wall(body, charset, status):
    find_walls(status=status, headers={"content-type": f"text/html; charset={charset}"}, body=body)


@pytest.mark.parametrize(
    ("page", "content_type"),
    [
        ("Мост".encode("koi8-r"), "text/html; charset=koi8-r"),
        ("Мост".encode("windows-1251"), 'text/html; charset="Windows-1251"'),
        ('<meta charset="cp1251">Мост'.encode("cp1251"), "text/html"),
        ("Мост".encode("utf-16"), ""),
        ("Мост".encode("utf-8-sig"), ""),
        ("Мост".encode(), ""),
        ("Мост".encode()[:-1], ""),  # cut within a letter
    ],
)
def test_a_page_is_read_in_the_charset_that_it_names(page, content_type):
    assert decode(page, content_type=content_type).removesuffix("т").endswith("Мос")  # noqa: RUF001


@pytest.mark.parametrize(
    "charset",
    ["zlib", "hex", "rot13", "idna", "punycode", "unicode_escape", "undefined", "utf-7", "x" * 99],
)
def test_a_charset_that_no_browser_knows_is_not_used(charset):
    assert decode(b"caf\xe9.", content_type=f"text/html; charset={charset}") == "café."


def test_entities_of_no_character_are_dropped():
    assert unescape("&#58;&#" + "9" * 5000 + ";&lt;") == ":<"
