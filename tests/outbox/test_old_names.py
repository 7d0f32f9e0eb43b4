"""What 0.2.0's documents show of Python still works, and says when it goes."""

import importlib
import re
import sys
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, Permission, User

from accounts import rights
from accounts.roles import Role
from checker.engine.verdict import Exchange
from outbox.relay import drain
from outbox.threads import readers_of_now
from targets import payload
from targets.state import Outcome
from tests.acceptance.processes import ROOT
from tests.factories import TargetFactory, TransitionFactory

OLD = {
    "targets.models": ("Transition", "TransitionQuerySet", "Sink", "DeadLetter", "Epoch"),
    "targets.events.payload": ("cloud_events", "event_builder", "payload", "public", "write"),
    "targets.sinks.base": ("EventSink", "Message", "sinks_now"),
    "targets.sinks.kafka": ("KafkaSink", "message"),
    "targets.sinks.kafka_settings": ("instances", "kafka_mistakes"),
}


@pytest.mark.any_database
@pytest.mark.parametrize("module", OLD)
def test_an_old_name_is_the_new_thing_and_warns(module):
    import outbox.kafka  # noqa: F401 (its library warns, too)

    for name in OLD[module]:
        with pytest.warns(DeprecationWarning, match=rf"{module}.{name} is .+ goes in 0\.5\.0"):
            assert getattr(importlib.import_module(module), name) is not None
    with pytest.raises(AttributeError, match="nothing_of_ours"):
        _ = importlib.import_module(module).nothing_of_ours


@pytest.mark.django_db
def test_a_sink_of_0_2_0_gets_each_event(settings):
    settings.SINKS = {"list": "tests.outbox.sink_of_0_2_0.instances"}
    rows = [TransitionFactory() for _ in range(3)]
    with pytest.warns(DeprecationWarning, match="since 0.3.0; the old name goes"):
        from tests.outbox import sink_of_0_2_0
    sink_of_0_2_0.SENT.clear()

    assert list(drain(readers_of_now().values())) == []

    assert sorted(sink_of_0_2_0.SENT) == sorted(str(row.pk).encode() for row in rows)


def sample(document: str, containing: str) -> str:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / document).read_text(), re.DOTALL)
    return next(block for block in blocks if containing in block)


@pytest.fixture
def module(tmp_path: Path, monkeypatch):
    """Write a module that settings can name, and forget it afterwards."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(name: str, text: str):
        (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.delitem(sys.modules, name, raising=False)
        return importlib.import_module(name)

    return write


@pytest.mark.any_database
def test_the_condition_of_the_documents_works(module):
    shop = module("our_checks", sample("docs/checks.md", "def shop")).shop
    verdict = shop(Exchange(url="https://shop.example/", status=200, body=b"It is sold out."))
    assert (verdict.outcome, verdict.reason) == (Outcome.FAILURE, "sold_out")


@pytest.mark.django_db
def test_the_builder_of_the_documents_works(module, settings):
    module("our_events", sample("docs/events.md", "def build"))
    settings.EVENT_BUILDER = "our_events.build"
    payload.event_builder.cache_clear()
    try:
        build = payload.event_builder()
        target = TargetFactory()
        assert build(target, None) is None
        assert build(target, {"kind": "dns"}) == {"kind": "dns", "team": "docs"}
    finally:
        payload.event_builder.cache_clear()


@pytest.mark.any_database
@pytest.mark.parametrize(
    "path", ["targets.tasks.delete_old_transitions", "targets.tasks.schedule_the_dead"]
)
def test_tasks_that_are_queued_by_either_release_are_found(path):
    module, _, name = path.rpartition(".")
    assert callable(getattr(importlib.import_module(module), name))


@pytest.mark.django_db
def test_a_right_of_0_2_0_gives_the_new_one_too():
    robot = User.objects.create_user("robot")
    robot.user_permissions.add(Permission.objects.get(codename="view_transition"))
    assert robot.has_perms(["targets.view_transition", "outbox.view_event"])
    assert not robot.has_perm("outbox.view_cursor")


@pytest.mark.django_db
def test_roles_and_programs_are_given_rights_of_both_releases():
    robot = User.objects.create_user("robot")
    rights.grant(robot, read_only=False)
    groups = [Group.objects.get(name=role) for role in (Role.VIEWER, Role.OPERATOR)]
    held = [robot.user_permissions, *(group.permissions for group in groups)]
    for one in held:
        names = set(one.values_list("content_type__app_label", "codename"))
        assert {("targets", "view_sink"), ("outbox", "view_cursor")} <= names
