"""Registration is idempotent by canonical URL; the values of a new target.

Source: docs/requirements.md#registry-registration.
"""

import json
import re
from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from rest_framework.serializers import Serializer

from foundation.database.clock import database_now
from foundation.durations import MAX_DURATION
from hosts.models import Host
from targets.canonical import canonicalize
from targets.models import Reference, Target
from targets.registration import Registration, register
from targets.serializers import TargetSerializer
from tests.cases import examples
from tests.conftest import NOW
from tests.factories import DeadTargetFactory, ReferenceFactory, TargetFactory

pytestmark = pytest.mark.django_db
FIELDS = [
    *("id", "url", "canonical_url", "host", "state", "failures", "reference_ids"),
    *("reference_count", "created_at", "next_check_at", "last_checked_at", "last_status_code"),
    *("last_error", "last_latency_ms", "last_reason", "summary", "suggestion"),
    *("inconclusive_since", "moved_to", "replaced_by", "copy"),
    "flags",
    *("state_changed_at", "paused", "pinned", "check_period"),
    *("recheck_period", "recheck_threshold", "condition", "version"),
    *("accept", "expect", "headers", "timeout"),
]


def test_a_new_target_is_pending_and_due_at_once(api):
    response = api.post("/v1/targets", {"url": "HTTPS://Example.com:443/path/?a=1#section"})

    assert response.status_code == 201
    target = response.json()
    assert list(target) == FIELDS
    assert re.fullmatch("t_[0-9A-Za-z]{22}", target["id"])
    assert target["url"] == "HTTPS://Example.com:443/path/?a=1#section"
    assert target["canonical_url"] == "https://example.com/path?a=1"
    assert (target["host"], target["state"], target["failures"]) == ("example.com", "pending", 0)
    assert target["next_check_at"] == target["created_at"] == target["state_changed_at"]
    assert target["created_at"].endswith("Z")
    assert (target["check_period"], target["recheck_period"]) == ("10d", "1d")
    assert (target["recheck_threshold"], target["condition"]) == (3, "evidence")
    row = Target.objects.get()
    assert Host.objects.get(name="example.com").check_at == row.next_check_at
    assert abs(row.created_at - database_now()) < timedelta(minutes=1)


def test_a_url_that_canonicalizes_to_a_known_one_is_the_same_target(api):
    first = api.post("/v1/targets", {"url": "http://example.com/a"}).json()
    second = api.post("/v1/targets", {"url": "HTTP://EXAMPLE.COM:80/a/#x", "reference_id": "b"})

    assert second.status_code == 200
    assert second.json() == first | {"reference_ids": ["b"], "reference_count": 1}


def test_registering_again_adds_the_reference_and_changes_no_policy(api):
    url = {"url": "http://example.com"}
    api.post("/v1/targets", url | {"reference_id": "a", "check_period": "5d"})
    again = api.post("/v1/targets", url | {"reference_id": "b", "check_period": "1d"}).json()

    assert again["reference_ids"] == ["a", "b"]
    assert again["check_period"] == "5d"
    assert api.post("/v1/targets", url | {"reference_id": "b"}).json() == again


def test_without_a_reference_a_target_is_pinned(api):
    url = {"url": "http://example.com"}

    assert api.post("/v1/targets", url | {"reference_id": "a"}).json()["pinned"] is False
    assert api.post("/v1/targets", url).json()["pinned"] is True
    assert api.post("/v1/targets", url | {"reference_id": "b"}).json()["pinned"] is True


def test_registering_a_dead_url_again_does_not_revive_it(api):
    dead = DeadTargetFactory()

    again = api.post("/v1/targets", {"url": dead.url, "reference_id": "a"})

    assert (again.status_code, again.json()["state"]) == (200, "dead")
    assert again.json()["next_check_at"] is None


def test_a_dead_url_registered_again_after_its_deletion_is_pending(api):
    dead = ReferenceFactory(target=DeadTargetFactory(pinned=False), object_id="a").target
    pair = {"url": dead.url, "reference_id": "a"}

    assert api.delete(f"/v1/references?url={dead.url}&reference_id=a").status_code == 204
    again = api.post("/v1/targets", pair)

    assert (again.status_code, again.json()["state"]) == (201, "pending")
    assert again.json()["id"] != dead.id


def test_policy_fields_are_kept_and_shown(api):
    policy = {
        "check_period": "36h",
        "recheck_period": "90s",
        "recheck_threshold": 5,
        "condition": "status-200",
    }
    target = api.post("/v1/targets", {"url": "http://example.com"} | policy).json()

    assert {name: target[name] for name in policy} == policy | {
        "check_period": "1d12h",
        "recheck_period": "1m30s",
    }
    assert api.get(f"/v1/targets/{target['id']}").json() == target


@pytest.mark.parametrize(
    "name", ["check_period", "recheck_period", "recheck_threshold", "condition", "reference_id"]
)
def test_null_means_the_default(api, name):
    response = api.post("/v1/targets", {"url": "http://example.com", name: None})

    assert response.status_code == 201
    assert response.json()["condition"] == "evidence"


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        *[
            ("check_period", bad)
            for bad in ("", "0s", "-1d", "999ms", "3651d", "1y", "10", 10, True, [], {})
        ],
        *[("recheck_period", bad) for bad in ("0s", "P1D", "1 h", "9" * 5000 + "s", "\0")],
        *[
            ("recheck_threshold", bad)
            for bad in (0, -1, 1001, 10**30, 0.5, "x", True, [], {}, 1e400)
        ],
        *[("condition", bad) for bad in ("nonsense", 5, [], {}, True)],
        *[("reference_id", bad) for bad in ("", "x" * 256, "a\0", [], {}, True)],
        *[("url", bad) for bad in (None, 5, [], {}, True)],
        *[("x", bad) for bad in (None, 5)],
        ("state", "alive"),
        ("paused", True),
        ("", 1),
    ],
)
def test_400_for_a_bad_or_unknown_field(api, name, bad):
    response = api.generic(
        "POST",
        "/v1/targets",
        json.dumps({"url": "http://example.com", name: bad}).replace("Infinity", "1e400"),
        content_type="application/json",
    )

    assert response.status_code == 400, response.content
    assert response.json()["code"] == "invalid"
    assert list(response.json()["details"]) == [name]
    assert Target.objects.count() == 0


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("", "invalid_url"),
        ("ftp://example.com", "invalid_url"),
        ("http://user@example.com", "invalid_url"),
        ("http://example.com:0", "invalid_url"),
        ("http://example.com/\0", "invalid_url"),
        ("http://" + "a" * 64, "invalid_url"),
        ("http://example.com/" + "a" * 2048, "invalid_url"),
        ("http://127.0.0.1/", "forbidden_url"),
        ("http://0x7f.1/", "forbidden_url"),
        ("http://2130706433/", "forbidden_url"),
        ("http://127.1/", "forbidden_url"),
        ("http://0/", "forbidden_url"),
        ("http://[::1]/", "forbidden_url"),
        ("http://[::ffff:127.0.0.1]/", "forbidden_url"),
        ("http://169.254.169.254/latest/meta-data", "forbidden_url"),
        ("http://192.168.1.1/", "forbidden_url"),
        ("http://mail.example.org:25/", "forbidden_url"),
        ("https://1.1.1.1:22/", "forbidden_url"),
    ],
)
def test_400_for_a_url_that_cannot_be_watched(api, url, code):
    response = api.post("/v1/targets", {"url": url, "reference_id": "a"})

    assert (response.status_code, response.json()["code"]) == (400, code)
    assert list(response.json()["details"]) == ["url"]
    assert (Target.objects.count(), Host.objects.count()) == (0, 0)


def test_a_long_text_that_is_not_a_url_is_refused_quickly(api):
    assert api.post("/v1/targets", {"url": "http://" + "a@" * 1_000_000}).status_code == 400


def test_reference_ids_of_any_255_characters_are_stored_exactly(api):
    for reference_id in ("x" * 255, "ü" * 255, " a ", "a/b?c#d%2F", "\N{PILE OF POO}", "\n", ".."):
        body = {"url": "http://example.com", "reference_id": reference_id}
        assert api.post("/v1/targets", body).status_code in (200, 201)
        assert Reference.objects.filter(object_id=reference_id).exists()


def test_a_target_shows_its_first_100_references_and_how_many_there_are(api):
    target = TargetFactory()
    made = [ReferenceFactory(target=target).object_id for _ in range(103)]
    ReferenceFactory()

    shown = api.get(f"/v1/targets/{target.id}").json()

    assert shown["reference_ids"] == made[:100]
    assert shown["reference_count"] == 103


def test_a_fast_representation_equals_that_of_the_declared_fields():
    target = ReferenceFactory(target__check_period=timedelta(days=2, milliseconds=5)).target
    shown = Target.objects.with_references().get(pk=target.pk)

    assert TargetSerializer(shown).data == Serializer.to_representation(TargetSerializer(), shown)


def test_the_answer_to_a_registration_equals_a_later_read(api):
    made = api.post("/v1/targets", {"url": "http://example.com", "reference_id": "a"}).json()

    assert api.get(f"/v1/targets/{made['id']}").json() == made


@given(
    path=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20),
    reference_id=st.none()
    | st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=255
    ),
    check_period=st.none() | st.timedeltas(timedelta(seconds=1), MAX_DURATION),
    recheck_period=st.none() | st.timedeltas(timedelta(seconds=1), MAX_DURATION),
    recheck_threshold=st.none() | st.integers(1, 1000),
    condition=st.sampled_from(["", "status-200"]),
)
@settings(max_examples=examples(60))
def test_a_registered_row_equals_one_written_by_the_orm(path, reference_id, **policy):
    url = f"http://example.com/{path}"
    new_target = Registration(
        url=url, canonical=canonicalize(url), reference_id=reference_id, policy=policy
    )

    with transaction.atomic():
        [made] = register([new_target], now=NOW)
        rows = Target.objects.filter(pk=made.target.pk).values().get()
        references = list(Reference.objects.values("object_id", "created_at", "target"))
        shown = Target.objects.get(pk=made.target.pk)
        Target.objects.all().delete()
        made.target.save(force_insert=True)
        saved = Target.objects.filter(pk=made.target.pk).values().get()
        transaction.set_rollback(True)

    assert rows == saved
    assert [getattr(shown, name) for name in policy] == list(policy.values())
    assert references == [
        {"object_id": id_, "created_at": NOW, "target": made.target.pk}
        for id_ in [reference_id]
        if id_ is not None
    ]
