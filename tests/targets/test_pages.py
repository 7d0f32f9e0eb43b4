"""Cursor pagination: stable order, and no item skipped or repeated.

Source: docs/requirements.md#registry-pages.
"""

import base64
import json
from datetime import timedelta
from urllib.parse import urlencode

import pytest

from targets.models import Target
from tests.factories import (
    CREATED_AT,
    ReferenceFactory,
    TargetFactory,
    TransitionFactory,
)

pytestmark = pytest.mark.django_db


def walk(api, path, *, limit, between=lambda: None):
    """Return all items of a list, page by page."""
    items, token = [], None
    while True:
        query = {"limit": limit} | ({"page_token": token} if token else {})
        page = get_page(api, path, **query).json()
        assert len(page["items"]) <= limit
        items += page["items"]
        token = page["next_page_token"]
        if token is None:
            return items
        between()


def token_of(content) -> str:
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def decoded(token):
    return json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))


def test_pages_follow_created_at_then_id_without_skips_or_duplicates(api):
    for number in range(23):
        TargetFactory(created_at=CREATED_AT + timedelta(microseconds=number // 10))

    seen = [item["id"] for item in walk(api, "/v1/targets", limit=4)]

    assert seen == list(Target.objects.order_by("created_at", "id").values_list("id", flat=True))
    assert len(set(seen)) == 23


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 6, 7])
def test_every_page_size_lists_targets_with_equal_times_once(api, limit):
    made = {TargetFactory().id for _ in range(6)}

    seen = [item["id"] for item in walk(api, "/v1/targets", limit=limit)]

    assert seen == sorted(made)


def test_rows_inserted_between_pages_neither_repeat_nor_hide_others(api):
    made = [TargetFactory().id for _ in range(7)]

    def insert():
        if Target.objects.count() < 15:
            TargetFactory(created_at=CREATED_AT - timedelta(hours=1))  # before the items read
            TargetFactory(created_at=CREATED_AT + timedelta(hours=1))  # after them

    seen = [item["id"] for item in walk(api, "/v1/targets", limit=3, between=insert)]

    assert len(set(seen)) == len(seen)
    assert [id_ for id_ in seen if id_ in made] == made


def test_rows_deleted_between_pages_do_not_hide_others(api):
    made = [TargetFactory() for _ in range(9)]

    def delete():
        Target.objects.filter(pk=made[2].pk).delete()  # the row in the token

    seen = [item["id"] for item in walk(api, "/v1/targets", limit=3, between=delete)]

    assert seen == [target.id for target in made]


def test_filtered_pages_contain_only_matches(api):
    for _ in range(5):
        TargetFactory(host="one.example", state="alive")
        TargetFactory(host="two.example")
    ReferenceFactory(target=Target.objects.filter(host="two.example").last(), object_id="wanted")

    by_host = walk(api, "/v1/targets?host=one.example", limit=2)
    by_state = walk(api, "/v1/targets?state=pending", limit=2)
    by_reference = walk(api, "/v1/targets?reference_id=wanted", limit=2)

    assert [item["host"] for item in by_host] == ["one.example"] * 5
    assert [item["host"] for item in by_state] == ["two.example"] * 5
    assert [item["reference_ids"] for item in by_reference] == [["wanted"]]


@pytest.mark.parametrize(
    "written", ["BÜCHER.Example", "xn--bcher-kva.example.", "https://Bücher.example:8443/x?y#z"]
)
def test_a_host_is_found_in_any_spelling(api, written):
    target = TargetFactory(host="xn--bcher-kva.example")
    TargetFactory(host="other.example")

    page = api.get("/v1/targets", {"host": written}).json()
    assert [item["id"] for item in page["items"]] == [target.id]


@pytest.mark.parametrize(
    ("written", "code"),
    [("no host", "invalid_host"), ("a:80", "invalid_host"), ("ftp://a/", "invalid_url")],
)
def test_an_invalid_host_filter_is_rejected(api, written, code):
    answer = api.get("/v1/targets", {"host": written})
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_a_host_is_found_in_any_case(api):
    target = TargetFactory(host="one.example")

    page = api.get("/v1/targets?host=ONE.Example").json()

    assert [item["id"] for item in page["items"]] == [target.id]


def test_a_target_is_found_by_any_spelling_of_its_url(api):
    target = TargetFactory(url="http://example.com/a")
    TargetFactory()

    page = api.get("/v1/targets", {"url": "HTTP://EXAMPLE.com:80/a/#x"}).json()

    assert [item["id"] for item in page["items"]] == [target.id]
    assert api.get("/v1/targets", {"url": "ftp://a"}).json()["code"] == "invalid_url"


def test_references_come_in_pages(api):
    target = TargetFactory()
    made = [ReferenceFactory(target=target).object_id for _ in range(5)]
    ReferenceFactory()

    by_id = walk(api, f"/v1/targets/{target.id}/references", limit=2)
    by_url = walk(api, f"/v1/references?url={target.url}", limit=2)

    assert [item["reference_id"] for item in by_id] == made
    assert by_url == by_id


def test_transitions_come_in_pages_newest_first(api):
    target = TargetFactory()
    made = [
        str(TransitionFactory(target=target, at=CREATED_AT + timedelta(seconds=number // 2)).id)
        for number in range(7)
    ]
    TransitionFactory()

    seen = walk(api, f"/v1/targets/{target.id}/transitions", limit=2)

    assert [item["id"] for item in seen] == list(reversed(made))


def test_the_token_is_base64_of_the_last_items_time_and_id(api):
    targets = [TargetFactory() for _ in range(2)]

    token = api.get("/v1/targets?limit=1").json()["next_page_token"]

    assert decoded(token) == {
        "created_at": "2026-03-01T11:00:00+00:00",
        "id": targets[0].id,
    }


def test_a_token_may_be_padded_and_its_time_may_end_with_z(api):
    targets = [TargetFactory() for _ in range(2)]
    text = json.dumps({"created_at": "2026-03-01T11:00:00Z", "id": targets[0].id})
    token = base64.urlsafe_b64encode(text.encode()).decode()

    page = api.get("/v1/targets", {"page_token": token}).json()

    assert [item["id"] for item in page["items"]] == [targets[1].id]


TIME = "2026-03-01T11:00:00+00:00"
ID = "t_" + "0" * 22
NO_TOKENS = {
    "empty": "",
    "not base64": "!!!",
    "standard base64": "+/+/",
    "one character": "a",
    "not ASCII": "é",
    "NUL": "\0",
    "NUL inside": token_of({"created_at": TIME, "id": ID})[:10] + "\0",
    "white space": " " + token_of({"created_at": TIME, "id": ID}),
    "not JSON": token_of(b"{"),
    "not UTF-8": token_of(b"\xff\xfe\xfd"),
    "deep": token_of(b"[" * 100_000),
    "list": token_of([TIME, ID]),
    "number": token_of(5),
    "null": token_of(None),
    "no key": token_of({}),
    "missing key": token_of({"id": ID}),
    "extra key": token_of({"created_at": TIME, "id": ID, "x": 1}),
    "position": token_of({"position": 5, "part": 0}),
}
BAD_TIMES = [
    *("", "yesterday", "2026-03-01T11:00:00", "2026-03-01", "2026-13-01T00:00:00+00:00", "\ud800"),
    *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "10000-01-01T00:00:00+00:00"),
    *("2026-03-01T11:00:00\0+00:00", 5, 0.5, None, True, [], {}, float("nan"), 10**30),
]
BAD_IDS = [
    *("", "t_", "x", "t_" + "z" * 22, "t_" + "0" * 21 + "\0", "s_" + "0" * 22, "\ud800", "0" * 22),
    *(5, 0, -1, 10**30, -(10**30), 0.5, 5.0, float("nan"), float("inf"), None, True, False, [], {}),
]
LISTS = {
    "/v1/targets": ("created_at", ID),
    "/v1/targets/{id}/references": ("created_at", 5),
    "/v1/references?url=http://known.example": ("created_at", 5),
    "/v1/targets/{id}/transitions": ("at", "01890a5d-ac96-774b-bcce-b302099a8057"),
}


@pytest.fixture(params=LISTS)
def page_list(request, api):
    """A list: its address, the name of its time, and an id that its token could contain."""
    path = request.param.replace("{id}", TargetFactory(url="http://known.example").id)
    return path, *LISTS[request.param]


def get_page(api, path, **query):
    return api.get(path + ("&" if "?" in path else "?") + urlencode(query, errors="surrogatepass"))


def assert_refused(response):
    assert response.status_code == 400, response.content
    assert response.json()["code"] == "invalid_page_token"


def test_a_hand_made_token_is_as_valid_as_an_issued_one(api, page_list):
    path, time, id_ = page_list

    assert get_page(api, path, page_token=token_of({time: TIME, "id": id_})).status_code == 200
    assert (
        get_page(
            api, path, page_token=token_of({time: "0001-01-01T00:00:00Z", "id": id_})
        ).status_code
        == 200
    )
    assert (
        get_page(
            api, path, page_token=token_of({time: "9999-12-31T23:59:59Z", "id": id_})
        ).status_code
        == 200
    )


def test_an_invalid_token_is_rejected_by_every_list(api, page_list):
    for token in NO_TOKENS.values():
        assert_refused(get_page(api, page_list[0], page_token=token))


def test_a_token_of_another_kind_of_list_is_refused(api, page_list):
    path, *own = page_list
    for time, id_ in LISTS.values():
        if [time, id_] != own:
            assert_refused(get_page(api, path, page_token=token_of({time: TIME, "id": id_})))


def test_a_token_with_a_wrong_time_is_refused(api, page_list):
    path, time, id_ = page_list
    for bad in BAD_TIMES:
        assert_refused(get_page(api, path, page_token=token_of({time: bad, "id": id_})))


def test_a_token_with_a_wrong_id_is_refused(api, page_list):
    path, time, id_ = page_list
    for bad in [*BAD_IDS, str(id_).upper() + "x"]:
        if isinstance(id_, int) and type(bad) is int and abs(bad) < 2**63:
            continue
        assert_refused(get_page(api, path, page_token=token_of({time: TIME, "id": bad})))


@pytest.mark.parametrize(
    "position", [-1, 2**63, 10**30, 0.5, float("nan"), "5", None, True, [], {}]
)
def test_the_feed_rejects_positions_that_it_never_issued(api, position):
    assert_refused(
        api.get("/v1/events", {"page_token": token_of({"position": position, "part": 0})})
    )


def test_the_feed_rejects_tokens_of_other_lists_and_invalid_ones(api):
    others = [token_of({time: TIME, "id": id_}) for time, id_ in LISTS.values()]
    for token in [*others, *(NO_TOKENS[name] for name in NO_TOKENS if name != "position")]:
        assert_refused(api.get("/v1/events", {"page_token": token}))


@pytest.mark.parametrize(
    "limit", ["", "0", "-1", "+1", "1001", "abc", "1e3", "1.0", "٣", " 5", "5\0", "9" * 5000]
)
@pytest.mark.parametrize("path", ["/v1/targets", "/v1/events"])
def test_a_limit_outside_1_to_1000_is_refused(api, path, limit):
    response = api.get(path, {"limit": limit})

    assert response.status_code == 400
    assert response.json()["code"] == "invalid"
    assert list(response.json()["details"]) == ["limit"]


def test_a_page_holds_50_unless_asked_and_1000_at_most(api):
    Target.objects.bulk_create(TargetFactory.build() for _ in range(1001))

    assert len(api.get("/v1/targets").json()["items"]) == 50
    assert len(api.get("/v1/targets?limit=1000").json()["items"]) == 1000


def test_the_last_page_has_no_token_even_when_it_is_full(api):
    for _ in range(2):
        TargetFactory()

    assert api.get("/v1/targets?limit=2").json()["next_page_token"] is None
    assert api.get("/v1/targets?limit=1").json()["next_page_token"] is not None


def test_an_empty_list_has_one_page(api):
    assert api.get("/v1/targets").json() == {"items": [], "next_page_token": None}


def test_an_unknown_query_parameter_is_refused_by_every_list(api, page_list):
    path, _, _ = page_list
    response = get_page(api, path, offset=5)

    assert response.status_code == 400
    assert response.json()["details"] == {"offset": ["There is no such field."]}
    assert api.get("/v1/events?offset=5").status_code == 400
