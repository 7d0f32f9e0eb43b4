"""Who may see and change private, shared and public things: each interface, role and sharing."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts import teams, tokens
from accounts.actors import Actor
from accounts.models import Team, Trace
from accounts.rights import assign, grant
from accounts.roles import Role
from accounts.tasks import delete_accounts
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from shortener import services
from shortener.models import RetiredKey, ShortURL
from snippets.models import RemovedSnippet, Snippet
from targets.models import Reference
from tests.factories import SnippetFactory
from tests.shortener.links import ShortURLFactory

pytestmark = [pytest.mark.django_db]

PEOPLE = {
    "owner": Role.MEMBER,
    "mate": Role.MEMBER,  # in the team
    "leaver": Role.MEMBER,  # was in the team
    "other": Role.MEMBER,
    "viewer": Role.VIEWER,
    "operator": Role.OPERATOR,
    "program": None,
}
SEE, CHANGE = {"see"}, {"see", "change"}
OF_ALL = {"viewer": SEE, "operator": CHANGE}
EVERYONE = dict.fromkeys(PEOPLE, SEE)
# For each sharing: who may do what; others may do nothing.
MAY = {
    "private": OF_ALL | {"owner": CHANGE},
    "team": OF_ALL | {"owner": CHANGE, "mate": CHANGE},
    "left": OF_ALL | {"mate": CHANGE},  # shared with a team that the owner has left
    "everyone": EVERYONE | OF_ALL | {"owner": CHANGE},
    "both": EVERYONE | OF_ALL | {"owner": CHANGE, "mate": CHANGE},
}
KEY = "shared-thing"


@pytest.fixture
def people():
    found = {}
    for name, role in PEOPLE.items():
        found[name] = User.objects.create_user(name, password="correct horse")
        assign(found[name], role)
        if role is None:
            grant(found[name], read_only=False)
    return found


@pytest.fixture
def team(people):
    team = Team.objects.create(name="Docs", created_at=database_now())
    by, now = Actor(people["operator"]), database_now()
    for name in ("owner", "mate", "leaver"):
        teams.add(team, people[name], by=by, now=now)
    teams.remove(team, people["leaver"], by=by, now=now)
    return team


@pytest.fixture
def share(people, team):
    """Return a function that creates a link with a sharing."""

    def share(sharing):
        if sharing == "left":
            teams.remove(team, people["owner"], by=Actor(people["operator"]), now=database_now())
        return ShortURLFactory(
            key=KEY,
            long_url=f"https://{KEY}.example/",
            owner=people["owner"],
            team=team if sharing in ("team", "left", "both") else None,
            for_everyone=sharing in ("everyone", "both"),
        )

    return share


def browser(user):
    client = Client(headers={"accept": "text/html"})
    client.force_login(User.objects.get(pk=user.pk))
    return client


def api(user, **terms):
    secret = tokens.make(user, lifetime=timedelta(days=1), **terms)
    return Client(headers={"authorization": f"Token {secret}"})


def text_of(answer):
    if answer.streaming:
        return b"".join(answer.streaming_content).decode()
    return answer.content.decode()


LISTS = (
    "/v1/urls",
    f"/v1/urls?q={KEY}",
    f"/v1/urls?host={KEY}.example",
    "/links",
    f"/links?q={KEY}",
    "/links/export",
)
ONES = (f"/v1/urls/{KEY}", f"/v1/urls/{KEY}/metrics", f"/v1/urls/{KEY}/qr.svg")
PAGES = (f"/links/{KEY}", f"/links/{KEY}/qr.svg")
CHANGES = (
    ("patch", f"/v1/urls/{KEY}", {"max_visits": 5}),
    ("get", f"/links/{KEY}/edit", None),
    ("post", f"/links/{KEY}/end", {}),
    ("get", f"/links/{KEY}/delete", None),
    ("post", "/v1/urls/bulk/delete", {"keys": [KEY]}),
    ("post", f"/links/{KEY}/delete", {}),
    ("delete", f"/v1/urls/{KEY}", None),
)


def by_way_of(user, path):
    return api(user) if path.startswith("/v1/") else browser(user)


@pytest.mark.parametrize("sharing", MAY)
@pytest.mark.parametrize("who", PEOPLE)
def test_every_interface_shows_exactly_what_a_user_may_see(people, share, sharing, who):
    share(sharing)
    sees = "see" in MAY[sharing].get(who, ())
    for path in LISTS:
        answer = by_way_of(people[who], path).get(path)
        assert answer.status_code == 200
        assert (f"https://{KEY}.example/" in text_of(answer)) is sees, path
    for path in (*ONES, *PAGES):
        answer = by_way_of(people[who], path).get(path)
        assert answer.status_code == (200 if sees else 404), path


@pytest.mark.parametrize("sharing", MAY)
@pytest.mark.parametrize("who", PEOPLE)
def test_users_change_exactly_what_they_may_change(people, share, sharing, who):
    before = ShortURL.objects.filter(pk=share(sharing).pk).values()
    may = MAY[sharing].get(who, set())
    left = 403 if "see" in may or who == "viewer" else 404
    for method, path, body in CHANGES:
        was = list(before.all())
        client = by_way_of(people[who], path)
        is_json = path.startswith("/v1/") and body is not None
        kind = ["application/json"] if is_json else []
        answer = getattr(client, method)(path, body, *kind)
        if "change" in may:
            assert answer.status_code in (200, 204, 302), path
            if not before.all().exists():  # deleted: make it anew
                RetiredKey.objects.all().delete()
                share(sharing)
            continue
        if path.endswith("bulk/delete") and who != "viewer":
            assert answer.json()["results"][0]["status"] == left
        else:
            assert answer.status_code == left, (method, path)
        assert list(before.all()) == was, path
    assert Trace.objects.filter(kind="short link", user=people[who]).exists() is ("change" in may)


def test_a_page_shows_no_actions_that_are_forbidden(people, share):
    share("everyone")
    theirs = browser(people["other"]).get(f"/links/{KEY}").content.decode()
    own = browser(people["owner"]).get(f"/links/{KEY}").content.decode()
    for door in (f"/links/{KEY}/edit", f"/links/{KEY}/end", f"/links/{KEY}/delete", "Audit log"):
        assert door in own
        assert door not in theirs


def test_a_narrow_token_acts_as_its_user(people, share):
    share("team")
    assert api(people["mate"], scope="read").get(f"/v1/urls/{KEY}").status_code == 200
    assert api(people["other"], scope="read").get(f"/v1/urls/{KEY}").status_code == 404


def test_users_share_only_with_their_own_teams(people, team):
    body = {"long_url": "https://a.example/", "team": "Docs", "for_everyone": True}
    make = {"path": "/v1/urls", "data": body, "content_type": "application/json"}
    made = api(people["mate"]).post(**make).json()
    assert (made["owner"], made["team"], made["for_everyone"]) == ("mate", "Docs", True)
    assert api(people["operator"]).post(**make).json()["team"] == "Docs"
    for name in ("other", "leaver", "program"):
        answer = api(people[name]).post(**make)
        assert (answer.status_code, answer.json()["code"]) == (400, "unknown_team")
    bulk = {"items": [body, {"long_url": "https://a.example/"}]}
    for dry_run in (True, False):
        answer = api(people["other"]).post(
            "/v1/urls/bulk", bulk | {"dry_run": dry_run}, "application/json"
        )
        assert [row["status"] for row in answer.json()["results"]] == [400, 201]
    found = api(people["mate"]).get("/v1/urls?team=Docs&for_everyone=true").json()["items"]
    assert {row["owner"] for row in found} == {"mate", "operator"}


def test_a_team_keeps_what_others_would_take_from_it(people, team, share):
    share("team")
    now, elsewhere = database_now(), Team.objects.create(name="Other", created_at=database_now())
    teams.add(elsewhere, people["mate"], by=Actor(people["operator"]), now=now)
    mate = Actor(User.objects.get(username="mate"))
    for name in (None, "Other"):
        with pytest.raises(ApiError) as refused:
            services.update(KEY, {"team": name}, now=now, by=mate)
        assert refused.value.status_code == 403
    services.update(KEY, {"team": "Docs", "for_everyone": True}, now=now, by=mate)
    services.update(KEY, {"team": None}, now=now, by=Actor(people["owner"]))
    link = ShortURL.objects.get()
    assert (link.team, link.for_everyone, link.owner) == (None, True, people["owner"])


def test_things_that_nobody_owns_belong_to_no_team(people, team):
    ShortURLFactory(key=KEY)
    with pytest.raises(ApiError) as refused:
        services.update(KEY, {"team": "Docs"}, now=database_now(), by=Actor(people["operator"]))
    assert refused.value.code == "no_owner"


def test_the_forms_offer_the_users_own_teams(people, team):
    mate, other = browser(people["mate"]), browser(people["other"])
    assert b"Docs" in mate.get("/links/new").content
    assert b"Docs" not in other.get("/links/new").content
    body = {"long_url": "https://a.example/", "key": KEY, "lasts": "ever", "when_gone": "page"}
    assert other.post("/links/new", body | {"team": team.pk}).status_code == 302
    assert ShortURL.objects.get().team is None
    body |= {"key": "mates", "team": team.pk, "for_everyone": "on"}
    assert mate.post("/links/new", body).status_code == 302
    made = ShortURL.objects.get(pk="mates")
    assert (made.team, made.for_everyone) == (team, True)
    changed = {"lasts": "keep", "version": made.version, "when_gone": "page", "team": team.pk}
    assert mate.post("/links/mates/edit", changed).status_code == 302
    made.refresh_from_db()
    assert (made.team, made.for_everyone) == (team, False)
    page = browser(people["owner"]).get("/links?whose=teams").content.decode()
    assert "mates" in page
    assert KEY not in page


def test_a_file_of_links_names_teams(people, team, share):
    share("team")
    sheet = text_of(browser(people["mate"]).get("/links/export?whose=teams"))
    assert ",Docs," in sheet
    paste = {"text": "long_url,team\nhttps://b.example/,Docs\n"}
    refused = browser(people["other"]).post("/links/import", paste).content.decode()
    assert "You are in no team with the name Docs." in refused
    browser(people["mate"]).post("/links/import", paste | {"confirmed": "yes"})
    assert ShortURL.objects.get(long_url="https://b.example/").team == team


def test_a_deleted_team_leaves_its_things_to_their_owners(people, team, share):
    share("left")
    teams.delete(team, by=Actor(people["operator"]), now=database_now())
    assert api(people["owner"]).get(f"/v1/urls/{KEY}").json()["team"] is None
    assert api(people["mate"]).get(f"/v1/urls/{KEY}").status_code == 404


def test_a_deleted_account_leaves_the_teams_things_to_the_earliest_active_member(people, team):
    now, owner = database_now(), people["owner"]
    people["mate"].is_active = False  # is closed
    people["mate"].save()
    teams.add(team, people["other"], by=Actor(people["operator"]), now=now)
    for key, name in (("kept", "Docs"), ("gone", None)):
        body = {"long_url": "https://a.example/", "key": key, "watch": True, "team": name}
        made = api(owner).post("/v1/urls", body, "application/json")
        assert made.status_code == 201
    browser(owner).post("/account/delete", {"password": "correct horse"})

    assert delete_accounts() == 1

    kept = ShortURL.objects.get()
    assert (kept.pk, kept.owner, kept.team) == ("kept", people["other"], team)
    assert Reference.objects.get().owner == people["other"]
    assert RetiredKey.objects.get().pk == "gone"
    services.update("kept", {"watch": False}, now=now, by=Actor(people["other"]))
    assert not Reference.objects.exists()


def test_an_account_export_has_what_the_user_still_owns(people, share):
    share("left")
    text = text_of(browser(people["owner"]).get("/account/export"))
    assert KEY not in text


SNIPPET = "s_0351WN019gkaPcXepfHAU4"


@pytest.fixture
def share_snippet(people, team):
    """Return a function that creates a snippet with a sharing and a visibility."""

    def share_snippet(sharing, visibility):
        if sharing == "left":
            teams.remove(team, people["owner"], by=Actor(people["operator"]), now=database_now())
        return SnippetFactory(
            id=SNIPPET,
            title="shared-thing",
            visibility=visibility,
            owner=people["owner"],
            team=team if sharing in ("team", "left", "both") else None,
            for_everyone=sharing in ("everyone", "both"),
        )

    return share_snippet


# For a private snippet; viewers see it only if it is shared with them.
MAY_PRIVATE = {name: may | {"viewer": may.get("owner", set()) & set()} for name, may in MAY.items()}
for name in ("everyone", "both"):
    MAY_PRIVATE[name]["viewer"] = SEE

SNIPPET_LISTS = ("/v1/snippets", "/v1/snippets?q=shared", "/v1/snippets?tag=t", "/snippets")
SNIPPET_CHANGES = (
    ("patch", f"/v1/snippets/{SNIPPET}", {"title": "changed"}),
    ("get", f"/snippets/{SNIPPET}/edit", None),
    ("get", f"/snippets/{SNIPPET}/delete", None),
    ("post", "/v1/snippets/bulk/delete", {"ids": [SNIPPET]}),
    ("post", f"/snippets/{SNIPPET}/delete", {}),
    ("delete", f"/v1/snippets/{SNIPPET}", None),
)


@pytest.mark.parametrize("sharing", MAY)
@pytest.mark.parametrize("who", PEOPLE)
def test_users_see_the_snippets_that_are_shared_with_them(people, share_snippet, sharing, who):
    share_snippet(sharing, "private").tags.create(name="t", created_at=database_now())
    sees = "see" in MAY_PRIVATE[sharing].get(who, ())
    for path in SNIPPET_LISTS:
        answer = by_way_of(people[who], path).get(path)
        assert answer.status_code == 200
        assert (SNIPPET in text_of(answer)) is sees, path
    for path in (
        f"/v1/snippets/{SNIPPET}",
        f"/v1/snippets/{SNIPPET}/raw",
        f"/v1/snippets/{SNIPPET}/metrics",
        f"/snippets/{SNIPPET}/details",
    ):
        answer = by_way_of(people[who], path).get(path)
        assert answer.status_code == (200 if sees else 404), path
    assert api(people["owner"]).get("/v1/urls").status_code == 200
    assert Client().get(f"/v1/snippets/{SNIPPET}").status_code == 404


@pytest.mark.parametrize("sharing", MAY)
@pytest.mark.parametrize("who", PEOPLE)
def test_users_change_their_own_snippets_and_their_teams(people, share_snippet, sharing, who):
    share_snippet(sharing, "unlisted")
    may = MAY[sharing].get(who, set())
    left = 403 if "see" in may or who == "viewer" else 404
    for method, path, body in SNIPPET_CHANGES:
        client = by_way_of(people[who], path)
        is_json = path.startswith("/v1/") and body is not None
        answer = getattr(client, method)(path, body, *(["application/json"] if is_json else []))
        if "change" in may:
            assert answer.status_code in (200, 204, 302), path
            if not Snippet.objects.exists():  # deleted: make it anew
                RemovedSnippet.objects.all().delete()
                share_snippet(sharing, "unlisted")
        elif path.endswith("bulk/delete") and who != "viewer":
            assert answer.json()["results"][0]["status"] == left
        else:
            assert answer.status_code == left, (method, path)
    assert Snippet.objects.get().title == "shared-thing"


def test_a_snippet_is_shared_by_form_and_api_and_nobody_without_an_account_learns_of_it(
    people, team
):
    body = {"content": "a", "team": "Docs"}
    assert api(people["other"]).post("/v1/snippets", body, "application/json").status_code == 400
    made = api(people["mate"]).post("/v1/snippets", body, "application/json").json()
    assert "team" not in Client().get(f"/v1/snippets/{made['id']}").json()
    [item] = api(people["owner"]).get("/v1/snippets").json()["items"]
    assert (item["team"], item["for_everyone"]) == ("Docs", False)
    form = {"content": "b", "visibility": "private", "lasts": "ever", "team": team.pk}
    assert browser(people["mate"]).post("/snippets/new", form).status_code == 302
    assert Snippet.objects.filter(team=team).count() == 2
    page = browser(people["owner"]).get(f"/snippets/{made['id']}/details").content.decode()
    assert "Docs" in page
    assert f"/snippets/{made['id']}/edit" in page


def test_snippets_of_a_team_outlive_their_makers_account(people, team, share_snippet):
    share_snippet("team", "private")
    SnippetFactory(owner=people["owner"])
    browser(people["owner"]).post("/account/delete", {"password": "correct horse"})
    assert delete_accounts() == 1
    assert Snippet.objects.get().owner == people["mate"]
