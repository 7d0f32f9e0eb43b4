"""Roles: the rights of each group, and the drop-down of roles."""

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command
from rest_framework.test import APIClient

from accounts import deletion
from accounts.actors import Actor
from accounts.models import ReferenceShare, Team, TeamMember
from accounts.rights import (
    assign,
    is_last_operator,
    load_shared,
    make_groups,
    may_write,
    role_of,
)
from accounts.roles import Role
from foundation.http.errors import ApiError
from tests.conftest import NOW
from tests.factories import TargetFactory


@pytest.fixture
def user(db):
    return User.objects.create_user("somebody")


def test_the_groups_exist_after_migrating(db):
    assert set(Group.objects.values_list("name", flat=True)) >= set(Role)


def rights(role):
    found = Group.objects.get(name=role).permissions.values_list(
        "content_type__app_label", "codename"
    )
    return {f"{app}.{name}" for app, name in found}


def test_members_see_targets_checks_and_hosts_and_change_their_own(db):
    assert rights(Role.MEMBER) == {
        "targets.view_target",
        "targets.add_target",
        "targets.view_reference",
        "targets.add_reference",
        "targets.change_reference",
        "targets.delete_reference",
        *(f"targets.{verb}_publiclist" for verb in ("view", "add", "change", "delete")),
        *(f"batches.{verb}_batch" for verb in ("view", "add", "delete")),
        "outbox.view_event",
        "targets.view_transition",  # of processes of 0.2.0
        "accounts.view_team",
        *(f"accounts.{verb}_referenceshare" for verb in ("view", "add", "change", "delete")),
        "checker.view_checkresult",
        "hosts.view_host",
        "hosts.view_alias",
        *(f"shortener.{verb}_shorturl" for verb in ("view", "add", "change", "delete")),
        *(f"snippets.{verb}_snippet" for verb in ("view", "add", "change", "delete")),
        *(f"notify.{verb}_channel" for verb in ("view", "add", "change", "delete")),
        *(f"notify.{verb}_subscription" for verb in ("view", "add", "change", "delete")),
    }


def test_viewers_see_all_of_our_models_and_operators_have_all_rights(db):
    assert {name.partition(".")[2][:5] for name in rights(Role.VIEWER)} == {"view_"}
    assert rights(Role.VIEWER) < rights(Role.OPERATOR)
    assert rights(Role.MEMBER) < rights(Role.OPERATOR)
    assert {"auth.change_user", "knox.delete_authtoken", "targets.delete_target"} <= rights(
        Role.OPERATOR
    )


def test_rights_that_an_operator_gave_a_group_stay(db):
    members = Group.objects.get(name=Role.MEMBER)
    members.permissions.add(Permission.objects.get(codename="change_target"))
    make_groups()
    assert "targets.change_target" in rights(Role.MEMBER)


@pytest.mark.parametrize(
    ("role", "staff", "superuser"),
    [
        (Role.MEMBER, False, False),
        (Role.VIEWER, True, False),
        (Role.OPERATOR, True, True),
        (None, False, False),
    ],
)
def test_a_role_determines_all_rights_of_a_user(user, role, staff, superuser):
    assign(user, Role.OPERATOR)
    user.user_permissions.add(Permission.objects.get(codename="delete_target"))
    assign(user, role)
    user = User.objects.get()
    assert (role_of(user), user.is_staff, user.is_superuser) == (role, staff, superuser)
    assert not user.user_permissions.exists()
    assert user.groups.count() == (role is not None)
    assert may_write(user) is (role in (Role.MEMBER, Role.OPERATOR))


def test_a_superuser_of_the_command_is_an_operator(user):
    user.is_superuser = True
    assert role_of(user) is Role.OPERATOR


def test_of_several_roles_the_highest_counts(user):
    user.groups.add(*Group.objects.filter(name__in=[Role.MEMBER, Role.VIEWER]))
    assert role_of(user) is Role.VIEWER


def test_a_member_sees_a_target_by_the_api_and_cannot_change_it(user):
    assign(user, Role.MEMBER)
    target = TargetFactory()
    client = APIClient()
    client.force_authenticate(User.objects.get())
    assert client.get(f"/v1/targets/{target.pk}").status_code == 200
    assert client.get(f"/v1/targets/{target.pk}/results").status_code == 200
    assert client.delete(f"/v1/targets/{target.pk}").status_code == 403
    assert client.patch(f"/v1/targets/{target.pk}", {"paused": True}).status_code == 403
    assert client.post("/v1/shorturls", {"url": "http://a.example"}).status_code in (403, 404)


def test_a_member_who_signs_in_is_redirected_to_a_permitted_page(somebody, client):
    somebody(Role.MEMBER)
    answer = client.post("/sign-in", {"username": "somebody", "password": "correct horse"})
    assert answer.headers["Location"] == "/"
    assert client.get("/").status_code == 200
    assert "Member" in client.get("/account").content.decode()


def test_a_user_who_may_see_no_targets_is_redirected_to_the_account(somebody, client):
    somebody(None)
    answer = client.post("/sign-in", {"username": "somebody", "password": "correct horse"})
    assert answer.headers["Location"] == "/account"
    assert client.get("/").status_code == 403


def test_a_viewer_who_signs_in_is_redirected_to_the_dashboard(somebody, client):
    somebody(Role.VIEWER)
    answer = client.post("/sign-in", {"username": "somebody", "password": "correct horse"})
    assert answer.headers["Location"] == "/"


def save(browser, user, **changes):
    form = browser.get(f"/admin/auth/user/{user.pk}/change/").context["adminform"].form
    data = {name: form[name].value() or "" for name in form.fields if name != "password"}
    data["is_active"] = "on"
    data |= changes
    return browser.post(
        f"/admin/auth/user/{user.pk}/change/", {k: v for k, v in data.items() if v is not None}
    )


def test_the_admin_has_one_drop_down_of_roles(browser, user):
    html = browser.get(f"/admin/auth/user/{user.pk}/change/").content.decode()
    assert 'name="role"' in html
    for field in ("is_staff", "is_superuser", "user_permissions", "groups"):
        assert f'name="{field}"' not in html
    assert save(browser, user, role="Viewers").status_code == 302
    user.refresh_from_db()
    assert (role_of(user), user.is_staff) == (Role.VIEWER, True)
    assert save(browser, user, role="").status_code == 302
    assert role_of(User.objects.get(pk=user.pk)) is None
    listed = browser.get("/admin/auth/user/").context["cl"].result_list
    assert {str(one): role_of(one) for one in listed} == {
        "operator": Role.OPERATOR,
        "somebody": None,
    }


def test_saving_a_user_without_a_new_role_changes_no_rights(browser, user):
    user.user_permissions.add(Permission.objects.get(codename="delete_target"))
    assert save(browser, user, first_name="Ada").status_code == 302
    user.refresh_from_db()
    assert (user.first_name, user.user_permissions.count()) == ("Ada", 1)


def test_a_new_user_gets_its_role_at_once(browser):
    data = {"username": "new", "role": "Members", "usable_password": "true"}
    data |= {"password1": "correct horse", "password2": "correct horse"}
    assert browser.post("/admin/auth/user/add/", data).status_code == 302
    assert role_of(User.objects.get(username="new")) is Role.MEMBER


@pytest.mark.parametrize("changes", [{"role": "Members"}, {"role": ""}, {"is_active": None}])
def test_the_last_operator_cannot_be_demoted(browser, operator, changes):
    response = save(browser, operator, **changes)
    assert "This is the only operator." in response.content.decode()
    operator.refresh_from_db()
    assert is_last_operator(operator)
    assign(User.objects.create_user("second"), Role.OPERATOR)
    assert save(browser, operator, **changes).status_code == 302


def test_members_of_the_group_are_operators_who_may_be_the_last(operator):
    second = User.objects.create_user("second")
    second.groups.add(Group.objects.get(name=Role.OPERATOR))

    assert not is_last_operator(operator)
    assert not is_last_operator(second)
    User.objects.filter(pk=operator.pk).update(is_active=False)
    assert is_last_operator(second)
    with pytest.raises(ApiError, match="This is the only operator"):
        deletion.request(second, now=NOW)


def test_references_of_a_team_are_not_shared_with_members_without_a_role(user):
    team = Team.objects.create(name="Docs", created_at=NOW)
    TeamMember.objects.create(team=team, user=user)
    owner = User.objects.create_user("owner")
    ReferenceShare.objects.create(owner=owner, prefix="a", team=team, created_at=NOW)
    loaded = User.objects.prefetch_related("groups", "memberships").get(pk=user.pk)

    load_shared([loaded])

    assert Actor(loaded).shared == Actor(User.objects.get(pk=user.pk)).shared
    assert not Actor(loaded).shared.visible


def test_only_operators_assign_roles_even_if_others_may_change_users(somebody, user):
    browser = somebody(Role.VIEWER, "clerk")
    clerk = User.objects.get(username="clerk")
    clerk.user_permissions.add(*Permission.objects.filter(codename__endswith="_user"))
    save(browser, user, role="Operators", is_superuser="on", groups="1")
    save(browser, clerk, role="Operators", is_superuser="on")
    assert {role_of(someone) for someone in User.objects.all()} == {None, Role.VIEWER}


@pytest.mark.django_db(transaction=True)
def test_migrating_again_does_not_change_the_groups():
    call_command("migrate", verbosity=0)
    assert Group.objects.filter(name__in=list(Role)).count() == 3
