"""Feeds: valid Atom and JSON Feed of a channel's messages, at an address nobody can guess."""

import json
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.utils.dateparse import parse_datetime
from rest_framework.test import APIClient

from accounts.actors import DEPLOYMENT
from accounts.rights import assign
from accounts.roles import Role
from foundation import kept_secrets as secrets
from foundation.valkey.clients import client as redis_client
from notify import delivery_queue
from notify.kinds import kind_of
from notify.kinds.feed import feeds
from notify.message_texts import event_content
from tests.conftest import NOW
from tests.notify.conftest import channel, death

ATOM = "{http://www.w3.org/2005/Atom}"
pytestmark = [pytest.mark.any_database, pytest.mark.django_db]
SECRET = "s" * 43


@pytest.fixture
def feed():
    """A feed without entries."""
    redis_client().flushdb()
    return channel(kind="feed", name="Ada & <feed>", secret=secrets.encrypt(SECRET))


def tell(feed, number=1, **fields):
    """Add deaths to a feed, oldest first, as the fan-out does."""
    for count in range(number):
        content = event_content(death(**fields), DEPLOYMENT)
        delivery_queue.enqueue(feed, content, now=NOW + timedelta(minutes=count))


def read(feed, form="atom", secret=SECRET, **headers):
    return APIClient().get(f"/feeds/{feed.id}.{secret}.{form}", headers=headers)


def test_links_of_a_feed_lead_to_the_deployment(feed, settings):
    found = feeds.feed_urls(feed, SECRET)

    for address in found.values():
        assert APIClient().get(address.removeprefix(settings.BASE_URL)).status_code == 200
    assert set(found) == {"atom", "json"}


def test_atom_has_the_escaped_messages_and_all_required_elements(feed):
    tell(feed, 2, references=["<script>alert(1)</script>"])

    response = read(feed)

    root = ElementTree.fromstring(response.content)
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert root.tag == f"{ATOM}feed"
    for parent in (root, *root.findall(f"{ATOM}entry")):  # RFC 4287, 4.1.1 and 4.1.2
        for name in ("id", "title", "updated"):
            assert len(parent.findall(f"{ATOM}{name}")) == 1
        assert parent.find(f"{ATOM}id").text.startswith("urn:uuid:")
        assert parse_datetime(parent.find(f"{ATOM}updated").text)
    assert root.find(f"{ATOM}author/{ATOM}name").text == "Linkwatch"
    links = {one.get("rel"): one.get("href") for one in root.findall(f"{ATOM}link")}
    assert links["self"].endswith(f"/feeds/{feed.id}.{SECRET}.atom")
    assert root.find(f"{ATOM}title").text == "Linkwatch: Ada & <feed>"
    newest, oldest = root.findall(f"{ATOM}entry")
    assert newest.find(f"{ATOM}title").text.startswith(
        "Dead: <script>alert(1)</script> → a.example/"
    )
    assert newest.find(f"{ATOM}updated").text > oldest.find(f"{ATOM}updated").text
    summary = newest.find(f"{ATOM}summary")
    assert summary.get("type") == "html"
    assert "&lt;script&gt;" in summary.text
    assert "<script>" not in summary.text


def test_json_feed_has_the_same(feed):
    tell(feed, 2)

    response = read(feed, "json")

    found = json.loads(response.content)
    assert response["Content-Type"] == "application/feed+json; charset=utf-8"
    assert found["version"] == "https://jsonfeed.org/version/1.1"
    assert found["feed_url"].endswith(f"{SECRET}.json")
    assert len({item["id"] for item in found["items"]}) == 2
    for item in found["items"]:
        assert item["title"].startswith("Dead: a.example/")
        assert "http://a.example/" in item["content_text"]
        assert "<bdi>http://a.example/" in item["content_html"]
        assert parse_datetime(item["date_published"])


def test_an_empty_feed_is_valid_and_the_newest_fifty_are_shown(feed):
    assert ElementTree.fromstring(read(feed).content).find(f"{ATOM}updated").text.startswith("2026")
    assert json.loads(read(feed, "json").content)["items"] == []

    tell(feed, 51)
    assert len(json.loads(read(feed, "json").content)["items"]) == feeds.MAX_ENTRIES


@pytest.mark.parametrize("form", ["atom", "json"])
def test_an_unchanged_feed_is_not_sent_again(feed, form, django_assert_max_num_queries):
    tell(feed)
    first = read(feed, form)
    assert first["Cache-Control"] == "private, max-age=60"

    with django_assert_max_num_queries(2):
        by_tag = read(feed, form, if_none_match=first["ETag"])
    by_date = read(feed, form, if_modified_since=first["Last-Modified"])
    assert (by_tag.status_code, by_tag.content, by_date.status_code) == (304, b"", 304)
    assert by_tag["ETag"] == first["ETag"]

    tell(feed, host="b.example")
    assert read(feed, form, if_none_match=first["ETag"]).status_code == 200


def test_a_message_without_text_is_not_an_entry(feed, monkeypatch):
    monkeypatch.setattr(type(kind_of("feed")), "compose", lambda *args: 1 / 0)
    tell(feed)

    assert json.loads(read(feed, "json").content)["items"] == []
    assert read(feed).status_code == 200


def test_a_wrong_address_is_not_found(feed):
    hook = channel(secret=secrets.encrypt(SECRET))

    assert read(feed, secret="t" * 43).status_code == 404
    assert read(feed, secret="").status_code == 404
    assert read(feed, "rss").status_code == 404
    assert read(hook).status_code == 404
    assert APIClient().get(f"/feeds/{SECRET}.atom").status_code == 404
    assert APIClient().post(f"/feeds/{feed.id}.{SECRET}.atom").status_code == 405


def test_a_feed_of_an_inactive_user_is_not_found(feed):
    feed.owner = User.objects.create_user("ada")
    feed.save()
    assign(feed.owner, Role.MEMBER)
    assert read(feed).status_code == 200

    User.objects.update(is_active=False)
    assert read(feed).status_code == 404


def test_readers_that_poll_too_often_are_rate_limited(feed, settings):
    settings.RATE_LIMIT = (2, timedelta(minutes=1))

    statuses = [read(feed).status_code for _ in range(3)]

    assert statuses == [200, 200, 429]
    redis_client().flushdb()
