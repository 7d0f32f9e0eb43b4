"""VERDICTS, row 6: a server that asks for a pause gets it, for all its targets."""

import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checker.engine.throttling import (
    HeldPages,
    is_for_page_alone,
    read_retry_after,
    requested_pause,
)
from checker.models import CheckResult
from checker.recording import answering_host, record
from foundation.database.clock import database_now
from foundation.net.retry_after import MAX_WAIT, MIN_WAIT
from hosts import aliases, reservations
from hosts.models import Host, Purpose, Slot
from targets.models import Target
from targets.state import Outcome, State
from tests.checker.shifts import finding, probe, register, throttled, work_until_nothing_is_due
from tests.counting_server import counting_server

DAY = timedelta(days=1)
NO_DELAY = timedelta(0)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def pause_of(status, retry_after=None):
    """Return the pause that an answer requests by its status and Retry-After header."""
    headers = {} if retry_after is None else {"retry-after": retry_after}
    return requested_pause(status, read_retry_after(headers, now=NOW))


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("status", "retry_after", "pause"),
    [
        (429, "120", 120),
        (503, "120", 120),
        (429, "0.0", 1),
        (429, "-5", 1),
        (429, f"{1e300:f}", 86_400),
        (503, "9" * 400, 86_400),  # infinite, as a float
        (429, None, 60),
        (429, "soon", 60),
        (503, None, None),
        (503, "soon", None),
        (200, "120", 120),
        (404, "120", 120),
        (403, "120", 120),
        (500, "soon", None),
        (None, None, None),
    ],
)
def test_the_pause_is_the_one_that_the_answer_asks_for_within_bounds(status, retry_after, pause):
    found = pause_of(status, retry_after)
    assert found == (None if pause is None else timedelta(seconds=pause))


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("left", "reset", "pause"),
    [
        ("0", "90", 90),
        ("0", str(int(NOW.timestamp()) + 90), 90),
        ("0", str(int(NOW.timestamp()) - 90), 1),
        ("0", "9" * 400, 86_400),
        ("0", "soon", None),
        ("0", "", None),
        ("1", "90", None),
        ("", "90", None),
    ],
)
def test_a_used_up_rate_limit_asks_for_a_pause_until_its_reset(left, reset, pause):
    for prefix in ("x-ratelimit", "x-rate-limit", "ratelimit"):
        headers = {f"{prefix}-remaining": left, f"{prefix}-reset": reset}
        assert read_retry_after(headers, now=NOW) == pause


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("limit", "policy", "pause"),
    [
        ('"default";r=0;t=30', "", 30),
        ('"default"; r=0 ;t=30', "", 30),
        ('"default";r=5;t=30', "", None),
        ('"burst";r=0;t=5, "day";r=0;t=600', "", 600),
        ('"burst";r=0;t=5, "day";r=9;t=600', "", 5),
        ('"day";r=0', '"burst";q=9;w=5, "day";q=100;w=3600', 3600),
        ('"day";r=0', "", None),
        ("limit=10, remaining=0, reset=50", "", 50),
        ("limit=10, remaining=1, reset=50", "", None),
        ('"a";r=0;t=' + "9" * 400, "", 86_400),
        ('"a";r=0;t=-5', "", None),
        ('"a";r=0;t=1e9', "", None),
        ('"a";r=0;t', "", None),
        ('";,;=,";r=0;t=7', "", 7),
        ("", "", None),
    ],
)
def test_the_rate_limit_of_the_drafts_asks_for_a_pause_when_exhausted(limit, policy, pause):
    headers = {"ratelimit": limit, "ratelimit-policy": policy}
    assert read_retry_after(headers, now=NOW) == pause


@pytest.mark.any_database
@pytest.mark.parametrize(
    "value",
    [
        ";" * 60_000,
        "," * 60_000,
        '"' * 60_000,
        "=" * 60_000,
        '"a";r=0;t=' + "9" * 60_000,
        '"a";r=0;t=' + "9" * 900 + ".",
        '"a";r=0;t=1,' * 5_000,
        "remaining=0,reset=" + "0" * 60_000,
        "\x00\xff" * 30_000,
    ],
)
def test_a_hostile_rate_limit_pauses_a_host_for_at_most_a_day(value):
    headers = {"ratelimit": value, "ratelimit-policy": value, "ratelimit-reset": value}
    started = time.process_time()
    for _ in range(100):
        pause = read_retry_after(headers | {"ratelimit-remaining": "0"}, now=NOW)
        assert pause is None or MIN_WAIT.total_seconds() <= pause <= MAX_WAIT.total_seconds()
    assert time.process_time() - started < 1


@pytest.mark.any_database
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_any_number_gives_a_pause_within_bounds(seconds):
    assert MIN_WAIT <= pause_of(429, f"{seconds:f}") <= MAX_WAIT


@pytest.mark.any_database
def test_a_429_still_asks_for_a_pause_if_a_condition_calls_it_a_failure():
    failed = probe(Outcome.FAILURE, status_code=429, retry_after=30.0)
    assert failed.pause == timedelta(seconds=30)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://A.example:8080/x", "a.example"),
        ("http://bücher.example/", "xn--bcher-kva.example"),
        ("http://[::1]:80/", "[::1]"),
        ("http://a.example./", "a.example"),
        (None, None),
        ("not a url", None),
    ],
)
def test_the_host_that_answered_is_normalized(url, host):
    assert answering_host(probe(final_url=url)) == host


def lease(limit=1):
    return reservations.reserve(
        Purpose.CHECK, limit=limit, ttl=timedelta(hours=1), now=database_now()
    ).leases


@pytest.mark.django_db(transaction=True)
def test_a_throttled_host_and_its_alias_back_off_in_the_transaction_of_the_result():
    first, _ = register("http://a.example/1", "http://a.example/2")
    register("http://b.example/")
    aliases.set_hosts("twins", ["a.example", "b.example"], now=database_now())
    (held,) = lease()
    target = {"a.example": first}.get(held.host) or Target.objects.get(host=held.host)
    found = throttled(final_url=f"http://{held.host}/")
    record([done := finding(target, held.token, found)], finished=[held.token], delay=NO_DELAY)

    until = done.checked_at + timedelta(seconds=120)
    slot = Slot.objects.get(key="twins")
    assert (slot.token, slot.not_before, slot.check_ready_at) == (None, until, until)
    target.refresh_from_db()
    assert (target.state, target.last_reason) == (State.PENDING, "throttled")
    assert target.next_check_at == until
    assert lease(9) == []
    woken = reservations.reserve(
        Purpose.CHECK, limit=9, ttl=timedelta(seconds=9), now=until + timedelta(seconds=1)
    )
    assert len(woken.leases) == 1


@pytest.mark.django_db(transaction=True)
def test_no_host_backs_off_if_the_flush_fails(monkeypatch):
    (target,) = register("http://a.example/")
    (held,) = lease()
    before = Slot.objects.get().not_before
    monkeypatch.setattr(reservations, "release", lambda *args, **options: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        record([finding(target, held.token, throttled())], finished=[held.token], delay=NO_DELAY)
    assert Slot.objects.get().not_before == before


@pytest.mark.django_db(transaction=True)
def test_the_longest_of_several_requested_pauses_in_a_batch_counts_in_any_order():
    targets = register(*(f"http://a.example/{n}" for n in range(3)))
    (held,) = lease()
    findings = [
        finding(target, held.token, throttled(retry_after=seconds))
        for target, seconds in zip(targets, (30.0, 900.0, 60.0), strict=True)
    ]
    record(findings, finished=[held.token], delay=NO_DELAY)
    assert Slot.objects.get().not_before == findings[1].checked_at + timedelta(seconds=900)


@pytest.mark.django_db(transaction=True)
def test_a_release_keeps_times_that_were_scheduled_before_it():
    (target,) = register("http://a.example/")
    (held,) = lease()
    done = finding(target, held.token, throttled(retry_after=3600.0))
    record([done], finished=[], delay=NO_DELAY)
    record([], finished=[held.token], delay=timedelta(seconds=5))
    slot = Slot.objects.get()
    assert slot.token is None
    assert slot.check_ready_at == done.checked_at + timedelta(hours=1)


@pytest.mark.django_db(transaction=True)
def test_an_operators_longer_pause_is_kept():
    (target,) = register("http://a.example/")
    (held,) = lease()
    ordered = database_now() + 2 * DAY
    reservations.back_off("a.example", until=ordered)
    record([finding(target, held.token, throttled())], finished=[held.token], delay=NO_DELAY)
    assert Slot.objects.get().not_before == ordered


@pytest.mark.django_db(transaction=True)
def test_a_known_host_behind_a_redirect_is_paused_and_the_redirecting_host_is_not():
    (target, _) = register("http://short.example/x", "http://busy.example/")
    held = next(one for one in lease(2) if one.host == "short.example")
    found = throttled(final_url="http://busy.example/landing")
    done = finding(target, held.token, found)
    record([done], finished=[held.token], delay=NO_DELAY)
    until = done.checked_at + timedelta(seconds=120)
    assert Slot.objects.get(key="busy.example").not_before == until
    assert Slot.objects.get(key="short.example").not_before < until
    target.refresh_from_db()
    assert target.next_check_at == until


@pytest.mark.django_db(transaction=True)
def test_an_unknown_host_behind_a_redirect_also_backs_off():
    (target,) = register("http://short.example/x")
    (held,) = lease()
    found = throttled(final_url="http://stranger.example/")
    record([done := finding(target, held.token, found)], finished=[held.token], delay=NO_DELAY)
    until = done.checked_at + timedelta(seconds=120)
    assert Host.objects.get(name="stranger.example").slot.not_before == until


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("status", "reason"),
    [
        *((status, "throttled") for status in (403, 408, 429)),
        (500, "unavailable"),
        (404, "http_404"),
    ],
)
def test_a_checker_worker_skips_a_throttling_host_and_continues_with_others(status, reason):
    hosts = ["127.9.5.1", "127.9.5.2"]
    with counting_server(
        hosts,
        status=lambda path: status if path.startswith("/busy") else 200,
        headers=lambda path: "Retry-After: 300" if path.startswith("/busy") else "",
    ) as server:
        register(*(server.url(hosts[0], f"/busy{n}") for n in range(5)))
        register(*(server.url(hosts[1], f"/{n}") for n in range(3)))
        work_until_nothing_is_due()
    assert sum(n for name, n in server.requests.items() if "busy" in name) == 1
    assert Target.objects.filter(state=State.ALIVE).count() == 3
    result = CheckResult.objects.get(target__host=hosts[0])
    assert result.reason == reason
    assert result.attempts == 1
    slot = Slot.objects.get(key=hosts[0])
    assert slot.check_ready_at == result.checked_at + timedelta(seconds=300)
    assert Target.objects.get(pk=result.target_id).next_check_at >= slot.check_ready_at


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("status", "headers", "is_for_it_alone"),
    [
        (503, {"retry-after": "300"}, True),
        (503, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "300"}, False),
        (500, {"retry-after": "300"}, False),
        (429, {"retry-after": "300"}, False),
        (None, {}, False),
    ],
)
def test_a_503_pauses_the_page_and_other_statuses_pause_the_host(status, headers, is_for_it_alone):
    assert is_for_page_alone(status, headers) is is_for_it_alone


@pytest.mark.any_database
def test_two_pages_that_ask_for_a_pause_pause_the_whole_host():
    now = [0.0]
    held = HeldPages(clock=lambda: now[0])
    assert not held.hold("a.example", "/1", seconds=300)
    assert not held.hold("a.example", "/1", seconds=300), "the same page, by hand"
    assert not held.hold("b.example", "/2", seconds=300)
    assert held.hold("a.example", "/2", seconds=300)
    now[0] = 301.0
    assert not held.hold("a.example", "/3", seconds=300), "that was another time"
    held.forget("a.example")
    assert not held.hold("a.example", "/4", seconds=300), "a page in between was there"
    for number in range(5000):
        held.hold(f"{number}.example", "/", seconds=1)
    assert len(held._held) <= 1000


def busy(*ends):
    """Return a server of one host whose pages with these endings return 503 for five minutes."""

    def is_busy(path):
        return path.endswith(tuple(ends))

    return counting_server(
        ["127.9.5.3"],
        status=lambda path: 503 if is_busy(path) else 200,
        headers=lambda path: "Retry-After: 300" if is_busy(path) else "",
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quick")
def test_an_unavailable_page_delays_no_other_page_of_its_host():
    with busy("3") as server:
        held, *others = register(*(server.url("127.9.5.3", f"/{n}") for n in (3, 1, 2, 4, 5)))
        work_until_nothing_is_due()
        held.refresh_from_db()
        assert set(server.requests.values()) == {1}
        assert Target.objects.filter(state=State.ALIVE).count() == len(others)
        assert (held.state, held.last_reason) == (State.PENDING, "unavailable")
        assert held.next_check_at == held.last_checked_at + timedelta(seconds=300)
        slot = Slot.objects.get()
        assert slot.throttled_until is None
        assert slot.check_ready_at == held.next_check_at


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quick")
def test_a_host_with_a_second_unavailable_page_is_paused_as_a_whole():
    with busy("1", "2", "3", "4") as server:
        register(*(server.url("127.9.5.3", f"/{n}") for n in range(1, 6)))
        work_until_nothing_is_due()
        assert server.requests.total() == 2
    [first, second] = CheckResult.objects.order_by("checked_at")
    assert [first.reason, second.reason] == ["unavailable"] * 2
    slot = Slot.objects.get()
    assert slot.throttled_until == second.checked_at + timedelta(seconds=300)
    assert slot.check_ready_at >= slot.throttled_until


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quick")
def test_a_host_of_300_targets_with_a_429_without_a_time_gets_one_request_a_minute(settings):
    """Each minute, exactly one target is requested; no target dies, no matter how long it lasts."""
    settings.INCONCLUSIVE_LIMIT = timedelta(seconds=0)
    with counting_server(["127.9.5.4"], status=lambda path: 429) as server:
        register(*(server.url("127.9.5.4", f"/{n}") for n in range(300)))
        for asked in range(1, 6):
            work_until_nothing_is_due()
            assert server.requests.total() == asked
            result = CheckResult.objects.latest("checked_at")
            slot = Slot.objects.get()
            minute = result.checked_at + timedelta(minutes=1)
            assert (result.reason, slot.check_ready_at) == ("throttled", minute)
            # The minute passes.
            past = database_now() - timedelta(seconds=1)
            Slot.objects.update(not_before=past, throttled_until=past, check_ready_at=past)
    assert set(server.requests.values()) == {1}, "each time another target"
    assert Target.objects.filter(state=State.PENDING, failures=0).count() == 300
