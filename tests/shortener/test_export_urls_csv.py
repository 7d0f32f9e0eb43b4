"""Files with lists of links: import_urls reads what export_urls writes."""

import csv
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from analytics import counters
from foundation.database.clock import database_now
from shortener import export_urls_csv, services
from shortener.management.commands import import_urls
from shortener.models import FormerDestination, RetiredKey, ShortURL, Tag
from targets.models import Reference, Target
from tests.shortener.links import HOUR, ShortURLFactory, make

pytestmark = pytest.mark.django_db


@pytest.fixture
def load(tmp_path, capsys):
    """Import these lines; return the exit status and the output."""

    def load(*lines, options=()):
        path = tmp_path / "list.csv"
        path.write_text("\n".join(lines) + "\n")
        status = 0
        try:
            call_command("import_urls", str(path), *options)
        except CommandError as error:
            status = error.returncode
        printed = capsys.readouterr()
        return SimpleNamespace(status=status, out=printed.out, err=printed.err)

    return load


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def empty():
    for key in ShortURL.objects.values_list("pk", flat=True):
        services.delete(key, now=database_now())
    for model in (RetiredKey, ShortURL, Tag, Target):
        model.objects.all().delete()


def test_links_are_restored_with_all_of_their_data(tmp_path, redis):
    make(key="plain", long_url="https://a.example/?q=1,2#ü")
    make(key="all", ttl="1h", max_visits=5, watch=True, tags=["a b", 'c,"d"'])
    services.update("all", {"disabled": True}, now=database_now())
    ShortURL.objects.filter(pk="all").update(visits_left=3)
    ShortURLFactory(key="ended", expires_at=database_now() - HOUR)
    make(key="gone")
    services.delete("gone", now=database_now())
    redis.mset({counters.RESTORED: 1, "views:short:plain": 1234})
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    call_command("export_urls", str(first))

    empty()
    redis.flushdb()
    call_command("import_urls", str(first))
    call_command("export_urls", str(second))

    assert second.read_text() == first.read_text()
    assert [row["key"] for row in rows(first)] == ["all", "ended", "plain", "gone"]
    link = services.get("all")
    assert (link.tag_names, link.visits_left, link.disabled) == (["a b", 'c,"d"'], 3, True)
    assert Reference.objects.get().object_id == services.reference_id("all")
    assert rows(second)[2]["visits"] == "1234"
    with pytest.raises(Exception, match="deleted"):
        services.get("gone")


def test_the_same_file_may_be_imported_again(load):
    lines = ("long_url,key", "https://a.example,abc", "https://b.example,def")
    assert load(*lines).out == "created 2, known 0, retired 0, refused 0\n"
    again = load(*lines)
    assert (again.status, again.out) == (0, "created 0, known 2, retired 0, refused 0\n")


@pytest.mark.parametrize("batch", [1, 1000])
def test_a_repeated_line_is_known_the_second_time(load, monkeypatch, batch):
    monkeypatch.setattr(import_urls, "BATCH_SIZE", batch)
    done = load("long_url,key", "https://a.example,abc", "https://a.example,abc")
    assert (done.status, done.out) == (0, "created 1, known 1, retired 0, refused 0\n")


def test_each_refused_line_is_reported_and_the_others_are_imported(load):
    make(key="taken", long_url="https://elsewhere.example")
    make(key="gone")
    services.delete("gone", now=database_now())
    done = load(
        "long_url,key,expires_at,max_visits,visits_left,tags,retired,created_at",
        "https://a.example,taken,,,,,,",
        "https://a.example,gone,,,,,,",
        "https://a.example,twice,,,,,,",
        "https://b.example,twice,,,,,,",
        "ftp://a.example,ftp,,,,,,",
        "https://a.example,s_abc,,,,,,",
        "https://a.example,key8,yesterday,,,,,",
        "https://a.example,key9,,1,2,,,",
        'https://a.example,key10,,,,"a,""b",,',
        ",taken,,,,,deleted,",
        ",key12,,,,,lost,",
        "https://a.example,key13,,,,,deleted,",
        "https://a.example,key14,,,,,,2999-01-01T00:00:00Z",
        "https://a.example,,,,,,,",
        ",old,,,,,expired,",
    )
    assert done.status == 1
    assert done.out == "created 2, known 0, retired 1, refused 12\n"
    reported = [int(line.split(":")[0].removeprefix("line ")) for line in done.err.splitlines()]
    assert sorted(reported) == [2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
    assert {"taken", "twice"} < set(ShortURL.objects.values_list("pk", flat=True))
    assert services.used_keys(["old"]) == {"old"}


def test_a_dry_run_reports_the_same_and_changes_nothing(load):
    make(key="taken", long_url="https://elsewhere.example")
    lines = (
        "long_url,key,retired",
        "https://a.example,abc,",
        "https://a.example,taken,",
        ",old,deleted",
    )
    done = load(*lines, options=["--dry-run"])
    assert done.out == "dry run, nothing written: created 1, known 0, retired 1, refused 1\n"
    assert "line 3: The key taken is taken" in done.err
    assert ShortURL.objects.count() == 1
    assert not RetiredKey.objects.exists()


@pytest.mark.parametrize("batch_size", [1, 2, 1000])
def test_a_dry_run_refuses_the_same_keys_that_a_file_has_twice(load, monkeypatch, batch_size):
    monkeypatch.setattr(import_urls, "BATCH_SIZE", batch_size)
    lines = (
        "long_url,key,retired,led_until,retargetable",
        "https://a.example,fixed,,,",
        ",gone,deleted,,",
        "https://a.example,moving,,,true",
        "https://a.example,fixed,,,true",
        "https://a.example,gone,,,true",
        "https://b.example,moving,,,true",
        "https://b.example,fixed,,2020-01-01T00:00:00Z,",
        "https://b.example,gone,,2020-01-01T00:00:00Z,",
        "https://b.example,moving,,2020-01-01T00:00:00Z,",
        ",moving,deleted,,",
    )
    rehearsed, done = load(*lines, options=["--dry-run"]), load(*lines)
    assert rehearsed.err == done.err
    assert rehearsed.out == f"dry run, nothing written: {done.out}"


@pytest.mark.parametrize("options", [["--dry-run"], []])
@pytest.mark.parametrize("batch_size", [1, 1000])
def test_a_link_gets_no_former_destination_of_a_refused_one_with_its_key(
    load, monkeypatch, batch_size, options
):
    monkeypatch.setattr(import_urls, "BATCH_SIZE", batch_size)
    make(key="taken", long_url="https://ours.example", retargetable=True)
    done = load(
        "long_url,key,retargetable,led_until",
        "https://theirs.example,taken,true,",
        "https://former.example,taken,,2020-01-01T00:00:00Z",
        options=options,
    )

    assert "refused 2\n" in done.out
    assert "line 3: The link with this key was refused." in done.err
    assert not FormerDestination.objects.exists()


def test_many_are_imported_in_batches(load, monkeypatch):
    monkeypatch.setattr(import_urls, "BATCH_SIZE", 3)
    lines = [f"https://a.example/{n},key{n}" for n in range(10)]
    assert load("long_url,key", *lines).out == "created 10, known 0, retired 0, refused 0\n"
    monkeypatch.setattr(export_urls_csv, "_PAGE_SIZE", 4)
    assert len(list(export_urls_csv.rows(database_now()))) == 10


def test_imported_links_emit_no_event(load, events):
    load("long_url,key", "https://a.example,abc")
    assert events == []


def test_a_file_without_the_column_is_rejected(load):
    assert load("key", "abc").status == 1


def test_an_ended_link_is_imported_as_such(load):
    end = (database_now() - timedelta(days=3)).isoformat()
    load("long_url,key,expires_at", f"https://a.example,abc,{end}")
    assert services.get("abc").state(database_now()) == "expired"
