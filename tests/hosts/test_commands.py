import io
import sys
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from foundation.database.clock import database_now
from hosts.aliases import set_hosts
from hosts.importing import AliasLine, ImportRefusal, read_aliases
from hosts.models import Host, Purpose, Slot
from hosts.reservations import release, reserve_host, schedule

TTL = timedelta(seconds=60)
HOUR = timedelta(hours=1)


@pytest.fixture
def run(capsys):
    """Run `manage.py hosts` and return its exit status and what it printed."""

    def run(*words):
        status = 0
        try:
            call_command("hosts", *words)
        except CommandError as error:
            print(error, file=sys.stderr)
            status = error.returncode
        printed = capsys.readouterr()
        return SimpleNamespace(status=status, out=printed.out, err=printed.err)

    return run


# Look


@pytest.mark.django_db
def test_queue_busy_and_overdue_hosts_are_shown(run):
    now = database_now()
    schedule({"late.example": now - HOUR}, purpose=Purpose.CHECK, now=now - HOUR)
    schedule({"later.example": now + HOUR}, purpose=Purpose.FETCH, now=database_now())
    set_hosts("group", ["busy.example"], now=database_now())
    reserve_host("busy.example", purpose=Purpose.FETCH, ttl=TTL, now=database_now())

    printed = run()

    queue, _, rest = printed.out.partition("Busy hosts: 1")
    busy, _, overdue = rest.partition("Overdue by more than 15s: check 1, fetch 0")
    assert "Host queue: 2" in queue
    assert queue.index("late.example") < queue.index("later.example")
    assert "(1h ago)" in queue
    assert "This host has been ready for a check since" in queue
    assert "This host is not due for a fetch until" in queue
    assert all(word in busy for word in ("busy.example", "group", "fetch", "(in 1m)"))
    assert "late.example" in overdue
    assert "later.example" not in overdue


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["[fd00::1]", "[fd00:0:1:a:1::]"])
def test_an_ipv6_address_is_shown_unchanged(run, name):
    schedule({name: database_now()}, purpose=Purpose.CHECK, now=database_now())
    assert name in run().out


@pytest.mark.django_db
def test_tables_have_as_many_rows_as_requested(run):
    schedule(
        {f"{n}.example": database_now() + HOUR for n in range(5)},
        purpose=Purpose.FETCH,
        now=database_now(),
    )

    printed = run("--limit", "2")

    assert "Host queue: 5" in printed.out
    assert printed.out.count(".example") == 2


@pytest.mark.django_db
def test_a_host_is_explained(run):
    set_hosts("group", ["a.example"], now=database_now())
    reserve_host("a.example", purpose=Purpose.CHECK, ttl=TTL, now=database_now())

    printed = run("explain", "A.Example.")

    assert printed.out.startswith(
        "a.example (alias group): leased. This host is reserved for a check until "
    )
    assert printed.status == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "sentence"), [("a b", "Must be a host name"), ("a.example", "is unknown")]
)
def test_an_unknown_host_is_not_explained(run, name, sentence):
    printed = run("explain", name)

    assert printed.status == 1
    assert sentence in printed.err


# Import


@pytest.mark.any_database
def test_lines_are_read_with_comments_blanks_and_mistakes_in_their_places():
    text = (
        "\ufeffkommune rana.kommune.no VEFSN.kommune.no. rana.kommune.no # two\n"
        "\n# nothing\r\n"
        "  shop\tbücher.example [::1]\r\n"
        "kommune.no a.example\n"
        "alone\n"
        "bad a.example b:80\n"
    ).encode() + b"latin \xe5.example\nlast z.example"

    assert list(read_aliases(io.BytesIO(text))) == [
        AliasLine(1, "kommune", ["rana.kommune.no", "vefsn.kommune.no"]),
        AliasLine(4, "shop", ["xn--bcher-kva.example", "[::1]"]),
        ImportRefusal(
            5, "An alias must consist of 1 to 64 letters, digits, underscores or hyphens."
        ),
        ImportRefusal(6, "No hosts are listed after the alias."),
        ImportRefusal(7, "'b:80': Must be a host without a port, or an IPv6 address in brackets."),
        ImportRefusal(8, "The line is not UTF-8."),
        AliasLine(9, "last", ["z.example"]),
    ]


@pytest.mark.any_database
def test_a_line_of_aliases_is_bounded():
    text = b"kommune " + b"a.example " * 150_000 + b"\nlast z.example"

    assert list(read_aliases(io.BytesIO(text))) == [
        ImportRefusal(1, "The line is longer than 1048576 bytes."),
        AliasLine(2, "last", ["z.example"]),
    ]


def hosts_of(alias):
    members = Host.objects.filter(slot__is_alias=True, slot__key=alias)
    return set(members.values_list("name", flat=True))


@pytest.mark.django_db
def test_good_lines_are_imported_despite_bad_ones(run, tmp_path):
    set_hosts("north", ["kept.example"], now=database_now())
    set_hosts("other", ["moved.example"], now=database_now())
    path = tmp_path / "aliases.txt"
    path.write_text("north a.example moved.example\nno.alias b.example\nnorth c.example\n")

    printed = run("import-aliases", str(path))

    assert printed.status == 1
    assert "line 2: An alias must consist of" in printed.err
    assert printed.out == "aliases 1, hosts 3, lines refused 1\n"
    assert hosts_of("north") == {"kept.example", "a.example", "moved.example", "c.example"}
    assert hosts_of("other") == set()


@pytest.mark.slow
@pytest.mark.django_db
def test_a_line_of_standard_input_may_have_ten_thousand_hosts(run, monkeypatch):
    line = " ".join(["group", *(f"{n}.example" for n in range(10_000))])
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(line.encode())))

    printed = run("import-aliases", "-")

    assert (printed.status, printed.out) == (0, "aliases 1, hosts 10000, lines refused 0\n")
    assert len(hosts_of("group")) == 10_000


@pytest.mark.django_db
def test_a_reserved_host_joins_later_and_delays_no_other_line(run, tmp_path, monkeypatch):
    names = [f"{n}.example" for n in range(20)]
    lease = reserve_host("7.example", purpose=Purpose.CHECK, ttl=TTL, now=database_now())
    path = tmp_path / "aliases.txt"
    path.write_text(f"group {' '.join(names)}\n")
    looks = []

    def pause(seconds):
        looks.append(len(hosts_of("group")))
        if len(looks) == 7:
            release({lease.token: None}, delay=timedelta(0), now=database_now())

    monkeypatch.setattr("hosts.importing.time.sleep", pause)

    printed = run("import-aliases", str(path))

    assert (printed.status, printed.out) == (0, "aliases 1, hosts 20, lines refused 0\n")
    assert looks[6] == 19
    assert hosts_of("group") == set(names)


@pytest.mark.django_db
def test_a_reserved_alias_gets_the_remaining_hosts_later(run, tmp_path, monkeypatch):
    set_hosts("group", ["0.example"], now=database_now())
    lease = reserve_host("0.example", purpose=Purpose.CHECK, ttl=TTL, now=database_now())
    path = tmp_path / "aliases.txt"
    path.write_text("group 1.example 2.example 3.example\n")
    monkeypatch.setattr(
        "hosts.importing.time.sleep",
        lambda _: release({lease.token: None}, delay=HOUR, now=database_now()),
    )

    printed = run("import-aliases", str(path))

    assert (printed.status, printed.out) == (0, "aliases 1, hosts 3, lines refused 0\n")


@pytest.mark.django_db
def test_a_host_that_stays_reserved_is_reported_with_its_line(run, tmp_path):
    reserve_host("b.example", purpose=Purpose.CHECK, ttl=TTL, now=database_now())
    path = tmp_path / "aliases.txt"
    path.write_text("group a.example\ngroup b.example\n")

    printed = run("import-aliases", str(path), "--patience", "0")

    assert printed.status == 1
    assert "line 2: Hosts that did not join group" in printed.err
    assert "1 (b.example)" in printed.err
    assert hosts_of("group") == {"a.example"}


@pytest.mark.django_db
def test_a_file_that_does_not_exist_is_reported(run, tmp_path):
    printed = run("import-aliases", str(tmp_path / "none"))

    assert (printed.status, Slot.objects.exists()) == (1, False)
    assert "cannot be read" in printed.err


# Populate


def queued():
    return sorted(Host.objects.queued().values_list("name", flat=True))


@pytest.mark.django_db
def test_urls_and_hosts_of_files_are_due_at_once(run, tmp_path):
    pages, names = tmp_path / "pages.txt", tmp_path / "names.txt"
    pages.write_text("# seeds\n\nhttps://A.example/page#part doc-1\nhttp://a.example:8080/\n")
    names.write_text("\N{BYTE ORDER MARK}b.example\nC.Example.\n")

    printed = run("populate", str(pages), str(names))

    assert printed.status == 0
    assert printed.out == "hosts scheduled from 4 lines, lines refused 0\n"
    assert queued() == ["a.example", "b.example", "c.example"]
    assert all(host.due(Purpose.FETCH) <= database_now() for host in Host.objects.all())


@pytest.mark.django_db
def test_bad_lines_are_refused_by_number_and_the_others_are_scheduled(run, monkeypatch):
    lines = [
        b"a.example",
        b"ftp://b.example/",
        b"\xff",
        b"x" * 70_000,
        b"a b",
        b"\x1b[2J",
        b"z.example",
    ]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"\n".join(lines))))

    printed = run("populate", "-")

    assert printed.status == 1
    assert queued() == ["a", "a.example", "z.example"]
    refused = [line.split(":")[1] for line in printed.err.splitlines() if line.startswith("-:")]
    assert refused == [" line 2", " line 3", " line 4", " line 6"]
    assert "\x1b" not in printed.err


@pytest.mark.django_db
def test_repeating_a_file_changes_nothing(run, tmp_path):
    path = tmp_path / "hosts.txt"
    path.write_text("".join(f"https://h{number}.example/\n" for number in range(2500)))
    run("populate", str(path))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as autovacuum does; without it, the plan is for empty tables
    before = list(Host.objects.order_by("pk").values())

    assert run("populate", str(path)).status == 0

    assert len(before) == 2500
    assert list(Host.objects.order_by("pk").values()) == before


@pytest.mark.parametrize("content", [None, b"\xff\xfea\x00"])
def test_an_unreadable_file_is_reported(run, tmp_path, content):
    path = tmp_path / "hosts.txt"
    if content is not None:
        path.write_bytes(content)
    printed = run("populate", str(path))
    assert (printed.status, str(path) in printed.err) == (1, True)
