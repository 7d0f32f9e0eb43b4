"""Shared references: what others share with a member's team, before and after they share it."""

# ruff: noqa: F811 - fixtures of another module

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from accounts.models import ReferenceShare, Team, TeamMember
from accounts.rights import assign
from accounts.roles import Role
from foundation.database.clock import database_now
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
)

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]


def test_a_member_sees_what_others_share_with_their_team(live_server, open_as, looked_at):
    page = open_as(live_server.url, "/shares", viewport={"width": 320, "height": 640})
    expect(page.get_by_role("main")).to_contain_text("If you share references with your team")
    looked_at(page, "shares-empty")
    grace, now = User.objects.create_user("grace"), database_now()
    assign(grace, Role.MEMBER)
    team = Team.objects.create(name="Docs", created_at=now)
    for user in (grace, User.objects.get(username="ada")):
        TeamMember.objects.create(team=team, user=user)
    made = {"owner": grace, "created_at": now}
    ReferenceShare.objects.create(**made, prefix="a-long-prefix/" * 15, team=team)
    ReferenceShare.objects.create(**made, prefix="", for_everyone=True)
    ReferenceShare.objects.create(**made, prefix="hers/")
    page.reload()
    shares = page.get_by_role("list", name="Shared references").get_by_role("listitem")
    expect(shares).to_have_count(2)  # not the one that is shared with nobody
    looked_at(page, "shares-full")
    page.set_viewport_size({"width": 320, "height": 640})
    shares.filter(has_text="All references").get_by_role("link").click()
    expect(page.get_by_role("main")).to_contain_text("grace's references.")
    expect(page.get_by_role("button", name="Save")).to_have_count(0)  # ada may only see them
    looked_at(page, "share-of-another")
