"""The root of a host that refuses a page: requested, remembered, or known as a target."""

import asyncio
from datetime import UTC, datetime

import pytest

from checker.engine.fetch import probe
from checker.engine.redirect_chain import FetchAttempt
from checker.engine.roots import MAX_AGE, RootAnswer, Roots, root_of
from checker.policies import known_root
from targets.state import Outcome
from tests.factories import TargetFactory
from tests.zoo.checks import check, patiently, policy
from tests.zoo.rows import by_target, redirect
from tests.zoo.server import answer, hanging, raw, serve

pytestmark = pytest.mark.any_database

REFUSED = (Outcome.INCONCLUSIVE, "blocked")
UNKNOWN = (Outcome.INCONCLUSIVE, "root_unknown")
ASKING = [400, 403, 405, 406, 412, 418, 428, 498]  # the statuses that cause a request for the root


def site(root, *, page=None):
    return by_target({"/": root}, other=page or answer(403))


def checked(behaviour, path="/deep/page", **changes):
    found, zoo = check(behaviour, path=path, **changes)
    return (found.outcome, found.reason), zoo.targets, found


@pytest.mark.parametrize("status", ASKING)
def test_a_host_that_refuses_its_root_as_well_refuses_us(status):
    verdict, asked, found = checked(answer(status))

    assert verdict == REFUSED
    assert asked == ["/deep/page", "/"]
    assert found.never_counts
    assert found.evidence["rule"] == "refused at the root"
    assert "also refused access to its home page" in found.error


@pytest.mark.parametrize("status", ASKING)
def test_a_host_whose_root_answers_refuses_this_page(status):
    verdict, _, found = checked(site(answer(200), page=answer(status)))

    assert verdict == (Outcome.FAILURE, f"http_{status}")
    assert found.evidence["rule"] == "bare refusal"


@pytest.mark.parametrize(
    "root", [answer(403, "cf-mitigated: challenge"), answer(429), answer(405), redirect(302, "/x")]
)
def test_walls_rate_limits_and_other_refusals_at_the_root_count_as_refusals(root):
    assert checked(site(root))[0] == REFUSED


@pytest.mark.parametrize("root", [answer(404), answer(500), answer(410)])
def test_any_other_answer_of_the_root_means_that_the_page_is_refused(root):
    assert checked(site(root))[0] == (Outcome.FAILURE, "http_403")


def test_an_unanswered_root_request_decides_nothing_and_is_not_stored():
    roots = Roots()

    unable = [answer(status) for status in (408, 451, 502, 503, 504, 508, 521, 529)]
    around = [redirect(302, "/"), redirect(302, "")]
    for reply in (raw(), answer(503, "Retry-After: 9"), *unable, *around):
        verdict, _asked, found = checked(site(reply), roots=roots)
        assert verdict == UNKNOWN
        assert found.evidence["rule"] == "refused, root unknown"
        assert not found.never_counts

    @patiently
    def _(pace):
        found, asked, _ = checked(site(hanging()), roots=roots, timeout=0.5 * pace)
        assert (found, asked) == (UNKNOWN, ["/deep/page", "/"])

    assert not roots._answers


LOGIN = answer(
    200, "Content-Type: text/html", body=b"<title>Log in</title><form><input type=password></form>"
)


@pytest.mark.parametrize(
    "root",
    [
        answer(401),
        answer(402),
        answer(403, "WWW-Authenticate: Negotiate"),
        redirect(302, "/login"),
        LOGIN,
    ],
)
def test_a_site_whose_root_requires_a_log_in_is_restricted(root):
    behaviour = by_target({"/": root, "/login": answer(200)}, other=answer(403))
    verdict, _, found = checked(behaviour)

    assert verdict == (Outcome.SUCCESS, None)
    assert found.flags == ("restricted",)
    assert found.evidence["rule"] == "for members"
    assert found.identity is None
    assert checked(site(root, page=answer(406)))[0][0] is not Outcome.SUCCESS


@pytest.mark.parametrize("status", [404, 410, 420, 430, 500, 503])
def test_roots_are_not_requested_for_other_statuses(status):
    _, asked, _ = checked(answer(status), retries=0)

    assert asked == ["/deep/page"]


def test_a_refused_root_is_not_requested_again():
    verdict, asked, _ = checked(answer(403), path="/")

    assert verdict == REFUSED
    assert asked == ["/"]


def test_the_literal_condition_requests_no_root():
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


def test_a_root_is_requested_once_an_hour():
    now = [1000.0]
    roots = Roots(clock=lambda: now[0])

    async def run():
        async with serve(answer(403)) as zoo:
            for after in (0, MAX_AGE - 1, 2):
                now[0] += after
                found = await probe(zoo.url("/page"), policy=policy(roots=roots))
                assert found.reason == "blocked"
            return zoo.targets

    assert asyncio.run(run()).count("/") == 2


def test_the_memory_of_roots_is_bounded():
    roots = Roots()
    for number in range(1500):
        roots.remember(f"http://h{number}.example/", RootAnswer.REFUSES)

    assert roots.recall("http://h0.example/") is None
    assert roots.recall("http://h1499.example/") is RootAnswer.REFUSES
    assert len(roots._answers) == 1000


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (RootAnswer.REFUSES, "blocked"),
        (RootAnswer.ANSWERS, "http_403"),
        (RootAnswer.RESTRICTED, None),
        (RootAnswer.UNKNOWN, "root_unknown"),
    ],
)
def test_a_root_that_is_a_target_is_not_requested(said, reason):
    async def known(url):
        assert url == root_of(url)
        return said

    (_, found), asked, _ = checked(answer(403), look_up_root=known)

    assert found == reason
    assert asked == ["/deep/page"]


def test_no_root_is_requested_if_nobody_needs_it():
    verdict, asked, _ = checked(answer(403), roots=None)

    assert verdict == (Outcome.FAILURE, "http_403")
    assert asked == ["/deep/page"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("reason", "status", "flags", "said"),
    [
        ("blocked", 403, [], "refuses"),
        ("http_403", 403, [], "refuses"),
        ("", 403, ["accepted"], "refuses"),
        ("", 200, [], "speaks"),
        ("http_404", 404, ["restricted"], "speaks"),
        ("", 401, ["restricted"], "restricted"),
        ("", 403, ["restricted"], "restricted"),
        ("", 200, ["login", "restricted"], "restricted"),
        ("timeout", None, [], "unknown"),
        ("self_outage", None, [], "unknown"),
        ("unavailable", 503, [], "unknown"),
        ("http_5xx", 503, [], "unknown"),
        ("http_5xx", 500, [], "speaks"),
        ("http_5xx", 521, [], "unknown"),
        ("throttled", 429, [], "refuses"),
        ("legal", 451, [], "unknown"),
        ("unavailable", 529, [], "unknown"),
        ("redirect_loop", 302, [], "unknown"),
        ("tls", None, [], "unknown"),
    ],
)
def test_the_last_check_of_a_root_that_is_a_target_counts(reason, status, flags, said):
    url = "https://museum.example/"
    target = TargetFactory(
        url=url,
        last_reason=reason,
        last_status_code=status,
        flags=flags,
        last_checked_at=datetime(2026, 11, 1, tzinfo=UTC),
    )

    assert known_root(url) == said
    assert known_root("https://other.example/") is None
    assert known_root("https://museum.example:0x/") is None

    target.last_checked_at = None
    target.save()
    assert known_root(url) is None


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


def test_the_root_is_requested_like_any_other_page(monkeypatch):
    """Each step before another request of an attempt also precedes this one."""
    made = []
    monkeypatch.setattr(
        FetchAttempt, "run", lambda self, run=FetchAttempt.run: made.append(self) or run(self)
    )

    checked(answer(403))

    assert [attempt.asked.rpartition("/")[2] for attempt in made] == ["page", ""]
