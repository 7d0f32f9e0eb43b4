"""The page where people import URLs: a preview, then the registration."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts import audit_log
from accounts.roles import Role
from linkwatch.server import request_bodies
from targets.models import Reference, Target
from tests.console.test_links import html
from tests.extraction.test_formats import docx
from tests.factories import TargetFactory
from tests.test_asgi import request as ask

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
PAGE = "/targets/import"


def look(client, text, **more):
    """Submit this for a preview; return the page."""
    return client.post(PAGE, {"text": text, **more})


def upload(client, content, name="links.csv", **more):
    return client.post(PAGE, {"file": SimpleUploadedFile(name, content), **more})


def do(client, page):
    """Press the button below the preview."""
    reference_id = page.context["reference_id"]
    data = {"text": page.context["planned"].file(), "kind": "csv", "reference_id": reference_id}
    return client.post(PAGE, data | {"confirmed": "yes"}, follow=True)


def watched():
    return set(Target.objects.values_list("url", flat=True))


def test_valid_lines_are_registered_after_invalid_ones_were_shown(ada):
    page = upload(ada, b"url,title\nhttps://a.example/,x\nno url,y\njavascript:x,z\n")
    text = html(page)
    assert "Import 1 URL, skip" in text
    assert "Line 3" in text
    assert "Only http and https URLs are accepted." in text
    assert watched() == set()
    assert "Now watched: 1." in html(do(ada, page))
    assert watched() == {"https://a.example/"}
    assert "Already watched: 1." in html(do(ada, page))


def test_members_own_their_references_and_those_of_operators_are_unowned(ada, person):
    do(ada, look(ada, "https://a.example https://b.example", kind="text", reference_id="mine/"))
    do(ada, look(ada, "https://c.example"))
    olga = person("olga", Role.OPERATOR)
    do(olga, look(olga, "https://a.example", reference_id="x"))
    do(olga, look(olga, "https://d.example"))
    found = Reference.objects.values_list("target__url", "object_id", "owner__username")
    assert set(found) == {
        ("https://a.example", "mine/", "ada"),
        ("https://b.example", "mine/", "ada"),
        ("https://c.example", "watch", "ada"),
        ("https://a.example", "x", "olga"),
    }
    assert Target.objects.get(url="https://d.example").pinned
    assert audit_log.entries_about("target", Target.objects.get(url="https://c.example").pk)


def test_links_of_a_page_are_imported_and_the_chosen_format_applies(ada):
    page = '<p><a href="https://a.example/">a</a> <a href="https://b.example/">b</a></p>'
    assert len(look(ada, page).context["planned"].new) == 2
    assert look(ada, page, kind="list").context["planned"].new == []
    assert "There is nothing to import" in html(look(ada, page, kind="list"))


def test_watched_and_repeated_urls_are_reported(ada):
    TargetFactory(url="https://a.example/", canonical_url="https://a.example")
    text = html(look(ada, "https://a.example/\nhttps://b.example\nhttps://b.example/\n"))
    assert "Already watched" in text
    assert "same as line 2" in text


def test_links_of_files_without_lines_are_numbered(ada):
    document = '<w:document xmlns:w="w"><w:p><w:t>https://a.example</w:t></w:p></w:document>'
    text = html(upload(ada, docx(document), name="a.docx"))
    assert "Link 1" in text
    assert "Line 1" not in text


@pytest.mark.parametrize(
    ("content", "name", "sentence"),
    [
        (b"", "a.csv", "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a.png", "NUL"),
        ("url\nhttps://a.example".encode("utf-16"), "a.csv", "UTF-16"),
        (
            b"https://a.example\n" * 100_000,
            "a.txt",
            "An import can have at most 10,000 URLs; split the file.",
        ),
        (b"x" * (2 * 1024 * 1024 + 1), "a.txt", "larger than 2 MB. Split it"),
        (b"a;b\n", "a.csv", "separated by commas"),
    ],
)
def test_an_invalid_list_is_an_error_at_its_field(ada, content, name, sentence):
    page = upload(ada, content, name)
    assert sentence in str(page.context["form"].errors["file"])
    assert html(page)


@pytest.mark.parametrize("wrong", ["x" * 256, "a\0b"])
def test_an_invalid_reference_id_is_an_error_at_its_field(ada, wrong):
    page = look(ada, "https://a.example", reference_id=wrong)
    assert page.context["form"].errors["reference_id"]


def test_hostile_text_is_shown_as_text(ada):
    hostile = "https://a.example/<script>x</script>\u202e</textarea><script>x</script>"
    text = html(look(ada, f'url,reference_id\nno"{hostile}",x\n"{hostile}",</textarea><script>x'))
    assert "<script>x" not in text
    assert 'class="said url">https://a.example/%3Cscript' in text


@pytest.mark.slow
def test_ten_thousand_lines_with_long_ids_are_sent_twice_and_nothing_is_lost(ada):
    lines = "".join(f"https://a.example/{number}\n" for number in range(10_000))
    page = look(ada, lines, reference_id="x" * 250)
    do(ada, page)
    assert Target.objects.count() == Reference.objects.count() == 10_000


@pytest.mark.any_database
def test_10_mb_are_refused_before_they_are_read(monkeypatch):
    async def known(_):
        return True

    monkeypatch.setattr(request_bodies, "_is_authenticated", known)
    headers = [(b"content-length", b"10000000"), (b"host", b"localhost")]
    status, body = ask(b"x", headers=headers, path=PAGE, gone=True)
    assert (status, json.loads(body)["code"]) == (413, "body_too_large")


def test_a_viewer_cannot_import(person):
    viewer = person("vera", Role.VIEWER)
    assert viewer.get(PAGE).status_code == 403
    assert look(viewer, "https://a.example").status_code == 403
