"""Operators change targets and hosts on the product's pages, with the admin's forms."""

import html
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User

from accounts import audit_log, rights
from accounts.rights import assign
from accounts.roles import Role
from foundation.http.errors import ApiError
from hosts import services
from hosts.models import Host, settings_version
from targets import services as target_services
from targets.models import Target
from tests.console.test_targets import Browser
from tests.factories import ReferenceFactory, TargetFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
NOW = datetime(2026, 5, 1, tzinfo=UTC)
HOST = "a.example"


@pytest.fixture
def olga():
    return Browser("olga", Role.OPERATOR)


@pytest.fixture
def target():
    services.change(HOST, {"delay": timedelta(seconds=9)}, now=NOW)
    return TargetFactory(url=f"http://{HOST}/page")


def page(browser, path):
    answer = browser.get(path)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def test_policy_instructions_and_headers_of_a_target_are_changed(olga, target):
    path = f"/targets/{target.pk}/edit"
    assert "material-symbols" not in page(olga, path)  # the admin's own markup
    wanted = {
        "check_period": "2d",
        "recheck_threshold": "5",
        "accept": "403, blocked",
        "headers": "X-Key: secret",
        "pinned": "on",
    }
    answer = olga.post(path, wanted, follow=True)
    assert answer.redirect_chain == [(f"/targets/{target.pk}", 302)]
    changed = Target.objects.get()
    assert (changed.check_period, changed.recheck_threshold) == (timedelta(days=2), 5)
    assert changed.instructions["accept"] == [403, "blocked"]
    again = page(olga, path)
    assert "X-Key: ***" in again
    assert "secret" not in again
    olga.post(path, wanted | {"headers": "X-Key: ***", "accept": ""})
    changed = Target.objects.get()
    assert list(changed.instructions["headers"].values()) == ["secret"]
    assert audit_log.entries_by(olga.user).filter(kind="target", action="change").count() == 2


@pytest.mark.parametrize(
    ("field", "text"), [("check_period", "never"), ("headers", "no colon"), ("timeout", "2h")]
)
def test_values_that_the_api_rejects_are_errors_next_to_their_field(olga, target, field, text):
    answer = olga.post(f"/targets/{target.pk}/edit", {field: text, "pinned": "on"})
    assert answer.status_code == 200
    assert answer.context["form"].errors.keys() == {field}
    assert Target.objects.get().version == target.version


def test_a_target_without_references_stays_pinned(olga, target):
    answer = olga.post(f"/targets/{target.pk}/edit", {})
    assert "so it must stay pinned" in html.unescape(answer.content.decode())
    ReferenceFactory(target=target)
    olga.post(f"/targets/{target.pk}/edit", {})
    assert not Target.objects.get().pinned


def test_a_host_gets_a_delay_and_joins_and_leaves_an_alias(olga, target):
    services.set_hosts("farm", ["b.example", "c.example"], now=NOW)
    path = f"/hosts/{HOST}/edit"
    assert 'value="9s"' in page(olga, path)
    answer = olga.post(path, {"delay": "30s", "alias": "farm", "timeout": "10s"}, follow=True)
    assert answer.redirect_chain == [(f"/hosts/{HOST}", 302)]
    host = Host.objects.select_related("slot").get(name=HOST)
    assert (host.slot.key, host.slot.delay) == ("farm", timedelta(seconds=30))
    assert Host.objects.filter(slot=host.slot).count() == 3
    olga.post(path, {"delay": "30s", "alias": "", "timeout": "10s"})
    assert not Host.objects.select_related("slot").get(name=HOST).slot.is_alias
    assert Host.objects.filter(slot__key="farm").count() == 2
    assert audit_log.entries_about("host", HOST).exists()


@pytest.mark.parametrize("fields", [{"delay": "soon"}, {"alias": "a b"}, {"headers": "x"}])
def test_values_that_a_host_cannot_have_are_rejected(olga, target, fields):
    answer = olga.post(f"/hosts/{HOST}/edit", {"delay": "9s", **fields})
    assert answer.context["form"].errors.keys() == fields.keys()


def test_an_unknown_host_or_target_has_no_form(olga):
    for path in ("/hosts/nowhere.example/edit", "/hosts/:/edit", "/targets/t_x/edit"):
        assert olga.get(path).status_code == 404


def test_an_operator_gives_a_role_and_closes_an_account(olga):
    ada = User.objects.create_user("ada")
    assign(ada, Role.MEMBER)
    assert "ada" in page(olga, "/account/people")
    path = f"/account/people/{ada.pk}"
    olga.post(path, {"role": Role.VIEWER, "is_active": "on"})
    assert rights.role_of(User.objects.get(username="ada")) is Role.VIEWER
    olga.post(path, {"role": Role.VIEWER})
    assert not User.objects.get(username="ada").is_active
    assert "Closed" in page(olga, "/account/people")
    written = audit_log.entries_by(olga.user).filter(kind="account", subject="ada")
    assert [entry.fields for entry in written] == [["sign-in access"], ["role"]]


def test_the_last_operator_cannot_close_their_account(olga):
    path = f"/account/people/{olga.user.pk}"
    for data in ({"role": Role.MEMBER, "is_active": "on"}, {"role": Role.OPERATOR}):
        assert "This is the only operator." in olga.post(path, data).content.decode()
    assert rights.is_last_operator(User.objects.get(pk=olga.user.pk))


def test_people_are_paginated(olga, monkeypatch):
    monkeypatch.setattr("console.people.PEOPLE_PER_PAGE", 2)
    for name in ("ada", "bob", "cem"):
        User.objects.create_user(name)
    listed = [person.username for person, _ in olga.get("/account/people").context["people"]]
    assert listed == ["ada", "bob"]
    following = olga.get("/account/people?after=bob").context
    assert [person.username for person, _ in following["people"]] == ["cem", "olga"]
    assert following["next"] is None
    assert "No more people." in page(olga, "/account/people?after=zoe")


def test_a_target_changed_by_another_user_is_saved_only_after_a_warning(olga, target):
    path = f"/targets/{target.pk}/edit"
    seen = olga.get(path).context["form"]["version"].value()
    target_services.update(target, {"paused": True}, now=NOW)
    mine = {"check_period": "2d", "pinned": "on", "version": seen}
    answer = olga.post(path, mine)
    assert "Somebody changed this while you had it open." in answer.content.decode()
    assert Target.objects.get().check_period is None
    again = answer.context["form"]["version"].value()
    olga.post(path, mine | {"version": again})
    changed = Target.objects.get()
    assert (changed.check_period, changed.paused) == (timedelta(days=2), False)


def test_a_host_changed_by_another_user_is_saved_only_after_a_warning(olga, target):
    path = f"/hosts/{HOST}/edit"
    seen = olga.get(path).context["form"]["version"].value()
    assert f'name="version" value="{seen}"' in page(olga, path)
    services.change(HOST, {"delay": timedelta(seconds=20), "accept": [403]}, now=NOW)
    mine = {"delay": "9s", "alias": "farm", "timeout": "10s", "version": seen}
    answer = olga.post(path, mine)
    assert "Somebody changed this while you had it open." in answer.content.decode()
    host = Host.objects.select_related("slot").get(name=HOST)
    assert host.instructions == {"accept": [403]}
    assert (host.slot.alias, host.slot.delay) == (None, timedelta(seconds=20))
    again = answer.context["form"]["version"].value()
    assert olga.post(path, mine | {"version": again}).status_code == 302
    host = Host.objects.select_related("slot").get(name=HOST)
    assert (host.slot.alias, host.slot.delay) == ("farm", timedelta(seconds=9))
    assert host.instructions["timeout"]


def test_a_hosts_version_is_compared_under_its_lock_and_nothing_is_saved_on_a_conflict(target):
    stale = settings_version(Host.objects.select_related("slot").get(name=HOST)) + 1
    wanted = {"delay": timedelta(seconds=1)}
    with pytest.raises(ApiError, match="changed in the meantime"):
        services.edit(HOST, wanted, alias="farm", version=stale, now=NOW)
    with pytest.raises(ApiError, match="changed in the meantime"):
        services.change_settings(HOST, wanted, is_alias=False, version=stale, now=NOW)
    host = Host.objects.select_related("slot").get(name=HOST)
    assert (host.slot.alias, host.slot.delay) == (None, timedelta(seconds=9))
