"""A broken or foreign archive is refused with one sentence, and no part of it is restored."""

import gzip
import io
import json
import tracemalloc
import zlib
from contextlib import suppress

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from linkwatch.backup.archive import ArchiveReader, BadArchiveError, Writer
from linkwatch.backup.restoring import RejectedBackupError
from linkwatch.backup.schema_comparison import SchemaError
from linkwatch.backup.tables import MAX_ROW_BYTES, MAX_SNIPPET_BYTES
from targets.models import Target
from tests.backup.archives import backup, empty, restore
from tests.factories import TargetFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def archive():
    """Return an archive of three targets; the database is empty again."""
    TargetFactory.create_batch(3)
    found = backup()
    empty()
    return found


def lines_of(archive):
    return gzip.decompress(archive).splitlines(keepends=True)


def verify(archive):
    """Read the whole archive, as both `restore` and its `--dry-run` do."""
    for _ in ArchiveReader(io.BytesIO(archive), max_bytes=MAX_ROW_BYTES).chunks():
        pass


def changed(archive, **fields):
    """Return the archive with a changed header."""
    header, *rest = lines_of(archive)
    return gzip.compress(json.dumps(json.loads(header) | fields).encode() + b"\n" + b"".join(rest))


def rewritten(archive, column, value):
    """Return the archive with this value in each target."""
    reader, target = ArchiveReader(io.BytesIO(archive), max_bytes=MAX_ROW_BYTES), io.BytesIO()
    writer = Writer(target, reader.header)
    for table, columns, rows in reader.chunks():
        writer.begin(table, columns)
        for row in rows if table == "targets.Target" else ():
            row[columns.index(column)] = value
        writer.write(rows)
    writer.close()
    return target.getvalue()


def with_last_line(archive, **fields):
    """Return the archive with a changed last line."""
    *rest, last = lines_of(archive)
    return gzip.compress(b"".join(rest) + json.dumps(json.loads(last) | fields).encode() + b"\n")


def test_an_archive_truncated_anywhere_is_refused(archive):
    for size in {*range(0, len(archive), 97), len(archive) - 9, len(archive) - 1}:
        with pytest.raises(BadArchiveError):
            verify(archive[:size])
    lines = lines_of(archive)
    for number in range(0, len(lines), 7):
        with pytest.raises(BadArchiveError):
            verify(gzip.compress(b"".join(lines[:number])))


def text_of(archive):
    """Return the decompressed archive; None if gzip finds an error."""
    with suppress(gzip.BadGzipFile, zlib.error, EOFError):
        return gzip.decompress(archive)


def test_an_archive_with_any_flipped_byte_is_refused(archive):
    verify(archive)
    for place in range(10, len(archive), 61):  # before are the time and the system of gzip's header
        flipped = archive[:place] + bytes([archive[place] ^ 0x10]) + archive[place + 1 :]
        if text_of(flipped) == text_of(archive):  # a bit that only pads a byte
            continue
        with pytest.raises(BadArchiveError):
            verify(flipped)


def test_an_archive_with_changed_text_is_refused(archive):
    text = gzip.decompress(archive).replace(b"http://host", b"http://gost")

    with pytest.raises(BadArchiveError, match="checksums"):
        verify(gzip.compress(text))
    with pytest.raises(BadArchiveError, match="after its end"):
        verify(gzip.compress(gzip.decompress(archive) + b"[]\n"))


def test_an_archive_refused_after_its_rows_were_written_leaves_nothing(archive):
    """The last byte is checked after all rows have been written."""
    for bad in (archive[:-1], archive[:-5] + b"?" + archive[-4:], archive[: len(archive) // 2]):
        with pytest.raises(BadArchiveError):
            restore(bad)
        assert not Target.objects.exists()
    restore(archive)
    assert Target.objects.count() == 3


@pytest.mark.parametrize("withheld", [None, [], {"passwords": "many"}])
def test_the_statement_about_secrets_is_checked_before_anything_is_written(archive, withheld):
    with pytest.raises(BadArchiveError, match="damaged"):
        restore(with_last_line(archive, withheld=withheld))
    assert not Target.objects.exists()


def test_an_archive_that_the_database_rejects_leaves_nothing(archive, monkeypatch):
    """Its checksums are right: it was written by other means."""
    monkeypatch.setattr("linkwatch.backup.archive._encode", json.dumps)
    for column, value in (
        ("url", None),
        ("url", "\ud800"),
        ("failures", 10**30),
        ("created_at", "never"),
        ("created_at", "0001-01-01T00:00:00+23:00"),  # does not exist in UTC
    ):
        with pytest.raises((RejectedBackupError, BadArchiveError)):
            restore(rewritten(archive, column, value))
        assert not Target.objects.exists()


@pytest.mark.parametrize(
    ("fields", "error", "sentence"),
    [
        ({"version": 2, "release": "9.0"}, BadArchiveError, "Linkwatch 9.0 in version 2"),
        ({"format": "other"}, BadArchiveError, "not a backup of Linkwatch"),
        ({"schema": None}, BadArchiveError, "damaged"),
        ({"schema": {"targets": 1}}, BadArchiveError, "damaged"),
    ],
)
def test_another_format_is_refused(archive, fields, error, sentence):
    with pytest.raises(error, match=sentence):
        restore(changed(archive, **fields))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("9999_later", "newer schema .targets.* Upgrade this deployment"),
        ("0000_before", "older schema"),
    ],
)
def test_another_schema_is_refused(archive, name, sentence):
    schema = json.loads(lines_of(archive)[0])["schema"]

    with pytest.raises(SchemaError, match=sentence):
        restore(changed(archive, release="9.0", schema=schema | {"targets": name}))
    assert not Target.objects.exists()


def test_a_schema_with_an_additional_app_is_the_newer_one(archive):
    schema = json.loads(lines_of(archive)[0])["schema"]
    without = {app: name for app, name in schema.items() if app != "notify"}

    with pytest.raises(SchemaError, match=r"newer schema .new: 0001_x; here: none.\. Upgrade this"):
        restore(changed(archive, schema=schema | {"new": "0001_x"}))
    with pytest.raises(SchemaError, match=r"older schema .notify: none; here: 00"):
        restore(changed(archive, schema=without))


def test_errors_of_the_command_are_one_sentence(archive, tmp_path):
    path = tmp_path / "archive"
    for bad in (b"", b"PK\x03\x04 something else", archive[:100], archive[:-3]):
        path.write_bytes(bad)
        with pytest.raises(
            CommandError, match=r"^(The file is not|The backup) .+\. Nothing was re"
        ):
            call_command("restore", str(path))
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("restore", str(tmp_path / "none"))


@pytest.mark.parametrize("table", [None, "targets.Target"])
def test_a_line_longer_than_any_in_a_backup_is_refused_before_it_is_read(archive, table):
    """gzip makes it small: to refuse 13.7 MB that held a line of 3 GB took 1.16 GB."""
    header, *rest = lines_of(archive)
    before = []
    if table:
        place = next(
            n for n, line in enumerate(rest) if line.startswith(b'{"table":"targets.Target"')
        )
        before = [header, *rest[: place + 1]]
    bomb = gzip.compress(b"".join(before) + b"[" + b"0" * 64 * 1024 * 1024, 1)
    tracemalloc.start()

    with pytest.raises(
        BadArchiveError, match=r"a line of .* is longer than the maximum of [0-9,]+ bytes"
    ) as caught:
        verify(bomb)

    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 40 * 1024 * 1024
    assert (table or "the header") in str(caught.value)


def test_the_largest_snippet_fits_even_if_fully_escaped(archive):
    line = json.dumps("\x01" * MAX_SNIPPET_BYTES, ensure_ascii=False)

    assert len(line) < MAX_ROW_BYTES["snippets.Snippet"]
    assert f"{MAX_SNIPPET_BYTES >> 20}MiB" == settings.LARGEST_SNIPPET
