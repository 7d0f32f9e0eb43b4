"""Two `run_tasks` on one database: one mechanism keeps them polite and loses nothing."""

import os
import signal
from collections import Counter

import pytest
from django.conf import settings

from checker.models import CheckResult
from foundation.database.clock import database_now
from hosts import aliases
from hosts.models import Slot
from targets import services
from targets.canonical import canonicalize
from targets.models import Target
from targets.services import Registration
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
    services.register([Registration(url=url, canonical=canonicalize(url)) for url in urls], now=now)
    for alias, hosts in ALIASES.items():
        aliases.attach(alias, hosts, now=database_now())


def cluster(name, folder, *, timeout="20s", lease="60s"):
    """Start a cluster of workers on the database of this test.

    Nothing is to time out because the machine is slow: neither a check nor a lease.
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
        HOST_DELAY="0s",
        HTTP_TIMEOUT=timeout,
        CHECK_RETRIES="0",
        BUSY_TIMEOUT=lease,
        CHECK_INTERVAL="1s",
    )


def _all_are_alive():
    return Target.objects.filter(state=State.ALIVE).count() == TARGETS


def test_two_clusters_check_each_target_once_and_never_crowd_a_host(tmp_path, site, registered):
    with cluster("first", tmp_path), cluster("second", tmp_path):
        until(_all_are_alive, within=180)
    assert Counter(site.requests.values()) == {1: TARGETS}
    assert site.most_at_once_in_a_group == 1
    assert 1 < site.most_at_once <= MAX_CONCURRENCY
    assert CheckResult.objects.count() == TARGETS
    assert not Slot.objects.exclude(token=None).exists()


def test_when_one_of_two_clusters_is_killed_the_other_checks_what_it_held(
    tmp_path, site, registered
):
    short = {"timeout": "5s", "lease": "15s"}  # the killed one's leases are waited for
    with (
        cluster("first", tmp_path, **short) as victim,
        cluster("second", tmp_path, **short),
    ):
        until(lambda: site.requests.total() > TARGETS // 3)
        os.killpg(victim.pid, signal.SIGKILL)
        until(_all_are_alive, within=180)
    assert site.most_at_once_in_a_group == 1
    assert site.most_at_once <= MAX_CONCURRENCY
    assert CheckResult.objects.count() == TARGETS
    repeated = site.requests.total() - TARGETS
    assert repeated <= 200 + 3 * MAX_CONCURRENCY, "what one cluster had in hand, unwritten"
    assert not Slot.objects.exclude(token=None).exists()
