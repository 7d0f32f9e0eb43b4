"""Files of links on pages: preview an import, and export for spreadsheets."""

import csv
import io
import json
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts import audit_log
from accounts.roles import Role
from console.forms import UploadForm
from foundation.database.clock import database_now
from foundation.files.csv_cells import FORMULA_STARTS
from foundation.files.lists import csv_line
from linkwatch.server import request_bodies
from shortener import link_csv, services
from shortener.models import ShortURL
from tests.console.test_links import html, own
from tests.shortener.links import ShortURLFactory, make
from tests.test_asgi import request as ask

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(person):
    return person("ada")


def look(client, *lines, **more):
    """Submit these lines for a preview; return the page."""
    return client.post("/links/import", {"text": "\n".join(lines), **more})


def do(client, page):
    """Press the button below the preview."""
    data = {"text": page.context["file"], "confirmed": "yes"}
    return client.post("/links/import", data)


def upload(client, content):
    return client.post("/links/import", {"file": SimpleUploadedFile("links.csv", content)})


def refused(page):
    return dict(page.context["planned"].refused)


def new(page):
    return [new_link for _, new_link in page.context["planned"].new]


def exported(client, query=""):
    answer = client.get(f"/links/export{query}")
    assert answer.status_code == 200
    text = b"".join(answer.streaming_content).decode()
    return answer, list(csv.DictReader(io.StringIO(text, newline="")))


def test_an_import_is_previewed_and_then_created(ada):
    page = look(
        ada,
        "long_url,key,ttl,max_visits,tags,watch",
        '"https://a.example/?q=1,2",spring,30d,5,"b, a",true',
        "https://b.example/,,,,,",
    )
    assert not ShortURL.objects.exists()
    text = html(page)
    assert "Create 2 links" in text
    assert "https://a.example/?q=1,2" in text
    answer = do(ada, page)
    assert answer["Location"] == "/links"
    link = services.get("spring")
    assert (link.long_url, link.max_visits) == ("https://a.example/?q=1,2", 5)
    assert (link.tag_names, link.owner.username) == (["a", "b"], "ada")
    assert link.target is not None
    assert timedelta(days=29) < link.expires_at - database_now() <= timedelta(days=30)
    assert ShortURL.objects.count() == 2
    assert audit_log.entries_about("short link", "spring").get().amount == 2


def test_each_refused_line_is_shown_with_its_number_and_why(ada):
    make(key="taken")
    page = look(
        ada,
        "long_url,key,ttl",
        "https://a.example/,good,7d",
        "no url,,",
        "https://a.example/,a b,",
        "https://a.example/,taken,",
        "https://a.example/,good,",
        "https://b.example/,good,",
        "https://a.example/,later,soon",
        "https://a.example/,more,7d,and,more",
        "http://localhost:8080/s/abc,,",
    )
    assert sorted(refused(page)) == [3, 4, 5, 7, 8, 9, 10]
    assert "taken" in refused(page)[5]
    assert page.context["planned"].known == 1  # line 6: as line 2
    assert [new_link.key for new_link in new(page)] == ["good"]
    assert "Line 10" in html(page)
    do(ada, page)
    assert services.get("good").expires_at is not None


def test_a_list_of_urls_requires_no_header(ada):
    page = look(ada, "", "https://a.example/?x=1,2", "", "  http://b.example/ ", "nonsense")
    assert [new_link.long_url for new_link in new(page)] == [
        "https://a.example/?x=1,2",
        "http://b.example/",
    ]
    assert list(refused(page)) == [5]
    do(ada, page)
    assert ShortURL.objects.count() == 2


def test_own_links_are_kept_and_keys_of_others_are_refused(ada, person):
    person("bob")
    own(key="mine", long_url="https://a.example/")
    own("bob", key="bobs", long_url="https://a.example/")
    page = look(ada, "long_url,key", "https://a.example/,mine", "https://a.example/,bobs")
    assert page.context["planned"].known == 1
    assert "taken" in refused(page)[3]
    assert "There is nothing to import" in html(page)


def test_a_key_taken_since_the_preview_is_reported_and_the_rest_is_created(ada):
    page = look(ada, "long_url,key", "https://a.example/,first", "https://a.example/,second")
    make(key="first")
    text = html(do(ada, page))
    assert "The key first is taken" in text
    assert services.get("second").owner.username == "ada"


def test_a_key_taken_at_the_last_moment_is_also_reported(ada, monkeypatch):
    page = look(ada, "long_url,key", "https://a.example/,first")
    monkeypatch.setattr(services, "create", lambda *_, **__: [services.key_taken("first")])
    assert "The key first is taken" in html(do(ada, page))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        ("long_url\nhttps://a.example/".encode("utf-16"), "UTF-16"),
        (b"key,url\nabc,https://a.example", "long_url"),
        (b"long_url;key\nabc;x", "separated by commas"),
        (b"long_url\n" + b"x" * UploadForm.max_bytes, "larger than 2 MB"),
        (b"long_url,colour\n", "Unknown column"),
        (b"\x00\x01\x02", "first line"),
    ],
)
def test_an_invalid_list_of_links_is_an_error_at_its_field(ada, content, sentence):
    page = upload(ada, content)
    assert sentence in str(page.context["form"].errors["file"])
    assert html(page)


def test_lines_of_another_charset_are_refused_one_by_one(ada):
    page = upload(
        ada, "long_url,tags\nhttps://a.example/,ä\n".encode() + b"https://b.example/,\xe4"
    )
    assert [new_link.tags for new_link in new(page)] == [["ä"]]
    assert "not UTF-8" in refused(page)[3]


def test_a_file_or_a_text_is_required_and_not_both(ada):
    for data in ({"text": " "}, {"text": "x", "file": SimpleUploadedFile("a.csv", b"y")}):
        page = ada.post("/links/import", data)
        assert "not both" in str(page.context["form"].errors["text"])


def test_there_is_a_limit_of_rows(ada, monkeypatch):
    monkeypatch.setattr(link_csv, "MAX_ROWS", 2)
    urls = [f"https://h{number}.example/" for number in range(3)]
    assert "at most 2" in str(look(ada, *urls).context["form"].errors["text"])
    assert len(new(look(ada, *urls[:2]))) == 2


def test_many_links_are_created_in_several_transactions(ada, monkeypatch):
    monkeypatch.setattr(link_csv, "MAX_BULK", 2)
    do(ada, look(ada, *(f"https://h{number}.example/" for number in range(5))))
    assert ShortURL.objects.count() == 5


def test_hostile_text_is_shown_as_text(ada):
    page = look(ada, "long_url,key,tags", "https://a.example/,abc,</textarea><script>x</script>")
    assert "<script>x" not in html(page)
    assert "<script>x" not in html(look(ada, "long_url", "<script>x</script>"))


def test_a_file_of_blank_lines_is_refused(ada):
    page = upload(ada, b"long_url\n" + b"\n" * 100_001)
    assert "A file can have at most 100,000 lines; split it." in html(page)


@pytest.mark.any_database
def test_a_file_of_100_mb_is_refused_before_it_is_read(monkeypatch):
    async def known(_):
        return True

    monkeypatch.setattr(request_bodies, "_is_authenticated", known)
    headers = [(b"content-length", b"100000000"), (b"host", b"localhost")]
    status, body = ask(b"x", headers=headers, path="/links/import", gone=True)
    assert (status, json.loads(body)["code"]) == (413, "body_too_large")


# Export


def test_own_links_are_exported_and_can_be_imported(ada, person):
    person("bob")
    own("bob", key="bobs")
    make(key="nobodys")
    own(key="spring", max_visits=5, tags=["a b", 'c,"d"'], watch=True, when_gone="lead_on")
    answer, rows = exported(ada)
    assert answer["Content-Disposition"] == 'attachment; filename="links.csv"'
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    [row] = rows
    assert (row["key"], row["owner"], row["state"]) == ("spring", "ada", "active")
    assert row["short_url"] == "http://localhost:8080/s/spring"
    services.delete("spring", now=database_now())
    again = {**row, "key": "spring2"}
    page = look(ada, ",".join(again), csv_line(again.values()).strip())
    do(ada, page)
    link = services.get("spring2")
    assert (link.tag_names, link.max_visits) == (["a b", 'c,"d"'], 5)
    assert (link.target is not None, link.when_gone) == (True, "lead_on")


def test_an_ended_link_is_not_revived_by_an_import(ada):
    page = look(ada, "long_url,key,state", "https://a.example/,abc,disabled")
    assert "had already ended" in refused(page)[2]


def test_operators_export_all_or_their_own(person):
    olga = person("olga", Role.OPERATOR)
    make(key="nobodys")
    own("olga", key="olgas")
    assert [row["key"] for row in exported(olga)[1]] == ["olgas", "nobodys"]
    assert [row["key"] for row in exported(olga, "?whose=mine")[1]] == ["olgas"]


def test_a_client_that_reads_slowly_holds_no_thread_for_each_line(ada):
    for number in range(30):
        own(key=f"link{number}")
    pieces = list(ada.get("/links/export").streaming_content)
    assert b"".join(pieces).count(b"\r\n") == 31
    assert len(pieces) == 2  # a few hundred bytes may be buffered for a client


def test_an_export_reads_pages_without_gaps_or_repetitions(ada, monkeypatch):
    monkeypatch.setattr(link_csv, "_PAGE_SIZE", 3)
    own(key="last")
    owner = services.get("last").owner
    ShortURLFactory.create_batch(10, owner=owner)
    keys = [row["key"] for row in exported(ada)[1]]
    assert len(keys) == len(set(keys)) == 11


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@sum(a1)", "\uff1d1", "'=x", "''"])
def test_no_cell_is_a_formula_and_each_is_imported_unchanged(ada, text):
    own(key="abc", tags=[text])
    own(key="-abc")
    _, rows = exported(ada)
    for row in rows:
        assert not [cell for cell in row.values() if cell.startswith(FORMULA_STARTS)]
    keys = {row["key"] for row in rows}
    assert keys == {"abc", "'-abc"}
    for row in rows:
        again = {**row, "long_url": row["long_url"] + "2", "key": row["key"] + "2"}
        do(ada, look(ada, ",".join(again), csv_line(again.values()).strip()))
    assert services.get("abc2").tag_names == services.get("abc").tag_names
    assert services.get("-abc2")


def test_a_viewer_exports_but_imports_nothing(person):
    make(key="nobodys")
    viewer = person("vera", Role.VIEWER)
    assert len(exported(viewer)[1]) == 1
    assert viewer.get("/links/import").status_code == 403
    assert look(viewer, "https://a.example/").status_code == 403
    assert "Import" not in html(viewer.get("/links"))
