"""Create idempotency by Idempotency-Key. Source: docs/requirements.md#registry-idempotency."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from foundation.http.idempotency import MAX_KEY_LENGTH, delete_old_keys
from foundation.models import IdempotencyKey
from targets.models import Reference, Target
from tests.conftest import NOW

pytestmark = pytest.mark.django_db

BODY = {"url": "http://example.com/a", "reference_id": "one"}


def post(api, body=BODY, *, key="k", path="/v1/targets"):
    return api.post(path, body, headers={"Idempotency-Key": key})


def test_the_same_key_and_body_are_answered_with_the_first_answer(api):
    first = post(api)
    second = post(api)

    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert "Idempotency-Replayed" not in first
    assert second["Idempotency-Replayed"] == "true"
    assert Target.objects.count() == 1


def test_a_replay_repeats_the_first_answer_after_changes(api):
    first = post(api).json()
    api.patch(f"/v1/targets/{first['id']}", {"paused": True})
    assert post(api).json() == first
    api.delete(f"/v1/targets/{first['id']}?force=true")

    assert post(api).json() == first
    assert Target.objects.count() == 0


@pytest.mark.parametrize("host", ["0" * 1010, "7" * 1010, "a" * 1010, "a%00b"])
def test_a_path_of_any_length_is_answered(api, host):
    """PostgreSQL rejected a path that was longer than the column or contained a NUL: 500."""
    path = f"/v1/hosts/{host}/reserve"
    assert post(api, {}, path=path).status_code < 500


def test_a_long_path_has_its_own_answers(api, monkeypatch):
    monkeypatch.setattr("foundation.http.idempotency.MAX_PATH_LENGTH", 5)
    first, again = post(api), post(api)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again["Idempotency-Replayed"] == "true"
    assert post(api, {"host": "a.example"}, path="/v1/aliases").status_code != 422
    assert IdempotencyKey.objects.first().path.startswith("sha256:")


def test_the_order_of_fields_does_not_change_the_body(api):
    first = post(api)
    second = post(api, dict(reversed(BODY.items())))

    assert second.json() == first.json()


@pytest.mark.parametrize(
    "other", [BODY | {"url": "http://example.com/a/"}, BODY | {"reference_id": "two"}, {}]
)
def test_the_same_key_with_another_body_is_refused(api, other):
    post(api)
    response = post(api, other)

    assert response.status_code == 422
    assert response.json()["code"] == "idempotency_key_reused"
    assert list(Reference.objects.values_list("object_id", flat=True)) == ["one"]


@pytest.mark.django_db(transaction=True)  # the request's own transaction is rolled back
@pytest.mark.parametrize(
    "bad",
    [{"url": "ftp://a"}, {"url": "http://127.0.0.1/"}, {"url": "http://a.example", "x": 1}, {}],
)
def test_a_failed_create_leaves_no_key(api, bad):
    assert post(api, bad).status_code == 400

    assert IdempotencyKey.objects.count() == 0
    assert post(api).status_code == 201


def test_keys_are_separate_for_each_user_and_address(api):
    other = APIClient()
    other.force_authenticate(User.objects.create_superuser("other"))

    assert post(api).status_code == 201
    assert "Idempotency-Replayed" not in post(other)
    assert post(api, path="/v1/references").status_code == 200
    assert post(api, {"items": [BODY]}, path="/v1/targets/bulk").status_code == 200
    assert IdempotencyKey.objects.count() == 4


def test_a_known_canonical_url_is_a_200_that_is_replayed(api):
    known = api.post("/v1/targets", {"url": "http://EXAMPLE.com/a/"}).json()

    first = post(api)
    second = post(api)

    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json()["id"] == known["id"]
    assert second.json() == first.json()
    assert second["Idempotency-Replayed"] == "true"


def test_a_bulk_is_replayed_as_a_whole(api):
    items = {"items": [BODY, {"url": "ftp://a"}]}

    first = post(api, items, path="/v1/targets/bulk")
    second = post(api, items, path="/v1/targets/bulk")

    assert [result["status"] for result in first.json()["results"]] == [201, 400]
    assert second.json() == first.json()
    assert second["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize("key", ["x" * MAX_KEY_LENGTH, "a b", "é", "😀", "'; DROP TABLE", "%00"])
def test_a_key_may_have_255_characters_of_any_script(api, key):
    raw = key.encode().decode("latin-1") if not key.isascii() else key
    if not raw.isprintable():
        assert post(api, key=raw).status_code == 400
        return

    assert post(api, key=raw).status_code == 201
    assert post(api, key=raw)["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize("key", ["", "x" * (MAX_KEY_LENGTH + 1), "a\0b", "a\nb", "\x7f", "\t"])
def test_a_key_that_is_empty_too_long_or_not_printable_is_refused(api, key):
    response = post(api, key=key)

    assert response.status_code == 400
    assert response.json()["code"] == "invalid_idempotency_key"
    assert Target.objects.count() == 0


def test_old_keys_are_deleted_and_recent_ones_kept(operator):
    for hours in (23, 25):
        IdempotencyKey.objects.create(
            principal=operator,
            path="/v1/targets",
            key=f"{hours} hours",
            fingerprint="",
            body="{}",
            created_at=NOW - timedelta(hours=hours),
        )

    assert delete_old_keys(NOW - timedelta(hours=24)) == 1
    assert IdempotencyKey.objects.get().key == "23 hours"
