"""Teams: the API, the pages, and the teams that a provider maintains."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from rest_framework.test import APIClient

from accounts import audit_log, teams
from accounts.actors import Actor
from accounts.models import Team, TeamMember
from accounts.rights import assign
from accounts.roles import Role
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from tests.accounts.test_provider_logout import and_close, on_postgresql, wait_for_a_lock
from tests.factories import SnippetFactory

pytestmark = pytest.mark.django_db
OF_DELETION = "DELETE FROM auth_user WHERE id = %s"


def person(name, role=Role.MEMBER):
    user = User.objects.create_user(name)
    assign(user, role)
    return User.objects.get(pk=user.pk)


@pytest.fixture
def olga():
    return person("olga", Role.OPERATOR)


@pytest.fixture
def ada():
    return person("ada")


@pytest.fixture
def docs(olga):
    return teams.create("Docs", by=Actor(olga), now=database_now())


def api(user):
    client = APIClient()
    client.force_authenticate(User.objects.get(pk=user.pk))  # the teams are read again
    return client


def pages(user):
    client = Client()
    client.force_login(user)
    return client


def test_an_operator_creates_a_team_by_the_api_and_adds_members(olga, ada):
    made = api(olga).post("/v1/teams", {"name": "Docs"}, format="json")
    assert (made.status_code, made.data["members"]) == (201, [])
    path = made.headers["Location"]
    assert api(olga).put(f"{path}/members/ada").data["members"] == ["ada"]
    assert api(olga).put(f"{path}/members/ada").data["members"] == ["ada"]  # not a second time
    assert [team["name"] for team in api(ada).get("/v1/teams").data["items"]] == ["Docs"]
    assert Actor(User.objects.get(pk=ada.pk)).teams == {made.data["id"]}
    assert api(olga).delete(f"{path}/members/ada").status_code == 204
    assert api(olga).delete(f"{path}/members/ada").status_code == 404
    assert api(ada).get("/v1/teams").data["items"] == []
    assert api(ada).get(path).status_code == 404
    assert api(olga).delete(path).status_code == 204


def test_each_change_is_in_the_audit_log_once(olga, ada, docs):
    now, by = database_now(), Actor(olga)
    for _ in range(2):
        teams.add(docs, ada, by=by, now=now)
        teams.rename(docs, "Manuals", by=by, now=now)
    teams.remove(docs, ada, by=by, now=now)
    written = audit_log.entries_by(olga).exclude(action="create")
    assert [(row.kind, row.subject, row.fields) for row in reversed(written)] == [
        ("account", "ada", ["team Docs"]),
        ("team", "Docs", ["name"]),
        ("account", "ada", ["team Manuals"]),
    ]


@pytest.mark.parametrize("action", ["rename", "delete", "add"])
def test_a_team_that_was_just_deleted_is_not_found_and_not_created_again(olga, ada, docs, action):
    by, now, seen = Actor(olga), database_now(), Team.objects.get()
    teams.delete(docs, by=by, now=now)
    rest = {"rename": ["Site"], "delete": [], "add": [ada]}[action]
    with pytest.raises(ApiError, match="no such team"):
        getattr(teams, action)(seen, *rest, by=by, now=now)
    assert not Team.objects.exists()


@pytest.mark.parametrize("page", ["", "/members"])
def test_the_page_of_a_team_that_was_just_deleted_is_not_found(olga, ada, docs, monkeypatch, page):
    def delete_first(request):
        Team.objects.filter(pk=docs.pk).delete()
        return Actor(request.user)

    monkeypatch.setattr("console.teams.actor_of", delete_first)
    form = {"team-name": "Site", "username": ada.username}
    assert pages(olga).post(f"/account/teams/{docs.pk}{page}", form).status_code == 404


def test_names_of_teams_are_unique(olga, docs):
    answer = api(olga).post("/v1/teams", {"name": "Docs"}, format="json")
    assert (answer.status_code, answer.data["code"]) == (409, "team_exists")
    other = teams.create("Site", by=Actor(olga), now=database_now())
    answer = api(olga).patch(f"/v1/teams/{other.pk}", {"name": "Docs"}, format="json")
    assert answer.data["code"] == "team_exists"
    shown = pages(olga).post("/account/teams", {"name": "Docs"}).content.decode()
    assert "There is already a team named Docs." in shown
    shown = pages(olga).post(f"/account/teams/{other.pk}", {"team-name": "Docs"}).content.decode()
    assert "There is already a team named Docs." in shown
    assert '<h1 class="url" dir="auto">Site</h1>' in shown


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\0b", "x" * 101, None, 7 * ["a"]])
def test_an_impossible_name_is_refused(olga, name):
    assert api(olga).post("/v1/teams", {"name": name}, format="json").status_code == 400
    assert not Team.objects.exists()


def test_a_service_user_is_in_no_team(olga, docs):
    robot = person("robot", None)
    answer = api(olga).put(f"/v1/teams/{docs.pk}/members/robot")
    assert (answer.status_code, answer.data["code"]) == (409, "no_role")
    TeamMember.objects.create(team=docs, user=robot)  # like a user who lost the role
    assert Actor(robot).teams == frozenset()


def test_the_size_of_a_team_is_limited(olga, ada, docs, monkeypatch):
    monkeypatch.setattr(teams, "MAX_MEMBERS", 0)
    assert api(olga).put(f"/v1/teams/{docs.pk}/members/ada").data["code"] == "too_many_members"


def test_an_operator_manages_teams_on_pages(olga, ada):
    client = pages(olga)
    page = client.post("/account/teams", {"name": "Docs <b>"}, follow=True)
    assert "Docs &lt;b&gt;" in page.content.decode()
    path = page.redirect_chain[0][0]
    assert (
        "ada is now in Docs"
        in client.post(f"{path}/members", {"username": "ada"}, follow=True).content.decode()
    )
    assert "1 member<" in client.get("/account/teams").content.decode()
    client.post(path, {"team-name": "Manuals"})
    assert "Your teams: <bdi>Manuals</bdi>" in pages(ada).get("/account").content.decode()
    assert (
        "no user with this name"
        in client.post(f"{path}/members", {"username": "zoe"}).content.decode()
    )
    client.post(f"{path}/members/{ada.pk}/remove")
    assert "This team has no members." in client.get(path).content.decode()
    client.post(f"{path}/delete")
    assert "No teams yet." in client.get("/account/teams").content.decode()


def test_teams_are_paginated(olga, monkeypatch):
    monkeypatch.setattr("console.teams.TEAMS_PER_PAGE", 1)
    for name in ("Docs", "Site"):
        teams.create(name, by=Actor(olga), now=database_now())
    assert pages(olga).get("/account/teams").context["next"] == "Docs"
    following = pages(olga).get("/account/teams?after=Docs").context
    assert ([team.name for team in following["teams"]], following["next"]) == (["Site"], None)


def test_a_list_of_teams_needs_no_query_per_team(olga, django_assert_max_num_queries):
    for number in range(20):
        team = teams.create(f"Team {number}", by=Actor(olga), now=database_now())
        TeamMember.objects.create(team=team, user=olga)
    with django_assert_max_num_queries(3):
        assert len(api(olga).get("/v1/teams").data["items"]) == 20


def test_role_and_teams_are_read_in_one_statement(ada, docs, django_assert_num_queries):
    TeamMember.objects.create(team=docs, user=ada)
    with django_assert_num_queries(1):
        actor = Actor(ada)
        assert (actor.role, actor.teams) == (Role.MEMBER, frozenset({docs.pk}))


def test_memberships_of_accounts_deleted_by_an_older_process_are_removed(ada, docs):
    TeamMember.objects.create(team=docs, user=ada)
    ada.groups.clear()
    with connection.cursor() as cursor:
        cursor.execute(OF_DELETION, [ada.pk])
    assert list(docs.members.all()) == []
    assert TeamMember.objects.count() == 1  # of nobody: ids of accounts are not reused


def test_an_account_that_is_deleted_leaves_its_teams(ada, docs):
    TeamMember.objects.create(team=docs, user=ada)
    ada.delete()
    assert not TeamMember.objects.exists()


def test_a_provider_manages_only_the_teams_that_it_names(olga, ada, docs):
    now, managed = database_now(), ["Docs", "Site"]
    by_hand = teams.create("By hand", by=Actor(olga), now=now)
    teams.add(by_hand, ada, by=Actor(olga), now=now)
    for names in (["Docs", "Site"], ["Site"], []):
        teams.set_memberships(ada, names, managed=managed, now=now)
        assert {team.name for team in ada.teams.all()} == {"By hand", *names}


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_two_people_who_first_need_a_team_at_once_are_both_in_it(ada):
    grace, now = person("grace"), database_now()

    def join(user):
        teams.set_memberships(user, ["Docs"], managed=["Docs"], now=now)

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            join(ada)
            joined = pool.submit(and_close, lambda: join(grace))
            wait_for_a_lock()
        joined.result()
    assert {member.username for member in Team.objects.get().members.all()} == {"ada", "grace"}


@on_postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("post", "/v1/urls", {"long_url": "https://a.example/"}),
        ("post", "/v1/snippets", {"content": "a"}),
        ("patch", "/v1/snippets/{}", {}),
        ("post", "/v1/shares", {"reference_prefix": "a/"}),
    ],
)
def test_a_team_that_is_deleted_while_something_is_shared_with_it_is_unknown(
    olga, ada, docs, method, path, body
):
    teams.add(docs, ada, by=Actor(olga), now=database_now())
    path, client = path.format(SnippetFactory(owner=ada).pk), api(ada)
    share = partial(getattr(client, method), path, {**body, "team": "Docs"}, format="json")
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            teams.delete(docs, by=Actor(olga), now=database_now())
            answer = pool.submit(and_close, share)
            wait_for_a_lock()
        assert (answer.result().status_code, answer.result().json()["code"]) == (
            400,
            "unknown_team",
        )
