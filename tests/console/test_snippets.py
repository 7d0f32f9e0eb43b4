"""The pages of snippets: create, find, edit, compare and delete, with the rights of each role."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts import teams
from accounts.actors import Actor
from accounts.models import Team
from accounts.roles import Role
from console.snippets.diff import MAX_SHOWN, DiffLine, difference
from foundation.database.clock import database_now
from foundation.valkey.clients import client as redis_client
from snippets import anonymous, services, snippet_search
from snippets.models import Snippet, Visibility

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
HOSTILE = "<script>alert(1)</script>"
KOREAN = "안녕하세요 \N{HEBREW LETTER ALEF}"


@pytest.fixture(autouse=True)
def _empty_redis():
    redis_client().flushdb()


def own(name="ada", **fields):
    by = Actor(User.objects.get(username=name))
    return services.create({"content": "text\n", **fields}, now=database_now(), by=by)


def form(**changes):
    data = {"title": "", "content": "SELECT 1;\r\n", "language": "", "visibility": "public"}
    return data | {"lasts": "ever", "until": "", "max_views": "", "tags": ""} | changes


def shown(client, query=""):
    return [snippet.title for snippet, _ in client.get(f"/snippets?{query}").context["rows"]]


def problems(answer):
    assert answer.status_code == 200
    return {
        name: [str(text) for text in texts] for name, texts in answer.context["form"].errors.items()
    }


def html(answer, status=200):
    assert answer.status_code == status
    return answer.content.decode()


# The list


def test_a_list_has_the_users_own_snippets_newest_first(ada, person):
    person("bob")
    for title in ("first", "second"):
        own(title=title)
    own(title="hidden", visibility=Visibility.PRIVATE)
    own("bob", title="bobs")
    services.create({"content": "x", "title": "nobodys"}, now=database_now())
    assert shown(ada) == ["hidden", "second", "first"]
    operator, viewer = person("olga", Role.OPERATOR), person("vera", Role.VIEWER)
    assert set(shown(operator)) == {"first", "second", "hidden", "bobs", "nobodys"}
    assert set(shown(viewer)) == {"first", "second", "bobs", "nobodys"}


def test_a_snippet_is_found_by_part_of_its_title_or_by_a_tag(ada):
    own(title="Budget of the year", tags=["money"])
    own(title="Menu")
    own(title=KOREAN)
    assert shown(ada, "q=GET+of") == ["Budget of the year"]
    assert shown(ada, "q=Money") == ["Budget of the year"]
    assert shown(ada, "q=mon") == []
    assert shown(ada, f"q={KOREAN[:2]}") == [KOREAN]
    assert "No matching snippets" in html(ada.get("/snippets?q=%25"))
    assert html(ada.get(f"/snippets?q={'x' * 201}"))
    assert html(ada.get("/snippets?q=%00"))


def test_pages_continue_where_the_last_one_ended(ada, monkeypatch):
    monkeypatch.setattr("console.snippets.views.SNIPPETS_PER_PAGE", 2)
    monkeypatch.setattr(snippet_search, "STEP", 3)
    for number in range(5):
        own(title=f"a {number}")
    for query in ("", "q=a&"):
        found, token = [], ""
        while token is not None:
            answer = ada.get(f"/snippets?{query}{token}")
            found += [snippet.title for snippet, _ in answer.context["rows"]]
            token = answer.context["next_page_token"]
            token = token and f"page_token={token}"
        assert found == [f"a {number}" for number in reversed(range(5))]
    assert ada.get("/snippets?page_token=no").status_code == 404


def test_an_empty_list_shows_the_first_steps_if_the_user_may_create(ada, person):
    assert "Paste your first snippet" in html(ada.get("/snippets"))
    assert "/snippets/new" not in html(person("vera", Role.VIEWER).get("/snippets"))


def test_an_expired_snippet_is_listed_as_expired(ada):
    own(title="old", expires_at=database_now() - timedelta(hours=1))
    assert "Expired" in html(ada.get("/snippets"))


# Making one


def test_a_snippet_is_created_and_its_page_shows_the_address(ada):
    answer = ada.post("/snippets/new", form(title="Query", tags="SQL, demo", language="sql"))
    snippet = Snippet.objects.get()
    assert answer.url == f"/snippets/{snippet.pk}/details"
    assert (snippet.title, snippet.content, snippet.language) == ("Query", "SELECT 1;\n", "sql")
    assert (snippet.tag_names, snippet.owner.username) == (["demo", "sql"], "ada")
    page = html(ada.get(answer.url))
    for piece in (f'value="http://testserver/snippets/{snippet.pk}"', "Raw", "data-copy", "Edit"):
        assert piece in page


@pytest.mark.parametrize(
    ("lasts", "length"),
    [("hour", timedelta(hours=1)), ("7", timedelta(days=7)), ("30", timedelta(days=30))],
)
def test_a_snippet_expires_at_the_chosen_time(ada, monkeypatch, lasts, length):
    now = database_now()
    monkeypatch.setattr("console.snippets.views.database_now", lambda: now)
    ada.post("/snippets/new", form(lasts=lasts, visibility="unlisted", max_views="1"))
    snippet = Snippet.objects.get()
    assert snippet.expires_at == now + length
    assert (snippet.visibility, snippet.views_left) == ("unlisted", 1)


def test_an_uploaded_file_sets_title_and_language(ada):
    file = SimpleUploadedFile("query.py", f"\ufeffprint('{KOREAN}')\n".encode())
    ada.post("/snippets/new", form(content="", file=file))
    snippet = Snippet.objects.get()
    assert (snippet.title, snippet.language) == ("query.py", "python")
    assert snippet.content == f"print('{KOREAN}')\n"


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"\xff\xfe", "not UTF-8 text"), (b"a\0b", "NUL bytes"), (b"x" * 1001, "than 1000")],
)
def test_a_binary_file_is_refused_and_typed_text_is_kept(ada, settings, content, problem):
    settings.SNIPPET_MAX_BYTES = 1000
    file = SimpleUploadedFile("x", content)
    answer = ada.post("/snippets/new", form(title="Kept", file=file, content="kept too"))
    assert problem in problems(answer)["file"][0]
    page = html(answer)
    assert "Kept" in page
    assert "kept too" in page
    assert not Snippet.objects.exists()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"content": ""}, "content"),
        ({"content": "a\0b"}, "content"),
        ({"content": "x" * 1001}, "content"),
        ({"title": "x" * 201}, "title"),
        ({"language": "klingon"}, "language"),
        ({"lasts": "date"}, "until"),
        ({"lasts": "date", "until": "2020-01-01"}, "until"),
        ({"lasts": "date", "until": "2099-01-01"}, "until"),
        ({"lasts": "aeon"}, "lasts"),
        ({"visibility": "secret"}, "visibility"),
        ({"max_views": "0"}, "max_views"),
        ({"max_views": "many"}, "max_views"),
        ({"tags": "x" * 100}, "tags"),
    ],
)
def test_a_mistake_is_shown_next_to_its_field(ada, settings, changes, field):
    settings.SNIPPET_MAX_BYTES = 1000
    answer = ada.post("/snippets/new", form(**changes))
    assert list(problems(answer)) == [field]
    assert not Snippet.objects.exists()


def test_a_text_of_the_maximum_size_is_stored(ada, settings):
    text = "가" * (settings.SNIPPET_MAX_BYTES // 3)
    assert ada.post("/snippets/new", form(content=text)).status_code == 302
    assert Snippet.objects.get().content == text


# Editing one


def version_of(snippet):
    return Snippet.objects.get(pk=snippet.pk).version


def test_versions_are_kept_compared_and_restored(ada):
    snippet = own(title="Poem", content="one\ntwo\nthree\n")
    page = f"/snippets/{snippet.pk}"
    edited = form(title="Poem", content="one\r\n2\r\nthree\r\n", lasts="keep", version=1)
    assert ada.post(f"{page}/edit", edited).status_code == 302
    assert "Current version" in html(ada.get(f"{page}/details"))
    compared = ada.get(f"{page}/versions/1")
    assert [tuple(line) for line in compared.context["lines"]] == [
        ("", "one"),
        ("-", "two"),
        ("+", "2"),
        ("", "three"),
    ]
    assert ada.post(f"{page}/versions/1").status_code == 302
    assert Snippet.objects.get().content == "one\ntwo\nthree\n"
    assert ada.get(f"{page}/versions/99").status_code == 404


@pytest.mark.parametrize("content", ["one\r\ntwo\r\n", "one\rtwo", "one\n\rtwo\r\n"])
def test_an_edit_of_the_title_keeps_line_endings(ada, content):
    snippet = own(content=content)
    typed = content.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
    edited = form(title="Poem", content=typed, lasts="keep", version=1)
    assert ada.post(f"/snippets/{snippet.pk}/edit", edited).status_code == 302
    snippet.refresh_from_db()
    assert (snippet.title, snippet.content) == ("Poem", content)


def test_two_concurrent_editors_are_warned(ada):
    snippet = own(title="Plan", content="a")
    page = f"/snippets/{snippet.pk}/edit"
    first = form(title="Plan", content="b", lasts="keep", version=1)
    assert ada.post(page, first).status_code == 302
    answer = ada.post(page, first | {"content": "c"})
    assert "while you had it open" in html(answer)
    assert Snippet.objects.get().content == "b"
    [value] = re.findall(r'name="version" value="(\d+)"', html(answer))
    assert ada.post(page, first | {"content": "c", "version": value}).status_code == 302
    assert Snippet.objects.get().content == "c"


def test_unchanged_fields_of_a_snippet_stay(ada):
    end = database_now() + timedelta(days=3)
    snippet = own(title="Plan", tags=["a"], expires_at=end, visibility="unlisted", max_views=5)
    given = ada.get(f"/snippets/{snippet.pk}/edit").context["form"].initial
    sent = form(
        **{name: given[name] for name in ("title", "visibility", "max_views")},
        tags="a",
        lasts="keep",
        version=1,
    )
    assert ada.post(f"/snippets/{snippet.pk}/edit", sent).status_code == 302
    after = Snippet.objects.get()
    assert (after.expires_at, after.views_left, after.versions.count()) == (end, 5, 0)
    assert after.content == "text\n"


@pytest.mark.parametrize("name", ["ada", "bob", "olga"])
def test_no_page_shows_the_text_of_a_snippet_with_a_view_limit(ada, person, name):
    mate, operator = person("bob"), person("olga", Role.OPERATOR)
    now = database_now()
    team = Team.objects.create(name="Docs", created_at=now)
    for member in ("ada", "bob"):
        user = User.objects.get(username=member)
        teams.add(team, user, by=Actor(User.objects.get(username="olga")), now=now)
    snippet = own(content="hunter2", team="Docs", visibility="unlisted")
    services.update(snippet.pk, {"content": "hunter3", "max_views": 1}, now=now)
    browser = {"ada": ada, "bob": mate, "olga": operator}[name]
    for page, status in (("details", 200), ("edit", 200), ("versions/1", 404), ("versions/2", 404)):
        shown = html(browser.get(f"/snippets/{snippet.pk}/{page}"), status)
        assert "hunter" not in shown, page
        assert "/versions/" not in shown, page
    given = browser.get(f"/snippets/{snippet.pk}/edit").context["form"].initial
    kept = {name: given[name] for name in ("visibility", "team", "max_views", "version")}
    edited = form(content="replaced", title="New", lasts="keep", **kept)
    assert browser.post(f"/snippets/{snippet.pk}/edit", edited).status_code == 302
    after = Snippet.objects.get()
    assert (after.title, after.content, after.views_left) == ("New", "hunter3", 1)


def test_a_snippet_is_deleted_after_confirmation(ada):
    snippet = own(title="Plan")
    assert "Delete this snippet?" in html(ada.get(f"/snippets/{snippet.pk}/delete"))
    assert ada.post(f"/snippets/{snippet.pk}/delete").url == "/snippets"
    assert not Snippet.objects.exists()


def test_another_members_snippet_is_not_found(ada, person):
    person("bob")
    snippet = own("bob", title="bobs")
    for page in ("details", "edit", "delete", "versions/1"):
        assert ada.get(f"/snippets/{snippet.pk}/{page}").status_code == 404
    for page in ("edit", "delete", "versions/1"):
        assert ada.post(f"/snippets/{snippet.pk}/{page}", form()).status_code == 404
    assert Snippet.objects.exists()


def test_a_viewer_sees_no_buttons_and_may_not_post(person):
    person("ada")
    viewer, snippet = person("vera", Role.VIEWER), own(title="Plan")
    page = html(viewer.get(f"/snippets/{snippet.pk}/details"))
    assert "Plan" in page
    for word in ("Edit", "Delete", "Versions"):
        assert word not in page
    for name in ("edit", "delete", "versions/1"):
        assert viewer.post(f"/snippets/{snippet.pk}/{name}", form()).status_code == 403
    assert viewer.get("/snippets/new").status_code == 403


def test_hostile_text_is_shown_as_text_on_every_page(ada):
    snippet = own(title=HOSTILE, content=HOSTILE, tags=[HOSTILE])
    services.update(snippet.pk, {"content": f"{HOSTILE}2"}, now=database_now())
    for page in ("", f"/{snippet.pk}/details", f"/{snippet.pk}/edit", f"/{snippet.pk}/versions/1"):
        assert HOSTILE not in html(ada.get(f"/snippets{page}"))
    answer = ada.post("/snippets/new", form(title=HOSTILE, content=HOSTILE, lasts="no"))
    assert HOSTILE not in html(answer)


# Comparing versions


def test_a_comparison_shows_few_unchanged_lines():
    old = [f"line {n}" for n in range(100)]
    new = [*old[:50], "new", *old[51:]]
    lines = difference("\n".join(old), "\n".join(new))
    assert lines == [
        DiffLine("…", ""),
        DiffLine("", "line 47"),
        DiffLine("", "line 48"),
        DiffLine("", "line 49"),
        DiffLine("-", "line 50"),
        DiffLine("+", "new"),
        DiffLine("", "line 51"),
        DiffLine("", "line 52"),
        DiffLine("", "line 53"),
        DiffLine("…", ""),
    ]
    assert difference("a\nb", "a\nb") == []
    assert difference("", "a") == [DiffLine("+", "a")]
    assert difference("a\na\na", "a\na") == [
        DiffLine("", "a"),
        DiffLine("", "a"),
        DiffLine("-", "a"),
    ]


def test_comparing_large_texts_takes_bounded_time_and_space():
    old = "\n".join(f"{n % 7}" for n in range(100_000))
    new = "\n".join(f"{n % 5}" for n in range(100_000))
    lines = difference(old, new)
    assert len(lines) == MAX_SHOWN + 1
    assert {line.mark for line in lines} == {"", "-", "+", "…"}


def test_unchanged_text_between_two_distant_changes_is_left_out():
    middle = [f"{n}" for n in range(20)]
    lines = difference("\n".join(["a", *middle, "b"]), "\n".join(["A", *middle, "B"]))
    assert [line.mark for line in lines] == [*"-+", *[""] * 3, "…", *[""] * 3, *"-+"]


# Without signing in


@pytest.fixture
def _anonymous(settings):
    settings.ANONYMOUS_SNIPPETS = True
    settings.ANONYMOUS_SNIPPETS_LIMIT = (2, timedelta(hours=1))


def test_anonymous_visitors_sign_in_before_they_paste(client):
    assert client.get("/snippets/new").status_code == 302
    assert client.post("/snippets/new", form()).status_code == 302
    assert not Snippet.objects.exists()


@pytest.mark.usefixtures("_anonymous")
def test_if_allowed_anonymous_visitors_paste_and_see_their_snippet(client):
    shown = html(client.get("/snippets/new"))
    assert 'value="unlisted"' in shown
    assert 'value="private"' not in shown
    answer = client.post("/snippets/new", form(content="hello"))
    snippet = Snippet.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, snippet.get_absolute_url())
    assert snippet.owner is None
    assert snippet.content == "hello"


@pytest.mark.usefixtures("_anonymous")
def test_snippets_of_anonymous_visitors_are_limited_as_the_form_says(client, monkeypatch):
    monkeypatch.setattr(anonymous, "MAX_BYTES", 10)
    assert "content" in problems(client.post("/snippets/new", form(content="x" * 11)))
    assert "visibility" in problems(client.post("/snippets/new", form(visibility="private")))
    statuses = [client.post("/snippets/new", form()).status_code for _ in range(3)]
    assert statuses == [302, 302, 200]
    assert Snippet.objects.count() == 2


@pytest.mark.usefixtures("_anonymous")
def test_a_viewer_cannot_paste_like_an_anonymous_visitor(person):
    assert person("vera", Role.VIEWER).get("/snippets/new").status_code == 403


def test_usual_languages_come_first(ada):
    shown = html(ada.get("/snippets/new"))
    places = [shown.index(text) for text in ("Detect automatically", ">Python<", ">ABAP<")]
    assert places == sorted(places)
    assert shown.count(">Python<") == 1
