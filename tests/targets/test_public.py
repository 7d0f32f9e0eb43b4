"""PUBLIC_LISTS: the public status of the targets of a reference prefix."""

import re
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User

from foundation.database.clock import database_now
from foundation.valkey.clients import client as redis_client
from targets import public_list_pages
from targets.models import Reference, Target
from targets.state import State
from tests.factories import TargetFactory

pytestmark = pytest.mark.django_db
HOSTILE = '"><script>x()</script>\u202e'


@pytest.fixture(autouse=True)
def _listed(settings):
    settings.PUBLIC_LISTS = {"handbook": "docs/"}
    redis_client().flushdb()
    public_list_pages._cached_summary.cache_clear()


def refer(*object_ids, owner=None, **fields):
    """Create a target with each of these references."""
    target = TargetFactory(**fields)
    for object_id in object_ids:
        Reference.objects.create(
            target=target, object_id=object_id, owner=owner, created_at=database_now()
        )
    return target


def test_the_page_does_not_exist_without_the_setting(client, settings):
    settings.PUBLIC_LISTS = {}
    for path in ("/public/handbook", "/public/handbook.svg"):
        assert client.get(path).status_code == 404


def test_a_page_counts_targets_of_unowned_references_with_the_prefix(client):
    refer("docs/1", "docs/2", state=State.ALIVE)
    refer("docs/3", url="https://dead.example/", state=State.DEAD, last_error="404 Not Found")
    refer("Docs/4", "doc", url="https://other.example/", state=State.DEAD)
    ada = User.objects.create_user("ada")
    refer("docs/5", owner=ada, url="https://private.example/", state=State.DEAD)
    text = client.get("/public/handbook").content.decode()
    assert "https://dead.example/" in text
    assert "404 Not Found" in text
    assert "private.example" not in text
    assert "other.example" not in text
    assert re.findall(r"<dt>([^<]+)</dt><dd>([^<]+)</dd>", text) == [
        ("Links", "2"),
        ("Alive", "1"),
        ("Dead", "1"),
    ]


def test_a_badge_shows_the_same_counts(client):
    for number in range(3):
        refer("docs/", url=f"https://a.example/{number}", state=State.ALIVE)
    answer = client.get("/public/handbook.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert ElementTree.fromstring(answer.content).attrib["aria-label"] == "3 links, none dead"
    Target.objects.update(state=State.DEAD)
    redis_client().flushdb()
    public_list_pages._cached_summary.cache_clear()
    drawing = ElementTree.fromstring(client.get("/public/handbook.svg").content)
    assert drawing.attrib["aria-label"] == "3 links, 3 dead"


def test_a_page_is_counted_once_a_minute_and_sent_once(client, django_assert_num_queries):
    refer("docs/1", state=State.ALIVE)
    first = client.get("/public/handbook.svg")
    assert first["Cache-Control"] == "public, max-age=60"
    with django_assert_num_queries(0):
        again = client.get("/public/handbook.svg", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert first.get("Vary") in (None, "Accept-Encoding")
    assert "Set-Cookie" not in client.get("/public/handbook").headers


def test_many_requests_of_one_client_are_refused(client, settings):
    settings.RATE_LIMIT = (2, settings.RATE_LIMIT[1])
    codes = [client.get("/public/handbook.svg").status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    assert int(client.get("/public/handbook")["Retry-After"]) >= 1


def test_hostile_text_is_shown_as_text(client):
    refer("docs/1", url=f"https://a.example/?{HOSTILE}", state=State.DEAD, last_error=HOSTILE)
    text = client.get("/public/handbook").content.decode()
    assert "<script>x" not in text
    assert "&lt;script&gt;x()" in text
    assert "script-src 'self'" in client.get("/public/handbook")["Content-Security-Policy"]


def test_a_url_is_shown_without_the_first_registrants_additions(client):
    refer("docs/1", url="https://a.example/#for-my-eyes", state=State.DEAD)
    text = client.get("/public/handbook").content.decode()
    assert "https://a.example/" in text
    assert "for-my-eyes" not in text


def test_a_public_page_takes_no_longer_with_many_other_references(django_assert_max_num_queries):
    with django_assert_max_num_queries(4):
        found = public_list_pages.summarize("docs/", None, database_now())
    assert found["counts"] == dict.fromkeys(map(str, State), 0)
