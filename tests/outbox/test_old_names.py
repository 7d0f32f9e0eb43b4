"""Python names in 0.2.0's documents still work, and warn when they will be removed."""

import importlib
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User

from accounts import rights
from accounts.roles import Role
from outbox.relay import drain
from outbox.relay_threads import refresh_readers
from tests.factories import TransitionFactory

OLD = {
    "targets.models": ("Transition", "Sink", "DeadLetter", "Epoch"),
    "targets.events.payload": ("cloud_events", "event_type", "public", "write"),
    "targets.sinks.base": ("EventSink", "Message", "sinks_now"),
    "targets.sinks.kafka_settings": ("instances", "kafka_mistakes"),
}


@pytest.mark.any_database
@pytest.mark.parametrize("module", OLD)
def test_an_old_name_returns_the_new_object_and_warns(module):
    for name in OLD[module]:
        with pytest.warns(
            DeprecationWarning, match=rf"{module}.{name} is .+ will be removed in 0\.5\.0"
        ):
            assert getattr(importlib.import_module(module), name) is not None
    with pytest.raises(AttributeError, match="nothing_of_ours"):
        _ = importlib.import_module(module).nothing_of_ours


@pytest.mark.django_db
def test_a_sink_of_0_2_0_gets_each_event(settings):
    settings.SINKS = {"list": "tests.outbox.sink_of_0_2_0.instances"}
    rows = [TransitionFactory() for _ in range(3)]
    with pytest.warns(DeprecationWarning, match="since 0.3.0; the old name will be removed"):
        from tests.outbox import sink_of_0_2_0
    sink_of_0_2_0.SENT.clear()

    assert list(drain(refresh_readers().values())) == []

    assert sorted(sink_of_0_2_0.SENT) == sorted(str(row.pk).encode() for row in rows)


@pytest.mark.django_db
def test_a_right_of_0_2_0_grants_the_new_one_too():
    robot = User.objects.create_user("robot")
    robot.user_permissions.add(Permission.objects.get(codename="view_transition"))
    assert robot.has_perms(["targets.view_transition", "outbox.view_event"])
    assert not robot.has_perm("outbox.view_cursor")


@pytest.mark.django_db
def test_roles_and_programs_are_given_rights_of_both_releases():
    robot = User.objects.create_user("robot")
    rights.grant(robot, read_only=False)
    groups = [Group.objects.get(name=role) for role in (Role.VIEWER, Role.OPERATOR)]
    held: Any = [robot.user_permissions, *(group.permissions for group in groups)]
    for one in held:
        names = set(one.values_list("content_type__app_label", "codename"))
        assert {("targets", "view_sink"), ("outbox", "view_cursor")} <= names
