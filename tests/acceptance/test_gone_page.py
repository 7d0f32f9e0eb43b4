"""The product does not redirect to a dead destination, even if its relay is killed."""

import http.client
import os
import signal
import time
from contextlib import suppress

import psutil
import pytest

from tests.acceptance.processes import PATIENCE, running_product, until
from tests.counting_server import counting_server

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
SITE = "127.0.0.1"


def follow(product, accept):
    connection = http.client.HTTPConnection(product.host, timeout=PATIENCE)
    try:
        connection.request("GET", "/s/promise", headers={"Accept": accept})
        return connection.getresponse().status
    finally:
        connection.close()


def wait_for(product, path, state):
    """Wait until the registry has this state; returns the time."""
    until(lambda: product.api("GET", path)["state"] == state)
    return time.monotonic()


def see(product, status):
    until(lambda: follow(product, BROWSER) == status)
    return time.monotonic()


def kill_relay(product):
    """Kill the relay; it is restarted."""
    killed = product.process("relay_analytics")
    os.kill(killed.pid, signal.SIGKILL)

    def another():
        with suppress(StopIteration, psutil.NoSuchProcess):
            return product.process("relay_analytics").pid != killed.pid
        return False

    until(another)


def test_visitors_get_a_notice_only_while_the_destination_is_dead(tmp_path):
    changes = {"ALLOW_NETWORKS": "127.0.0.0/8", "RECHECK_PERIOD": "1s", "CHECK_INTERVAL": "500ms"}
    changes |= {"DEAD_RECHECK_PERIOD": "1h", "WEB_PROCESSES": "2", "EVENT_STATES": "alive"}
    with running_product(tmp_path, **changes) as product, counting_server([SITE]) as site:
        body = {"long_url": site.url(SITE, "/page"), "key": "promise", "watch": True}
        path = f"/v1/targets/{product.api('POST', '/v1/urls', body)['target']['id']}"
        wait_for(product, path, "alive")
        assert follow(product, BROWSER) == 302
        took = []
        for is_killed in (False, True, False):
            for site_does, state, status in (
                (site.refuse, "dead", 200),
                (site.listen, "alive", 302),
            ):
                site_does([SITE])
                product.api("POST", path + "/check", {"revive": True})
                since = wait_for(product, path, state)
                if is_killed:
                    kill_relay(product)
                took.append(see(product, status) - since)
                assert [follow(product, BROWSER) for _ in range(10)] == [status] * 10
                assert follow(product, "*/*") == 302
        undisturbed = [*took[:2], *took[4:]]
        assert min(undisturbed) < 2, "of a busy machine one is enough to see that it can be"
        until(lambda: product.api("GET", "/v1/metrics")["gone_pages"] >= 30)
        assert product.api("GET", "/v1/stats")["sinks"]["links"]["set_aside"] == 0
