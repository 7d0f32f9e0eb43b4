"""Lists of URLs to import: checked line by line, then registered as a whole."""

import pytest

from accounts.actors import DEPLOYMENT
from foundation.database.clock import database_now
from foundation.files.lists import UnreadableFileError
from targets.lists import import_plans
from targets.lists.import_plans import PlanKind
from targets.models import Reference, Target
from tests.factories import TargetFactory

pytestmark = pytest.mark.django_db


def urls(rows):
    return [row.new_target.url for row in rows]


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        (b"https://a.example\nhttps://b.example page-1\n", "", PlanKind.LIST),
        (b"# mine\n\nHTTPS://a.example\nnot one\n", "links.txt", PlanKind.LIST),
        (b"\xef\xbb\xbfTitle, URL\nx,https://a.example\n", "", PlanKind.CSV),
        (b"URL;x\nhttps://a.example", "links.CSV", PlanKind.CSV),
        (b"<!DOCTYPE html><p>x", "", PlanKind.HTML),
        (b"See <a href='x'>it</a>, <b>now</b>.", "", PlanKind.HTML),
        (b"x", "page.htm", PlanKind.HTML),
        (b"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n", "bookmarks.html", PlanKind.BOOKMARKS),
        (b"# Notes\n\nSee https://a.example and [b](https://b.example).", "", PlanKind.TEXT),
        (b"https://a.example", "notes.md", PlanKind.TEXT),
        (b"", "", PlanKind.TEXT),
    ],
)
def test_the_kind_of_an_import_is_detected_by_name_or_content(content, name, kind):
    assert import_plans.kind_of(content, name) is kind


def test_each_line_is_new_known_repeated_or_refused():
    TargetFactory(url="https://known.example/", canonical_url="https://known.example")
    content = (
        b"https://new.example/\nhttps://known.example\nno url\nhttps://NEW.example\n"
        b"https://new.example/ other\nhttp://10.0.0.1/\n"
    )
    planned = import_plans.plan(content, PlanKind.LIST)
    assert urls(planned.new) == ["https://new.example/", "https://new.example/"]
    assert urls(planned.known) == ["https://known.example"]
    assert planned.repeated == [(4, 1, "https://NEW.example")]
    assert [(line, said) for line, said, _ in planned.refused] == [
        (3, "no"),
        (6, "http://10.0.0.1/"),
    ]
    assert Target.objects.count() == 1


def test_a_prefix_is_prepended_to_all_reference_ids():
    content = b"url,reference_id\nhttps://a.example,intro\nhttps://b.example,\n"
    planned = import_plans.plan(content, PlanKind.CSV, prefix="handbook/")
    import_plans.register(planned, now=database_now(), by=DEPLOYMENT)
    assert set(Reference.objects.values_list("object_id", flat=True)) == {
        "handbook/intro",
        "handbook/",
    }
    too_long = import_plans.plan(content, PlanKind.CSV, prefix="x" * 252)
    assert [line for line, *_ in too_long.refused] == [2]


def test_valid_lines_become_a_file_that_can_be_imported_again():
    content = (
        b'title,url,reference_id,check_period\n"a, b","https://a.example/?q=""1"",2",x,3d\n'
        b"c,https://b.example,'=1+1,\nd,javascript:x,,\ne,https://c.example,,soon\n"
    )
    planned = import_plans.plan(content, PlanKind.CSV, prefix="p-")
    again = import_plans.plan(planned.file().encode(), PlanKind.CSV, prefix="p-")
    assert [row.new_target for row in again.rows] == [row.new_target for row in planned.rows]
    assert [row.new_target.reference_id for row in planned.rows] == ["p-x", "p-=1+1"]
    assert [line for line, *_ in planned.refused] == [4, 5]
    assert again.refused == []


def test_other_columns_of_a_spreadsheet_are_ignored_even_if_they_have_no_names():
    content = b"url,Notes,,,notes,reference_id,\nhttps://a.example,x,y,z,,one,\n"
    planned = import_plans.plan(content, PlanKind.CSV)
    assert [row.item for row in planned.rows] == [
        {"url": "https://a.example", "reference_id": "one"}
    ]
    with pytest.raises(UnreadableFileError, match="names the column url twice"):
        import_plans.plan(b"url,x,URL\n", PlanKind.CSV)


def test_each_link_of_a_page_is_extracted_once():
    page = (
        b"<a href=http://a.example>\n<a href='javascript:x'>\n<a href=http://a.example><a href=/x>"
    )
    planned = import_plans.plan(page, PlanKind.HTML)
    assert urls(planned.rows) == ["http://a.example"]
    assert [(line, said) for line, said, _ in planned.refused] == [(2, "javascript:x"), (3, "/x")]
    assert planned.repeated == []


def test_a_line_break_in_a_reference_id_is_refused_as_a_browser_would_change_it():
    planned = import_plans.plan(b'url,reference_id\nhttps://a.example,"x\ny"\n', PlanKind.CSV)
    assert [why for *_, why in planned.refused] == ["reference_id: Must not contain a line break."]


@pytest.mark.parametrize(
    ("content", "kind", "why"),
    [
        (b"\0\1\2", PlanKind.LIST, "NUL"),
        (b"\0\1\2", PlanKind.TEXT, "NUL"),
        (b"name\nx\n", PlanKind.CSV, "must list the column names"),
        (b"http://a.example/\n" * 100_000, PlanKind.LIST, "An import can have at most 10,000 URLs"),
        (
            b"".join(b"http://a.example/%d " % n for n in range(10_001)),
            PlanKind.TEXT,
            "more than 10,000 links",
        ),
        (
            b"<a href=http://a.example>" * 10_001,
            PlanKind.HTML,
            "more than 10,000 links",
        ),
        (b"\n" * 100_001, PlanKind.LIST, "A file can have at most 100,000 lines"),
        (b"\n" * 100_001, PlanKind.TEXT, "A file can have at most 100,000 lines"),
        (b"url,a,b,url\n", PlanKind.CSV, "names the column url twice"),
    ],
)
def test_an_unreadable_import_is_rejected_with_an_error(content, kind, why):
    with pytest.raises(UnreadableFileError, match=why):
        import_plans.plan(content, kind)


def test_several_transactions_of_lines_are_registered_idempotently(monkeypatch):
    monkeypatch.setattr(import_plans, "MAX_BULK", 2)
    content = b"".join(b"https://a.example/%d\n" % n for n in range(5))
    done = import_plans.register(
        import_plans.plan(content, PlanKind.LIST), now=database_now(), by=DEPLOYMENT
    )
    assert [row.is_new for row in done] == [True] * 5
    again = import_plans.plan(content, PlanKind.LIST)
    assert (len(again.new), len(again.known)) == (0, 5)
    assert not any(
        row.is_new for row in import_plans.register(again, now=database_now(), by=DEPLOYMENT)
    )
