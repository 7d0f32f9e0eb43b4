"""A deployment continues checking after its clock jumps ahead and back, and no target dies."""

from datetime import timedelta

import pytest

from tests.acceptance.processes import Client, running_product, until
from tests.counting_server import counting_server
from tests.hours.clock import Clock

# On its own SQLite file: the clock of these processes is not PostgreSQL's.
pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
HOSTS = [f"127.9.8.{n}" for n in range(1, 4)]


def test_checks_continue_after_a_clock_was_temporarily_ahead(tmp_path):
    clock = Clock(tmp_path / "clock")
    settings = {
        "ALLOW_NETWORKS": "127.0.0.0/8",
        "CHECK_PERIOD": "2s",
        "RECHECK_PERIOD": "2s",
        "CHECK_INTERVAL": "1s",
        "HOST_DELAY": "0s",
        "RATE_LIMIT": "100000/1m",
        **clock.environment,
    }
    with counting_server(HOSTS) as server:

        def goes_on():
            asked = dict(server.requests)
            until(lambda: all(server.requests[page] > n + 2 for page, n in asked.items()))

        with running_product(tmp_path, **settings) as product:
            api = Client(f"http://{product.host}", product.token)
            for host in HOSTS:
                api("POST", "/v1/targets", {"url": server.url(host)})
            until(lambda: len(server.requests) == len(HOSTS))
            goes_on()
            clock.shift = timedelta(days=400)
            goes_on()
        clock.shift = timedelta(0)
        with running_product(tmp_path, **settings) as product:
            goes_on()
            targets = Client(f"http://{product.host}", product.token)("GET", "/v1/targets")
            assert [target["state"] for target in targets["items"]] == ["alive"] * len(HOSTS)
