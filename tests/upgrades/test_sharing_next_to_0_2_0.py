"""Processes of 0.2.0 next to objects that are shared with a team or everyone, which they treat as
private."""

import urllib.error
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.db import connection

from accounts import teams, tokens
from accounts.actors import Actor
from accounts.models import Team
from accounts.rights import assign, grant
from accounts.roles import Role
from foundation.database.clock import database_now
from shortener.models import ShortURL
from snippets.models import Snippet
from targets import shares
from targets.models import Reference
from tests.acceptance.processes import Client
from tests.factories import ReferenceFactory, SnippetFactory, TargetFactory
from tests.shortener.links import ShortURLFactory
from tests.upgrades.old_processes import running_release

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="one machine is upgraded at once"),
    pytest.mark.release,
    pytest.mark.timeout(600),
]
URL = "http://127.8.0.9/page"


@pytest.fixture
def people():
    found = {}
    for name in ("owner", "mate", "other", "program"):
        found[name] = User.objects.create_user(name)
        if name == "program":
            grant(found[name], read_only=False)
        else:
            assign(found[name], Role.MEMBER)
    return found


def _status(api, *request):
    """Return the status of an answer of 0.2.0."""
    try:
        api(*request)
    except urllib.error.HTTPError as error:
        return error.code
    return 200


def test_0_2_0_shows_it_only_to_its_owner_and_keeps_it_shared(release, tmp_path, people):
    now, owner = database_now(), people["owner"]
    team = Team.objects.create(name="Docs", created_at=now)
    for name in ("owner", "mate"):
        teams.add(team, people[name], by=Actor(people["owner"]), now=now)
    shared = {"owner": owner, "team": team, "for_everyone": True}
    link = ShortURLFactory(key="shared-link", long_url="https://a.example/", **shared)
    snippet = SnippetFactory(visibility="private", **shared)
    target = TargetFactory(url=URL, paused=True)
    ReferenceFactory(target=target, object_id="docs/1", owner=owner)
    draft = {"reference_prefix": "docs/", "team": "Docs", "for_everyone": True}
    share = shares.create_share(draft, now=now, by=Actor(User.objects.get(pk=owner.pk)))
    of_url = f"/v1/references?url={quote(URL, safe='')}"
    paths = (
        f"/v1/urls/{link.pk}",
        f"/v1/snippets/{snippet.pk}",
        f"/v1/targets/{target.pk}/references/{quote('docs/1', safe='')}",
    )

    with running_release(release, tmp_path) as operator:
        api = {
            name: Client(operator.base, tokens.create(user, lifetime=timedelta(days=1)))
            for name, user in people.items()
        }
        for name, client in api.items():
            expected = 200 if name == "owner" else 404
            assert {_status(client, "GET", path) for path in paths} == {expected}, name
            lists = [client("GET", path)["items"] for path in ("/v1/urls", "/v1/snippets", of_url)]
            assert [len(items) for items in lists] == [int(name == "owner")] * 3, name
        for path in paths:
            for name in ("mate", "other", "program"):
                assert _status(api[name], "DELETE", path) == 404, (name, path)
        assert operator("GET", paths[0])["owner"] == "owner"

        api["owner"]("PATCH", paths[0], {"max_visits": 5})
        operator("PATCH", paths[0], {"max_visits": 6})
        api["owner"]("PATCH", paths[1], {"title": "By 0.2.0"})
        api["owner"]("POST", "/v1/references", {"url": URL, "reference_id": "docs/2"})
        api["owner"]("POST", "/v1/references", {"url": URL, "reference_id": "mine"})

    link.refresh_from_db()
    snippet.refresh_from_db()
    share.refresh_from_db()
    assert (link.max_visits, snippet.title) == (6, "By 0.2.0")
    for one in (link, snippet, share):
        assert (one.owner, one.team, one.for_everyone) == (owner, team, True)
    for name in ("mate", "other"):
        by = Actor(User.objects.get(pk=people[name].pk))
        assert by.reach(ShortURL.objects.all()).get() == link
        assert by.reach(Snippet.objects.all()).get() == snippet
        seen = by.reach(Reference.objects.order_by("object_id"))
        assert [row.object_id for row in seen] == ["docs/1", "docs/2"]
        held = by.reach(Reference.objects.all(), to_change=True)
        assert held.count() == (2 if name == "mate" else 0)
