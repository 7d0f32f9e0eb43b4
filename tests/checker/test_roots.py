"""The root of a host that refuses a page: asked, remembered, or known as a target."""

import asyncio

import pytest

from checker.engine.fetch import probe
from checker.engine.roots import LASTS, Roots, root_of
from checker.engine.walk import Attempt
from checker.policies import refused_at_root
from targets.state import Outcome
from tests.factories import TargetFactory
from tests.zoo.checks import check, patiently, policy
from tests.zoo.rows import by_target, redirect
from tests.zoo.server import answer, hanging, raw, serve

pytestmark = pytest.mark.any_database

REFUSED = (Outcome.INCONCLUSIVE, "blocked")


def site(root, *, page=None):
    return by_target({"/": root}, other=page or answer(403))


def checked(behaviour, path="/deep/page", **changes):
    found, zoo = check(behaviour, path=path, **changes)
    return (found.outcome, found.reason), zoo.targets, found


@pytest.mark.parametrize("status", [400, 403, 405, 406])
def test_a_host_that_refuses_its_root_as_well_refuses_us(status):
    verdict, asked, found = checked(answer(status))

    assert verdict == REFUSED
    assert asked == ["/deep/page", "/"]
    assert found.never_counts
    assert found.evidence["rule"] == "refused at the root"
    assert "root as well" in found.error


@pytest.mark.parametrize("status", [400, 403, 405, 406])
def test_a_host_whose_root_answers_refuses_this_page(status):
    verdict, _, found = checked(site(answer(200), page=answer(status)))

    assert verdict == (Outcome.FAILURE, f"http_{status}")
    assert found.evidence["rule"] == "bare refusal"


@pytest.mark.parametrize(
    "root", [answer(403, "cf-mitigated: challenge"), answer(429), answer(405), redirect(302, "/x")]
)
def test_a_wall_a_rate_limit_or_another_refusal_at_the_root_is_one(root):
    assert checked(site(root))[0] == REFUSED


@pytest.mark.parametrize(
    "root", [answer(404), answer(500), answer(401), redirect(302, "/"), redirect(302, "")]
)
def test_anything_else_at_the_root_says_that_the_page_is_refused(root):
    assert checked(site(root))[0] == (Outcome.FAILURE, "http_403")


def test_a_root_that_breaks_off_or_loops_ends_the_check_and_is_not_remembered():
    roots = Roots()

    assert checked(site(raw()), roots=roots)[0] == (Outcome.FAILURE, "http_403")
    assert checked(site(redirect(302, "/")), roots=roots)[0] == (Outcome.FAILURE, "http_403")

    @patiently
    def _(pace):
        found, asked, _ = checked(site(hanging()), roots=roots, timeout=0.5 * pace)
        assert (found, asked) == ((Outcome.FAILURE, "http_403"), ["/deep/page", "/"])

    assert not roots._refusals


@pytest.mark.parametrize("status", [404, 410, 418, 500, 503])
def test_no_root_is_asked_for_another_status(status):
    _, asked, _ = checked(answer(status), retries=0)

    assert asked == ["/deep/page"]


def test_a_root_that_is_refused_is_not_asked_again():
    verdict, asked, _ = checked(answer(403), path="/")

    assert verdict == REFUSED
    assert asked == ["/"]


def test_the_literal_condition_asks_no_root():
    verdict, asked, _ = checked(answer(403), condition="status-200")

    assert verdict == (Outcome.FAILURE, "http_403")
    assert asked == ["/deep/page"]


def test_the_root_is_that_of_the_host_that_answers():
    async def run():
        async with serve(answer(403)) as away, serve(redirect(302, away.url("/page"))) as zoo:
            return await probe(zoo.url("/x"), policy=policy()), away.targets, zoo.targets

    found, away, here = asyncio.run(run())

    assert (found.outcome, found.reason) == REFUSED
    assert (here, away) == (["/x"], ["/page", "/"])


def test_a_root_is_asked_once_an_hour():
    now = [1000.0]
    roots = Roots(clock=lambda: now[0])

    async def run():
        async with serve(answer(403)) as zoo:
            for after in (0, LASTS - 1, 2):
                now[0] += after
                found = await probe(zoo.url("/page"), policy=policy(roots=roots))
                assert found.reason == "blocked"
            return zoo.targets

    assert asyncio.run(run()).count("/") == 2


def test_the_memory_of_roots_is_bounded():
    roots = Roots()
    for number in range(1500):
        roots.remember(f"http://h{number}.example/", refuses=True)

    assert roots.recall("http://h0.example/") is None
    assert roots.recall("http://h1499.example/") is True
    assert len(roots._refusals) == 1000


@pytest.mark.parametrize(("refuses", "reason"), [(True, "blocked"), (False, "http_403")])
def test_a_root_that_is_a_target_is_not_asked(refuses, reason):
    async def known(url):
        assert url == root_of(url)
        return refuses

    (_, found), asked, _ = checked(answer(403), root_target=known)

    assert found == reason
    assert asked == ["/deep/page"]


def test_no_root_is_asked_where_nobody_wants_to_know():
    verdict, asked, _ = checked(answer(403), roots=None)

    assert verdict == (Outcome.FAILURE, "http_403")
    assert asked == ["/deep/page"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("reason", "status", "refuses"),
    [
        ("blocked", 403, True),
        ("http_403", 403, True),
        ("", 200, False),
        ("timeout", None, False),
        ("", None, False),
    ],
)
def test_the_last_check_of_a_root_that_is_a_target_counts(reason, status, refuses):
    url = "https://museum.example/"
    TargetFactory(url=url, last_reason=reason, last_status_code=status)

    assert refused_at_root(url) is refuses
    assert refused_at_root("https://other.example/") is None
    assert refused_at_root("https://museum.example:0x/") is None


@pytest.mark.parametrize(
    ("url", "root"),
    [
        ("http://a.example/b/c?d=/e", "http://a.example/"),
        ("https://a.example:8443/", "https://a.example:8443/"),
        ("http://[::1]:80/x", "http://[::1]:80/"),
    ],
)
def test_the_root_of_a_url_has_its_scheme_host_and_port(url, root):
    assert root_of(url) == root


def test_the_request_for_the_root_is_made_as_every_other(monkeypatch):
    """Whatever stands before each request of an attempt stands before this one, too."""
    made = []
    monkeypatch.setattr(
        Attempt, "run", lambda self, run=Attempt.run: made.append(self) or run(self)
    )

    checked(answer(403))

    assert [attempt.asked.rpartition("/")[2] for attempt in made] == ["page", ""]
