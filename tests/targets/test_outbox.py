"""Other events in the outbox: flags, attention, and events of the deployment."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from accounts.actors import Actor
from outbox import events
from outbox.event_kinds import EventKind
from outbox.models import Event
from outbox.relay import number_events
from targets import services
from targets.checks import record_checks
from targets.models import Target
from targets.state import Outcome
from targets.transition_texts import describe
from tests.cases import examples
from tests.conftest import NOW
from tests.factories import ReferenceFactory, TargetFactory, TransitionFactory
from tests.targets.checks import check_of
from tests.targets.people import make_people

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
OUTAGE: dict[str, object] = {
    "since": "2026-03-01T12:00:00Z",
    "until": None,
    "reason": "dns",
    "set_aside": 0,
}
PART: dict[str, object] = {"name": "kafka", "detail": "It is behind."}
LINK: dict[str, object] = {
    "key": "abc",
    "destination": "https://a.example/",
    "ends_at": "x",
    "owner": 7,
}

BATCH: dict[str, object] = {"name": "b_1", "batch_id": "b_1", "counts": {"total": 2}, "owner": 7}


def check(target, outcome=Outcome.SUCCESS, *flags, at=NOW, **more):
    """Record a check with this result."""
    record_checks([replace(check_of(target, outcome, at=at), flags=flags, **more)], now=at)
    target.refresh_from_db()


def other_events(target_id=None):
    """Return the kind and flag of all events other than changes of state, in order."""
    rows = Event.objects.exclude(kind=EventKind.STATE).order_by("at", "id")
    if target_id is not None:
        rows = rows.filter(payload__target_id=target_id)
    return [(row.kind, row.payload.get("flag", "")) for row in rows]


def test_events_report_raised_and_cleared_flags():
    target = TargetFactory(state="alive")
    check(target, Outcome.SUCCESS, "parked", "login")
    check(target, Outcome.SUCCESS, "login", "parked", at=NOW + HOUR)
    check(target, Outcome.INCONCLUSIVE, at=NOW + 2 * HOUR, is_our_failure=True)
    check(target, Outcome.SUCCESS, "login", "home_page", at=NOW + 3 * HOUR)
    assert other_events() == [
        ("flag_raised", "parked"),
        ("flag_raised", "login"),
        ("flag_raised", "home_page"),
        ("flag_cleared", "parked"),
    ]


def test_attention_is_reported_when_it_begins_and_ends():
    target = TargetFactory(state="alive")
    for n, outcome in enumerate([Outcome.INCONCLUSIVE] * 2 + [Outcome.SUCCESS] * 2):
        check(target, outcome, at=NOW + n * HOUR)
    assert other_events() == [("attention_needed", ""), ("attention_ended", "")]
    needed = Event.objects.get(kind=EventKind.ATTENTION_NEEDED)
    assert needed.payload["error"]["message"] == "500"


def test_failures_on_our_own_side_raise_no_attention():
    target = TargetFactory(state="alive")
    check(target, Outcome.INCONCLUSIVE, is_our_failure=True)
    check(target, Outcome.INCONCLUSIVE, is_our_failure=True, at=NOW + HOUR)
    check(target, at=NOW + 2 * HOUR)
    assert other_events() == []

    check(target, Outcome.INCONCLUSIVE, is_our_failure=True, at=NOW + 3 * HOUR)
    services.resume(until=NOW + 4 * HOUR, limit=10, now=NOW + 4 * HOUR)
    check(target, Outcome.INCONCLUSIVE, at=NOW + 5 * HOUR)
    check(target, Outcome.INCONCLUSIVE, is_our_failure=True, at=NOW + 6 * HOUR)
    assert other_events() == [("attention_needed", "")]
    check(target, at=NOW + 7 * HOUR)
    assert other_events() == [("attention_needed", ""), ("attention_ended", "")]


def test_rows_keep_their_references_and_owners():
    ada = make_people()["member"]
    target = TargetFactory(state="alive")
    ReferenceFactory(target=target, object_id="a-1")
    ReferenceFactory(target=target, object_id="b-2", owner=ada)
    check(target, Outcome.SUCCESS, "parked")
    services.delete(target, force=True, now=NOW + HOUR)
    for row in Event.objects.all():
        assert (row.payload["reference_ids"], row.payload["owners"]) == (
            ["a-1", "b-2"],
            [None, ada.pk],
        )
        assert events.visible_data(row.payload, Actor(ada))["reference_ids"] == ["b-2"]
    assert other_events() == [("flag_raised", "parked"), ("flag_cleared", "parked")]


def test_recoveries_have_references_and_first_successes_have_none(settings):
    settings.EVENT_STATES, settings.DEAD_RECHECK_PERIOD = [], HOUR
    first, back = TargetFactory(), TargetFactory(state="dead", failures=3)
    for target in (first, back):
        ReferenceFactory(target=target, object_id="a-1")
        check(target)
    rows = Event.objects.order_by("id").values_list("payload__reference_ids", flat=True)
    assert list(rows) == [[], ["a-1"]]


@pytest.mark.parametrize("end", ["unregister", "unregister_all", "delete"])
def test_a_target_that_is_no_longer_watched_has_no_flags_or_attention(end):
    reference = ReferenceFactory(object_id="a-1")
    target = reference.target
    check(target, Outcome.SUCCESS, "parked")
    check(target, Outcome.INCONCLUSIVE, at=NOW + HOUR)
    if end == "unregister":
        services.unregister(target, "a-1", now=NOW)  # read before the check was written
    elif end == "delete":
        services.delete(target, force=True, now=NOW)
    else:
        services.unregister_all([(target.pk, "a-1", None)], now=NOW)
    assert other_events()[2:] == [("flag_cleared", "parked"), ("attention_ended", "")]
    last = Event.objects.order_by("at", "id").last()
    assert last.payload["reference_ids"] == ["a-1"]
    assert (last.target, last.payload["error"]["kind"]) == (None, "deleted")


STEPS = st.lists(
    st.tuples(
        st.integers(0, 2),  # which target
        st.sampled_from(
            [
                *("success", "failure", "inconclusive", "ours", "head") * 3,
                "revive",
                "resume",
                "gone",
            ]
        ),
        st.lists(st.sampled_from(["parked", "login", "home_page"]), unique=True, max_size=3),
    ),
    max_size=25,
)


@given(STEPS)
@hypothesis_settings(max_examples=examples(40))
def test_after_any_history_the_events_add_up_to_the_present_state(steps):
    with transaction.atomic():
        targets = [ReferenceFactory(object_id="a-1").target for _ in range(3)]
        for number, (which, step, flags) in enumerate(steps):
            _make(targets[which], step, flags, at=NOW + number * HOUR)
        for target in targets:
            _compare(target)
        transaction.set_rollback(True)


def _make(target, step, flags, *, at):
    if not Target.objects.filter(pk=target.pk).exists():
        return
    if step == "gone":
        services.unregister_all([(target.pk, "a-1", None)], now=at)
    elif step == "revive":
        services.request_check(target, revive=True, now=at)
    elif step == "resume":
        services.resume(until=at, limit=10, now=at)
    else:
        outcome = {"ours": Outcome.INCONCLUSIVE, "head": Outcome.SUCCESS}.get(step) or Outcome(step)
        check(target, outcome, *flags, at=at, is_our_failure=step == "ours", by_head=step == "head")


def _compare(target):
    now = Target.objects.filter(pk=target.pk).first()
    added = Counter()
    for kind, flag in other_events(target.pk):
        added[flag] += 1 if kind in ("flag_raised", "attention_needed") else -1
        assert added[flag] in (0, 1)
    attention = [""] if now and now.attention_since else []
    assert +added == Counter([*(now.flags if now else []), *attention])
    assert not attention or now.inconclusive_since


def test_a_check_that_changes_nothing_needs_no_additional_statement():
    targets = [TargetFactory(state="alive", flags=["parked"]) for _ in range(2)]

    def statements(*flags, at):
        checks = [replace(check_of(t, Outcome.SUCCESS, at=at), flags=flags) for t in targets]
        with CaptureQueriesContext(connection) as captured:
            record_checks(checks, now=at)
        return [query["sql"] for query in captured]

    nothing = statements("parked", at=NOW)
    assert not [sql for sql in nothing if "transition" in sql or "reference" in sql]
    some = statements("login", at=NOW + HOUR)
    targets += [TargetFactory(state="alive", flags=["parked"]) for _ in range(20)]
    more = statements("home_page", at=NOW + 2 * HOUR)
    if connection.vendor == "postgresql":  # SQLite has one for each row that it writes
        assert len(more) == len(some)
    assert len([sql for sql in more if "targets_reference" in sql]) == 1


def test_readers_of_changes_of_state_get_no_other_events(api, settings):
    settings.EVENT_STATES = ["alive", "dead"]
    target = TargetFactory(state="potentially_dead", failures=2)
    check(target, Outcome.INCONCLUSIVE)
    check(target, Outcome.SUCCESS, "parked", at=NOW + HOUR)
    events.write(EventKind.NETWORK_DOWN, OUTAGE, now=NOW)
    number_events()
    (event,) = api.get("/v1/events").json()["items"]
    assert event["type"] == "linkwatch.target.alive"
    (change,) = api.get(f"/v1/targets/{target.id}/transitions").json()["items"]
    assert change["to_state"] == "alive"
    assert [row.kind for row in Event.objects.newest(10)] == ["state"]
    assert Event.objects.newest_position() == Event.objects.count() == 5


def _row(kind):
    says = {
        EventKind.LINK_ENDING: LINK,
        EventKind.NETWORK_DOWN: OUTAGE,
        EventKind.BATCH_DONE: BATCH,
    }
    says[EventKind.NETWORK_BACK] = OUTAGE
    events.write(kind, says.get(kind, PART), now=NOW)
    number_events()
    return Event.objects.get(kind=kind)


@pytest.mark.parametrize(
    ("kind", "event_type", "subject"),
    [
        (EventKind.NETWORK_DOWN, "linkwatch.network.down", "network"),
        (EventKind.NETWORK_BACK, "linkwatch.network.back", "network"),
        (EventKind.SINK_BEHIND, "linkwatch.sink.behind", "kafka"),
        (EventKind.DISK_FILLING, "linkwatch.disk.filling", "kafka"),
        (EventKind.SCHEDULES_LATE, "linkwatch.schedules.late", "kafka"),
        (EventKind.LINK_ENDING, "linkwatch.link.ending", "abc"),
        (EventKind.BATCH_DONE, "linkwatch.batch.done", "b_1"),
    ],
)
def test_events_of_the_deployment_are_written_to_the_outbox(kind, event_type, subject):
    row = _row(kind)
    (event,) = events.cloud_events(row)
    assert (event["type"], event["subject"], event["id"]) == (event_type, subject, str(row.pk))
    assert event["data"] == {name: value for name, value in row.payload.items() if name != "owner"}
    assert describe(row)


@pytest.mark.parametrize("kind", ["flag_raised", "flag_cleared", "attention_needed"])
def test_flags_and_attention_make_events_of_their_target(kind):
    target = TargetFactory(state="alive")
    check(target, Outcome.SUCCESS, "parked")
    check(target, Outcome.INCONCLUSIVE, at=NOW + HOUR)
    check(target, at=NOW + 2 * HOUR)
    number_events()
    row = Event.objects.get(kind=kind)
    (event,) = events.cloud_events(row)
    assert (event["type"], event["subject"]) == (f"linkwatch.target.{kind}", target.id)
    assert event["data"].get("flag") == (None if kind == "attention_needed" else "parked")
    assert event["data"]["state"] == event["data"]["previous_state"] == "alive"


def test_flags_and_attention_are_shown_in_the_history_and_the_admin(operator):
    target = TargetFactory(state="alive")
    check(target, Outcome.SUCCESS, "parked")
    TransitionFactory(target=target, from_state="pending", to_state="alive", at=NOW)
    browser = Client()
    browser.force_login(operator)
    page = browser.get(f"/targets/{target.id}").content.decode()
    assert "Flag raised: parked" in page
    _row(EventKind.SINK_BEHIND)
    row = _row(EventKind.LINK_ENDING)
    rows = browser.get(reverse("admin:outbox_event_changelist")).content.decode()
    for text in ("Flag raised: parked", "It is behind.", "The short link abc expires soon"):
        assert text in rows
    shown = browser.get(reverse("admin:outbox_event_change", args=[row.pk]))
    assert (shown.status_code, "&quot;owner&quot;" in shown.content.decode()) == (200, False)
