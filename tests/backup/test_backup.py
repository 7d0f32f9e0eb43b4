"""A backup shows one moment while the product runs; it is restored completely or not at all."""

import gzip
import json
import stat
import subprocess
import sys
import time

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from accounts.models import Trace
from checker import partitions
from checker.models import CheckResult
from foundation import kept_secrets as secrets
from hosts.models import Host, Slot
from linkwatch.backup import restoring
from linkwatch.backup.restoring import NotEmptyError, count_unreadable_channels
from linkwatch.backup.schema_comparison import SchemaError
from notify.models import Channel
from outbox.models import Epoch
from targets import counts
from targets.models import KeptCount, Reference, Target
from tests.acceptance.processes import ROOT, database_url, environment
from tests.backup.archives import backup, empty, restore
from tests.backup.filling import SECRET, everything, fill
from tests.factories import ReferenceFactory, TargetFactory
from tests.notify.conftest import channel

pytestmark = pytest.mark.django_db(transaction=True)


def test_all_data_is_restored_unchanged():
    fill()
    before, totals = everything(), counts.totals()
    archive = backup()
    empty()
    restore(archive)
    after = everything()

    (*epochs, new) = after.pop("outbox.Epoch")
    assert epochs == before.pop("outbox.Epoch")
    assert new["began_behind"] == 2
    for label in ("outbox.Cursor", "notify.Channel", "shortener.CleanupRun"):
        for row in before[label]:
            row.update(token=None, leased_until=None)
    for row in before["targets.RepositoryScan"]:
        row.update(leased_until=None)
    leased = before.pop("hosts.Slot")
    assert [row["key"] for row in after.pop("hosts.Slot")] == [row["key"] for row in leased]
    hosts = [
        row | {"check_at": slot["lease_due"]}
        for row, slot in zip(before.pop("hosts.Host"), leased, strict=True)
    ]
    assert after.pop("hosts.Host") == hosts
    assert after == before
    assert counts.totals() == totals
    assert KeptCount.objects.count() == len(totals)


def test_new_rows_after_a_restore_get_new_numbers():
    fill()
    archive = backup()
    empty()
    restore(archive)

    for model in (CheckResult, Trace):
        row = model.objects.order_by("-pk").first()
        newest, row.pk = row.pk, None
        row.save(force_insert=True)
        assert row.pk == newest + 1


def test_a_restore_ends_leases_and_makes_their_hosts_due():
    fill()
    archive = backup()
    empty()
    restore(archive)

    assert not Slot.objects.exclude(token=None).exists()
    assert Slot.objects.filter(check_ready_at__isnull=False).count() == 2
    assert not Channel.objects.exclude(token=None).exists()


def test_results_are_restored_into_the_partitions_of_their_days():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no poolers")
    from foundation.database.clock import database_now

    today = database_now()
    target = TargetFactory()
    CheckResult.objects.create(target=target, checked_at=today, latency_ms=1, attempts=1)
    days = partitions.existing_days()
    archive = backup()
    empty()
    with connection.cursor() as cursor:
        for day in days:
            cursor.execute(f"DROP TABLE checker_checkresult_{day:%Y%m%d}")
    restore(archive)

    assert partitions.existing_days() == [today.date()]
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM checker_checkresult_rest")
        assert cursor.fetchone() == (0,)


def test_a_backup_without_secrets_lists_what_to_recreate():
    fill()
    secret_before = Channel.objects.exclude(secret="").get().secret
    archive = backup(with_secrets=False)
    text = gzip.decompress(archive).decode()
    empty()
    restore(archive)

    assert SECRET not in text
    assert secret_before not in text
    assert json.loads(text.splitlines()[-1])["withheld"] == {
        "passwords": 2,
        "mfa.Authenticator": 2,
        "knox.AuthToken": 2,
        "lib.TokenTerms": 2,
        "invitations": 2,
        "headers": 4,
        "channels": 2,
        "callbacks": 2,
    }
    assert set(Channel.objects.values_list("state", flat=True)) == {"disabled"}
    assert [host.instructions for host in Host.objects.all()] == [{"accept": [403]}] * 2


def test_the_commands_list_what_to_recreate(tmp_path, capsys):
    fill()
    path = str(tmp_path / "a.backup")
    call_command("backup", path)
    made = capsys.readouterr().err
    empty()
    call_command("restore", path)
    restored = capsys.readouterr().err

    for said in (made, restored):
        assert "Not included: passwords (2)." in said
        assert "Not included: API tokens (2)." in said
    assert "were restored" in restored


def test_secrets_of_another_key_are_reported(tmp_path, capsys, settings):
    """A user who restores may have forgotten that the key is not in the archive."""
    for kind, given in (("webhook", {"secret": secrets.encrypt("s")}), ("mail", {})):
        channel(kind=kind, **given)
    channel(kind="apprise", settings={"url": secrets.encrypt("s")})
    path = str(tmp_path / "a.backup")
    call_command("backup", path, with_secrets=True)
    key = settings.SECRET_KEY
    empty()
    call_command("restore", path)
    assert "another SECRET_KEY" not in capsys.readouterr().err

    settings.SECRET_KEY = "x" * 50
    empty()
    call_command("restore", path)
    assert "encrypted with another SECRET_KEY" in capsys.readouterr().err
    assert count_unreadable_channels() == 2
    settings.SECRET_KEY_FALLBACKS = [key]
    assert count_unreadable_channels() == 0


def test_a_restore_that_is_stopped_after_its_end_says_that_it_is_complete(
    tmp_path, capsys, monkeypatch
):
    def interrupt():
        raise KeyboardInterrupt

    TargetFactory()
    path = str(tmp_path / "a.backup")
    call_command("backup", path)
    empty()
    monkeypatch.setattr(restoring, "count_unreadable_channels", interrupt)

    with pytest.raises(CommandError, match="Stopped after everything was restored"):
        call_command("restore", path)

    assert "were restored" in capsys.readouterr().err
    assert Target.objects.count() == 1


def test_a_backup_of_an_older_release_lacks_later_tables():
    MigrationRecorder(connection).record_applied("targets", "9999_release_9_0_0")
    try:
        with pytest.raises(SchemaError, match=r"schema of Linkwatch 9\.0\.0: use that release"):
            backup()
    finally:
        MigrationRecorder(connection).record_unapplied("targets", "9999_release_9_0_0")


def test_a_write_during_a_backup_does_not_wait_and_is_included_atomically():
    ReferenceFactory()
    written = []

    def write(rows):
        if not written:
            written.append(ReferenceFactory())

    archive = backup(advance=write)
    empty()
    restore(archive)

    assert len(written) == 1
    assert (Target.objects.count(), Reference.objects.count()) == (1, 1)


def test_a_reader_that_pauses_gets_the_whole_backup(monkeypatch):
    """Sessions end after a pause of ten seconds during a transaction; here, after a tenth."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no such sessions")
    TargetFactory()
    options = "-c idle_in_transaction_session_timeout=100ms"
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "options", options)
    archive = backup(advance=lambda rows: time.sleep(0.3 if rows > 100 else 0))
    empty()
    restore(archive)

    assert Target.objects.count() == 1


def test_a_table_that_is_rewritten_during_a_backup_is_complete_in_it():
    """PostgreSQL shows such a table as empty to older snapshots, without an error."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no such tables")
    TargetFactory()
    refused = []

    def migrate(_rows):
        with psycopg.connect(database_url()) as other:
            other.execute("SET LOCAL lock_timeout = '50ms'")
            try:
                other.execute("ALTER TABLE targets_target ADD junk float DEFAULT random()")
            except psycopg.errors.LockNotAvailable as error:
                refused.append(error)

    archive = backup(advance=lambda rows: None if refused else migrate(rows))
    empty()
    restore(archive)

    assert len(refused) == 1
    assert Target.objects.count() == 1


def test_a_backup_is_restored_only_into_an_empty_database():
    archive = backup()
    target = TargetFactory()

    with pytest.raises(NotEmptyError, match=r"not empty: it has targets"):
        restore(archive)
    assert list(Target.objects.all()) == [target]


def test_a_file_is_private_complete_and_never_overwritten_by_accident(tmp_path):
    path = tmp_path / "a.backup"
    (tmp_path / "a.backup.part").write_bytes(b"left by one that was killed" * 10_000)
    call_command("backup", str(path))
    whole = path.read_bytes()

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(CommandError, match="already exists"):
        call_command("backup", str(path))
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("backup", str(tmp_path / "none" / "b"))
    with pytest.raises(CommandError, match="is not a file"):
        call_command("backup", "/dev/null", force=True)
    call_command("backup", str(path), force=True)
    call_command("backup", str(tmp_path / "dry"), dry_run=True)
    call_command("restore", str(path), dry_run=True)
    assert len(gzip.decompress(whole)) == len(gzip.decompress(path.read_bytes()))
    assert [one.name for one in tmp_path.iterdir()] == ["a.backup"]
    assert not Epoch.objects.exists()


def test_a_backup_that_ends_while_another_begins_keeps_its_file(tmp_path, monkeypatch):
    """Both backups use one temporary file: the second opens the complete file of the first."""
    part, path = tmp_path / "a.backup.part", tmp_path / "a.backup"
    monkeypatch.setattr("fcntl.flock", lambda *_: part.write_bytes(b"whole") and part.rename(path))

    with pytest.raises(CommandError, match="Another backup has just written"):
        call_command("backup", str(path))

    assert path.read_bytes() == b"whole"


_STALLS = """
import sys, django
django.setup()
from django.utils import timezone
from linkwatch.backup import restoring
from linkwatch.backup.archive import ArchiveReader
from targets.models import Target
def stall(rows):
    if Target.objects.exists():
        print("amid", flush=True)
        sys.stdin.read()
reader = ArchiveReader(open(sys.argv[1], "rb"), max_bytes={})
restoring.restore(reader, now=timezone.now(), advance=stall)
"""


def test_a_killed_restore_leaves_nothing_and_can_be_repeated(tmp_path):
    TargetFactory.create_batch(3)
    archive = backup()
    (tmp_path / "archive").write_bytes(archive)
    empty()
    names = {
        "DJANGO_SETTINGS_MODULE": "linkwatch.settings",
        "DATABASE_URL": database_url(),
        "DATA_DIR": str(tmp_path),
    }
    with subprocess.Popen(
        [sys.executable, "-c", _STALLS, tmp_path / "archive"],
        cwd=ROOT,
        env=environment(**names),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline() == b"amid\n"
        process.kill()

    assert not Target.objects.exists()
    assert not Epoch.objects.exists()
    restore(archive)
    assert Target.objects.count() == 3
