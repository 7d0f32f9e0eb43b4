"""Conditional requests: pages that are said to be unchanged, correctly or not."""

import asyncio
from datetime import timedelta

import pytest

from checker.engine.conditional_requests import MAX_UNREAD_TIME, Validators
from checker.engine.instructions import Instructions
from checker.engine.verdict import CONDITIONS, by_evidence
from targets.state import Outcome
from tests.cases import some_of_each
from tests.zoo.checks import policy
from tests.zoo.rows import CASES, GUARD, kind_of, redirect
from tests.zoo.server import answer, raw, serve
from tests.zoo.steady import ETAG, SteadyPage, revalidating

pytestmark = pytest.mark.any_database

HTML = "Content-Type: text/html"
STORY = "The red lighthouse of the fourth island was built when its keepers still had goats. " * 9
PAGE = f"<title>Keepers of the north</title><h1>Keepers</h1><p>{STORY}</p>".encode()
PARKED = b"<title>This domain is for sale</title><h1>This domain is for sale</h1>"
GONE = b"<title>Page not found</title><h1>Page not found</h1>"
OTHERS = (
    b"<html lang=de><title>Kasino Gewinner</title><p>"
    + b"Spielen Sie hier um echtes Geld, mit Bonus und ohne Einzahlung sofort losspielen. " * 9
)
TIME = "Wed, 21 Oct 2015 07:28:00 GMT"


def preconditions(zoo):
    """Return the kind of each request: for the page, or with a made-up or a stored validator."""
    kinds = []
    for visit in zoo.visits:
        sent = visit.header("If-None-Match") or visit.header("If-Modified-Since")
        is_kept = sent in (ETAG, TIME)
        kinds.append("page" if sent is None else "kept" if is_kept else "made-up")
    return kinds


def run(behaviour, *, checks, path="/stories/keepers.html", **changes):
    """Check a page that many times; return its target and the requests of the server."""
    fetching = policy(**changes.pop("policy", {}))

    async def check_all():
        async with serve(behaviour) as zoo:
            page = SteadyPage(zoo.url(path), fetching)
            for name, value in changes.items():
                setattr(page, name, value)
            for _ in range(checks):
                await page.check()
            return page, zoo

    return asyncio.run(check_all())


def by_clock(*bodies):
    """Return a site whose page differs from check to check, with one ETag for all versions."""
    served = []

    async def behave(visit):
        served.append(visit)
        body = bodies[min(len(served), len(bodies)) - 1]
        await revalidating(answer(200, HTML, body=body))(visit)

    return behave


def verdicts(page):
    return [(found.outcome, found.reason, found.flags) for found in page.found]


FINE = (Outcome.SUCCESS, None, ())


def test_a_304_is_accepted_twice_in_a_row_then_the_page_is_read():
    page, zoo = run(revalidating(answer(200, HTML, body=PAGE)), checks=8)

    assert preconditions(zoo) == ["page", "made-up", "kept", "kept", "page", "kept", "kept", "page"]
    assert verdicts(page) == [FINE] * 8
    assert [found.status_code for found in page.found] == [200, 200, 304, 304, 200, 304, 304, 200]
    unchanged = page.found[2]
    assert (unchanged.is_unchanged, unchanged.evidence["rule"]) == (True, "unchanged")
    assert unchanged.evidence["body_bytes"] == 0
    assert unchanged.evidence["attempts"][0]["precondition"] == f"If-None-Match: {ETAG}"
    assert unchanged.identity is None, "nobody saw a page"


def test_last_modified_is_used_if_there_is_no_etag():
    async def behave(visit):
        is_known = visit.header("If-Modified-Since") == TIME
        await (answer(304, body=b"") if is_known else answer(200, f"Last-Modified: {TIME}"))(visit)

    _, zoo = run(behave, checks=5)
    assert preconditions(zoo) == ["page", "made-up", "kept", "kept", "page"]


def test_a_page_is_read_after_30_days_at_the_latest():
    behaviour = revalidating(answer(200, HTML, body=PAGE))

    _, zoo = run(behaviour, checks=5, period=MAX_UNREAD_TIME)
    assert preconditions(zoo) == ["page"] * 5
    _, zoo = run(behaviour, checks=5, period=MAX_UNREAD_TIME / 2)
    assert preconditions(zoo) == ["page", "made-up", "kept", "page", "kept"]


def test_a_server_that_accepts_a_made_up_validator_gets_only_full_requests():
    async def behave(visit):
        is_asked = visit.header("If-None-Match") is not None
        await (answer(304, body=b"") if is_asked else answer(200, 'ETag: "v1"', body=PAGE))(visit)

    page, zoo = run(behave, checks=6)
    assert preconditions(zoo) == ["page", "made-up", *["page"] * 5]
    assert verdicts(page) == [FINE] * 6
    assert [found.status_code for found in page.found] == [200] * 6
    assert page.kept["honest"] is False


def test_a_server_that_accepts_any_validator_and_asks_for_a_pause_is_read_next():
    async def behave(visit):
        is_asked = visit.header("If-None-Match") is not None
        unchanged = answer(304, "Retry-After: 5", body=b"")
        await (unchanged if is_asked else answer(200, 'ETag: "v1"', body=PAGE))(visit)

    page, zoo = run(behave, checks=4)
    assert preconditions(zoo) == ["page", "made-up", "page", "page"]
    assert not any(found.is_unchanged for found in page.found)


@pytest.mark.parametrize(
    ("body", "flags"),
    [(PARKED, ("parked",)), (GONE, ("error_page",)), (OTHERS, ("changed_owner",))],
    ids=["parked", "soft 404", "another owner"],
)
@pytest.mark.parametrize("turns", range(2, 8))
def test_a_changed_page_behind_an_unchanged_etag_is_found_by_the_third_check(turns, body, flags):
    page, _ = run(by_clock(*[PAGE] * turns, body), checks=turns + 3)

    after = [found.flags for found in page.found[turns:]]
    assert flags in after
    assert flags == after[-1]


@pytest.mark.parametrize(
    "kept",
    [
        answer(500, body=b""),
        answer(412, body=b""),
        answer(404, body=b""),
        answer(403, body=b""),
        answer(302, "Location: /", body=b""),
        answer(304, "cf-mitigated: challenge", body=b""),
        raw(b"\x00\xff\r\n\r\n"),
    ],
)
def test_an_error_only_on_a_conditional_request_is_not_a_verdict(kept):
    page_, asked = revalidating(answer(200, HTML, body=PAGE)), []

    async def behave(visit):
        if visit.target == "/":
            return await answer(200, body=b"home")(visit)
        asked.append(visit)
        is_known = visit.header("If-None-Match") == ETAG
        return await (kept if is_known else page_)(visit)

    page, _ = run(behave, checks=4)
    assert {(found.outcome, found.reason) for found in page.found} == {(Outcome.SUCCESS, None)}


def test_a_304_with_a_body_and_an_unrequested_304():
    kept = b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello" + b"x" * 100_000

    async def behave(visit):
        is_known = visit.header("If-None-Match") == ETAG
        await (raw(kept) if is_known else answer(200, "ETag: " + ETAG, body=PAGE))(visit)

    page, _ = run(behave, checks=4)
    assert page.found[2].is_unchanged
    assert page.found[2].evidence["body_bytes"] == 0

    page, zoo = run(answer(304, "ETag: " + ETAG, body=b""), checks=3)
    assert preconditions(zoo) == ["page"] * 3
    assert {found.evidence["rule"] for found in page.found} == {"choice or unchanged"}
    assert page.kept is None


@pytest.mark.parametrize(
    "header",
    [
        "ETag: v1",
        'ETag: "a\x00b"',
        'ETag: "caf\xe9"',
        'ETag: "' + "x" * 65_000 + '"',
        'ETag: "a"\r\n b"',
        "ETag: *",
        'ETag: "a", "b"',
        "Last-Modified: yesterday",
        "Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT\x00",
        "Last-Modified: " + "9" * 60_000,
    ],
)
def test_validators_that_are_malformed_or_long_are_not_kept(header):
    page, zoo = run(answer(200, header, body=PAGE), checks=3)

    assert preconditions(zoo) == ["page"] * 3
    assert page.kept is None


def test_a_validator_is_sent_only_to_its_own_address():
    sent = {}

    async def behave(visit):
        sent.setdefault(visit.target, []).append(visit.header("If-None-Match"))
        if visit.target == "/old":
            await redirect(301, "/new", 'ETag: "of the redirect"')(visit)
        elif len(sent.get("/new", ())) > 3:
            await answer(200, HTML, body=PAGE)(visit)
        else:
            await revalidating(answer(200, HTML, body=PAGE))(visit)

    page, _ = run(behave, path="/old", checks=3)
    assert sent["/old"] == [None] * 3
    assert sent["/new"][::2] == [None, ETAG]
    assert [found.flags for found in page.found] == [("moved",)] * 3
    assert page.found[2].moved_to.endswith("/new")


def test_a_redirect_to_another_page_gets_that_page():
    leads_to = ["/a", "/a", "/a", "/b"]

    async def behave(visit):
        if visit.target == "/":
            await redirect(302, leads_to.pop(0))(visit)
        else:
            await revalidating(answer(200, HTML, body=PAGE))(visit)

    page, _ = run(behave, path="/", checks=4)
    assert [found.is_unchanged for found in page.found] == [False, False, True, False]
    assert page.found[3].final_url.endswith("/b")


@pytest.mark.parametrize(
    "changes",
    [
        {"policy": {"instructions": Instructions(text="Keepers")}},
        {"policy": {"instructions": Instructions(status=200)}},
        {"policy": {"instructions": Instructions(headers=((b"X-Key", b"k"),), origin="x")}},
        {"policy": {"method": "HEAD"}},
        {"condition": "status-200"},
        {"condition": "own"},
        {"is_conditional": False},
    ],
)
def test_instructions_that_expect_something_of_a_page_get_the_page(changes):
    if changes.get("condition") == "own":
        own = {**CONDITIONS, "own": lambda exchange: by_evidence(exchange)}
        changes = {**changes, "policy": {"conditions": own}}
    page, zoo = run(revalidating(answer(200, HTML, body=PAGE)), checks=4, **changes)

    assert preconditions(zoo) == ["page"] * 4
    assert page.kept is None


@pytest.mark.usefixtures("trusted", "names")
def test_another_issuer_of_the_certificate_causes_a_full_read(tls):
    behaviour = revalidating(answer(200, HTML, body=PAGE))

    async def check_all():
        async with serve(behaviour, tls=tls["good"]) as zoo:
            page = SteadyPage(zoo.url(), policy())
            for _ in range(3):
                await page.check()
            page.kept["issuer"] = "another"
            return await page.check(), preconditions(zoo)

    found, asked = asyncio.run(check_all())
    assert asked == ["page", "made-up", "kept", "kept", "page"]
    assert (found.attempts, found.status_code, found.is_unchanged) == (2, 200, False)


def test_a_kept_validator_is_for_the_planned_check_only():
    behaviour = revalidating(answer(200, HTML, body=PAGE))

    async def check_all():
        async with serve(behaviour) as zoo:
            page = SteadyPage(zoo.url(), policy())
            for _ in range(2):
                await page.check()
            page.now -= timedelta(hours=1)  # a check by hand
            await page.check()
            return preconditions(zoo)

    assert asyncio.run(check_all()) == ["page", "made-up", "page"]


def test_data_stored_by_an_unknown_release_is_harmless():
    for kept in (None, {}, {"due": 1}, {"etag": ETAG}, {"etag": ETAG, "due": 1, "new": "thing"}):
        validators = Validators.from_json(kept, due=None)
        assert validators.precondition("http://a.example/") is None


@pytest.mark.slow
@pytest.mark.usefixtures("trusted", "names")
@pytest.mark.parametrize(
    "case", some_of_each([case for case in CASES if case.behaviour], kind=kind_of, most=1)
)
def test_the_zoo_gives_the_same_verdicts_with_conditional_requests(case, tls):
    fetching = policy(**{"guard": GUARD, **case.policy})

    async def in_a_row(*, is_conditional):
        behaviour = revalidating(case.behaviour) if is_conditional else case.behaviour
        async with serve(behaviour, tls=tls[case.tls] if case.tls else None) as zoo:
            url = zoo.url(case.path, host=case.host)
            page = SteadyPage(url, fetching, is_conditional=is_conditional)
            for _ in range(5):
                await page.check()
            return verdicts(page), page

    async def both():
        return await asyncio.gather(in_a_row(is_conditional=False), in_a_row(is_conditional=True))

    (expected, _), (found, page) = asyncio.run(both())
    assert found == expected
    is_steady_page = str(case) in ("01-s200", "12-moved", "16-good", "18-huge", "11-gate")
    assert any(one.is_unchanged for one in page.found) or not is_steady_page
