"""Two `run_tasks` on one database: they share leases, respect delays and lose nothing."""

import os
import signal
import time
from collections import Counter
from datetime import timedelta

import pytest
from django.conf import settings

from checker.models import CheckResult
from foundation.database.clock import database_now
from hosts import aliases, operator_changes, reservations
from hosts.models import Slot
from targets import registration, services
from targets.canonical import canonicalize
from targets.models import Target
from targets.registration import Registration
from targets.state import State
from tests.acceptance.processes import database_url, running, until
from tests.counting_server import counting_server

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.django_db(transaction=True),
]

MAX_CONCURRENCY = 16
HOSTS = [f"127.8.{n // 250}.{n % 250 + 1}" for n in range(300)]
TARGETS = 3 * len(HOSTS)
ALIASES = {f"alias-{n}": HOSTS[10 * n : 10 * n + 5] for n in range(10)}
ALIAS_OF = {host: alias for alias, hosts in ALIASES.items() for host in hosts}


@pytest.fixture
def site():
    with counting_server(
        HOSTS, delay=0.03, together=2, group=lambda address: ALIAS_OF.get(address, address)
    ) as server:
        yield server


@pytest.fixture
def registered(site):
    now = database_now()
    urls = [site.url(host, f"/{n}") for host in HOSTS for n in range(3)]
    registration.register(
        [Registration(url=url, canonical=canonicalize(url)) for url in urls], now=now
    )
    for alias, hosts in ALIASES.items():
        aliases.set_hosts(alias, hosts, now=database_now())


def cluster(name, folder, *, timeout="20s", **changes):
    """Start a cluster of workers on this test's database.

    No check may time out because the machine is slow.
    """
    return running(
        "run_tasks",
        log=folder / f"{name}.log",
        DATA_DIR=str(folder),
        SECRET_KEY=settings.SECRET_KEY,
        DATABASE_URL=database_url(),
        REDIS_URL=settings.REDIS_URL,
        ALLOW_NETWORKS="127.0.0.0/8",
        MAX_CONCURRENCY=str(MAX_CONCURRENCY),
        HTTP_TIMEOUT=timeout,
        CHECK_INTERVAL="1s",
        **{"HOST_DELAY": "0s", "CHECK_RETRIES": "0"} | changes,
    )


def _all_are_alive():
    return Target.objects.filter(state=State.ALIVE).count() == TARGETS


def test_two_clusters_check_each_target_once_and_respect_delays_of_hosts(
    tmp_path, site, registered
):
    with cluster("first", tmp_path), cluster("second", tmp_path):
        until(_all_are_alive, within=180)
    assert Counter(site.requests.values()) == {1: TARGETS}
    assert site.most_at_once_in_a_group == 1
    assert 1 < site.most_at_once <= MAX_CONCURRENCY
    assert CheckResult.objects.count() == TARGETS
    assert not Slot.objects.exclude(token=None).exists()


@pytest.mark.release
def test_after_one_of_two_clusters_is_killed_the_other_checks_its_targets(
    tmp_path, site, registered
):
    with (
        cluster("first", tmp_path, timeout="5s") as victim,
        cluster("second", tmp_path, timeout="5s"),
    ):
        until(lambda: site.requests.total() > TARGETS // 3)
        os.killpg(victim.pid, signal.SIGKILL)
        until(_all_are_alive, within=180)
    assert site.most_at_once_in_a_group == 1
    assert site.most_at_once <= MAX_CONCURRENCY
    assert CheckResult.objects.count() == TARGETS
    repeated = site.requests.total() - TARGETS
    assert repeated <= 200 + 3 * MAX_CONCURRENCY, "the checks that one cluster had not written yet"
    assert not Slot.objects.exclude(token=None).exists()


# Politeness: each host redirects to others, throttles and asks for retries; some need pauses or
# backoff.

CROWD = [f"127.8.9.{n + 1}" for n in range(50)]
SLOW = CROWD[:10]  # with their own delay
DELAY = timedelta(seconds=0.4)
SLEEPY = CROWD[10:15]  # sometimes in backoff


def _path(host_number, kind):
    """Return a path that redirects to a host, twice, or back, or fails every other time."""
    return f"/{kind}/{(7 * host_number + 3) % len(CROWD)}"


class Manners:
    """The answers of the hosts in the crowd, by the kind in the path."""

    def __init__(self):
        self.port = 0
        self._failed = Counter()

    def status(self, path):
        kind = path.split("/")[1]
        if kind == "flaky":
            self._failed[path] += 1
            return 500 if self._failed[path] % 2 else 200
        return {"page": 200, "throttled": 429}.get(kind, 302)

    def headers(self, path):
        _, kind, number = path.split("/")
        if kind == "throttled":
            return "Retry-After: 2"
        ends = {"away": "flaky", "twice": "away", "back": "page"}.get(kind)
        there = CROWD[(int(number) * 3 + 1) % len(CROWD)]
        return f"Location: http://{there}:{self.port}/{ends}/{number}" if ends else ""


@pytest.fixture
def crowd():
    manners = Manners()
    with counting_server(
        CROWD, delay=0.02, status=manners.status, headers=manners.headers
    ) as server:
        manners.port = server.port
        now = database_now()
        kinds = ("page", "flaky", "away", "twice", "back")
        urls = [
            server.url(host, _path(number, kind))
            for number, host in enumerate(CROWD)
            for kind in kinds
        ]
        urls += [server.url(host, "/throttled/0") for host in CROWD[20:25]]
        requested = [Registration(url=url, canonical=canonicalize(url)) for url in urls]
        registration.register(requested, now=now)
        for host in SLOW:
            operator_changes.set_delay(host, delay=DELAY)
        yield server


def _asked_since(crowd, moment):
    """Return the number of hosts that got a request after this monotonic time."""
    return sum(crowd.last(host) > moment for host in CROWD)


def test_no_host_gets_two_requests_at_once_or_within_its_delay(tmp_path, crowd):
    often = {
        "HOST_DELAY": "50ms",
        "CHECK_RETRIES": "1",
        "CHECK_BACKOFF": "20ms",
        "CHECK_PERIOD": "1s",
        "RECHECK_PERIOD": "1s",
        "timeout": "5s",
    }
    with (
        cluster("first", tmp_path, **often) as victim,
        cluster("second", tmp_path, **often),
    ):
        until(lambda: crowd.requests.total() > 600)
        for host in SLEEPY:
            now = database_now()
            reservations.back_off(host, until=now + timedelta(seconds=3))
        until(lambda: crowd.requests.total() > 900)
        os.killpg(victim.pid, signal.SIGKILL)
        killed_at = time.monotonic()
        # The leases of the killed cluster, at most the cap, last 15 s: then that many hosts are
        # requested again.
        until(lambda: _asked_since(crowd, killed_at + 1) >= MAX_CONCURRENCY, within=20)
        # Its own hosts come last, a grace later, after those that have waited longer. Requests that
        # it had sent may arrive a moment after its end, and leave its leases.
        until(lambda: _asked_since(crowd, killed_at + 1) == len(CROWD), within=40)

    assert crowd.most_at_once_in_a_group == 1
    assert crowd.most_at_once > 1
    assert min(crowd.longest_gap(host) for host in SLEEPY) >= 2.5, "they slept for 3 s"
    assert min(crowd.shortest_gap(host) for host in SLOW) >= DELAY.total_seconds()
    reasons = set(CheckResult.objects.values_list("reason", flat=True))
    assert reasons >= {"", "busy_elsewhere", "throttled"}
    assert CheckResult.objects.filter(attempts=2).exclude(redirects=[]).exists()
    assert not Slot.objects.exclude(token=None).exists()


@pytest.mark.release
def test_several_clusters_respect_a_pause_and_count_failures_like_one(tmp_path):
    """Use a 429 without a time, and checks by hand of a page that fails for a moment."""
    busy, broken, *well = (f"127.8.9.{n}" for n in range(1, 9))
    paths = {"/busy": 429, "/broken": 503}
    with counting_server(
        [busy, broken, *well], status=lambda path: paths.get(path.rpartition("/")[0], 200)
    ) as server:
        urls = [server.url(busy, f"/busy/{n}") for n in range(300)]
        urls += [server.url(host, f"/well/{n}") for host in well for n in range(20)]
        urls.append(server.url(broken, "/broken/1"))
        registration.register(
            [Registration(url=url, canonical=canonicalize(url)) for url in urls],
            now=database_now(),
        )
        ill = Target.objects.get(host=broken)
        with cluster("first", tmp_path), cluster("second", tmp_path):
            for number in range(1, 5):
                until(lambda: CheckResult.objects.filter(target=ill).count() == number)  # noqa: B023
                services.request_check(ill, revive=False, now=database_now())
            until(lambda: Target.objects.filter(state=State.ALIVE).count() == 20 * len(well))
            until(lambda: CheckResult.objects.filter(target__host=busy).exists())
            asked = sum(n for page, n in server.requests.items() if page.startswith(busy))
            first = CheckResult.objects.filter(target__host=busy).earliest("checked_at")
            # Otherwise it belongs to another turn.
            if database_now() < first.checked_at + timedelta(minutes=1):
                assert asked == 1
        ill.refresh_from_db()
        assert (ill.state, ill.failures) == (State.POTENTIALLY_DEAD, 1)
        assert "too soon after the previous one" in (ill.last_error or "")
        assert set(Target.objects.filter(host=busy).values_list("state", "failures")) == {
            (State.PENDING.value, 0)
        }
        assert server.most_at_once_in_a_group == 1
