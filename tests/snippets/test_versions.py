"""Versions: the earlier texts of a snippet."""

import pytest

from accounts.actors import DEPLOYMENT, Actor
from foundation.http.errors import ApiError
from snippets import services
from snippets.models import Snippet, SnippetVersion
from tests.conftest import NOW

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


def test_an_edit_keeps_the_former_text_and_its_author(people):
    ada, operator = Actor(people["ada"]), Actor(people["operator"])
    snippet = services.create({"content": "one", "title": "A"}, now=NOW, by=ada)
    assert [version.number for version in services.versions(snippet)] == [1]
    services.update(snippet.id, {"tags": ["t"]}, now=NOW, by=ada)
    services.update(snippet.id, {"content": "two", "language": "python"}, now=NOW, by=operator)
    services.update(snippet.id, {"title": "B"}, now=NOW, by=ada)

    snippet = Snippet.objects.get()
    found = services.versions(snippet)

    assert [(version.number, version.by) for version in found] == [
        (4, people["ada"]),
        (3, people["operator"]),
        (2, people["ada"]),
    ]
    texts = [services.version(snippet, version.number) for version in found]
    assert [(text.title, text.content, text.language, text.size) for text in texts] == [
        ("B", "two", "python", 3),
        ("A", "two", "python", 3),
        ("A", "one", "", 3),
    ]
    assert str(texts[2]) == "Version 2"
    with pytest.raises(ApiError, match="no such version"):
        services.version(snippet, 1)


def test_a_change_of_other_fields_creates_no_version():
    snippet = services.create({"content": "x", "title": "A"}, now=NOW)
    for changes in (
        {},
        {"content": "x", "title": " A"},
        {"tags": ["t"]},
        {"visibility": "private"},
    ):
        services.update(snippet.id, changes, now=NOW)
    assert not SnippetVersion.objects.exists()


def test_the_number_of_versions_is_limited(monkeypatch):
    monkeypatch.setattr(services, "MAX_VERSIONS", 3)
    snippet = services.create({"content": "0"}, now=NOW)
    other = services.create({"content": "0"}, now=NOW)
    services.update(other.id, {"content": "1"}, now=NOW)
    for n in range(1, 8):
        services.update(snippet.id, {"content": str(n)}, now=NOW, by=DEPLOYMENT)
    snippet.refresh_from_db()
    assert [version.number for version in services.versions(snippet)] == [8, 7, 6, 5]
    assert services.version(snippet, 5).content == "4"
    assert other.versions.count() == 1


def test_a_hostile_title_is_kept_plain_in_each_version():
    hostile = "a\u202eb\n<script>\x00"
    snippet = services.create({"content": "x", "title": hostile}, now=NOW)
    services.update(snippet.id, {"title": hostile + "2"}, now=NOW)
    assert [version.title for version in services.versions(Snippet.objects.get())] == [
        "ab <script>2",
        "ab <script>",
    ]


def test_versions_are_deleted_with_their_snippet_but_not_with_their_author(people):
    snippet = services.create({"content": "x"}, now=NOW)
    services.update(snippet.id, {"content": "y"}, now=NOW, by=Actor(people["service"]))
    services.update(snippet.id, {"content": "z"}, now=NOW)
    people["service"].delete()
    snippet.refresh_from_db()
    assert [version.by for version in services.versions(snippet)] == [None] * 3
    services.delete(snippet.id, now=NOW)
    assert not SnippetVersion.objects.exists()
