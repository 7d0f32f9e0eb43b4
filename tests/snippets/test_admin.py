"""The admin of snippets."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from foundation.database.clock import database_now
from snippets import services
from snippets.models import RemovedSnippet, Snippet
from tests.conftest import NOW
from tests.factories import SnippetFactory

pytestmark = pytest.mark.one_database

LIST = "snippets_snippet_changelist"


def page(name, *args):
    return reverse(f"admin:{name}", args=args)


def create(**fields):
    return services.create({"content": "line 1\nline 2\n", **fields}, now=database_now())


def form(**data):
    return {
        "title": "",
        "content": "x",
        "language": "",
        "tags": "",
        "visibility": "public",
        "max_views": "",
        "expires_at_0": "",
        "expires_at_1": "",
        **data,
    }


def shown(response):
    return {row.pk for row in response.context["cl"].result_list}


def test_a_list_takes_the_same_number_of_statements_and_no_content(browser):
    create(tags=["a"])
    browser.get(page(LIST))
    with CaptureQueriesContext(connection) as few:
        browser.get(page(LIST))
    for _ in range(20):
        create(tags=["a", "b"])
    with CaptureQueriesContext(connection) as many:
        assert len(shown(browser.get(page(LIST)))) == 21
    assert len(many) == len(few)
    assert not any('"content"' in query["sql"] for query in many)


def test_snippets_are_searched_and_filtered(browser):
    tagged, other = create(tags=["foo bar"]), create()
    old = SnippetFactory(expires_at=NOW)

    def find(**query):
        return shown(browser.get(page(LIST), query))

    assert find(q="foo  BAR") == {tagged.pk}
    assert find(q=other.pk) == {other.pk}
    assert find(q="nothing") == set()
    assert find(state="live") == {tagged.pk, other.pk}
    assert find(state="expired") == {old.pk}


def test_creating_a_snippet_follows_the_rules_of_the_api(browser):
    browser.post(
        page("snippets_snippet_add"),
        form(content="a\r\nb", language="Python", tags="B, a,,a", title="<b>"),
    )
    snippet = Snippet.objects.get()
    assert (snippet.content, snippet.language, snippet.tag_names) == ("a\nb", "python", ["a", "b"])
    assert snippet.size == 3
    assert b"<b></a>" not in browser.get(page(LIST)).content


@pytest.mark.parametrize(
    ("field", "data"),
    [
        ("content", {"content": ""}),
        ("content", {"content": "x" * 101}),
        ("language", {"language": "nonsense"}),
        ("tags", {"tags": "x" * 65}),
        ("expires_at", {"expires_at_0": "2020-01-01", "expires_at_1": "00:00:00"}),
    ],
)
def test_the_form_refuses_values_that_the_api_refuses(browser, settings, field, data):
    settings.SNIPPET_MAX_BYTES = 100
    response = browser.post(page("snippets_snippet_add"), form(**data))
    assert list(response.context["adminform"].form.errors) == [field]
    assert not Snippet.objects.exists()


def test_a_change_updates_only_the_changed_fields(
    browser, django_capture_on_commit_callbacks, redis
):
    snippet = create(tags=["a"], title="Old", expires_at=database_now() + timedelta(hours=1))
    address = page("snippets_snippet_change", snippet.pk)
    initial = browser.get(address).context["adminform"].form.initial
    assert initial["tags"] == ["a"]
    redis.set(f"snippet:{snippet.pk}", "old")

    with django_capture_on_commit_callbacks(execute=True):
        response = browser.post(
            address,
            form(
                title="New",
                content="line 1\r\nline 2\r\n",
                tags="a",
                expires_at_0=f"{snippet.expires_at:%Y-%m-%d}",
                expires_at_1=f"{snippet.expires_at:%H:%M:%S}",
            ),
        )

    assert response.status_code == 302
    snippet.refresh_from_db()
    assert (snippet.title, snippet.content) == ("New", "line 1\nline 2\n")
    assert not redis.exists(f"snippet:{snippet.pk}")


def test_deletion_uses_the_services(browser):
    first, *others = [create(tags=["a"]) for _ in range(3)]
    address = page("snippets_snippet_delete", first.pk)
    assert b"Snippet" in browser.get(address).content
    browser.post(address, {"post": "yes"})
    browser.post(
        page(LIST),
        {
            "action": "delete_selected",
            "_selected_action": [row.pk for row in others],
            "post": "yes",
        },
    )
    assert not Snippet.objects.exists()
    assert RemovedSnippet.objects.count() == 3
