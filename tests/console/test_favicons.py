"""Pages show icons of hosts, served by Linkwatch alone, to those who may see hosts."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from foundation.database.clock import database_now
from hosts import icon_store, reservations
from hosts.models import Favicon, Purpose
from tests.factories import TargetFactory

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
PNG = b"\x89PNG\r\n\x1a\n and pixels"


@pytest.fixture
def target(settings):
    settings.FAVICONS = True
    Favicon.objects.create(host="a.example", asked_at=database_now())
    icon_store.store("a.example", PNG)
    TargetFactory(url="http://b.example/")
    now = database_now()
    reservations.schedule({"a.example": now, "b.example": now}, purpose=Purpose.CHECK, now=now)
    return TargetFactory(url="http://a.example/page")


def icons_in(page):
    return [
        part.partition('"')[0]
        for part in page.content.decode().split('<img class="favicon" src="')[1:]
    ]


def test_lists_and_pages_show_the_icon_of_a_host(ada, target):
    digest = icon_store.digests({"a.example"})["a.example"]
    address = f"/hosts/a.example/favicon.png?v={digest}"

    for path in ("/hosts?sort=name", "/hosts/a.example", "/targets", target.get_absolute_url()):
        page = ada.get(path)
        assert icons_in(page) == [address], path
        assert 'alt="" width="16" height="16"' in page.content.decode()
    assert 'class="favicon"></span>' in ada.get("/targets").content.decode()
    assert "favicon" not in ada.get("/hosts/b.example").content.decode()


def test_browsers_cache_an_icon_and_do_not_sniff_its_type(ada, target):
    [address] = icons_in(ada.get("/hosts/a.example"))

    icon = ada.get(address)

    assert icon.content == PNG
    assert icon["Content-Type"] == "image/png"
    assert icon["X-Content-Type-Options"] == "nosniff"
    assert icon["Cache-Control"] == "private, max-age=31536000, immutable"
    assert icon["Content-Security-Policy"] == "sandbox"
    other = ada.get("/hosts/a.example/favicon.png?v=another")
    assert other["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("host", ["b.example", "unknown.example", "%2e%2e", "%00", "a" * 300])
def test_a_host_without_an_icon_has_none(ada, target, host):
    assert ada.get(f"/hosts/{host}/favicon.png").status_code == 404


def test_no_page_shows_icons_while_they_are_off(ada, target, settings):
    settings.FAVICONS = False

    for path in ("/hosts?sort=name", "/hosts/a.example", "/targets", target.get_absolute_url()):
        assert "favicon" not in ada.get(path).content.decode(), path


def test_users_who_may_not_see_hosts_see_no_icons(target):
    user = User.objects.create_user("grace")
    seen = ["view_target", "view_checkresult"]
    user.user_permissions.set(Permission.objects.filter(codename__in=seen))
    client = Client()
    client.force_login(user)

    for path in ("/targets", target.get_absolute_url()):
        assert icons_in(client.get(path)) == [], path
    assert client.get("/hosts/a.example/favicon.png").status_code == 403


def test_icons_add_one_statement_to_a_list(ada, target, settings, django_assert_max_num_queries):
    for number in range(20):
        TargetFactory(url=f"http://{number}.example/")
    with django_assert_max_num_queries(60) as without:
        settings.FAVICONS = False
        ada.get("/targets")
    with django_assert_max_num_queries(60) as with_icons:
        settings.FAVICONS = True
        ada.get("/targets")
    assert len(with_icons) == len(without) + 1
