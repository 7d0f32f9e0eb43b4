"""`?q=` and CSV of GET /v1/targets."""

import csv
import io

import pytest
from django.contrib.auth.models import User

import shortener.link_search
from accounts.actors import DEPLOYMENT
from accounts.rights import assign
from accounts.roles import Role
from foundation.files.csv_cells import FORMULA_STARTS
from foundation.http import pagination
from targets.search import target_search
from targets.search.criteria import Criteria
from targets.search.target_search import TargetSearch
from tests.factories import ReferenceFactory, TargetFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
FORMULAE = ('=HYPERLINK("http://evil.example","x")', "+1", "@SUM(1)", "-1", "'=1")


def found(api, query):
    answer = api.get(f"/v1/targets?{query}")
    assert answer.status_code == 200, answer.content
    return [item["url"] for item in answer.json()["items"]]


def read(answer):
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode())))


@pytest.fixture
def installs():
    """35 targets with a word in their URL, and one without."""
    TargetFactory(url="http://b.example/other")
    return [TargetFactory(url=f"http://a.example/Install/{n}").url for n in range(35)]


def test_a_part_of_a_url_finds_all_matches_in_pages(api, installs):
    first = api.get("/v1/targets?q=install&limit=30").json()
    assert [item["url"] for item in first["items"]] == installs[:4:-1]
    rest = api.get(f"/v1/targets?q=install&limit=30&page_token={first['next_page_token']}").json()
    assert [item["url"] for item in rest["items"]] == installs[4::-1]
    assert rest["next_page_token"] is None


def test_page_tokens_of_the_previous_release_continue_in_its_order(api, installs):
    search = TargetSearch(Criteria(text="install"), by=DEPLOYMENT, order="oldest")
    search.find(limit=30)
    assert found(api, f"q=install&page_token={search.next_page_token}") == installs[30:]


@pytest.mark.parametrize("query", ["targets?q=install", "urls?q=install", "urls?tag=t&q=install"])
def test_the_first_page_has_the_first_hit_after_any_number_of_rows(api, monkeypatch, query):
    for number in range(12):
        TargetFactory(url=f"http://a.example/{'install' if number == 6 else number}")
        name = "install" if number == 6 else f"n{number}"
        link = {"long_url": f"http://a.example/{name}", "tags": ["t"]}
        assert api.post("/v1/urls", link, format="json").status_code == 201
    for module, name, value in (
        *((target_search, name, 1) for name in ("FIRST_STEP", "STEP")),
        *((target_search, "MAX_SORTED", -1), (shortener.link_search, "STEP", 1)),
        *((pagination, "SEARCH_TIME", -1), (pagination, "FIRST_HIT_TIME", 60)),
    ):
        monkeypatch.setattr(module, name, value)
    page = api.get(f"/v1/{query}").json()
    assert [item.get("long_url", item.get("url"))[-8:] for item in page["items"]] == ["/install"]
    assert page["next_page_token"] is not None


def test_percent_and_underscore_are_literal(api):
    for path in ("100%25", "a_b", "aXb"):
        TargetFactory(url=f"http://a.example/{path}")
    assert found(api, "q=a_b") == ["http://a.example/a_b"]
    assert found(api, "q=00%25") == ["http://a.example/100%25"]
    assert found(api, "q=___") == []
    assert found(api, "q=%25%25%25") == []
    assert found(api, "q=%5C%5C%5C") == []


def test_text_from_right_to_left_is_found_in_titles(api):
    title = {"title": "t", "name": "دليل التثبيت"}
    wanted = TargetFactory(identity=title).url
    TargetFactory()
    assert found(api, "q=التثبيت") == [wanted]


@pytest.mark.parametrize("text", ["x" * 10_000, "%25" * 201, "a%00b", ""])
def test_an_impossible_search_is_reported(api, text):
    answer = api.get(f"/v1/targets?q={text}")
    assert answer.status_code == 400
    assert answer.json()["details"].keys() == {"q"}


def test_a_search_can_be_combined_with_all_filters(api, installs):
    dead = TargetFactory(url="http://b.example/install", state="dead")
    ReferenceFactory(target=dead, object_id="doc-1")
    assert found(api, "q=install&state=dead") == [dead.url]
    assert found(api, "q=install&host=b.example&reference_id=doc-1") == [dead.url]
    assert found(api, "q=install&flag=parked") == []
    assert found(api, f"q=install&url={dead.url}&needs_attention=false") == [dead.url]


def test_members_find_only_their_own_reference_ids(client):
    ada, grace = (User.objects.create_user(name) for name in ("ada", "grace"))
    assign(ada, Role.MEMBER)
    target = TargetFactory(url="http://a.example/")
    for owner, object_id in ((ada, "mine-1"), (grace, "secret-1"), (None, "nobody-1")):
        ReferenceFactory(target=target, owner=owner, object_id=object_id)
    client.force_login(ada)
    assert found(client, "q=mine") == ["http://a.example/"]
    assert found(client, "q=secret") == found(client, "q=nobody") == []
    rows = read(client.get("/v1/targets", headers={"accept": "text/csv"}))
    assert [row["reference_ids"] for row in rows] == ["mine-1"]


def test_csv_has_all_requested_rows_and_no_formulas(api, monkeypatch):
    monkeypatch.setattr("targets.lists.target_csv._PAGE_SIZE", 2)
    for number, text in enumerate(FORMULAE):
        target = TargetFactory(
            url=f"http://a.example/{number}",
            state="dead",
            identity={"title": "t", "name": text},
            last_error=text,
        )
        ReferenceFactory(target=target, object_id=text)
    TargetFactory()
    rows = read(api.get("/v1/targets?state=dead", headers={"accept": "text/csv"}))
    assert [row["url"] for row in rows] == [f"http://a.example/{number}" for number in range(5)]
    for row, text in zip(rows, FORMULAE, strict=True):
        assert row["title"] == row["last_error"] == row["reference_ids"] == f"'{text}"
        assert not [cell for cell in row.values() if cell.startswith(FORMULA_STARTS)]


def test_csv_requests_get_errors_too(api):
    answer = api.get("/v1/targets?state=odd", headers={"accept": "text/csv"})
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/json"
    assert answer.json()["code"] == "invalid"
    assert api.post("/v1/targets", {"url": "http://a.example"}, headers={"accept": "text/csv"})
