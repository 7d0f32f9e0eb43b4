"""`manage.py vacuum` shrinks SQLite's file while other processes read and write it."""

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tests import migrated
from tests.acceptance.processes import ROOT, environment

MIB = 1024 * 1024


@pytest.fixture
def deleted_from(tmp_path):
    """A database from which 8 MiB were deleted."""
    path = tmp_path / "linkwatch.db"
    migrated.copy_to(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE ballast (text)")
        database.executemany("INSERT INTO ballast VALUES (?)", (["x" * MIB] for _ in range(8)))
        database.execute("DROP TABLE ballast")
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def run(folder, *command, **changes):
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment(DATA_DIR=str(folder), **changes),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.any_database
def test_vacuum_frees_disk_space_while_others_have_the_file_open(deleted_from):
    before = deleted_from.stat().st_size
    with closing(sqlite3.connect(deleted_from)) as other:
        tables = other.execute("SELECT count(*) FROM sqlite_master").fetchone()

        done = run(deleted_from.parent, "vacuum")

        assert done.returncode == 0, done.stderr
        assert other.execute("SELECT count(*) FROM sqlite_master").fetchone() == tables
        other.execute("UPDATE django_migrations SET name = name")
        other.commit()
    after = deleted_from.stat().st_size
    assert before - after > 7 * MIB
    assert f"{before / MIB:.1f} MiB before, {after / MIB:.1f} MiB now." in done.stdout


@pytest.mark.any_database
def test_a_writer_that_does_not_end_is_reported_and_nothing_has_changed(deleted_from, monkeypatch):
    before = deleted_from.stat().st_size
    with closing(sqlite3.connect(deleted_from, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        done = run(deleted_from.parent, "vacuum")
        writer.execute("ROLLBACK")

    assert done.returncode == 1
    assert "Nothing has changed: database is locked." in done.stderr
    assert deleted_from.stat().st_size == before


@pytest.mark.any_database
def test_vacuum_refuses_without_room_for_a_second_copy(deleted_from, tmp_path_factory):
    """Use a tmpfs that the database nearly fills."""
    mount = tmp_path_factory.mktemp("small")
    size = deleted_from.stat().st_size + 4 * MIB
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(mount)],
        check=False,
        capture_output=True,
    )
    if done.returncode:
        pytest.skip("this user may not mount")
    try:
        subprocess.run(["cp", str(deleted_from), str(mount / "linkwatch.db")], check=True)
        done = run(mount, "vacuum")
    finally:
        subprocess.run(["umount", str(mount)], check=True)

    assert done.returncode == 1
    assert "are needed for two copies of the" in done.stderr


@pytest.mark.django_db
def test_postgresql_is_refused_with_a_sentence():
    if connection.vendor == "sqlite":
        pytest.skip("for PostgreSQL")
    with pytest.raises(CommandError, match="This is for SQLite only; PostgreSQL reuses"):
        call_command("vacuum")
