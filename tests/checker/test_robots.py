"""Opting out by robots.txt, if ROBOTS enables it."""

import asyncio
from datetime import timedelta

import pytest

from checker import policies
from checker.engine.errors import ErrorKind, FetchError
from checker.engine.exchange import Exchange
from checker.engine.fetch import probe
from checker.engine.gate import BusyElsewhereError, OpenGate
from checker.engine.instructions import Instructions
from checker.engine.robots import MAX_AGE, Robots, read_rules, robots_url
from foundation.database.clock import database_now
from hosts.models import Slot
from targets.models import Target
from targets.state import Outcome
from tests.checker.hostile import measure
from tests.checker.shifts import register, work_until_nothing_is_due
from tests.zoo.checks import check, policy
from tests.zoo.rows import NOT_FOUND_PAGE, by_target, redirect
from tests.zoo.server import answer, hanging, serve, serve_in_thread

any_database = pytest.mark.any_database
PAGE = answer(200, body=b"the page")
OURS = b"""\
User-agent: *
Disallow: /

User-agent: linkwatch/0.3 # the link checker
Disallow: /private
Allow: /private/open
"""


def site(robots, *, status=200):
    return by_target({"/robots.txt": answer(status, body=robots)}, other=PAGE)


@any_database
@pytest.mark.parametrize(
    ("path", "is_permitted"),
    [("/", True), ("/private", False), ("/private/a", False), ("/private/open/a", True)],
)
def test_a_page_that_a_site_closes_to_linkwatch_is_not_requested(path, is_permitted):
    found, zoo = check(site(OURS), path=path, robots=Robots())

    assert zoo.targets == (["/robots.txt", path] if is_permitted else ["/robots.txt"])
    if is_permitted:
        assert found.outcome is Outcome.SUCCESS
    else:
        assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, "robots")
        assert found.never_counts
        assert f"robots.txt ({zoo.url('/robots.txt')}) asks" in found.error


REFRESH = answer(body=b"<meta http-equiv=refresh content='0;url=/private'>")
CLOSED, UNKNOWN = (Outcome.INCONCLUSIVE, "robots"), (Outcome.INCONCLUSIVE, "root_unknown")
FOUND = (Outcome.SUCCESS, None)


@any_database
@pytest.mark.parametrize(
    ("page", "rules", "verdict", "changes"),
    [
        (redirect(302, "/private"), "Disallow: /private", CLOSED, {}),
        (redirect(302, "/private"), "Disallow: /private", CLOSED, {"method": "HEAD"}),
        (redirect(302, "/private"), "Disallow: /private", CLOSED, {"condition": "status-200"}),
        (
            redirect(302, "/private"),
            "Disallow: /private",
            CLOSED,
            {"instructions": Instructions(accept=frozenset(["robots"]))},
        ),
        (REFRESH, "Disallow: /private", FOUND, {}),
        (answer(403), "Disallow: /\nAllow: /open/page", UNKNOWN, {}),
        (NOT_FOUND_PAGE, "Disallow: /open\nAllow: /open/page", FOUND, {"ask_neighbours": True}),
    ],
    ids=["redirect", "HEAD", "status-200", "accepted", "refresh", "root", "neighbour"],
)
def test_closed_pages_that_a_check_leads_to_are_not_requested(page, rules, verdict, changes):
    robots_txt = answer(body=f"User-agent: Linkwatch\n{rules}".encode())
    behaviour = by_target({"/robots.txt": robots_txt, "/open/page": page})
    found, zoo = check(behaviour, path="/open/page", robots=Robots(), **changes)

    assert (found.outcome, found.reason) == verdict
    assert zoo.targets == ["/robots.txt", "/open/page"]


@any_database
def test_each_site_that_redirects_lead_to_is_asked():
    async def run():
        async with serve(site(OURS)) as other:
            pages = {"/robots.txt": answer(404), "/a": redirect(302, other.url("/private"))}
            async with serve(by_target(pages)) as zoo:
                return await probe(zoo.url("/a"), policy=policy(robots=Robots())), zoo, other

    found, zoo, other = asyncio.run(run())
    assert found.reason == "robots"
    assert [hop.url for hop in found.redirects] == [other.url("/private")]
    assert f"robots.txt ({other.url('/robots.txt')}) asks" in found.error
    assert (zoo.targets, other.targets) == (["/robots.txt", "/a"], ["/robots.txt"])


@any_database
@pytest.mark.parametrize(
    ("robots_txt", "pause"),
    [
        (answer(429, "Retry-After: 3600"), 3600),
        (answer(429), 60),
        (answer(200, "Retry-After: 9"), 9),
        (answer(200, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 5"), 5),
        (answer(503, "Retry-After: 9"), None),
        (answer(404), None),
    ],
)
def test_a_pause_that_the_answer_to_robots_txt_asks_for_precedes_the_page(robots_txt, pause):
    found, zoo = check(by_target({"/robots.txt": robots_txt}), path="/a", robots=Robots())

    if pause is None:
        assert (found.outcome, found.pause) == (Outcome.SUCCESS, None)
    else:
        assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, "busy_elsewhere")
        assert found.pause == found.wait == timedelta(seconds=pause)
        assert found.never_counts
        assert zoo.targets == ["/robots.txt"]


@any_database
@pytest.mark.parametrize(
    "error",
    [
        BusyElsewhereError("it is paused", retry_in=7.0),
        FetchError(ErrorKind.FORBIDDEN_REDIRECT, "another site"),
    ],
    ids=["busy", "forbidden"],
)
def test_a_robots_txt_that_was_not_requested_is_requested_by_the_next_check(error):
    class ClosedGate(OpenGate):
        async def enter(self, host):
            raise error

    async def run():
        async with serve(site(OURS)) as zoo:
            fetching, url = policy(robots=Robots()), zoo.url("/private")
            first = await probe(url, policy=fetching, gate=ClosedGate())
            return first, await probe(url, policy=fetching), zoo

    first, later, zoo = asyncio.run(run())
    assert first.reason == error.kind
    assert first.retry_in == getattr(error, "retry_in", None)
    assert (later.reason, zoo.targets) == ("robots", ["/robots.txt"])


@any_database
def test_by_default_no_robots_txt_is_requested():
    found, zoo = check(site(OURS), path="/private")

    assert (found.outcome, zoo.targets) == (Outcome.SUCCESS, ["/private"])


@any_database
@pytest.mark.parametrize(
    "behaviour",
    [
        site(b"User-agent: *\nDisallow: /"),
        site(b"User-agent: Linkwatcher\nDisallow: /"),
        site(b"User-agent: Linkwatch\nDisallow:"),
        site(b"Disallow: /"),
        site(OURS, status=404),
        site(OURS, status=500),
        site(b"<html>User-agent: Linkwatch Disallow: /</html>"),
        site(b"\xff\xfe\x00" * 1000),
    ],
)
def test_a_site_that_does_not_name_linkwatch_is_checked(behaviour):
    found, _ = check(behaviour, path="/private", robots=Robots())

    assert found.outcome is Outcome.SUCCESS


@any_database
def test_a_group_of_several_names_is_for_each_of_them():
    rules = b"User-agent: Linkwatch\nUser-agent: Other\nDisallow: /private\n"

    assert check(site(rules), path="/private", robots=Robots())[0].reason == "robots"


@any_database
def test_a_robots_txt_is_requested_once_a_day_and_an_error_once_an_hour():
    now = [0.0]
    robots = Robots(clock=lambda: now[0])

    async def check_at(*times):
        async with serve(site(OURS)) as zoo:
            for at in times:
                now[0] = at
                await probe(zoo.url("/private"), policy=policy(robots=robots))
            return zoo.targets

    assert asyncio.run(check_at(0.0, 1.0, MAX_AGE - 1)) == ["/robots.txt"]
    assert asyncio.run(check_at(0.0, MAX_AGE + 1)) == ["/robots.txt"] * 2

    for status in (429, 503):
        robots.remember("http://a/robots.txt", Exchange(url="http://a/robots.txt", status=status))
        now[0] += 3599
        assert robots.is_known("http://a/robots.txt")
        now[0] += 2
        assert not robots.is_known("http://a/robots.txt")


@any_database
def test_a_hanging_robots_txt_times_out_and_the_page_is_requested():
    behaviour = by_target({"/robots.txt": hanging()}, other=PAGE)

    assert check(behaviour, robots=Robots(), timeout=0.5)[0].outcome is Outcome.SUCCESS


@any_database
@pytest.mark.parametrize(
    "line",
    [
        "Disallow: /" + "*a" * 32_000,
        "Disallow: /" + "$" * 64_000,
        ("Disallow: /" + "*a" * 200 + "\n") * 150,
        "User-agent: Linkwatch\nAllow: /b\n" * 2_000,
        "Disallow: /a\n" * 5_000,
        "\r\n\x0b\x1c" * 16_000,
    ],
)
def test_a_hostile_robots_txt_is_cheap(line):
    body = f"User-agent: Linkwatch\n{line}".encode()[: 64 * 1024]
    url = "http://a.example/" + "a" * 2_000

    def judge():
        rules = read_rules(Exchange(url=url, status=200, body=body))
        if rules is not None:
            rules.can_fetch(url, "Linkwatch")

    assert measure(judge, limit=500) < 500


@any_database
def test_the_memory_for_robots_txt_is_bounded():
    robots = Robots()
    for number in range(3_000):
        url = robots_url(f"http://{number}.example/page")
        robots.remember(url, Exchange(url=url, status=200, body=OURS))

    assert not robots.is_known("http://1.example/robots.txt")
    assert robots.is_known("http://2999.example/robots.txt")


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quick")
def test_a_target_of_a_site_that_opted_out_keeps_its_state(settings):
    settings.ROBOTS = "optout"
    policies.ROBOTS.clear()
    with serve_in_thread(site(OURS)) as zoo:
        register(zoo.url("/private/a"), zoo.url("/private/b"), zoo.url("/open"))
        work_until_nothing_is_due()
    targets = Target.objects.order_by("url").values_list("state", "last_reason")
    assert list(targets) == [("alive", ""), ("pending", "robots"), ("pending", "robots")]
    assert sorted(zoo.targets) == ["/open", "/robots.txt"]
    target = Target.objects.filter(last_reason="robots").first()
    assert target.advice.summary == "Blocks bots"
    assert target.inconclusive_since is not None


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quick")
def test_a_host_whose_robots_txt_asks_for_a_pause_gets_no_other_request(settings):
    settings.ROBOTS = "optout"
    policies.ROBOTS.clear()
    throttled = answer(429, "Retry-After: 600")
    with serve_in_thread(by_target({"/robots.txt": throttled})) as zoo:
        register(zoo.url("/a"), zoo.url("/b"))
        work_until_nothing_is_due()
    assert zoo.targets == ["/robots.txt"]
    assert Slot.objects.get().not_before > database_now() + timedelta(minutes=9)
