"""The invented neighbour: its address, when it is requested, and what its answer proves."""

import re

import pytest

from checker.engine.neighbours import make_up_url
from targets.state import Outcome
from tests.zoo.checks import check
from tests.zoo.rows import by_target, redirect
from tests.zoo.server import answer
from tests.zoo.wild.pages import article, modern, prose

pytestmark = pytest.mark.any_database

ASKED = "/archive/2019/annual-report"
ABOUT = modern("About us", f"<h1>About us</h1>{prose('en', 3)}")
HOME = modern(
    "River Museum",
    f"<h1>Welcome</h1>{prose('en', 2)}",
).replace("<head>", '<head><meta property="og:site_name" content="River Museum">')
SHELL = HOME.partition("<main")[0] + "<main><div id='app'></div></main></body></html>"


def html(text: str, *headers: str, status: int = 200):
    return answer(status, "Content-Type: text/html", *headers, body=text.encode())


def asked(site, *, path=ASKED, **changes):
    """Check a server with requests for neighbours; return flags, and the requested addresses."""
    found, zoo = check(site, path=path, **{"ask_neighbours": True, **changes})
    assert found.outcome is Outcome.SUCCESS, found
    return found.flags, zoo.targets


@pytest.mark.parametrize(
    ("url", "pattern", "folder"),
    [
        ("https://a.example/b/report", "https://a.example/b/HEX", "https://a.example/b/"),
        ("https://a.example/report", "https://a.example/HEX", "https://a.example/"),
        ("https://a.example/b/report/?c=1", "https://a.example/b/HEX", "https://a.example/b/"),
        ("https://a.example/b/r.html", "https://a.example/b/HEX.html", "https://a.example/b/"),
        ("https://a.example/b/2019/r", "https://a.example/b/2019/HEX", "https://a.example/b/2019/"),
        ("https://a.example/2019/5/r", "https://a.example/2019/5/HEX", "https://a.example/2019/5/"),
        ("https://a.example/q/123/how", "https://a.example/q/HEX/HEX", "https://a.example/q/"),
        ("https://a.example/a-77123/x", "https://a.example/HEX/HEX", "https://a.example/"),
        (
            "https://a.example/v.php?id=7",
            "https://a.example/v.php?id=NUM",
            "https://a.example/v.php?",
        ),
        (
            "https://a.example/v.php?id=ab&lang=en",
            "https://a.example/v.php?id=HEX&lang=en",
            "https://a.example/v.php?",
        ),
        ("https://a.example/?p=1931", "https://a.example/?p=NUM", "https://a.example/?"),
        (
            "https://a.example/watch?v=x7",
            "https://a.example/watch?v=HEX",
            "https://a.example/watch?",
        ),
        ("https://a.example/b/c?store_id=7", "https://a.example/b/HEX", "https://a.example/b/"),
        ("https://a.example/v.php?PHPSESSID=7", "https://a.example/HEX.php", "https://a.example/"),
    ],
)
def test_a_made_up_address_replaces_the_part_that_identifies_the_page(url, pattern, folder):
    made, beginning = make_up_url(url)

    expected = re.escape(pattern).replace("HEX", "[0-9a-f]{16}").replace("NUM", r"1[9]\d{8}")
    assert re.fullmatch(expected, made), made
    assert beginning == folder
    assert make_up_url(url)[0] != made


NAMED_SO = modern("Page not found", f"<h1>Page not found</h1>{prose('en', 3)}")
REMOVED = modern(
    "Page removed", "<h1>This page has been removed</h1><p>It was here for a year.</p>"
)
CODE = modern("Not found", "<h1>Not found</h1><p>Name a page.</p><pre><code>x = 404</code></pre>")
PLAY = modern(
    "Pagina non trovata",
    "<h1>Pagina non trovata</h1><p>Una bibliotecaria scopre che da ogni libro manca la stessa.</p>"
    "<p>Tre attori, un tavolo, quaranta quaderni: lo spettacolo dura due ore con un intervallo.</p>"
    "<p>Ogni venerdì di maggio, alle otto di sera, nella sala grande del vecchio mulino.</p>",
)
QUESTION = modern(
    "Site not found - what now?",
    "<div itemtype='https://schema.org/QAPage'><h1>Site not found - what now?</h1><p>May.",
)
MISSING = modern("Page not found", "<h1>Page not found</h1><p>Sorry, there is no such page.</p>")


@pytest.mark.parametrize(
    ("page", "status", "flags"),
    [
        (NAMED_SO, 404, ()),
        (NAMED_SO, 410, ()),
        (CODE, 404, ()),
        (PLAY, 404, ()),
        (QUESTION, 404, ()),
        (NAMED_SO, 500, ("error_page",)),
        (REMOVED, 404, ("error_page",)),
        (MISSING, 404, ("error_page",)),
    ],
)
def test_a_page_titled_not_found_exists_if_missing_pages_return_404(page, status, flags):
    site = by_target({ASKED: html(page)}, other=html("no", status=status))
    found, targets = asked(site)

    assert found == flags
    assert len(targets) == 2


def test_a_page_that_resembles_the_error_page_is_missing():
    other = html(modern("Pagina non trovata", "<h1>Pagina non trovata</h1>"), status=404)
    assert asked(by_target({ASKED: html(PLAY)}, other=other))[0] == ("error_page",)


def test_an_ordinary_page_has_no_neighbour():
    flags, targets = asked(html(article("The bridge of 1931")))

    assert (flags, targets) == ((), [ASKED])


def test_a_destination_of_all_redirects_is_the_same_for_all():
    site = by_target({"/about/us": html(ABOUT)}, other=redirect(302, "/about/us"))
    flags, targets = asked(site)

    assert flags == ("same_for_all",)
    assert len(targets) == 4


def test_a_redirect_that_keeps_the_pages_name_is_not_the_same_for_all():
    new = "/2019/report-annual"
    site = by_target({new: html(ABOUT)}, other=redirect(301, new))

    assert "same_for_all" not in asked(site)[0]


def test_a_redirect_of_one_page_only_is_not_the_same_for_all():
    moved = {ASKED: redirect(301, "/about/us"), "/about/us": html(ABOUT)}
    flags, targets = asked(by_target(moved, other=answer(404)))

    assert flags == ("moved",)
    assert re.fullmatch(r"/archive/2019/[0-9a-f]{16}", targets[-1])


def test_a_redirect_that_keeps_the_last_path_segment_is_ordinary():
    moved = {ASKED: redirect(301, "/2019/annual-report/"), "/2019/annual-report/": html(ABOUT)}
    assert len(asked(by_target(moved, other=answer(404)))[1]) == 2


def test_a_deep_page_with_the_title_of_the_site_needs_a_neighbour():
    assert asked(html(HOME))[0] == ("same_for_all",)
    assert asked(by_target({ASKED: html(HOME)}, other=answer(404)))[0] == ()
    assert asked(html(HOME), path="/")[1] == ["/"]


def test_a_page_that_a_script_fills_proves_nothing():
    assert asked(html(SHELL))[0] == ()


@pytest.mark.parametrize(
    "gate",
    [
        "<h1>Are you over 18?</h1><button>Yes</button>",
        "<h1>River Museum</h1><button>Alle akzeptieren</button><button>Nein</button>",
        "<h1>Bitte bestätigen Sie, dass Sie 18 Jahre alt sind</h1><button>Sind Sie 18?</button>",
        "<h1>Choose your country</h1><a href=/us/>USA</a>",
        "<h1>年齢確認</h1><button>はい</button>",
    ],
)
def test_a_gate_that_is_shown_to_everybody_proves_nothing(gate):
    page = HOME.partition("<main")[0] + f"<main>{gate}</main></body></html>"
    assert asked(html(page))[0] == ()
    assert asked(by_target({"/x": html(page)}, other=redirect(302, "/x")))[0] == ()


def test_a_redirect_that_leads_back_is_an_interstitial():
    gate = by_target({f"/go?to={ASKED}": html(ABOUT)}, other=redirect(302, f"/go?to={ASKED}"))
    assert asked(gate)[0] == ()


def test_an_interstitial_at_the_root_is_not_a_home_page():
    page = "<title>River Winery</title><h1>Are you of legal drinking age?</h1><button>Yes</button>"
    assert asked(by_target({"/": html(page)}, other=redirect(302, "/")))[0] == ()


def test_a_home_page_that_everybody_is_sent_to_is_the_same_for_all():
    site = by_target({"/": html(HOME)}, other=redirect(302, "/"))
    assert asked(site)[0] == ("same_for_all", "home_page")
    found, _ = check(site, path=ASKED, ask_neighbours=True, check_soft_404=True)
    assert (found.outcome, found.reason, found.flags) == (Outcome.FAILURE, "soft_404", ())


def test_no_neighbour_is_requested_if_the_setting_says_so():
    assert len(asked(html(HOME), ask_neighbours=False)[1]) == 1


def test_the_literal_condition_requests_no_neighbour():
    assert len(asked(html(HOME), condition="status-200")[1]) == 1


def test_no_neighbour_is_requested_after_the_server_asked_for_a_pause():
    assert len(asked(html(HOME, "Retry-After: 60"))[1]) == 1


WAIT = "Retry-After: 60"


@pytest.mark.parametrize(
    ("neighbour", "pause"),
    [
        (answer(429, WAIT), 60),
        (answer(429), 60),  # a minute if no time is given
        (answer(404, WAIT), 60),
        (answer(503, WAIT), None),  # for a made-up address
        (answer(503, WAIT, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 60"), 60),
        (answer(404), None),
    ],
)
def test_the_status_of_the_neighbours_answer_determines_its_pause(neighbour, pause):
    site = by_target({ASKED: html(HOME)}, other=neighbour)
    found, zoo = check(site, path=ASKED, ask_neighbours=True)
    assert len(zoo.targets) == 2
    assert (found.flags, found.pause and found.pause.total_seconds()) == ((), pause)
