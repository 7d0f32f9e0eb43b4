"""A deployment without a network: nothing dies, health names the reason, and checks recover."""

import asyncio
import json
import os
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from checker import uplink
from checker.models import CheckResult
from foundation.database.clock import database_now
from outbox.models import Event
from targets import services
from targets.models import Target
from targets.state import State
from tests.acceptance.processes import (
    PATIENCE,
    ROOT,
    Client,
    database_url,
    environment,
    running_product,
    until,
)
from tests.counting_server import counting_server
from tests.factories import TargetFactory
from tests.ports import free_port
from tests.zoo.proxy import ForwardProxy

HOSTS = [f"127.9.6.{n}" for n in range(1, 6)]
LOOPBACK = "127.0.0.0/8"
STRICT = {"RECHECK_THRESHOLD": "1", "CHECK_RETRIES": "0", "HOST_DELAY": "0s"}  # one failure kills


@contextmanager
def forward_proxy(port: int) -> Iterator[None]:
    """Run a forward proxy on `port`, in a thread."""
    loop, proxy = asyncio.new_event_loop(), ForwardProxy()

    async def serve() -> asyncio.Server:
        return await asyncio.start_server(proxy.serve, "127.0.0.1", port)

    async def close(server: asyncio.Server) -> None:
        server.close()
        for task in list(proxy.tasks):
            task.cancel()
        await asyncio.gather(*proxy.tasks, return_exceptions=True)

    server = loop.run_until_complete(serve())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield
    finally:
        asyncio.run_coroutine_threadsafe(close(server), loop).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def health(api: Client) -> dict:
    try:
        return api("GET", "/v1/health")
    except urllib.error.HTTPError as error:
        with error:
            return json.loads(error.read())


@pytest.mark.release
def test_behind_a_proxy_that_goes_away_nothing_dies_and_all_comes_back(tmp_path):
    port = free_port()
    way = {"EGRESS_PROXY": f"http://127.0.0.1:{port}", "ALLOW_NETWORKS": LOOPBACK}
    soon = {"RECHECK_PERIOD": "1s", "CHECK_PERIOD": "1s", "CHECK_INTERVAL": "1s"}
    soon["RATE_LIMIT"] = "100000/1m"
    with (
        counting_server(HOSTS) as server,
        running_product(tmp_path, **way, **soon, **STRICT) as product,
    ):
        api = Client(f"http://{product.host}", product.token)
        for host in HOSTS:
            api("POST", "/v1/targets", {"url": server.url(host)})

        def states() -> set:
            targets = api("GET", "/v1/targets")["items"]
            return {(each["state"], each["inconclusive_since"] is None) for each in targets}

        # At first the proxy does not exist; nothing has ever answered.
        until(lambda: health(api)["network"]["down_since"])
        assert health(api)["network"]["reason"] == "proxy"
        assert "EGRESS_PROXY" in health(api)["network"]["sentences"][0]
        assert {state for state, _ in states()} == {"pending"}

        for _ in range(2):
            with forward_proxy(port):
                until(lambda: states() == {("alive", True)})
                until(lambda: health(api)["network"]["down_since"] is None)
            until(lambda: states() == {("alive", False)})
            assert health(api)["dependencies"]["network"] == "down"
        assert api("GET", "/v1/events")["items"] == []


def check_links(*, cut_off: bool = False, **changes: str) -> None:
    """Run due checks in a separate process; `cut_off`: in a network without any route."""
    command = [sys.executable, "manage.py", "check_links", "--once", "--with-these-settings"]
    settings = {"DATABASE_URL": database_url(), "REDIS_URL": os.environ["REDIS_URL"]}
    subprocess.run(
        [*(["unshare", "--net"] if cut_off else []), *command],
        cwd=ROOT,
        env=environment(**settings, SECRET_KEY=os.environ["SECRET_KEY"], **STRICT, **changes),
        check=True,
        capture_output=True,
        timeout=PATIENCE,
    )


def all_due() -> None:
    for target in Target.objects.all():
        services.request_check(target, revive=False, now=database_now())


def reasons() -> set[tuple[str, str]]:
    return set(Target.objects.values_list("state", "last_reason"))


@pytest.mark.django_db(transaction=True)
def test_without_a_route_nothing_dies_and_all_comes_back(client):
    if subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode:
        pytest.skip("this user may make no network without a route")
    with counting_server(HOSTS) as server:
        for host in HOSTS:
            TargetFactory(url=server.url(host))
        for _ in range(2):
            all_due()
            check_links(cut_off=True, ALLOW_NETWORKS=LOOPBACK)
        assert reasons() == {("pending", "self_outage")}
        evidence = CheckResult.objects.latest("checked_at").evidence
        assert evidence["unwitnessed"]["reason"] == "no_route"
        answer = client.get("/v1/health").json()
        assert answer["dependencies"]["network"] == "down"
        assert answer["network"]["reason"] == "no_route"

        # Only one target is due now: its answer makes the others due again.
        services.request_check(Target.objects.latest("pk"), revive=False, now=database_now())
        check_links(ALLOW_NETWORKS=LOOPBACK)
    assert reasons() == {("alive", "")}
    assert uplink.standing().down_since is None
    down, back = Event.objects.filter(target=None).order_by("at")
    assert (down.kind, back.kind) == ("network_down", "network_back")
    assert (down.payload["reason"], down.payload["until"]) == ("no_route", None)
    assert (back.payload["since"], back.payload["set_aside"]) == (down.payload["since"], 10)
    others = Event.objects.exclude(target=None)
    assert set(others.values_list("kind", "to_state")) == {("state", "alive")}


@pytest.mark.release
@pytest.mark.django_db(transaction=True)
def test_restarted_without_allow_networks_nothing_dies_and_all_comes_back(client):
    with counting_server(HOSTS) as server:
        for host in HOSTS:
            TargetFactory(url=server.url(host))
        all_due()
        check_links(ALLOW_NETWORKS=LOOPBACK)
        all_due()
        check_links()
        assert reasons() == {("alive", "forbidden_address")}
        assert not Event.objects.exclude(to_state=State.ALIVE).exists()
        network = client.get("/v1/health").json()["network"]
        assert network["set_aside"] == {"forbidden_address": 5}
        assert "ALLOW_NETWORKS" in network["sentences"][0]

        check_links(ALLOW_NETWORKS=LOOPBACK)  # nothing was due before that
    assert reasons() == {("alive", "")}
