"""Parallel requests. Source: docs/requirements.md#registry-idempotency."""

import random
from collections import Counter
from itertools import chain

import pytest
from django.db.models import Min

from foundation.models import IdempotencyKey
from hosts import reservations
from hosts.models import Host
from targets import registration
from targets.models import Reference, Target
from tests.factories import TargetFactory
from tests.threads import client_of, run_together

pytestmark = pytest.mark.django_db(transaction=True)
THREADS = 8


def assert_invariants():
    """Assert that each target has a reference or pin, and hosts are due with their first target."""
    loose = Target.objects.filter(pinned=False, references=None)
    assert list(loose) == []
    earliest = dict(
        Target.objects.scheduled().order_by().values_list("host").annotate(Min("next_check_at"))
    )
    for host in Host.objects.all():
        due = earliest.pop(host.name, None)
        assert (host.check_at is None) == (due is None), (host.name, host.check_at, due)
        assert due is None or host.check_at <= due
    assert earliest == {}


def post_together(user, path, bodies, **headers):
    def post(body):
        return lambda: client_of(user).post(path, body, headers=headers)

    return run_together([post(body) for body in bodies])


@pytest.mark.parametrize("same_reference", [True, False])
def test_eight_concurrent_registrations_create_one_target(operator, same_reference):
    for number in range(5):
        bodies = [
            {
                "url": f"http://race.example/{number}",
                "reference_id": "a" if same_reference else f"r{thread}",
            }
            for thread in range(THREADS)
        ]
        responses = post_together(operator, "/v1/targets", bodies)

        assert Counter(response.status_code for response in responses) == {201: 1, 200: 7}
        assert len({response.json()["id"] for response in responses}) == 1
    assert Target.objects.count() == 5
    assert Reference.objects.count() == (5 if same_reference else 40)
    assert_invariants()


def test_eight_concurrent_creates_with_one_key_have_seven_replays(operator):
    for number in range(5):
        body = {"url": f"http://race.example/{number}", "reference_id": "a"}
        responses = post_together(
            operator, "/v1/targets", [body] * THREADS, **{"Idempotency-Key": f"k{number}"}
        )

        assert Counter(response.status_code for response in responses) == {201: 1, 200: 7}
        assert Counter("Idempotency-Replayed" in response for response in responses) == {
            True: 7,
            False: 1,
        }
        assert len({response.content for response in responses}) == 1
    assert (Target.objects.count(), IdempotencyKey.objects.count()) == (5, 5)


def test_eight_creates_with_one_key_and_different_bodies_have_seven_refusals(operator):
    bodies = [{"url": f"http://race.example/{thread}"} for thread in range(THREADS)]

    responses = post_together(operator, "/v1/targets", bodies, **{"Idempotency-Key": "k"})

    assert Counter(response.status_code for response in responses) == {201: 1, 422: 7}
    assert Target.objects.count() == 1


def test_eight_references_to_a_url_at_once_are_all_kept(operator):
    bodies = [{"url": "http://race.example", "reference_id": f"r{n % 4}"} for n in range(THREADS)]

    responses = post_together(operator, "/v1/references", bodies)

    assert Counter(response.status_code for response in responses) == {201: 4, 200: 4}
    assert Target.objects.get().references.count() == 4


def test_overlapping_bulks_in_any_order_register_each_url_once(operator):
    shuffle = random.Random(1).sample
    urls = [f"http://h{n % 7}.example/{n}" for n in range(60)]
    bodies = [
        {"items": [{"url": url, "reference_id": f"r{thread}"} for url in shuffle(urls, 40)]}
        for thread in range(THREADS)
    ]

    responses = post_together(operator, "/v1/targets/bulk", bodies)

    made = Counter(
        result["target"]["canonical_url"]
        for response in responses
        for result in response.json()["results"]
        if result["status"] == 201
    )
    assert set(made.values()) == {1}
    assert len(made) == Target.objects.count()
    assert Reference.objects.count() == 40 * THREADS
    assert_invariants()


def act(client, chance):
    """Do one operation on one of a few targets, as any caller may; return the result."""
    url = f"http://h{chance.randrange(2)}.example/{chance.randrange(2)}"
    reference_id = f"r{chance.randrange(2)}"
    pair = {"url": url, "reference_id": reference_id}
    known = client.get("/v1/targets", {"url": url}).json()["items"]
    address = f"/v1/targets/{known[0]['id'] if known else 't_' + '0' * 22}"
    actions = {
        "register": lambda: client.post("/v1/targets", pair),
        "register pinned": lambda: client.post("/v1/targets", {"url": url}),
        "refer": lambda: client.post("/v1/references", pair),
        "bulk": lambda: client.post(
            "/v1/targets/bulk",
            {"items": [pair, {"url": "http://h0.example/0", "reference_id": "b"}]},
        ),
        "unregister": lambda: client.delete(
            f"/v1/references?url={url}&reference_id={reference_id}"
        ),
        "unregister by id": lambda: client.delete(f"{address}/references/{reference_id}"),
        "put": lambda: client.put(f"{address}/references/{reference_id}"),
        "delete": lambda: client.delete(address),
        "delete by force": lambda: client.delete(f"{address}?force=true"),
        "pause": lambda: client.patch(address, {"paused": True}),
        "go on": lambda: client.patch(address, {"paused": False, "check_period": "1d"}),
        "unpin": lambda: client.patch(address, {"pinned": False}),
        "check": lambda: client.post(f"{address}/check", {"revive": True}),
        "read": lambda: client.get(address),
    }
    name = chance.choice(list(actions))
    return name, actions[name]().status_code


def test_concurrent_operations_on_few_urls_keep_all_invariants(operator):
    def caller(seed):
        chance, client = random.Random(seed), client_of(operator)
        return lambda: [act(client, chance) for _ in range(40)]

    done = Counter(chain.from_iterable(run_together([caller(seed) for seed in range(THREADS)])))

    assert {status for _, status in done} <= {200, 201, 202, 204, 404, 409}
    assert_invariants()


def test_registering_and_unregistering_one_url_at_once_never_loses_a_reference(operator):
    """Each caller's own reference exists after its registration, regardless of the others."""

    def caller(thread):
        client, pair = (
            client_of(operator),
            {"url": "http://h.example", "reference_id": f"r{thread}"},
        )

        def run():
            statuses = []
            for _ in range(12):
                shown = client.post("/v1/targets", pair)
                assert pair["reference_id"] in shown.json()["reference_ids"]
                statuses += [
                    shown.status_code,
                    client.delete(
                        f"/v1/references?url={pair['url']}&reference_id=r{thread}"
                    ).status_code,
                ]
            return statuses

        return run

    statuses = Counter(
        chain.from_iterable(run_together([caller(thread) for thread in range(THREADS)]))
    )

    assert statuses[204] == 12 * THREADS
    assert statuses[200] + statuses[201] == 12 * THREADS
    assert Target.objects.count() == 0
    assert_invariants()


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "k"}])
def test_a_target_removed_between_reading_and_locking_is_recreated(api, monkeypatch, headers):
    """The whole transaction restarts: a rollback to a savepoint can deadlock on PostgreSQL."""
    read, stale = registration._find, ["once"]

    def read_too_early(urls):
        if stale:
            stale.clear()
            return set(urls)
        return read(urls)

    monkeypatch.setattr(registration, "_find", read_too_early)
    items = [{"url": f"http://race.example/{path}", "reference_id": "a"} for path in "ab"]

    response = api.post("/v1/targets/bulk", {"items": items}, headers=headers)

    assert [row["status"] for row in response.json()["results"]] == [201, 201]
    assert Reference.objects.count() == Target.objects.count() == 2
    assert IdempotencyKey.objects.count() == len(headers)


@pytest.mark.parametrize("paths", ["a", "ab"])
def test_a_target_created_between_reading_and_locking_is_found(api, monkeypatch, paths):
    """The first holder of the slot created the target; the failed insert shows it."""
    lock = reservations.schedule_within

    def lock_too_late(hosts, **kwargs):
        TargetFactory(url="http://race.example/a", canonical_url="http://race.example/a")
        lock(hosts, **kwargs)

    monkeypatch.setattr(reservations, "schedule_within", lock_too_late)
    items = [{"url": f"http://race.example/{path}", "reference_id": "r"} for path in paths]

    results = api.post("/v1/targets/bulk", {"items": items}).json()["results"]

    assert [row["status"] for row in results] == [200, 201][: len(paths)]
    assert [row["target"]["reference_ids"] for row in results] == [["r"]] * len(paths)
    assert Target.objects.count() == len(paths)
