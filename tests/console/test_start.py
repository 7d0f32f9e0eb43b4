"""The three first actions: who sees them, and when the first page shows them."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from accounts.actors import Actor
from accounts.rights import assign
from accounts.roles import Role
from console.dashboard.summary import SUMMARY
from console.start import has_nothing
from shortener.models import ShortURL
from tests.conftest import NOW
from tests.factories import ReferenceFactory, SnippetFactory, TargetFactory

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
DOORS = {
    "add_target": "Watch a link",
    "add_shorturl": "Shorten a link",
    "add_snippet": "Paste a snippet",
}
FIRST = "What would you like to do first?"


def user_of(role, name="somebody", rights=()):
    user = User.objects.create_user(name)
    assign(user, role)
    user.user_permissions.add(*Permission.objects.filter(codename__in=rights))
    return User.objects.get(pk=user.pk)


def page_of(user, path="/"):
    client = Client(headers={"accept": "text/html"})
    client.force_login(user)
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def make_link(owner):
    return ShortURL.objects.create(
        key=f"of-{owner}", long_url="https://example.org/", owner=owner, created_at=NOW
    )


MAKERS = {
    "link": make_link,
    "snippet": lambda owner: SnippetFactory(owner=owner),
    "reference": lambda owner: ReferenceFactory(owner=owner),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_the_first_page_shows_first_actions_until_a_member_has_something(make):
    member, another = (user_of(Role.MEMBER, name, DOORS) for name in ("ada", "grace"))
    make(another)
    page = page_of(member)
    assert FIRST in page
    assert all(door in page for door in DOORS.values())
    make(member)
    assert FIRST not in page_of(member)


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_an_operator_sees_first_actions_only_on_an_empty_database(make):
    operator = user_of(Role.OPERATOR)
    assert FIRST in page_of(operator)
    make(user_of(Role.MEMBER, "another"))
    assert FIRST not in page_of(operator)


def test_all_targets_match_for_users_who_see_everything():
    operator = user_of(Role.OPERATOR)
    TargetFactory()
    assert not has_nothing(Actor(operator))
    assert has_nothing(Actor(user_of(Role.MEMBER, "ada")))
    SUMMARY.renew()
    assert FIRST not in page_of(operator)


def test_first_actions_remain_reachable():
    operator = user_of(Role.OPERATOR)
    TargetFactory()
    assert '<a class="button" href="/new">' in page_of(operator)
    page = page_of(operator, "/new")
    assert all(door in page for door in DOORS.values())


@pytest.mark.parametrize("right", DOORS)
def test_each_first_action_is_shown_to_users_with_its_right(right):
    user = user_of(None, rights=[right])
    page = page_of(user, "/new")
    assert [door for door in DOORS.values() if door in page] == [DOORS[right]]


def test_users_without_rights_to_create_see_a_notice_and_no_links():
    viewer = user_of(Role.VIEWER)
    assert "read-only access" in page_of(viewer, "/new")
    page = page_of(viewer)
    assert FIRST not in page
    assert "/new" not in page


def test_viewers_are_not_offered_to_watch_a_url():
    viewer = user_of(Role.VIEWER)
    for page in (page_of(viewer), page_of(viewer, "/find"), page_of(viewer, "/hosts")):
        assert "watch a url" not in page.lower()
        assert "url to watch" not in page.lower()
        assert "watch a link" not in page.lower()
    assert "<h1>Find a target</h1>" in page_of(viewer, "/find")


def test_a_search_for_blanks_shows_the_search():
    assert "<h1>Watch a link</h1>" in page_of(user_of(Role.OPERATOR), "/find?url=%20")


def test_anonymous_visitors_sign_in_first(client):
    assert client.get("/new").headers["Location"] == "/sign-in?next=/new"


def test_the_first_action_focuses_the_url_field():
    page = page_of(user_of(Role.OPERATOR), "/find")
    assert "<h1>Watch a link</h1>" in page
    assert 'name="url"' in page
    assert "alert" not in page
