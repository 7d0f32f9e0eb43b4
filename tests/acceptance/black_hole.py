"""`unshare --net python -m tests.acceptance.black_hole FOLDER`: servers in a black hole.

For ten minutes, everything that is sent to the servers is dropped. A minute lasts as long as a
check of all pages, and a check by hand is requested each minute. Faults are raised.
"""

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.acceptance.abyss import ip, lay_cable, lead_nowhere
from tests.acceptance.processes import Client, running_product, until
from tests.counting_server import counting_server
from tests.hours.clock import Clock

HOSTS = [f"10.9.0.{n}" for n in range(2, 8)]
MINUTE = timedelta(minutes=1)
SETTINGS = {
    "ALLOW_NETWORKS": "10.9.0.0/24",
    "HTTP_TIMEOUT": "1s",
    "RECHECK_TIMEOUT": "1s",
    "WITNESS_TIMEOUT": "1s",
    "CHECK_RETRIES": "0",
    "CHECK_INTERVAL": "1s",
    "HOST_DELAY": "0s",
    "RATE_LIMIT": "100000/1m",
}


def open_holes(hosts: list[str]) -> None:
    for host in hosts:
        ip("address", "del", f"{host}/32", "dev", "lo")


def close_holes(hosts: list[str]) -> None:
    for host in hosts:
        ip("address", "add", f"{host}/32", "dev", "lo")


class Watch:
    """The pages of all hosts, in a deployment with its own clock."""

    def __init__(self, api: Client, clock: Clock, urls: list[str]) -> None:
        self._api, self._clock = api, clock
        self._ids = [api("POST", "/v1/targets", {"url": url})["id"] for url in urls]

    def targets(self) -> list[dict[str, Any]]:
        return [self._api("GET", f"/v1/targets/{one}") for one in self._ids]

    def states(self) -> list[tuple[str, int]]:
        return [(one["state"], one["failures"]) for one in self.targets()]

    def minute(self) -> None:
        """Let a minute pass and have every page checked by hand."""
        self._clock.shift += MINUTE
        asked_at = datetime.now(UTC) + self._clock.shift
        for one in self._ids:
            self._api("POST", f"/v1/targets/{one}/check")

        def all_are_checked() -> bool:
            times = [one["last_checked_at"] for one in self.targets()]
            return all(at and datetime.fromisoformat(at) >= asked_at for at in times)

        until(all_are_checked)


def main(folder: Path) -> None:
    lay_cable("10.9.0.1/24")
    lead_nowhere(HOSTS)
    close_holes(HOSTS)
    clock = Clock(folder / "clock")
    well = [("alive", 0)] * len(HOSTS)
    with (
        counting_server(HOSTS) as server,
        running_product(folder, **SETTINGS, **clock.environment) as product,
    ):
        watch = Watch(product.api, clock, [server.url(host) for host in HOSTS])
        until(lambda: watch.states() == well)

        # One server: its page fails once in the hour, for any number of requested checks.
        open_holes(HOSTS[:1])
        for _ in range(10):
            watch.minute()
        (state, failures), *others = watch.states()
        assert (state, failures) == ("potentially_dead", 1), (state, failures)
        assert others == well[1:], others
        results = product.api("GET", f"/v1/targets/{watch.targets()[0]['id']}/results")["items"]
        assert "timeout" in {result["reason"] for result in results}
        assert any("too soon after the previous one" in result["error"] for result in results[:9])
        close_holes(HOSTS[:1])
        watch.minute()
        assert watch.states() == well, watch.states()

        # All servers: it is our own network, and no failure counts.
        open_holes(HOSTS)
        for _ in range(10):
            watch.minute()
        assert watch.states() == well, watch.states()
        assert all(one["inconclusive_since"] for one in watch.targets())
        close_holes(HOSTS)
        watch.minute()
        assert watch.states() == well, watch.states()
        assert not any(one["inconclusive_since"] for one in watch.targets())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
