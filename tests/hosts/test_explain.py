from dataclasses import replace
from datetime import timedelta

import pytest

from hosts.aliases import set_hosts
from hosts.explain import Code, Situation, SlotRequest, VisibleLease, explain, explain_host
from hosts.models import Host, Purpose
from hosts.reservations import back_off, release, reserve, reserve_host, schedule
from hosts.slots import GRACE
from tests.conftest import NOW

SECOND = timedelta(seconds=1)
TTL = timedelta(seconds=60)
CHECK, FETCH = Purpose.CHECK, Purpose.FETCH
READY = Situation(
    name="a.example",
    alias=None,
    lease=None,
    not_before=NOW - SECOND,
    delay=SECOND,
    requests=(SlotRequest(purpose=FETCH, due=NOW - 2 * SECOND),),
)
ITS_OWN = VisibleLease(host="a.example", purpose=CHECK, until=NOW + TTL)


def but(**changes):
    return explain(replace(READY, **changes), now=NOW)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("changes", "code", "sentence", "until"),
    [
        (
            {},
            Code.READY,
            "This host has been ready for a fetch since 2026-03-01 11:59:59 UTC.",
            None,
        ),
        (
            {"lease": ITS_OWN},
            Code.LEASED,
            "This host is reserved for a check until 2026-03-01 12:01:00 UTC.",
            NOW + TTL,
        ),
        (
            {"lease": replace(ITS_OWN, host="b.example"), "alias": "group"},
            Code.LEASED,
            "b.example, which has the same alias, is reserved for a check until "
            "2026-03-01 12:01:00 UTC.",
            NOW + TTL,
        ),
        (
            {"lease": replace(ITS_OWN, until=NOW)},
            Code.GRACE,
            "The reservation of a.example expired on 2026-03-01 at 12:00:00 UTC without being "
            "released. No requests will be sent to this host before 2026-03-01 12:00:01 UTC.",
            NOW + GRACE,
        ),
        (
            {"requests": ()},
            Code.NOTHING_SCHEDULED,
            "Nothing is scheduled. Programs can still reserve this host.",
            None,
        ),
        (
            {"requests": (SlotRequest(purpose=CHECK, due=NOW + TTL),)},
            Code.NOT_DUE,
            "This host is not due for a check until 2026-03-01 12:01:00 UTC.",
            NOW + TTL,
        ),
        (
            {"not_before": NOW + SECOND},
            Code.DELAY,
            "The delay between requests to this host lasts until 2026-03-01 12:00:01 UTC.",
            NOW + SECOND,
        ),
        (
            {"not_before": NOW + TTL},
            Code.ASLEEP,
            "This host is paused or throttled until 2026-03-01 12:01:00 UTC.",
            NOW + TTL,
        ),
        (
            {"alias": "group", "requests": (SlotRequest(purpose=FETCH, due=NOW, ahead=3),)},
            Code.BEHIND,
            "3 other hosts with the alias group are ahead of this host in the queue for a fetch.",
            None,
        ),
        (
            {"requests": (SlotRequest(purpose=CHECK, due=NOW, is_over_cap=True),)},
            Code.OVER_CAP,
            "This host is due for a check, but MAX_CONCURRENCY doesn't allow any more checks "
            "right now.",
            None,
        ),
    ],
    ids=lambda value: value if isinstance(value, Code) else "",
)
def test_each_reason_has_its_code_and_sentence(changes, code, sentence, until):
    answer = but(**changes)

    assert (answer.code, answer.sentence, answer.until) == (code, sentence, until)


@pytest.mark.any_database
def test_the_purpose_that_is_served_first_is_explained():
    later = SlotRequest(purpose=CHECK, due=NOW + TTL)
    capped = SlotRequest(purpose=CHECK, due=NOW - TTL, is_over_cap=True)
    ready = READY.requests[0]

    assert but(requests=(later, ready)).code is Code.READY
    assert but(requests=(capped, ready)).code is Code.READY
    assert but(requests=(later, replace(later, purpose=FETCH, due=NOW + SECOND))).until == (
        NOW + SECOND
    )


def why(name, now=NOW):
    return explain_host(Host.objects.select_related("slot").get(name=name), now=now).code


@pytest.mark.django_db
def test_the_explanation_reads_the_rows_correctly(settings):
    settings.MAX_CONCURRENCY = 2
    for second, name in enumerate("abc"):
        times = {f"{name}.example": NOW + second * SECOND}
        schedule(times, purpose=FETCH, now=NOW)
    set_hosts("group", ["a.example", "b.example", "c.example"], now=NOW)
    later = NOW + 10 * SECOND

    assert why("a.example") is Code.READY
    assert [why(f"{name}.example", later) for name in "abc"] == ["ready", "behind", "behind"]
    [lease] = reserve(FETCH, limit=9, ttl=TTL, now=later).leases
    assert [why(f"{name}.example", later) for name in "abc"] == ["leased"] * 3
    end = lease.leased_until
    assert [why(f"{name}.example", end) for name in "ab"] == ["grace"] * 2
    assert [why(f"{name}.example", end + GRACE) for name in "ab"] == ["behind", "ready"]
    release({lease.token: None}, delay=SECOND, now=later)
    assert [why(f"{name}.example", later) for name in "ab"] == ["nothing_scheduled", "delay"]
    back_off("b.example", until=end)
    assert why("c.example", later) is Code.ASLEEP

    schedule({"d.example": NOW}, purpose=CHECK, now=NOW)
    assert why("d.example") is Code.READY
    for name in ("e.example", "f.example"):
        reserve_host(name, purpose=CHECK, ttl=TTL, now=NOW)
    assert why("d.example") is Code.OVER_CAP
