"""Opting out by robots.txt, if ROBOTS enables it."""

import asyncio

import pytest

from checker import policies
from checker.engine.exchange import Exchange
from checker.engine.fetch import probe
from checker.engine.robots import MAX_AGE, Robots, read_rules, robots_url
from targets.models import Target
from targets.state import Outcome
from tests.checker.hostile import measure
from tests.checker.shifts import register, work_until_nothing_is_due
from tests.zoo.checks import check, policy
from tests.zoo.rows import by_target
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

    robots.remember("http://a/robots.txt", Exchange(url="http://a/robots.txt", status=503))
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
