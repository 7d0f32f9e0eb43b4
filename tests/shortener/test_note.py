"""The note of a link: in the API, CSV files, console and admin."""

import csv
import io

import pytest
from django.core.management import call_command
from django.urls import reverse

from foundation.database.clock import database_now
from shortener import listing, services
from shortener.models import ShortURL
from tests.shortener.links import make

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


def test_the_api_writes_reads_changes_and_finds_a_note(api):
    body = {"long_url": "https://a.example/", "key": "spring", "note": "On the posters"}
    made = api.post("/v1/urls", body, format="json").json()
    make(key="other")

    found = api.get("/v1/urls?q=posters").json()["items"]
    changed = api.patch("/v1/urls/spring", {"note": ""}, format="json").json()

    assert made["note"] == "On the posters"
    assert [link["key"] for link in found] == ["spring"]
    assert (changed["note"], changed["version"]) == ("", 2)


def test_a_note_that_is_too_long_is_refused(api):
    body = {"long_url": "https://a.example/", "note": "x" * 501}
    answer = api.post("/v1/urls", body, format="json")
    assert (answer.status_code, list(answer.json()["details"])) == (400, ["note"])


def test_files_of_whole_deployments_keep_notes(tmp_path):
    make(key="spring", note='Two lines,\none "quote"')
    text = "".join(listing.lines(database_now()))
    ShortURL.objects.all().delete()
    (tmp_path / "links.csv").write_text(text, newline="")

    call_command("import_urls", str(tmp_path / "links.csv"))

    assert services.get("spring").note == 'Two lines,\none "quote"'


def test_the_console_sets_shows_changes_finds_and_exports_a_note(browser):
    typed = {"long_url": "https://a.example/", "key": "spring", "lasts": "ever", "note": "<b>ads"}
    browser.post("/links/new", typed)
    page = browser.get("/links/spring").content.decode()
    text = b"".join(browser.get("/links/export").streaming_content).decode()
    found = browser.get("/links?q=ads").context["rows"]
    edit = browser.get("/links/spring/edit").content.decode()
    browser.post("/links/spring/edit", {"long_url": "", "lasts": "keep", "version": 1, "note": ""})

    assert "&lt;b&gt;ads" in page
    assert "&lt;b&gt;ads</textarea>" in edit
    assert [row["note"] for row in csv.DictReader(io.StringIO(text))] == ["<b>ads"]
    assert [link.key for link, *_ in found] == ["spring"]
    assert services.get("spring").note == ""


def test_the_console_imports_a_note(browser):
    lines = "long_url,note\nhttps://a.example/,On the posters"
    plan = browser.post("/links/import", {"text": lines})
    browser.post("/links/import", {"text": plan.context["file"], "confirmed": "yes"})
    assert ShortURL.objects.get().note == "On the posters"


def test_the_admin_sets_and_changes_a_note(browser):
    add = reverse("admin:shortener_shorturl_add")
    data = {"long_url": "https://a.example/", "key": "spring", "when_gone": "page"}
    browser.post(add, {**data, "note": "On the posters"})
    assert services.get("spring").note == "On the posters"
    change = reverse("admin:shortener_shorturl_change", args=["spring"])
    assert "On the posters" in browser.get(change).content.decode()
    browser.post(change, {"when_gone": "page", "note": "On the bus"})
    assert services.get("spring").note == "On the bus"
