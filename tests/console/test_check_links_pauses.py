"""A pause of a host that begins while *Check links* fetches a page from it."""

import asyncio
import ipaddress
from datetime import timedelta

import pytest
from django.db import connection

from console.check_links.fetching import fetch_page
from foundation.database.clock import database_now
from foundation.files.lists import UnreadableFileError
from foundation.net import egress
from hosts.reservations import back_off
from tests.zoo.server import Visit, answer, serve_in_thread

pytestmark = pytest.mark.django_db(transaction=True)


def pause() -> None:
    back_off("127.0.0.1", until=database_now() + timedelta(hours=1))
    connection.close()


async def pause_and_redirect(visit: Visit) -> None:
    await asyncio.to_thread(pause)
    await answer(302, "Location: /there")(visit)


def test_a_redirect_within_a_host_that_was_paused_since_is_not_followed(settings):
    settings.ALLOW_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    egress.network_guard.cache_clear()
    try:
        with (
            serve_in_thread(pause_and_redirect) as zoo,
            pytest.raises(UnreadableFileError, match="right now"),
        ):
            fetch_page(zoo.url("/here"), is_open=True)
    finally:
        egress.network_guard.cache_clear()
    assert zoo.targets == ["/here"]
