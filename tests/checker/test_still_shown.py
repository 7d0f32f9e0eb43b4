"""A page with its former content although its status says that it does not exist."""

import pytest

from checker.engine.page import FetchedPage
from checker.engine.page_identity import identify
from targets.state import Outcome
from tests.zoo.checks import check, summary
from tests.zoo.server import answer

pytestmark = pytest.mark.any_database

STORY = " ".join(
    f"The {colour} lighthouse of the {number}th island was built when keepers had {animal}s."
    for colour, number, animal in zip(
        ("red", "white", "grey", "striped", "green", "yellow"),
        range(4, 10),
        ("goat", "horse", "donkey", "raven", "sheep", "mule"),
        strict=True,
    )
)
PAGE = f"<html lang=en><title>Keepers of the north</title><h1>Keepers</h1><p>{STORY}</p>"
NOT_FOUND = "<title>Not found</title><h1>Not found</h1><p>Nothing is here. Try our search.</p>"
WALL = ("cf-mitigated: challenge",)


def serving(status, page=PAGE, *, neighbour=(404, NOT_FOUND), headers=(), of_neighbour=()):
    """Return a server with such a page; all made-up addresses get the other answer."""

    async def behave(visit):
        is_page = visit.target == "/stories/keepers.html"
        code, body = (status, page) if is_page else neighbour
        extra = headers if is_page else of_neighbour
        kind = "Content-Type: text/html; charset=utf-8"
        await answer(code, kind, *extra, body=body.encode())(visit)

    return behave


def known(page=PAGE):
    return identify(FetchedPage(page), url="http://127.0.0.1/", certificate=None, known=None)


def asked(behaviour, **changes):
    options = {"path": "/stories/keepers.html", "known": known(), "ask_neighbours": True}
    return check(behaviour, **{**options, "retries": 0, **changes})


@pytest.mark.parametrize("status", [404, 500, 503])
@pytest.mark.parametrize("neighbour", [(404, NOT_FOUND), (404, ""), (200, NOT_FOUND)])
def test_an_unchanged_page_is_inconclusive_and_eventually_counts(status, neighbour):
    found, zoo = asked(serving(status, neighbour=neighbour))

    assert summary(found) == (Outcome.INCONCLUSIVE, "page_still_shown", status)
    assert not found.never_counts
    assert len(zoo.visits) == 2
    assert zoo.targets[1].startswith("/stories/")
    assert found.evidence["sibling"]["status"] == neighbour[0]
    assert "but the page looks as it did when last seen; a made-up address returns" in found.error


@pytest.mark.parametrize(
    ("server", "reason", "visits"),
    [
        # A 410 is deliberate.
        (serving(410), "http_410", 1),
        # Every address gets this page, such as the shell of an application.
        (serving(404, neighbour=(404, PAGE)), "http_404", 2),
        (serving(404, neighbour=(200, PAGE)), "http_404", 2),
        # The title is unchanged, and the text says that the page has ended.
        (
            serving(404, PAGE.replace(STORY, "This story has been removed by us. " * 9)),
            "http_404",
            1,
        ),
        (serving(404, PAGE.replace("Keepers of the north", "Not found")), "http_404", 1),
        (serving(404, NOT_FOUND), "http_404", 1),
        (serving(404, ""), "http_404", 1),
        # Nothing is known of the neighbour.
        (serving(404, neighbour=(403, ""), of_neighbour=WALL), "http_404", 2),
        # A wall or a pause decides first.
        (serving(503, headers=WALL), "blocked", 1),
        (serving(503, headers=("Retry-After: 9",)), "unavailable", 1),
    ],
)
def test_other_pages_are_judged_by_their_status(server, reason, visits):
    found, zoo = asked(server)

    assert found.reason == reason
    assert len(zoo.visits) == visits


@pytest.mark.parametrize(
    "changes",
    [
        {"known": None},
        {"known": known(PAGE.replace("Keepers of the north", ""))},
        {"known": known(PAGE.replace(STORY, "Short."))},
        {"ask_neighbours": False},
        {"condition": "status-200"},
    ],
)
def test_no_neighbour_is_requested_if_it_would_prove_nothing(changes):
    found, zoo = asked(serving(404), **changes)

    assert summary(found) == (Outcome.FAILURE, "http_404", 404)
    assert len(zoo.visits) == 1


@pytest.mark.parametrize("status", [404, 503])
@pytest.mark.parametrize(
    ("neighbour", "headers", "pause"),
    [
        ((404, NOT_FOUND), ("Retry-After: 60",), 60),
        ((429, ""), ("Retry-After: 70",), 70),
        ((429, ""), (), 60),
        ((503, ""), ("Retry-After: 60",), None),  # for a made-up address
    ],
)
def test_the_host_is_paused_if_the_neighbours_answer_asks_for_it(status, neighbour, headers, pause):
    found, zoo = asked(serving(status, neighbour=neighbour, of_neighbour=headers))

    assert len(zoo.visits) == 2
    assert found.reason == "page_still_shown"
    assert (found.pause and found.pause.total_seconds()) == pause
