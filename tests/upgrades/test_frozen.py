"""Databases of earlier releases still work; migrations are unedited, keep data, can be reversed."""

import json
import shutil
import uuid
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState

from status import schema
from tests.acceptance.processes import ROOT
from tests.upgrades import frozen, rules
from tests.upgrades.databases import at

NEWEST = frozen.RELEASES[-1]


@pytest.mark.parametrize("release", frozen.RELEASES)
def test_data_of_the_previous_release_is_kept_with_the_same_responses(release, database):
    with at(database):
        frozen.load(release)
        call_command("migrate", verbosity=0)
        assert list(frozen.differences(release)) == []


@pytest.fixture
def next_release(database, tmp_path, settings, monkeypatch):
    """Start a release with one more migration, which changes a database of the newest release."""

    @contextmanager
    def begin(*operations):
        name = f"next_{uuid.uuid4().hex}"  # a module is loaded only once
        folder = shutil.copytree(ROOT / "targets" / "migrations", tmp_path / name)
        [*_, newest] = sorted(path.stem for path in folder.glob("[0-9]*.py"))
        (folder / "9999_release_9_9_9.py").write_text(f"""
from django.db import migrations, models
class Migration(migrations.Migration):
    dependencies = [("targets", "{newest}")]
    operations = [{", ".join(operations)}]
""")
        monkeypatch.syspath_prepend(tmp_path)
        with at(database):
            frozen.load(NEWEST)
            settings.MIGRATION_MODULES = {"targets": folder.name}
            call_command("migrate", verbosity=0)
            yield newest

    return begin


LOSES_A_COLUMN = "migrations.RemoveField('target', 'last_error')"
LOSES_ROWS = "migrations.RunSQL('DELETE FROM targets_targetflag')"
ADDS = (
    "migrations.AddField('target', 'note', models.TextField(null=True))",
    "migrations.AddField('target', 'rank', models.IntegerField(db_default=1))",
    "migrations.CreateModel('Leaf', [('id', models.BigAutoField(primary_key=True))])",
)


@pytest.mark.parametrize(
    ("operation", "found"),
    [
        (LOSES_A_COLUMN, "/v1/targets status: 200 is 500"),
        (LOSES_ROWS, "rows targets_targetflag: 2 is 0"),
    ],
    ids=["a column", "rows"],
)
def test_an_incompatible_migration_is_detected(operation, found, next_release):
    with next_release(operation):
        assert found in list(frozen.differences(NEWEST))


def test_the_previous_release_reads_and_writes_next_to_additions(next_release, settings):
    with next_release(*ADDS) as newest:
        of_next, settings.MIGRATION_MODULES = settings.MIGRATION_MODULES, {}
        assert schema.releases_ahead(schema.applied()) == [(9, 9, 9)]
        assert schema.refusal(schema.applied()) is None
        assert list(frozen.differences(NEWEST)) == []
        made = frozen.client_of(NEWEST).post("/v1/targets", {"url": "https://new.example/"})
        assert made.status_code == 201
        # A rollback of a release removes its columns, and nothing else.
        settings.MIGRATION_MODULES = of_next
        call_command("migrate", "targets", newest, verbosity=0)
        settings.MIGRATION_MODULES = {}
        assert not schema.releases_ahead(schema.applied())
        assert frozen.client_of(NEWEST).get(made.headers["Location"]).status_code == 200


@pytest.mark.any_database
@pytest.mark.parametrize("release", frozen.RELEASES)
def test_a_migration_that_was_released_is_not_edited(release):
    known = json.loads((frozen.FOLDER / release / "migrations.json").read_text())
    now = frozen.digests()
    assert {path: now.get(path) for path in known} == known


def ours():
    """Return each migration of this project with the state of the models before it."""
    loader = MigrationLoader(None)
    state = ProjectState()
    for key in loader.graph._generate_plan(loader.graph.leaf_nodes(), at_end=True):
        migration = loader.disk_migrations[key]
        if Path(migration.__module__.replace(".", "/")).with_suffix(".py").exists():
            yield migration, state.clone()
        state = migration.mutate_state(state, preserve=False)


@pytest.mark.any_database
def test_a_new_migration_is_named_after_a_release_that_is_still_to_come():
    known = json.loads((frozen.FOLDER / NEWEST / "migrations.json").read_text())
    new = {path: schema.release_of(Path(path).stem) for path in frozen.digests().keys() - known}
    newest = frozen.numbers(NEWEST)
    assert {path for path, release in new.items() if not release or release <= newest} == set()


@pytest.mark.any_database
def test_migrations_are_compatible_with_old_processes_and_reversible():
    found = {
        (migration.app_label, migration.name): list(rules.complaints(migration, state))
        for migration, state in ours()
    }
    assert len(found) >= len(frozen.digests())
    assert {key for key, complaints in found.items() if complaints} == set(rules.EXCUSED)


NUMBER = models.IntegerField()
GOOD = [
    migrations.AddField("page", "note", models.TextField(null=True)),
    migrations.AddField("page", "note", models.TextField(db_default="")),
    migrations.AddIndex("page", models.Index(fields=["size"], name="page_size")),
    migrations.AlterField("page", "size", models.IntegerField(help_text="In bytes.")),
    migrations.CreateModel("Leaf", [("id", models.AutoField(primary_key=True))]),
    migrations.RunSQL("SELECT 1", migrations.RunSQL.noop),
    migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("page", "size")]),
]
BAD = {
    "give a db_default": migrations.AddField("page", "note", models.TextField(default="")),
    "the same twice": migrations.AddField(
        "page", "note", models.TextField(db_default="", unique=True)
    ),
    "takes": migrations.RemoveField("page", "size"),
    "takes, ": migrations.RenameField("page", "size", "bytes"),
    "write what it refuses": migrations.AddConstraint(
        "page", models.UniqueConstraint(fields=["size"], name="one_size")
    ),
    "as it was": migrations.AlterField("page", "size", models.TextField()),
    "can't be undone": migrations.RunSQL("SELECT 1"),
    "can't be undone: Raw Python": migrations.RunPython(lambda apps, editor: None),
}


def complaints(operation, name="0002_release_0_3_0"):
    state = ProjectState()
    fields: Any = [("id", models.AutoField(primary_key=True)), ("size", models.IntegerField())]
    state.add_model(ModelState("targets", "Page", fields))
    migration: Any = migrations.Migration(name, "targets")
    migration.operations = [operation]
    return list(rules.complaints(migration, state))


@pytest.mark.any_database
def test_additions_are_allowed_and_everything_else_is_reported():
    assert [complaints(operation) for operation in GOOD] == [[]] * len(GOOD)
    for words, operation in BAD.items():
        [said] = complaints(operation)
        assert words in said
    [said] = complaints(GOOD[0], "0002_page_note")
    assert "makemigrations --name release_" in said


@pytest.mark.release  # a table may exist some days before its documentation
@pytest.mark.any_database
def test_each_table_that_this_release_adds_is_in_the_page_on_upgrades():
    this = frozen.numbers(settings.VERSION)
    [*_, previous] = [name for name in frozen.RELEASES if frozen.numbers(name) < this]
    before = json.loads((frozen.FOLDER / previous / "sqlite.json").read_text())["counts"]
    page = (ROOT / "docs/upgrading.md").read_text()

    assert {table for table in frozen.our_tables() if f"`{table}`" not in page} <= set(before)
