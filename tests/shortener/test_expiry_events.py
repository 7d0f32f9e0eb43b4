"""Links that end soon are announced once: links with an owner, and watched links."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection

from foundation.database.clock import database_now
from outbox.models import Event
from shortener import expiry_events, services, tasks
from shortener.models import ShortURL
from tests.shortener.links import HOUR, ShortURLFactory, make

pytestmark = pytest.mark.django_db


def announcements():
    """Return the announcements since the last call, by key."""
    tasks.tell_of_endings()
    rows = Event.objects.filter(kind="link_ending")
    found = {row.payload["key"]: row.payload for row in rows}
    rows.delete()
    return found


@pytest.fixture
def owner():
    return User.objects.create_user("ada")


def ending(key, *, after=HOUR, **values):
    return ShortURLFactory(key=key, expires_at=database_now() + after, **values)


def test_an_expiring_link_is_announced_once_for_each_expiry(owner):
    link = ending("abc", owner=owner)
    (row,) = announcements().values()
    assert row == {
        "key": "abc",
        "destination": link.long_url,
        "ends_at": row["ends_at"],
        "owner": owner.pk,
        "team": None,
    }
    assert row["ends_at"].startswith(f"{link.expires_at:%Y-%m-%dT%H:%M:%S}")
    services.update("abc", {"tags": ["x"]}, now=database_now())
    assert announcements() == {}
    services.update("abc", {"expires_at": database_now() + 2 * HOUR}, now=database_now())
    assert announcements().keys() == {"abc"}
    assert announcements() == {}


def test_only_active_owned_or_watched_links_are_announced(owner):
    make(key="watched", watch=True, ttl="1h")
    ending("nobodys")
    ending("later", owner=owner, after=expiry_events.SOON + HOUR)
    ending("over", owner=owner, after=-HOUR)
    ending("disabled", owner=owner, disabled=True)
    ending("used-up", owner=owner, max_visits=1, visits_left=0)
    ShortURLFactory(key="for-ever", owner=owner)
    assert announcements().keys() == {"watched"}


def test_expiring_links_are_announced_in_batches(owner, monkeypatch):
    monkeypatch.setattr(expiry_events, "_BATCH_SIZE", 2)
    for n in range(5):
        ending(f"k{n}", owner=owner, after=n * timedelta(minutes=1) + HOUR)
    assert expiry_events.announce(now=database_now()) == 2
    assert tasks.tell_of_endings() == 3
    assert list(announcements()) == ["k0", "k1", "k2", "k3", "k4"]


def test_expiring_links_are_found_by_their_own_index():
    now = database_now()
    query = ShortURL.objects.ending(now, before=now + expiry_events.SOON)[:10]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
    assert "short_ending" in query.explain()
