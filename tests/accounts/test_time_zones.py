"""Pages behind sign-in use the reader's time zone: the account's, otherwise the browser's."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import ReaderSettings
from accounts.rights import assign
from accounts.roles import Role
from accounts.tasks import delete_ended
from foundation.database.clock import database_now
from hosts.models import Host
from shortener.models import ShortURL
from targets import writer
from tests.factories import ReferenceFactory, TargetFactory, TransitionFactory
from tests.hosts.calls import due

pytestmark = [pytest.mark.django_db]

BERLIN, TOKYO = "Europe/Berlin", "Asia/Tokyo"
AT = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)


@pytest.fixture
def operator_page():
    """Return the browser of an operator."""
    user = User.objects.create_user("grace")
    assign(user, Role.OPERATOR)
    client = Client(headers={"accept": "text/html"})
    client.force_login(user)
    return client


def _text(client, path):
    response = client.get(path)
    assert response.status_code == 200, response
    return response.content.decode()


def _choose(client, zone):
    return client.post("/account/zone", {"zone": zone}, follow=True).content.decode()


def test_times_are_in_the_browsers_zone_unless_the_account_has_one(operator_page):
    payload = {"url": "https://example.org/", "failures": 3}
    TransitionFactory(at=AT, payload=payload, position=1)

    assert "2026-01-15 12:00 UTC" in _text(operator_page, "/changes?when=all")
    operator_page.cookies["zone"] = BERLIN
    assert "2026-01-15 13:00 CET" in _text(operator_page, "/changes?when=all")
    assert f"Times are shown in {TOKYO}." in _choose(operator_page, TOKYO)
    page = _text(operator_page, "/changes?when=all")
    assert f'data-clock="{TOKYO}">2026-01-15 21:00 JST' in page
    assert "in your browser&#x27;s time zone" in _choose(operator_page, "")
    assert "2026-01-15 13:00 CET" in _text(operator_page, "/changes?when=all")


@pytest.mark.parametrize("name", ["Mars/Olympus", "localtime"])
def test_a_zone_that_browsers_do_not_know_is_refused(operator_page, name):
    assert f"Unknown time zone: {name}" in _choose(operator_page, name)
    assert not ReaderSettings.objects.exists()


def test_a_zone_needs_no_further_statement(operator_page):
    operator_page.get("/account")  # loads what is loaded only once
    with CaptureQueriesContext(connection) as without:
        operator_page.get("/account")
    _choose(operator_page, TOKYO)
    with CaptureQueriesContext(connection) as with_zone:
        operator_page.get("/account")

    assert len(with_zone) == len(without)


def test_times_in_forms_are_in_the_zone_of_the_user(operator_page):
    operator_page.cookies["zone"] = TOKYO
    due("a.example")
    tomorrow = (database_now() + timedelta(days=1)).replace(second=0, microsecond=0)
    local = f"{tomorrow.astimezone(timezone.get_fixed_timezone(540)):%Y-%m-%dT%H:%M}"

    assert f"Time zone: {TOKYO}." in _text(operator_page, "/hosts/a.example")
    operator_page.post("/hosts/a.example/pause", {"lasts": "time", "until": local})

    assert Host.objects.get().slot.not_before == tomorrow


def test_the_last_day_of_a_link_ends_in_the_zone_of_its_creator(operator_page):
    operator_page.cookies["zone"] = TOKYO
    day = f"{database_now() + timedelta(days=9):%Y-%m-%d}"
    fields = {"long_url": "https://example.org/", "key": "menu", "lasts": "date", "until": day}

    assert f"Expires at the end of that day ({TOKYO})." in _text(operator_page, "/links/new")
    operator_page.post("/links/new", {**fields, "when_gone": "page"})

    end = ShortURL.objects.get().expires_at
    assert f"{end:%Y-%m-%d %H:%M}" == f"{day} 14:59"


def test_the_admin_shows_times_in_the_same_zone(operator_page):
    operator_page.cookies["zone"] = TOKYO
    ShortURL.objects.create(key="menu", long_url="https://example.org/", created_at=AT)

    page = _text(operator_page, "/admin/shortener/shorturl/menu/change/")

    assert "2026-01-15 21:00:00 JST" in page


def test_public_pages_and_the_api_show_times_in_utc(operator_page, settings):
    operator_page.cookies["zone"] = TOKYO
    ShortURL.objects.create(
        key="menu", long_url="https://example.org/", created_at=AT, disabled=False
    )
    operator_page.get("/account")

    assert timezone.get_current_timezone_name() == "UTC"
    item = operator_page.get("/v1/urls/menu", headers={"accept": "application/json"}).json()
    assert item["created_at"] == "2026-01-15T12:00:00Z"
    target = TargetFactory(url="https://example.org/", state_changed_at=AT)
    writer.change([(target, {"state": "dead"})])
    ReferenceFactory(target=target, object_id="wiki/links")
    settings.PUBLIC_LISTS = {"wiki": "wiki/"}
    assert "2026-01-15 12:00" in _text(operator_page, "/public/wiki")


def test_settings_are_deleted_with_the_account_even_by_another_release():
    user = User.objects.create_user("ada")
    ReaderSettings.objects.create(user=user, zone=TOKYO)
    user.delete()
    assert not ReaderSettings.objects.exists()

    ReaderSettings.objects.create(user_id=4711, zone=TOKYO)
    delete_ended()
    assert not ReaderSettings.objects.exists()
