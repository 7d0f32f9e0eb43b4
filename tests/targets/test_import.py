import io
import json
import signal
import sys
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from foundation.files.lists import MAX_TARGET_LINE_BYTES, UnreadableFileError
from targets import registration
from targets.lists.formats import Format, format_of
from targets.lists.importing import read
from targets.management.commands import import_targets
from targets.models import Reference, Target
from tests.factories import TargetFactory

pure = pytest.mark.any_database


def entries(file_format, content, **options):
    return list(read(io.BytesIO(content), file_format, **options))


def items(file_format, content, **options):
    return [entry.item for entry in entries(file_format, content, **options)]


@pytest.fixture
def run(tmp_path, capsys):
    """Import `content`; return the exit status and the output."""

    def run(content, *options, suffix="jsonl"):
        path = tmp_path / f"list.{suffix}"
        path.write_bytes(content)
        status = 0
        try:
            call_command("import_targets", str(path), *options)
        except CommandError as error:
            status = error.returncode
        printed = capsys.readouterr()
        return SimpleNamespace(status=status, out=printed.out, err=printed.err)

    return run


@pure
def test_a_txt_line_is_a_url_with_an_optional_reference_id():
    content = (
        b"\xef\xbb\xbfhttp://a.example/\r\n\n  # note\nhttp://b.example \t my page \n http://c"
    )
    assert items(Format.TXT, content) == [
        {"url": "http://a.example/"},
        {"url": "http://b.example", "reference_id": "my page"},
        {"url": "http://c"},
    ]


@pure
def test_csv_cells_follow_the_header_and_empty_ones_are_ignored():
    content = b'\xef\xbb\xbfreference_id, URL,check_period\r\n"a,\n""b""",http://a,2d\r\n\r\n,http://b\r\n'
    assert items(Format.CSV, content) == [
        {"reference_id": 'a,\n"b"', "url": "http://a", "check_period": "2d"},
        {"url": "http://b"},
    ]


@pure
@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        (b"", "must list the column names"),
        (b"http://a.example/,x\n", "must list the column names"),
        (b'"url\n', "must list the column names"),
        (b"url;reference_id\n", "must list the column names"),
        (b"url,state\n", "Unknown column: “state”"),
        (b"url,url\n", "url twice"),
        (b"\xff\xfeu\x00r\x00l\x00\n\x00", "UTF-16"),
    ],
)
def test_a_csv_with_an_invalid_header_is_refused(header, sentence):
    with pytest.raises(UnreadableFileError, match=sentence):
        entries(Format.CSV, header)


@pure
def test_an_unclosed_quote_loses_the_lines_up_to_the_next_quote():
    content = b'url,reference_id\nhttp://a,"x\nhttp://b,y\nhttp://c,"z"\nhttp://d,"u"v\nhttp://e\n'
    found = entries(Format.CSV, content)
    assert [(entry.first_line, entry.last_line, bool(entry.error)) for entry in found] == [
        (2, 4, True),
        (5, 5, True),
        (6, 6, False),
    ]
    assert "on lines 2 to 4" in found[0].error


@pure
def test_an_unclosed_quote_loses_256_lines_at_most():
    content = b'url,reference_id\nhttp://a,"x\n' + b"http://b,y\n" * 300
    found = entries(Format.CSV, content)
    assert [(entry.first_line, entry.last_line) for entry in found[:2]] == [(2, 257), (258, 258)]
    assert [bool(entry.error) for entry in found[:2]] == [True, False]


@pure
def test_many_open_quotes_are_read_in_bounded_time():
    content = b"url,reference_id\n" + b'http://a,"x\nhttp://b,y\n' * 20_000 + b'http://c,"'
    assert sum(entry.last_line - entry.first_line + 1 for entry in entries(Format.CSV, content))


@pure
@pytest.mark.parametrize("file_format", list(Format))
def test_undecodable_and_endless_lines_are_refused_alone(file_format):
    good = b'{"url": "http://a"}' if file_format is Format.JSONL else b"http://a"
    header = b"url,reference_id\n" if file_format is Format.CSV else b""
    bad = [b"http://\xff", b"x" * (MAX_TARGET_LINE_BYTES + 1), b"x" * 10_000_000]
    found = entries(file_format, header + b"\n".join([good, *bad, good]))
    assert [bool(entry.error) for entry in found] == [False, True, True, True, False]
    assert [entry.item for entry in found if not entry.error] == [{"url": "http://a"}] * 2


@pure
@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"{}}",
        b"null",
        b'{"url": NaN}',
        b'"' + b"[" * 9 + b"\x00",
        b"[" * 60_000,
        rb'{"url": "http://a", "reference_id": "\ud800"}',
    ],
)
def test_invalid_json_is_rejected_with_an_error(line):
    (entry,) = entries(Format.JSONL, line)
    assert entry.item is None
    assert entry.error.isprintable()


@pure
@pytest.mark.parametrize("file_format", list(Format))
@given(content=st.binary() | st.text(alphabet='a,"\n\r\0\t# ').map(str.encode))
def test_no_content_breaks_the_reader_and_positions_only_increase(file_format, content):
    header = b"url,reference_id\n" if file_format is Format.CSV else b""
    try:
        found = entries(file_format, header + content)
    except UnreadableFileError:
        return
    last = 0
    for entry in found:
        assert last < entry.first_line <= entry.last_line
        last = entry.last_line


@pure
def test_reading_can_start_in_the_middle():
    content = b'url,reference_id\nhttp://a,"1\n2"\nhttp://b\nhttp://c\n'
    assert items(Format.CSV, content, from_line=4) == [{"url": "http://b"}, {"url": "http://c"}]
    assert items(Format.TXT, b"http://a\nhttp://b\n", from_line=2) == [{"url": "http://b"}]


@pure
@pytest.mark.parametrize(
    ("name", "file_format"), [("a.TXT", "txt"), ("a.ndjson", "jsonl"), ("-", None), ("csv", None)]
)
def test_the_suffix_names_the_format(name, file_format):
    assert format_of(name) == file_format


def test_lines_become_targets_with_references_and_policies(db, run):
    done = run(
        b'{"url": "http://a.example/x", "reference_id": "1", "check_period": "2d"}\n'
        b'{"url": "HTTP://A.example/x/", "reference_id": "2", "check_period": "9d"}\n'
        b'{"url": "http://b.example/"}\n'
    )
    assert (done.status, done.out) == (0, "created 2, known 1, references added 2, refused 0\n")
    assert done.err == ""
    first, second = Target.objects.order_by("canonical_url")
    assert (first.url, first.check_period) == ("http://a.example/x", timedelta(days=2))
    assert (first.pinned, second.pinned) == (False, True)
    assert set(first.references.values_list("object_id", flat=True)) == {"1", "2"}


def test_a_second_import_adds_nothing_and_changes_no_policy(db, run):
    line = b'{"url": "http://a.example/x", "reference_id": "1", "check_period": "%s"}\n'
    run(line % b"2d")
    done = run(line % b"9d")
    assert done.out == "created 0, known 1, references added 0, refused 0\n"
    assert Target.objects.get().check_period == timedelta(days=2)


def test_a_bad_line_is_reported_with_its_number_and_the_import_continues(db, run):
    done = run(
        b"url,reference_id,recheck_threshold,check_period\n"
        b"ftp://a,1\n"
        b"http://127.0.0.1/\n"
        b"http://b\x00.example\n"
        b"http://c.example,a\x00b\n"
        b"http://d.example,,0,\x1b[31m\n"
        b",x\n"
        b"http://e.example,%s\n"
        b"http://good.example,=1+1,5,1h\n" % (b"x" * 256),
        suffix="csv",
    )
    assert (done.status, done.out) == (1, "created 1, known 0, references added 1, refused 7\n")
    assert [line.partition(":")[0] for line in done.err.splitlines()] == [
        f"line {number}" for number in range(2, 9)
    ]
    assert "\x1b" not in done.err
    assert Reference.objects.get().object_id == "=1+1"


def test_a_dry_run_checks_every_line_and_registers_nothing(db, run):
    done = run(b"http://a.example\nnonsense\n", "--dry-run", suffix="txt")
    assert (done.status, done.out) == (1, "valid 1, refused 1, nothing registered\n")
    assert not Target.objects.exists()


def test_an_interrupted_import_reports_where_to_resume(db, run, monkeypatch):
    monkeypatch.setattr(import_targets, "BATCH_SIZE", 2)
    register, calls = registration.register, []

    def interrupted(new_targets, *, now):
        calls.append(new_targets)
        if len(calls) == 2:
            signal.raise_signal(signal.SIGTERM)
        return register(new_targets, now=now)

    monkeypatch.setattr(registration, "register", interrupted)
    content = b"http://a\n#\nhttp://b\nhttp://c\nhttp://d\n"
    stopped = run(content, suffix="txt")
    assert (stopped.status, stopped.out) == (130, "")
    assert stopped.err.rstrip().endswith("list.txt --format txt --from-line 4")
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL

    resumed = run(content, "--from-line", "4", suffix="txt")
    assert resumed.out == "created 2, known 0, references added 0, refused 0\n"


def test_an_interrupted_dry_run_is_resumed_as_a_dry_run(db, run, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(import_targets, "read", interrupt)
    stopped = run(b"http://a\n", "--dry-run", "--quiet", suffix="txt")
    assert stopped.err.rstrip().endswith("--format txt --from-line 1 --quiet --dry-run")


def test_a_crash_says_where_to_resume_too(db, run, monkeypatch, capsys):
    def crash(new_targets, *, now):
        raise RuntimeError

    monkeypatch.setattr(registration, "register", crash)
    with pytest.raises(RuntimeError):
        run(b"http://a\n", suffix="txt")
    assert "--from-line 1" in capsys.readouterr().err


def test_standard_input_needs_a_format(db, monkeypatch, capsys):
    content = json.dumps({"url": "http://a.example"}).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    with pytest.raises(CommandError, match="--format"):
        call_command("import_targets", "-")
    call_command("import_targets", "-", "--format", "jsonl")
    assert capsys.readouterr().out.startswith("created 1,")


def test_a_missing_file_is_reported_in_one_sentence(tmp_path):
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_targets", str(tmp_path / "none.txt"))


def test_a_dead_target_stays_dead(db, run):
    target = TargetFactory(state="dead", next_check_at=None)
    run(target.url.encode(), suffix="txt")
    target.refresh_from_db()
    assert (target.state, target.next_check_at) == ("dead", None)


def test_the_number_of_statements_depends_on_batches_not_lines(
    db, run, django_assert_max_num_queries
):
    with django_assert_max_num_queries(60):
        run(b"".join(b"http://host%d.example x%d\n" % (n, n) for n in range(900)), suffix="txt")
    assert Reference.objects.count() == 900
