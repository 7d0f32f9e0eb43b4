"""Who may see and change private, shared and public things: each interface, role and sharing."""

from datetime import timedelta
from urllib.parse import quote
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from accounts import deletion, teams, tokens
from accounts.actors import Actor
from accounts.models import ReferenceShare, Team, Trace
from accounts.rights import assign, grant
from accounts.roles import Role
from accounts.tasks import delete_accounts, delete_ended
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.ids import raw_id
from notify.matching import EventFacts, SubscriptionIndex, may_receive_event
from notify.message_texts import digest_content, event_content
from notify.models import Subscription
from notify.subscription_index import current_index
from outbox.event_kinds import EventKind
from outbox.events import visible_data
from outbox.models import Event
from shortener import expiry_events, services
from shortener.models import RetiredKey, ShortURL
from snippets.models import RemovedSnippet, Snippet
from targets import bulk, shares
from targets.event_payload import Referrer, StateChange, payload
from targets.models import Reference, Target
from targets.notes import may_act
from tests.factories import ReferenceFactory, SnippetFactory, TargetFactory
from tests.notify.factories import ChannelFactory, SubscriptionFactory
from tests.openapi import undescribed
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
    secret = tokens.create(user, lifetime=timedelta(days=1), **terms)
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
def test_users_change_exactly_the_permitted_objects(people, share, sharing, who):
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
            if not before.all().exists():  # deleted: create it again
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


def test_team_objects_cannot_be_moved_away_by_other_members(people, team, share):
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


def test_objects_without_an_owner_belong_to_no_team(people, team):
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
    assert "You are not in a team named Docs." in refused
    browser(people["mate"]).post("/links/import", paste | {"confirmed": "yes"})
    assert ShortURL.objects.get(long_url="https://b.example/").team == team


def test_a_deleted_team_leaves_its_objects_to_their_owners(people, team, share):
    share("left")
    teams.delete(team, by=Actor(people["operator"]), now=database_now())
    assert api(people["owner"]).get(f"/v1/urls/{KEY}").json()["team"] is None
    assert api(people["mate"]).get(f"/v1/urls/{KEY}").status_code == 404


def test_a_deleted_account_leaves_the_teams_objects_to_the_earliest_active_member(people, team):
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
            if not Snippet.objects.exists():  # deleted: create it again
                RemovedSnippet.objects.all().delete()
                share_snippet(sharing, "unlisted")
        elif path.endswith("bulk/delete") and who != "viewer":
            assert answer.json()["results"][0]["status"] == left
        else:
            assert answer.status_code == left, (method, path)
    assert Snippet.objects.get().title == "shared-thing"


def test_a_snippet_is_shared_by_form_and_api_and_hidden_from_anonymous_visitors(people, team):
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


REFERENCE = "shared-thing/doc"
URL = "http://refers.example/"


@pytest.fixture
def share_reference(people, team):
    """Return a function that makes a reference, and shares those that begin as it does."""

    def share_reference(sharing):
        target = Target.objects.filter(url=URL).first() or TargetFactory(url=URL, pinned=True)
        made = ReferenceFactory(target=target, object_id=REFERENCE, owner=people["owner"])
        if sharing != "private" and not ReferenceShare.objects.exists():
            ReferenceShare.objects.create(
                owner=people["owner"],
                prefix="shared-",
                team=team if sharing in ("team", "left", "both") else None,
                for_everyone=sharing in ("everyone", "both"),
                created_at=database_now(),
            )
        if sharing == "left":
            teams.remove(team, people["owner"], by=Actor(people["operator"]), now=database_now())
        return made

    return share_reference


def actor(people, who):
    return Actor(User.objects.get(pk=people[who].pk))  # as a request reads it


@pytest.mark.parametrize("sharing", MAY)
@pytest.mark.parametrize("who", PEOPLE)
def test_users_see_only_shared_references_of_others(people, share_reference, sharing, who):
    target = share_reference(sharing).target
    sees = "see" in MAY[sharing].get(who, ())
    for path in (
        f"/v1/references?url={URL}",
        f"/v1/targets/{target.pk}",
        f"/v1/targets/{target.pk}/references",
        "/v1/targets",
        f"/targets/{target.pk}",
        "/targets",
        "/targets/export",
    ):
        answer = by_way_of(people[who], path).get(path)
        assert answer.status_code == 200
        assert (REFERENCE in text_of(answer)) is sees, path
    for path in (  # each page shows the target, but not the search
        f"/v1/targets?reference_id={REFERENCE}",
        "/v1/targets?q=shared-thing",
        f"/targets?document={REFERENCE}",
        "/targets?reference=shared-",
        "/targets?q=shared-thing",
    ):
        answer = by_way_of(people[who], path).get(path)
        assert (target.pk in text_of(answer)) is sees, path
    one = f"/v1/targets/{target.pk}/references/{quote(REFERENCE, safe='')}"
    assert api(people[who]).get(one).status_code == (200 if sees else 404)
    event = payload(
        StateChange(
            target_id=raw_id("target", target.pk),
            url=URL,
            canonical_url=URL,
            previous="alive",
            health=target.health,
            at=database_now(),
            checked_at=None,
        ),
        referrers=[Referrer(REFERENCE, people["owner"].pk)],
        error=None,
    )
    assert (REFERENCE in visible_data(event, actor(people, who))["reference_ids"]) is sees


@pytest.mark.parametrize("sharing", MAY)
@pytest.mark.parametrize("who", PEOPLE)
def test_users_end_only_their_own_references_or_their_teams(people, share_reference, sharing, who):
    target = share_reference(sharing).target
    may = MAY[sharing].get(who, set())
    left = 403 if "see" in may or who == "viewer" else 404
    place = f"{quote(REFERENCE, safe='')}"
    for method, path in (
        ("get", f"/targets/{target.pk}/unregister?reference={place}"),
        ("post", f"/targets/{target.pk}/unregister?reference={place}"),
        ("delete", f"/v1/targets/{target.pk}/references/{place}"),
        ("delete", f"/v1/references?url={URL}&reference_id={place}"),
    ):
        answer = getattr(by_way_of(people[who], path), method)(path)
        if "change" in may:
            assert answer.status_code in (200, 204, 302), path
            if not Reference.objects.exists():  # ended: create it again
                share_reference(sharing)
        else:
            assert answer.status_code in (left, 404 if path.startswith("/targets") else left), path
            assert Reference.objects.exists()
    page = browser(people[who]).get(f"/targets/{target.pk}").content.decode()
    assert ("unregister?reference=" in page) is ("change" in may)
    assert may_act(target, actor(people, who)) is ("change" in may)


@pytest.mark.parametrize("sharing", MAY)
def test_events_notify_the_owner_and_the_team(people, share_reference, sharing):
    share_reference(sharing)
    expected = set()
    for who in PEOPLE:
        if who != "program":
            channel = ChannelFactory(owner=people[who])
            for prefix in ("", "shared-thing", "shared", "other"):
                SubscriptionFactory(channel=channel, reference_prefix=prefix)
        if "change" in MAY[sharing].get(who, ()) or who == "viewer":
            expected.add(people[who].pk)
    said = {"canonical_url": URL, "reference_ids": [REFERENCE], "owners": [people["owner"].pk]}
    facts = EventFacts(Event(from_state="alive", to_state="dead", payload=said))

    matching = current_index().matching(facts)
    wanting = [one for one in matching if may_receive_event(facts, one.channel.actor)]

    assert {one.channel.owner_id for one in wanting} == expected
    assert {one.reference_prefix for one in wanting} == {"", "shared-thing", "shared"}
    others = {"key": "k", "owner": people["owner"].pk}
    ending = EventFacts(Event(kind="link_ending", payload=others))
    assert not may_receive_event(ending, actor(people, "mate"))


def test_a_share_includes_only_its_owners_ids_with_the_prefix(people, share_reference):
    target = share_reference("team").target
    mine = {"owner": people["owner"], "target": target}
    for name in ("Shared-thing/doc", "shared", "xshared-"):
        ReferenceFactory(object_id=name, **mine)
    ReferenceFactory(target=target, object_id=REFERENCE, owner=people["other"])
    ReferenceFactory(target=target, object_id="shared-", owner=None)

    found = actor(people, "mate").reach(Reference.objects.all())

    assert [(row.object_id, row.owner) for row in found] == [(REFERENCE, people["owner"])]


def post(user, body):
    return api(user).post("/v1/shares", body, "application/json")


def test_users_share_their_own_references_with_their_own_teams(people, team):
    body = {"reference_prefix": "docs/", "team": "Docs"}
    made = post(people["owner"], body).json()
    assert (made["owner"], made["team"], made["for_everyone"]) == ("owner", "Docs", False)
    for who, status in (("other", 400), ("leaver", 400), ("program", 403), ("viewer", 403)):
        assert post(people[who], body).status_code == status
    assert post(people["owner"], {"reference_prefix": "docs/"}).status_code == 400

    place = f"/v1/shares/{made['id']}"
    change = ({"for_everyone": True}, "application/json")
    assert api(people["other"]).patch(place, *change).status_code == 404
    assert api(people["mate"]).patch(place, *change).json()["version"] == 2
    assert api(people["other"]).patch(place, *change).status_code == 403
    for who in ("mate", "other"):
        assert api(people[who]).delete(place).status_code == 403
    wider = ({"reference_prefix": ""}, "application/json")
    assert api(people["mate"]).patch(place, *wider).status_code == 400
    none = ({"team": None}, "application/json")
    assert api(people["mate"]).patch(place, *none).status_code == 403
    assert api(people["owner"]).delete(place).status_code == 204
    names = Trace.objects.filter(kind="reference share").values_list("action", flat=True)
    assert sorted(names) == ["change", "create", "delete"]


def test_members_who_left_a_team_share_none_of_its_objects(people, share_reference):
    share_reference("left")
    for prefix in ("sha", "shared-", "shared-thing"):
        answer = post(people["owner"], {"reference_prefix": prefix, "for_everyone": True})
        assert (answer.status_code, answer.json()["code"]) == (409, "left_team")
    body = {"reference_prefix": "mine-", "for_everyone": True}
    assert post(people["owner"], body).status_code == 201
    by = actor(people, "owner")
    assert bulk.remove_own([Target.objects.get().pk], now=database_now(), by=by).changed == 0
    assert "shared-thing" not in text_of(browser(people["owner"]).get("/account/export"))


def test_references_of_a_deleted_team_are_private_to_their_owners(people, team, share_reference):
    share_reference("left")
    teams.delete(team, by=Actor(people["operator"]), now=database_now())
    for who, status in (("owner", 200), ("mate", 404)):
        place = f"/v1/targets/{Target.objects.get().pk}/references/{quote(REFERENCE, safe='')}"
        assert api(people[who]).get(place).status_code == status


@pytest.mark.parametrize("prefix", ["", "s", "short:", "short:key"])
def test_references_of_short_links_are_shared_as_the_links_are(people, prefix):
    answer = post(people["owner"], {"reference_prefix": prefix, "for_everyone": True})

    assert answer.status_code == 400
    assert "reference_prefix" in answer.json()["details"]


@pytest.mark.parametrize(
    ("who", "whose", "body"),
    [
        ("owner", "You already have", {"for_everyone": True}),
        ("mate", "This team already has", {"team": "Docs"}),
        ("other", "There are already", {"for_everyone": True}),
    ],
)
def test_the_number_of_shares_is_bounded(people, team, monkeypatch, who, whose, body):
    monkeypatch.setattr(shares, "MAX_SHARES", 1)
    first = {"reference_prefix": "a/", "team": "Docs", "for_everyone": True}
    assert post(people["owner"], first).status_code == 201

    answer = post(people[who], {"reference_prefix": "b/", **body})

    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_shares")
    assert answer.json()["message"].startswith(whose)


def test_the_description_of_a_change_has_the_error_for_too_many_shares(people, team, monkeypatch):
    monkeypatch.setattr(shares, "MAX_SHARES", 1)
    first = {"reference_prefix": "a/", "team": "Docs", "for_everyone": True}
    assert post(people["owner"], first).status_code == 201
    monkeypatch.setattr(shares, "MAX_SHARES", 2)
    second = post(people["owner"], {"reference_prefix": "b/", "team": "Docs"}).json()
    monkeypatch.setattr(shares, "MAX_SHARES", 1)

    url = f"/v1/shares/{second['id']}"
    answer = api(people["owner"]).patch(url, {"for_everyone": True}, "application/json")

    assert answer.json()["code"] == "too_many_shares"
    assert undescribed(answer, "patch", "/v1/shares/{share_id}") == []


def test_operators_change_their_own_share_with_a_team_of_others(people, team):
    operator = people["operator"]
    made = post(operator, {"reference_prefix": "op/", "team": "Docs"}).json()
    place = f"/v1/shares/{made['id']}"

    assert api(operator).patch(place, {"for_everyone": True}, "application/json").status_code == 200
    assert post(operator, {"reference_prefix": "op/x", "team": "Docs"}).status_code == 201


def test_messages_name_no_references_that_are_only_for_everyone(people, share_reference):
    target = share_reference("everyone").target
    written = payload(
        StateChange(
            target_id=raw_id("target", target.pk),
            url=URL,
            canonical_url=URL,
            previous="alive",
            health=target.health,
            at=database_now(),
            checked_at=None,
        ),
        referrers=[Referrer("shared-a", people["owner"].pk), Referrer("mine", people["other"].pk)],
        error=None,
    )
    row = Event(id=uuid4(), from_state="alive", to_state="dead", at=database_now(), payload=written)
    by = actor(people, "other")

    one = event_content(row, by)
    digest = digest_content([row], digest_id=uuid4(), by=by, began_at=row.at)

    assert visible_data(written, by)["reference_ids"] == ["shared-a", "mine"]
    for content in (one, digest):
        assert "mine" in repr(content)
        assert "shared-a" not in repr(content)


@pytest.mark.parametrize("has_own", [False, True])
@pytest.mark.parametrize("limit", [1, 500])
def test_references_of_a_team_outlive_their_owners_account(
    people, share_reference, team, monkeypatch, has_own, limit
):
    monkeypatch.setattr(deletion, "BATCH_SIZE", limit)
    target = share_reference("both").target
    mine = {"owner": people["owner"]}
    for name in ("shared-twice", "private"):
        ReferenceFactory(target=target, object_id=name, **mine)
    if has_own:
        ReferenceFactory(target=target, object_id="shared-twice", owner=people["mate"])
    ReferenceFactory(object_id="shared-other", **mine)
    browser(people["owner"]).post("/account/delete", {"password": "correct horse"})

    assert delete_accounts() == 1

    left = sorted(Reference.objects.values_list("object_id", "owner__username"))
    names = (REFERENCE, "shared-other", "shared-twice")
    assert left == sorted((name, "mate") for name in names)
    kept = ReferenceShare.objects.values_list("owner", "team", "prefix", "for_everyone")
    # What the mate had before stays private.
    assert list(kept) == ([] if has_own else [(people["mate"].pk, team.pk, "shared-", False)])


@pytest.mark.parametrize("limit", [1, 500])
@pytest.mark.parametrize(
    ("prefix", "has_own", "kept", "of_web"),
    [
        ("docs/", "", ["docs/ Docs", "docs/ Web"], 3),
        ("docs/a/", "", ["docs/ Docs", "docs/a/ Web"], 2),
        ("docs/a/", "docs/a/mine", [], 0),
        ("docs/a/", "docs/mine", ["docs/a/ Web"], 2),
    ],
)
def test_references_of_two_teams_stay_shared_with_the_teams_of_their_new_owner(
    people, team, monkeypatch, prefix, has_own, kept, of_web, limit
):
    monkeypatch.setattr(deletion, "BATCH_SIZE", limit)
    now = database_now()
    web = Team.objects.create(name="Web", created_at=now)
    for name in ("owner", "mate", "leaver"):
        teams.add(web, people[name], by=Actor(people["operator"]), now=now)
    for of, start in ((team, "docs/"), (web, prefix)):
        ReferenceShare.objects.create(owner=people["owner"], prefix=start, team=of, created_at=now)
    for name in ("docs/b/1", "docs/a/1", "docs/a/2"):
        ReferenceFactory(object_id=name, owner=people["owner"])
    if has_own:
        ReferenceFactory(object_id=has_own, owner=people["mate"])
    deletion.request(people["owner"], now=now)

    assert delete_accounts() == 1

    assert set(Reference.objects.values_list("owner", flat=True)) == {people["mate"].pk}
    left = ReferenceShare.objects.values_list("owner__username", "prefix", "team__name")
    assert sorted(left) == [("mate", *one.split()) for one in kept]
    in_web = actor(people, "leaver")
    assert in_web.reach(Reference.objects.all(), to_change=True).count() == of_web


def test_a_share_within_a_wider_one_ends_with_its_owners_account(people, team):
    mine = {"owner": people["owner"], "team": team, "created_at": database_now()}
    for prefix in ("docs/a/", "docs/"):
        ReferenceShare.objects.create(prefix=prefix, **mine)
    for name in ("docs/a/1", "docs/b/1"):
        ReferenceFactory(object_id=name, owner=people["owner"])
    browser(people["owner"]).post("/account/delete", {"password": "correct horse"})

    assert delete_accounts() == 1

    assert set(Reference.objects.values_list("owner", flat=True)) == {people["mate"].pk}
    assert ReferenceShare.objects.get().prefix == "docs/"


def test_shares_of_accounts_that_0_2_0_deleted_are_deleted(people, share_reference):
    share_reference("team")
    share = ReferenceShare.objects.get()
    ReferenceShare.objects.filter(pk=share.pk).update(owner=10**6)

    delete_ended()

    assert not ReferenceShare.objects.exists()


def test_references_are_shared_by_form(people, team):
    owner = browser(people["owner"])
    form = {"reference_prefix": "shared-", "team": team.pk}
    assert b"Docs" not in browser(people["other"]).get("/shares/new").content
    assert b"Select a team" in owner.post("/shares/new", {"reference_prefix": "a"}).content
    refused = browser(people["other"]).post("/shares/new", {"reference_prefix": "a"})
    assert b"Share with everyone: there is no team" in refused.content
    assert owner.post("/shares/new", form).status_code == 302
    share = ReferenceShare.objects.get()
    place = share.get_absolute_url()
    assert (share.owner, share.team, share.for_everyone) == (people["owner"], team, False)
    assert "Stop sharing" in owner.get(place).content.decode()
    mates = browser(people["mate"])
    assert "Stop sharing" not in mates.get(place).content.decode()
    assert browser(people["other"]).get(place).status_code == 404
    changed = {"team": team.pk, "for_everyone": "on", "version": 1}
    assert mates.post(place, changed).status_code == 302
    assert b"shared-" in browser(people["other"]).get("/shares").content
    assert browser(people["other"]).post(place, changed).status_code == 403
    assert mates.post(f"{place}/end").status_code == 403
    assert owner.get(f"{place}/end").status_code == 200
    assert owner.post(f"{place}/end").status_code == 302
    assert not ReferenceShare.objects.exists()


@pytest.mark.parametrize(
    ("who", "offered"),
    [("operator", {"Docs", "Other"}), ("mate", {"Docs"}), ("other", set()), ("program", set())],
)
@pytest.mark.parametrize("page", ["shortener/shorturl", "snippets/snippet"])
def test_the_admin_offers_and_accepts_the_teams_of_the_user(people, team, page, who, offered):
    other = Team.objects.create(name="Other", created_at=database_now())
    user = people[who]
    user.is_staff = True
    user.save()
    user.user_permissions.set(Permission.objects.filter(content_type__app_label=page.split("/")[0]))
    client = browser(user)
    form = client.get(f"/admin/{page}/add/").context["adminform"].form
    assert {row.name for row in form.fields["team"].queryset} == offered
    body = {"long_url": "https://a.example/", "content": "a", "visibility": "public"}
    for chosen in (team, other):
        answer = client.post(f"/admin/{page}/add/", body | {"team": chosen.pk, "when_gone": "page"})
        assert answer.status_code == (302 if chosen.name in offered else 200)
    made = {row.team.name for kind in (ShortURL, Snippet) for row in kind.objects.all()}
    assert made == offered


def test_the_admin_offers_no_team_for_objects_without_an_owner(people, team):
    client = browser(people["operator"])
    for page, thing in (
        ("shortener/shorturl", ShortURLFactory(key=KEY)),
        ("snippets/snippet", SnippetFactory()),
    ):
        form = client.get(f"/admin/{page}/{thing.pk}/change/").context["adminform"].form
        assert "tags" in form.fields
        assert "team" not in form.fields


@pytest.mark.parametrize(("role", "who"), [("owner", {"owner"}), ("team", {"owner", "mate"})])
def test_holders_of_a_link_are_notified_that_it_ends(people, team, share, role, who):
    link = share("private" if role == "owner" else "team")
    assert notified_users(people, link) == who | {"viewer", "operator"}


def test_an_owner_who_has_left_the_team_is_not_notified_that_a_link_ends(people, team, share):
    link = share("left")
    assert notified_users(people, link) == {"mate", "viewer", "operator"}


def test_members_who_leave_a_team_get_no_digest_with_its_links(people, team, share):
    link = share("team")
    [event] = ended(link)
    mate = people["mate"]
    assert may_receive_event(EventFacts(event), Actor(mate))
    teams.remove(team, mate, by=Actor(people["operator"]), now=database_now())
    assert not may_receive_event(EventFacts(event), Actor(User.objects.get(pk=mate.pk)))


def test_a_link_of_a_deleted_team_belongs_to_its_owner_again(people, team, share):
    link = share("left")
    [event] = ended(link)
    teams.delete(team, by=Actor(people["operator"]), now=database_now())
    assert EventFacts(event).owners == {people["owner"].pk}
    assert visible_data(event.payload).keys() == {"key", "destination", "ends_at"}


def ended(link):
    """Return the event that a link ends soon."""
    now = database_now()
    link.expires_at = now + timedelta(hours=1)
    link.save()
    assert expiry_events.announce(now=now) == 1
    return Event.objects.filter(kind=EventKind.LINK_ENDING)


def notified_users(people, link):
    """Return who of all people gets the event that the link ends soon."""
    [event] = ended(link)
    found = set()
    for name, user in people.items():
        by = Actor(User.objects.get(pk=user.pk))
        index = SubscriptionIndex()
        if by.may_receive:
            index.add(Subscription(what=["links"]), by=by)
        if index.matching(EventFacts(event)):
            assert may_receive_event(EventFacts(event), by)
            found.add(name)
    return found


def titles(answer):
    assert answer.status_code == 200
    return [item["title"] for item in answer.json()["items"]]


def test_lists_of_snippets_are_filtered_by_team_and_public_ones(people, team):
    owner, mate = people["owner"], people["mate"]
    SnippetFactory(title="own", owner=mate)
    for number in range(3):
        snippet = SnippetFactory(title=f"docs {number}", owner=owner, team=team)
        snippet.tags.create(name="t", created_at=snippet.created_at)
    SnippetFactory(title="all", owner=owner, for_everyone=True)
    docs = ["docs 0", "docs 1", "docs 2"]
    client = api(mate)
    assert titles(client.get("/v1/snippets?team=Docs")) == docs
    assert titles(client.get("/v1/snippets?team=Docs&tag=t")) == docs
    assert titles(client.get("/v1/snippets?team=Docs&q=2")) == ["docs 2"]
    assert titles(client.get("/v1/snippets?team=Docs&for_everyone=true")) == []
    assert titles(client.get("/v1/snippets?for_everyone=true")) == ["all"]
    assert titles(client.get("/v1/snippets?team=Other")) == []
    assert titles(api(people["other"]).get("/v1/snippets?team=Docs&tag=none")) == []
    first = client.get("/v1/snippets?team=Docs&limit=2").json()
    assert titles(client.get(f"/v1/snippets?team=Docs&page_token={first['next_page_token']}")) == [
        "docs 2"
    ]

    page = browser(mate)
    for whose, wanted in (("mine", ["own"]), ("teams", docs[::-1]), ("everyone", ["all"])):
        rows = page.get(f"/snippets?whose={whose}").context["rows"]
        assert [snippet.title for snippet, _ in rows] == wanted
    rows = page.get("/snippets?whose=teams&q=docs+1").context["rows"]
    assert [snippet.title for snippet, _ in rows] == ["docs 1"]
    assert b'name="whose"' in page.get("/snippets").content
