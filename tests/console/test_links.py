"""The pages of short links: find, create, change and end links, with the rights of each role."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import audit_log
from accounts.actors import Actor
from accounts.roles import Role
from checker.models import CheckResult
from foundation.database.clock import database_now
from foundation.http import pagination
from shortener import link_search, services
from shortener.models import LinkState, RetiredKey, ShortURL, Tag
from targets.models import Target
from tests.shortener.links import HOUR, ShortURLFactory, make

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"


def own(name="ada", **fields):
    """Make a link that belongs to a user."""
    link = make(**fields)
    ShortURL.objects.filter(pk=link.key).update(owner=User.objects.get(username=name))
    return link


def shown(client, query=""):
    return [link.key for link, *_ in client.get(f"/links?{query}").context["rows"]]


def html(response, status=200):
    assert response.status_code == status
    return response.content.decode()


def form(**changes):
    data = {"long_url": "https://a.example/page", "key": "", "lasts": "ever", "until": ""}
    return data | {"max_visits": "", "tags": ""} | changes


# The list


def test_a_list_has_the_users_own_links_newest_first(ada, person):
    person("bob")
    for key in ("first", "second"):
        own(key=key)
    own("bob", key="bobs")
    make(key="nobodys")
    assert shown(ada) == ["second", "first"]
    assert shown(ada, "whose=mine") == ["second", "first"]
    operator = person("olga", Role.OPERATOR)
    assert set(shown(operator)) == {"first", "second", "bobs", "nobodys"}
    assert shown(operator, "whose=mine") == []
    assert "by bob" in html(operator.get("/links"))
    assert 'name="whose"' not in html(ada.get("/links"))


def test_links_are_found_by_key_destination_tag_and_state(ada):
    own(key="Spring-sale", long_url="https://shop.example/Offers?x=100%25", tags=["news letter"])
    own(key="other", long_url="https://a.example/")
    own(key="ended", long_url="https://b.example/", tags=["old"])
    services.update("ended", {"disabled": True}, now=database_now())
    assert shown(ada, "q=spring") == shown(ada, "q=offers") == ["Spring-sale"]
    assert shown(ada, "q=News++LETTER") == shown(ada, "tag=News+letter") == ["Spring-sale"]
    assert shown(ada, "q=letter") == []
    assert shown(ada, "q=100%2525") == ["Spring-sale"]
    assert shown(ada, "q=_") == []
    assert shown(ada, "state=disabled") == ["ended"]
    assert shown(ada, "q=example&state=active") == ["other", "Spring-sale"]
    assert shown(ada, "tag=old&state=active") == []
    assert shown(ada, "state=nonsense") == ["ended", "other", "Spring-sale"]


def test_an_invalid_search_text_is_reported(ada):
    own(key="abc")
    assert "Null characters" in html(ada.get("/links?q=%00"))
    assert "at most 100" in html(ada.get(f"/links?q={'x' * 101}"))


@pytest.mark.parametrize("query", ["", "q=key", "tag=t", "state=active", "tag=t&q=key"])
@pytest.mark.parametrize("role", [Role.MEMBER, Role.OPERATOR])
def test_pages_continue_without_gaps_or_repetitions(person, monkeypatch, query, role):
    monkeypatch.setattr("console.links.views.LINKS_PER_PAGE", 3)
    monkeypatch.setattr(link_search, "STEP", 2)
    monkeypatch.setattr(pagination, "SEARCH_TIME", 60)
    client = person("ada", role)
    for number in range(8):
        own(key=f"key-{number}", tags=["t"])
        make(key=f"other-{number}", tags=["t"])
    pages, token = [], ""
    while token is not None:
        context = client.get(f"/links?{query}{token and '&page_token=' + token}").context
        pages.append([link.key for link, *_ in context["rows"]])
        token = context["next_page_token"]
    found = [key for page in pages for key in page]
    known = ["key"] if role is Role.MEMBER or "q" in query else ["other", "key"]
    assert found == [f"{name}-{number}" for number in reversed(range(8)) for name in known]
    assert max(map(len, pages)) == 3


def test_a_search_stops_after_a_while_and_says_where_to_continue(ada, monkeypatch):
    monkeypatch.setattr(link_search, "STEP", 2)
    monkeypatch.setattr(pagination, "FIRST_HIT_TIME", -1)
    own(key="wanted")
    for number in range(3):
        own(key=f"other{number}")
    page = ada.get("/links?q=wanted")
    assert "No matches so far" in html(page)
    assert "Keep searching" in html(page)
    assert shown(ada, f"q=wanted&page_token={page.context['next_page_token']}") == ["wanted"]


def test_an_invalid_page_token_is_not_found(ada):
    assert ada.get("/links?page_token=x").status_code == 404


def test_a_list_of_any_length_needs_the_same_number_of_statements(ada):
    def statements():
        with CaptureQueriesContext(connection) as captured:
            ada.get("/links?q=key")
        return len(captured)

    own(key="key-1", tags=["t"], watch=True)
    few = statements()
    for number in range(2, 12):
        own(key=f"key-{number}", tags=["t", "u"], watch=True, long_url=f"https://h{number}.example")
    assert statements() == few


@pytest.mark.parametrize(
    ("role", "wanted", "index"),
    [
        (Role.MEMBER, {"text": "page"}, "short_owner_page"),
        (Role.MEMBER, {"state": LinkState.EXPIRED}, "short_owner_page"),
        (Role.OPERATOR, {"text": "page"}, "short_page"),
        (Role.OPERATOR, {"tag": "t"}, "short_tag_page"),
    ],
)
def test_each_step_of_a_search_is_a_range_of_an_index(person, monkeypatch, role, wanted, index):
    person("ada", role)
    person("bob")
    bob, ada = User.objects.get(username="bob"), User.objects.get(username="ada")
    others = ShortURLFactory.create_batch(400, owner=bob)
    Tag.objects.bulk_create(
        Tag(short_url=link, name=name, created_at=link.created_at)
        for link in others
        for name in "uvw"
    )
    start = datetime(2026, 3, 1, tzinfo=UTC)
    for number in range(100):
        ShortURLFactory(owner=ada, created_at=start + timedelta(minutes=number))
    make(key="tagged", tags=["t"])
    monkeypatch.setattr(link_search, "STEP", 20)
    monkeypatch.setattr(pagination, "SEARCH_TIME", -1)
    monkeypatch.setattr(pagination, "FIRST_HIT_TIME", -1)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        search, token = link_search.LinkSearch(), None
        for _ in range(2):
            with CaptureQueriesContext(connection) as captured:
                by = Actor(ada)
                search.find(wanted, by=by, now=start, limit=5, token=token)
            token = search.next_page_token or token
            asked = [q["sql"] for q in captured if '"shortener_' in q["sql"][:400]]
            explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
            page = next(sql for sql in asked if "ORDER BY" in sql)
            cursor.execute(f"{explain} {page}".replace("%", "%%"), [])
            assert index in str(cursor.fetchall())


# Rights


@pytest.mark.parametrize("role", list(Role))
def test_pages_offer_only_permitted_actions(person, role):
    client = person("ada", role)
    make(key="nobodys")
    key = "nobodys" if role is not Role.MEMBER else own(key="mine").key
    texts = html(client.get("/links")) + html(client.get(f"/links/{key}"))
    offered = {word for word in ("New short link", "Edit<", "Disable<", "Delete…") if word in texts}
    assert len(offered) == (0 if role is Role.VIEWER else 4)


PAGES = ["", "/edit", "/end", "/revive", "/delete", "/qr.svg", "/qr.png"]


@pytest.mark.parametrize("page", PAGES)
def test_another_users_link_is_not_found(ada, person, page):
    person("bob")
    own("bob", key="bobs")
    assert ada.get(f"/links/bobs{page}").status_code == 404
    if page not in ("", "/qr.svg", "/qr.png"):
        assert ada.post(f"/links/bobs{page}", form()).status_code == 404
    assert not ShortURL.objects.get(pk="bobs").disabled


@pytest.mark.parametrize("page", ["/new", "/abc/edit", "/abc/end", "/abc/revive", "/abc/delete"])
def test_a_viewer_changes_nothing(person, page):
    make(key="abc")
    viewer = person("vera", Role.VIEWER)
    assert viewer.get(f"/links{page}").status_code == 403
    assert viewer.post(f"/links{page}", form()).status_code == 403
    assert ShortURL.objects.count() == 1


@pytest.mark.parametrize("page", ["", "/new", "/abc", *(f"/abc{page}" for page in PAGES[1:])])
def test_anonymous_visitors_sign_in_first(page, client):
    make(key="abc")
    answer = client.get(f"/links{page}")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in?next=/links")


def test_users_who_may_not_see_links_get_no_list(person):
    assert person("robot", None).get("/links").status_code == 403


# A new link


def test_a_link_is_created_with_every_field(ada):
    answer = ada.post(
        "/links/new",
        form(key="spring", lasts="30", max_visits="5", tags="b, A,", watch="on"),
    )
    assert answer["Location"] == "/links/spring"
    link = services.get("spring")
    assert link.expires_at - link.created_at == timedelta(days=30)
    assert (link.max_visits, link.tag_names) == (5, ["a", "b"])
    assert link.target.url == "https://a.example/page"
    assert link.owner.username == "ada"
    assert audit_log.entries_about("short link", "spring").get().action == "create"


def test_a_random_key_and_a_scheme_are_added(ada):
    answer = ada.post("/links/new", form(long_url=" a.example/page "))
    link = ShortURL.objects.get()
    assert answer["Location"] == f"/links/{link.key}"
    assert (link.long_url, link.expires_at) == ("https://a.example/page", None)


def test_a_link_lasts_until_the_end_of_a_day(ada):
    day = database_now().date() + timedelta(days=3)
    ada.post("/links/new", form(lasts="date", until=str(day)))
    end = ShortURL.objects.get().expires_at.astimezone(UTC)
    assert (end.date(), end.hour, end.minute) == (day, 23, 59)


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"long_url": ""}, "long_url", "required"),
        ({"long_url": "javascript://x"}, "long_url", ""),
        ({"long_url": "http://localhost:8080/s/abc"}, "long_url", "short link"),
        ({"long_url": "http://127.0.0.1/", "watch": "on"}, "watch", ""),
        ({"key": "ab"}, "key", "3 to 64"),
        ({"key": "links"}, "key", "reserved"),
        ({"key": "taken"}, "key", "taken"),
        ({"lasts": "date"}, "until", "Select an expiry date"),
        ({"lasts": "date", "until": "2020-01-01"}, "until", "past"),
        ({"lasts": "date", "until": "2999-01-01"}, "until", "ten years"),
        ({"lasts": "date", "until": "9999-12-31"}, "until", "ten years"),
        ({"lasts": "date", "until": "soon"}, "until", "valid date"),
        ({"lasts": "soon"}, "lasts", "valid choice"),
        ({"max_visits": "0"}, "max_visits", "greater than or equal"),
        ({"max_visits": "many"}, "max_visits", "whole number"),
        ({"tags": "x" * 65}, "tags", "20 tags"),
    ],
)
def test_a_mistake_is_shown_at_its_field_and_typed_text_is_kept(ada, changes, field, sentence):
    make(key="taken")
    typed = form(key="my-key", tags="one, two", max_visits="7") | changes
    answer = ada.post("/links/new", typed)
    assert sentence in str(answer.context["form"].errors[field])
    text = html(answer)
    assert f'id="id_{field}_error"' in text
    for name, value in typed.items():
        if name not in ("lasts", "watch") and value:
            assert re.search(f'name="{name}"[^>]*value="{re.escape(value)}"', text), name
    assert ShortURL.objects.count() == 1


def test_a_date_that_utc_does_not_have_is_an_error_at_its_field(ada):
    ada.cookies["zone"] = "America/New_York"
    chosen = {"lasts": "date", "until": "9999-12-31", "visibility": "public"}
    for path, typed in (("/links/new", form()), ("/snippets/new", {"content": "x"})):
        answer = ada.post(path, {**typed, **chosen})
        errors = answer.context["form"].errors
        assert errors == {"until": ["This date is out of range."]}, path


def test_all_mistakes_are_reported_at_once(ada):
    typed = form(long_url="https://", key="a b", lasts="date", max_visits="0", tags="x" * 65)
    errors = ada.post("/links/new", typed).context["form"].errors
    assert set(errors) == {"long_url", "key", "until", "max_visits", "tags"}


def test_a_key_taken_meanwhile_is_also_reported(ada, monkeypatch):
    monkeypatch.setattr(services, "create", lambda *_, **__: [services.key_taken("spring")])
    answer = ada.post("/links/new", form(key="spring"))
    assert "taken" in str(answer.context["form"].errors["key"])


def test_query_parameters_fill_in_the_form(ada):
    text = html(ada.get("/links/new", {"url": f'"{HOSTILE}'}))
    assert HOSTILE not in text
    assert "&quot;&lt;script&gt;" in text


# The page of a link


def test_a_page_shows_the_details_of_a_link(ada):
    own(key="spring", long_url="https://bücher.example/?q=<b>", watch=True, tags=["a&b"], ttl="1h")
    target = Target.objects.get()
    Target.objects.update(state="dead", last_error=HOSTILE)
    CheckResult.objects.create(
        target=target, checked_at=database_now(), outcome="failure", reason="http_404",
        status_code=404, latency_ms=5, error="It is gone.", attempts=1, evidence={},
    )  # fmt: skip
    text = html(ada.get("/links/spring"))
    assert "https://xn--bcher-kva.example/?q=%3Cb%3E" in text
    assert HOSTILE not in text
    assert 'value="http://localhost:8080/s/spring" readonly' in text
    for words in ("Destination dead", "It is gone.", "a&amp;b", "/links?tag=a%26b", "qr.png?"):
        assert words in text


def test_a_link_without_a_watch_has_a_page_too(person):
    make(key="spring")
    text = html(person("vera", Role.VIEWER).get("/links/spring"))
    assert "by a program" in text
    assert "This destination isn't watched." in text
    assert "Watch it" not in text


def test_a_page_shows_who_changed_the_link(ada, person):
    own(key="spring")
    person("olga", Role.OPERATOR).post("/links/spring/end")
    text = html(ada.get("/links/spring"))
    assert "olga</strong> changed the status" in text


@pytest.mark.parametrize(("kind", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_qr_codes_are_pictures_and_files(ada, kind, magic):
    own(key="spring")
    shown_ = ada.get(f"/links/spring/qr.{kind}")
    assert shown_.content.startswith(magic)
    assert "Content-Disposition" not in shown_
    kept = ada.get(f"/links/spring/qr.{kind}?download")
    assert kept["Content-Disposition"] == f'attachment; filename="spring.{kind}"'
    assert ada.get("/links/spring/qr.gif").status_code == 404


def test_links_are_ended_and_revived(ada):
    own(key="spring", ttl="1h")
    text = html(ada.post("/links/spring/end", follow=True))
    assert "redirect until you reactivate it" in text
    assert services.get("spring").state(database_now()) is LinkState.DISABLED
    assert '<p class="to">Destination: <a' in text
    ShortURL.objects.update(expires_at=database_now() - HOUR)
    assert "The link redirects again" in html(ada.post("/links/spring/revive", follow=True))
    assert services.get("spring").state(database_now()) is LinkState.ACTIVE
    assert "This link is active." in html(ada.post("/links/spring/revive", follow=True))
    assert ada.get("/links/spring/end")["Location"] == "/links/spring"


def test_a_link_is_deleted_after_confirmation(ada):
    own(key="spring")
    assert "can&#x27;t be undone" in html(ada.get("/links/spring/delete"))
    assert ShortURL.objects.exists()
    assert "Deleted: http://localhost:8080/s/spring" in html(
        ada.post("/links/spring/delete", follow=True)
    )
    assert RetiredKey.objects.get().key == "spring"
    assert ada.post("/links/spring/delete").status_code == 404


# Changes


def change(**changes):
    return {"lasts": "keep", "until": "", "max_visits": "", "tags": "", "version": "1"} | changes


def test_links_are_changed_by_field(ada):
    own(key="spring", ttl="1h", tags=["old"])
    text = html(ada.get("/links/spring/edit"))
    assert "No change (20" in text
    assert 'value="old"' in text
    data = change(lasts="90", max_visits="9", tags="new", watch="on")
    assert ada.post("/links/spring/edit", data)["Location"] == "/links/spring"
    link = services.get("spring")
    left = link.expires_at - database_now()
    assert timedelta(days=89) < left <= timedelta(days=90)
    assert (link.max_visits, link.tag_names) == (9, ["new"])
    assert link.target is not None
    assert audit_log.entries_about("short link", "spring").first().fields == [
        *("expires_at", "max_visits", "tags", "watch"),
    ]


def test_untouched_rows_do_not_change(ada):
    own(key="spring", ttl="1h", max_visits=3, tags=["x"])
    ada.post("/links/spring/edit", change(max_visits="3", tags="x, y"))
    assert audit_log.entries_about("short link", "spring").first().fields == ["tags"]


def test_saving_without_changes_is_not_a_change(ada):
    own(key="spring")
    ada.post("/links/spring/edit", change())
    assert services.get("spring").version == 1


@pytest.mark.parametrize("end", ["ever", "date"])
def test_an_expiry_is_changed_or_removed(ada, end):
    own(key="spring", ttl="1h")
    day = database_now().date() + timedelta(days=9)
    ada.post("/links/spring/edit", change(lasts=end, until=str(day)))
    expires_at = services.get("spring").expires_at
    assert (expires_at is None) == (end == "ever")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"lasts": "date", "until": "2020-01-01"}, "until"),
        ({"lasts": "date"}, "until"),
        ({"max_visits": "0"}, "max_visits"),
        ({"max_visits": "1"}, "max_visits"),  # the link has two visits
        ({"tags": "x" * 65}, "tags"),
    ],
)
def test_a_wrong_change_is_shown_at_its_field(ada, changes, field):
    own(key="spring", ttl="1h", max_visits=5)
    ShortURL.objects.update(visits_left=3)
    answer = ada.post("/links/spring/edit", change(**changes))
    assert field in answer.context["form"].errors
    assert services.get("spring").version == 1


def test_a_destination_that_cannot_be_watched_is_reported(ada):
    own(key="spring", long_url="http://127.0.0.1/")
    answer = ada.post("/links/spring/edit", change(watch="on", tags="kept"))
    assert "watch" in answer.context["form"].errors
    assert 'value="kept"' in html(answer)


def test_two_editors_do_not_overwrite_each_other_silently(ada, person):
    own(key="spring", tags=["both"])
    person("olga", Role.OPERATOR).post("/links/spring/edit", change(tags="hers"))
    answer = ada.post("/links/spring/edit", change(tags="mine"))
    text = html(answer)
    assert "olga edited this link" in text
    assert services.get("spring").tag_names == ["hers"]
    assert 'value="mine"' in text
    version = re.search(r'name="version" value="(\d+)"', text)[1]
    assert ada.post("/links/spring/edit", change(tags="mine", version=version)).status_code == 302
    assert services.get("spring").tag_names == ["mine"]
