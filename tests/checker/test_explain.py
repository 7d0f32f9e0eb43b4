"""`check_links --explain`: the report for a person who doubts a verdict."""

import ipaddress
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection

from checker.explain import next_step
from checker.models import CheckResult
from foundation.net.egress import network_guard
from hosts import reservations
from hosts.models import Host, Purpose, Slot
from targets.models import Target
from targets.state import Health, Outcome, Policy, State
from tests.factories import TargetFactory
from tests.zoo.rows import NOT_FOUND_PAGE, by_target, redirect
from tests.zoo.server import answer, serve_in_thread

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def loopback_is_open(settings):
    network_guard.cache_clear()
    settings.ALLOW_NETWORKS = [ipaddress.ip_network("127.0.0.1/32")]
    settings.CHECK_BACKOFF = timedelta(0)
    settings.HTTP_TIMEOUT = timedelta(seconds=30)
    yield
    network_guard.cache_clear()


def explain(url: str) -> tuple[str | int | None, str]:
    """Return exit status and output."""
    output = StringIO()
    with pytest.raises(SystemExit) as exit_:
        call_command("check_links", explain=url, stdout=output)
    return exit_.value.code, output.getvalue()


def explain_server(behaviour, path="/deep/page", *, tls=None) -> tuple[str | int | None, str]:
    with serve_in_thread(behaviour, tls=tls) as zoo:
        return explain(zoo.url(path))


def test_a_success_is_reported_with_all_its_evidence():
    pages = {"/deep/page": redirect(301, "/new"), "/new": answer(200, "Server: zoo")}
    status, text = explain_server(by_target(pages))

    assert status == 0
    for part in (
        "1. GET: 200 from 127.0.0.1 in ",
        " ms (last hop: DNS ",
        "connect",
        "first byte",
        "301 → http://127.0.0.1",
        "status: 200, 5 bytes of body",
        "final URL: http://127.0.0.1",
        "moved permanently to: http://127.0.0.1",
        "server: zoo",
        "outcome: success: The page is there.",
        "The target is not registered. This result would mean: pending → alive",
        "next check in 10 days.",
        "Nothing was stored and no host was reserved",
    ):
        assert part in text, text


def test_a_failure_is_reported_with_its_attempts_and_its_consequences():
    status, text = explain_server(answer(502))

    assert status == 1
    assert "attempts: 3" in text
    assert "3. GET: 502 from 127.0.0.1" in text
    assert "outcome: failure, http_5xx: The server returned 502 Bad Gateway." in text
    assert "pending → potentially dead, failure 1 of 3, next check in 1 day" in text


def test_an_inconclusive_check_is_reported_with_its_mark():
    status, text = explain_server(answer(403, "cf-mitigated: challenge"))

    assert status == 2
    assert "mark: cloudflare: header cf-mitigated" in text
    assert "by the rule “bot wall” in docs/verdicts.md" in text
    assert "outcome: inconclusive, blocked" in text
    assert "pending as before, next check in 1 day" in text


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        (answer(403, "cf-mitigated: challenge"), "alive as before, next check in 10 days"),
        (answer(503, "Retry-After: 60"), "alive → potentially dead, failure 1 of 3"),
        (answer(429), "alive as before"),
    ],
)
def test_the_report_shows_that_a_long_inconclusive_period_would_count(behaviour, said):
    with serve_in_thread(behaviour) as zoo:
        TargetFactory(url=zoo.url(), state=State.ALIVE, inconclusive_since=NOW)
        _, text = explain(zoo.url())

    assert said in text


def test_throttling_is_reported_with_the_pause():
    assert "requested pause: 60 s" in explain_server(answer(429, "Retry-After: 60"))[1]


def test_flags_are_shown_in_words():
    status, text = explain_server(NOT_FOUND_PAGE)

    assert status == 0
    assert "outcome: success: Page gone." in text
    assert "[error_page: the" in text


def test_a_certificate_is_reported(tls, trusted):
    status, text = explain_server(answer(), tls=tls["good"])

    assert status == 0
    assert "TLS certificate: from trustme" in text
    assert "valid until 2" in text
    assert ", TLS " in text


def test_a_refused_address_is_reported_and_not_connected_to(settings):
    settings.ALLOW_NETWORKS = []
    network_guard.cache_clear()
    with serve_in_thread(answer()) as zoo:
        status, text = explain(zoo.url())

    assert status == 2
    assert zoo.visits == []
    assert "inconclusive, forbidden_address: Linkwatch is not allowed to connect to" in text


def test_a_server_that_is_unreachable_is_reported():
    status, text = explain("http://127.0.0.1:1025/")

    assert status == 1
    assert "1. GET: connect (Connection refused) in " in text


@pytest.mark.parametrize("url", ["", "nonsense", "ftp://example.com/", "http://user:pw@x.test/"])
def test_an_invalid_url_is_reported_without_a_check(url):
    with pytest.raises(CommandError, match=r"No check was made\. .+\.") as error:
        call_command("check_links", explain=url)
    assert error.value.returncode == 1


def test_markup_from_outside_is_shown_as_text():
    nasty = "[bold red]x[/bold red] [/nothing] [link=http://evil.test]y"
    status, text = explain_server(answer(200, f"Server: {nasty}"), "/[red]page[/red]?a=[/b]")

    assert status == 0
    assert f"server: {nasty}" in text
    assert "/[red]page[/red]?a=[/b]" in text


def test_long_lines_are_not_broken():
    long = "/" + "a" * 1500
    assert f"final URL: http://127.0.0.1:1025{long}" in explain(f"http://127.0.0.1:1025{long}")[1]


def test_nothing_is_stored_and_the_targets_own_state_and_rule_count():
    with serve_in_thread(answer(204, body=b"")) as zoo:
        target = TargetFactory(
            url=zoo.url("/x"),
            state=State.POTENTIALLY_DEAD,
            failures=1,
            recheck_threshold=2,
            condition="status-200",
        )
        before = Target.objects.values().get()
        hosts = Host.objects.count(), Slot.objects.count()
        status, text = explain(target.canonical_url + "/")

    assert status == 1
    assert "The target is registered (potentially dead, failures: 1)." in text
    assert "potentially dead → dead, failure 2 of 2, no further check" in text
    assert Target.objects.values().get() == before
    assert CheckResult.objects.count() == 0
    assert (Host.objects.count(), Slot.objects.count()) == hosts


def test_the_instructions_of_the_host_count_for_a_target_that_is_not_registered():
    reservations.schedule({"127.0.0.1": NOW}, purpose=Purpose.CHECK, now=NOW)
    Host.objects.update(instructions={"accept": [404]})

    status, text = explain_server(answer(404))

    assert status == 0, text
    assert "The target is not registered. This result would mean: pending → alive" in text


def test_a_dead_target_would_not_be_checked():
    dead = Health(state=State.DEAD, failures=3)
    policy = Policy(
        check_period=timedelta(days=1),
        recheck_period=timedelta(hours=1),
        recheck_threshold=3,
        inconclusive_limit=timedelta(days=7),
    )

    words = next_step(Outcome.SUCCESS, health=dead, policy=policy, now=NOW)

    assert "it stays dead" in words


def test_each_mark_that_fired_is_reported():
    body = b"<title>Just a moment...</title><script>window._cf_chl_opt={}</script>"
    _, text = explain_server(answer(403, "cf-mitigated: challenge", body=body))

    for mark in ("header cf-mitigated", "_cf_chl_opt", "title just a moment"):
        assert f"mark: cloudflare: {mark}" in text


def test_a_refused_root_is_reported():
    status, text = explain_server(answer(403))

    assert status == 2
    assert "root of the host: http://127.0.0.1" in text
    assert "refuses too (it returned 403)" in text
    assert "by the rule “refused at the root” in docs/verdicts.md" in text


@pytest.mark.django_db(transaction=True)
def test_a_root_that_is_a_target_is_not_requested_and_its_last_check_is_reported():
    with serve_in_thread(answer(403)) as zoo:
        TargetFactory(url=zoo.url("/"), last_checked_at=NOW, last_status_code=200)
        status, text = explain(zoo.url("/deep/page"))

    assert status == 1
    assert [visit.target for visit in zoo.visits] == ["/deep/page"]
    assert "does not refuse (from its own check as a target)" in text


@contextmanager
def database_is_away():
    """Let all statements fail."""

    def fail(*_):
        raise OperationalError("connection failed")

    with connection.execute_wrapper(fail):
        yield


def test_a_report_without_the_database_does_not_call_the_target_unregistered():
    with serve_in_thread(answer()) as zoo, database_is_away():
        status, text = explain(zoo.url())

    assert status == 0
    assert "not registered" not in text
    assert (
        "The database is unavailable, so the target's state is unknown. For a new target, this "
        "result would mean: pending → alive"
    ) in text
