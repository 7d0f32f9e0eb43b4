"""`/queue` lists the next checks of all hosts."""

from datetime import timedelta

import pytest

from foundation.database.clock import database_now
from hosts import services
from targets.registration import Registration, register_within
from targets.services import accept_url

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def _register(*urls, now):
    new = [Registration(url=url, canonical=accept_url(url), reference_id=None) for url in urls]
    return [done.target for done in register_within(new, now=now)]


def _page(client, query=""):
    response = client.get(f"/queue{query}")
    assert response.status_code == 200
    return response.content.decode()


def test_hosts_are_listed_in_the_order_of_their_checks_with_their_first_page(reader):
    now = database_now()
    _register("https://later.example/b", now=now - HOUR)
    [first] = _register("https://first.example/a", now=now - 2 * HOUR)

    page = _page(reader)

    assert page.index("first.example/a") < page.index("later.example/b")
    assert f'href="{first.get_absolute_url()}"' in page
    assert "due now" in page


def test_a_paused_host_is_listed_at_its_turn(reader):
    now = database_now()
    _register("https://paused.example/a", now=now - 2 * HOUR)
    _register("https://other.example/a", now=now - HOUR)
    services.change("paused.example", {"sleep_until": now + HOUR}, now=now)

    page = _page(reader)

    assert page.index("other.example/a") < page.index("paused.example/a")
    assert ">Paused</span>" in page
    assert "in 59 minutes" in page or "in 1 hour" in page or "in 60 minutes" in page


def test_the_queue_has_pages_and_says_when_it_is_empty(reader):
    assert "No checks are scheduled." in _page(reader)
    now = database_now()
    for number in range(30):
        _register(f"https://host{number:02}.example/", now=now - number * HOUR)

    first = _page(reader)
    token = first.split("page_token=")[1].split('"')[0]

    assert "host29.example/" in first
    assert "host00.example/" not in first
    assert "host00.example/" in _page(reader, f"?page_token={token}")
    assert reader.get("/queue?page_token=nonsense").status_code == 404
