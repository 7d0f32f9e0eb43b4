"""What a release does with a schema older or newer than its own, or from before 0.2.0."""

from contextlib import nullcontext

import pytest
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
from django.db.migrations.recorder import MigrationRecorder

from linkwatch.processes import cluster, programs
from manage import Utility
from status import health, schema
from tests.conftest import NOW

NEXT = ("targets", "0099_release_0_4_0_notes")
NEXT_TOO = ("hosts", "0099_release_0_4_0")
AFTER_NEXT = ("targets", "0100_release_0_10_0")
OF_OTHERS = ("auth", "0099_in_a_newer_django")
BEFORE = ("snippets", "0001_initial")
TOO_NEW = (
    "This database has the schema of Linkwatch 0.10.0, which is more than one release ahead of "
    "this one. Run Linkwatch 0.10.0, or at least 0.4.0, or restore a backup"
)
TOO_OLD = "This database is from before Linkwatch 0.2.0 and can't be brought up to date. "


def apply(*migrations):
    MigrationRecorder.Migration.objects.bulk_create(
        MigrationRecorder.Migration(app=app, name=name, applied=NOW) for app, name in migrations
    )


@pytest.fixture
def applied(transactional_db, monkeypatch):
    """Record these migrations as applied, too."""
    monkeypatch.setattr(health, "_COMPATIBLE", set())
    newest = MigrationRecorder.Migration.objects.latest("id").pk
    yield apply
    MigrationRecorder.Migration.objects.filter(pk__gt=newest).delete()


@pytest.mark.parametrize(
    ("migrations", "says"),
    [
        ([], None),
        ([NEXT, NEXT_TOO, OF_OTHERS], None),
        ([NEXT, AFTER_NEXT], TOO_NEW),
        ([BEFORE], TOO_OLD),
        ([NEXT, AFTER_NEXT, BEFORE], TOO_OLD),
    ],
    ids=["same", "next", "after next", "before", "both"],
)
def test_only_the_schema_of_this_release_or_the_next_one_is_served(applied, migrations, says):
    applied(*migrations)
    assert health.health_of("schema") == {"schema": "down" if says else "ok"}
    for name in ("run_web", "hosts"):
        refused = nullcontext() if says is None else pytest.raises(SystemExit, match=says)
        with refused:
            Utility(["manage.py", name]).fetch_command(name)
    Utility(["manage.py", "help", "run_web"]).fetch_command("run_web")  # help always works


@pytest.mark.parametrize("migrations", [[NEXT, AFTER_NEXT], [BEFORE]], ids=["newer", "before"])
def test_migrate_rejects_an_unsupported_schema(applied, migrations):
    applied(*migrations)
    with pytest.raises(CommandError, match=r"\(docs/upgrading\.md\)\.$"):
        call_command("migrate", verbosity=0)


def test_an_older_migrate_does_not_change_the_schema_of_the_next_release(applied, capsys):
    applied(NEXT)
    Group.objects.all().delete()
    call_command("migrate", verbosity=0)
    assert "that of a newer release: nothing to do" in capsys.readouterr().out
    assert not Group.objects.exists()  # a newer release decides what they may do


def test_a_process_started_before_migrate_waits_for_it(transactional_db, monkeypatch, caplog):
    last = MigrationRecorder.Migration.objects.filter(app="status").latest("id")
    last.delete()
    looks = []
    is_behind = schema.is_behind_here

    def migrate_on_the_second_call():
        looks.append(is_behind())
        if len(looks) == 2:
            last.save()
        return looks[-1]

    monkeypatch.setattr(programs, "stop_on_signals", lambda: None)
    monkeypatch.setattr(schema, "is_behind_here", migrate_on_the_second_call)
    programs.wait_until_migrated()
    assert looks == [True, True, False]
    assert "waits until `manage.py migrate` has run" in caplog.text
    programs.wait_until_migrated()
    assert (len(looks), len(caplog.records)) == (4, 1)


@pytest.mark.any_database
@pytest.mark.parametrize("begin", [programs.relay, programs.analytics, cluster.run])
def test_all_processes_except_web_servers_wait(begin, monkeypatch):
    def note():
        raise KeyError("waits")

    monkeypatch.setattr(programs, "stop_on_signals", lambda: None)
    monkeypatch.setattr(programs, "announced_process", lambda *kinds: nullcontext())
    for module in (programs, cluster):
        monkeypatch.setattr(module, "wait_until_migrated", note)
    with pytest.raises(KeyError, match="waits"):
        begin()
