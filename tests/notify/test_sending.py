"""The sender serves all channels concurrently, and the messages of each in order, after any
failure."""

import asyncio
import json
import threading
from contextlib import contextmanager
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import transaction

from accounts.rights import assign
from accounts.roles import Role
from foundation.database.clock import database_now
from foundation.database.transactions import StartOverError
from notify import channel_leases, delivery_queue, sending, services
from notify.channel_leases import SendReport
from notify.kinds import kind_of
from notify.kinds.apprise import apprise_kind
from notify.kinds.kind import SendAttempt, SendOutcome
from notify.kinds.mail import mail_kind
from notify.models import Channel, ChannelState, Delivery, DeliveryState, Gathering
from notify.sending import Sender
from outbox.models import Cursor, Event
from tests.acceptance.processes import until
from tests.conftest import NOW
from tests.notify.conftest import channel, death, put, subscription
from tests.notify.letterbox import Letterbox
from tests.threads import run_together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch, settings):
    monkeypatch.setattr(sending, "POLL_INTERVAL", 0.05)
    settings.SHUTDOWN_GRACE = timedelta(milliseconds=200)


@contextmanager
def running(*, senders=1):
    """Run senders as in a relay's process."""
    over = threading.Event()
    threads = []
    for _ in range(senders):
        sender = Sender(until=over.is_set)
        threads.append(threading.Thread(target=sender.run))
        threads[-1].start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def tell(after=0):
    rows = Event.objects.numbered().filter(position__gt=after)
    put(list(rows), after=after, now=database_now())
    sending.wake()


def channel_with_a_message():
    """Return a channel with one message to send."""
    hook = channel()
    subscription(hook)
    death()
    tell()
    return hook


def begun(of, token, now):
    """Return the deliveries of the next turn of a channel that this relay has leased."""
    return channel_leases.record([SendReport(of.pk)], token, now=now)[of.pk].deliveries


def states(of):
    return list(
        Delivery.objects.filter(channel=of).order_by("number").values_list("state", flat=True)
    )


def test_waiting_messages_are_sent_in_order_and_the_channel_becomes_idle(letterbox):
    hook = channel()
    subscription(hook)
    deaths = [death() for _ in range(40)]
    tell()

    with running():
        until(lambda: len(letterbox.got[hook.pk]) == 40)
        until(lambda: Channel.objects.get().next_attempt_at is None)

    assert [message_id for message_id, _ in letterbox.got[hook.pk]] == [
        str(one.pk) for one in deaths
    ]
    assert set(states(hook)) == {DeliveryState.DELIVERED}
    assert Channel.objects.get().token is None


def test_a_receiver_that_never_answers_delays_no_other(letterbox):
    silent, well = channel(name="silent"), channel(name="well")
    letterbox.hangs.add(silent.pk)
    for one in (silent, well):
        subscription(one)
    for _ in range(20):
        death()
    tell()

    with running():
        until(lambda: len(letterbox.got[well.pk]) == 20)
        assert letterbox.under_way[silent.pk] == 1


def test_a_receiver_that_failed_gets_all_messages_later_in_order(letterbox, monkeypatch):
    monkeypatch.setattr(channel_leases, "_FIRST_PAUSE", timedelta(milliseconds=20))
    hook = channel()
    subscription(hook)
    deaths = [death() for _ in range(5)]
    failures = iter(range(3))

    def fails_thrice(_delivery):
        failed = next(failures, None) is not None
        return SendAttempt(
            outcome=SendOutcome.HELD if failed else SendOutcome.ACCEPTED,
            status_code=500 if failed else 204,
            error="It answered 500." if failed else "",
        )

    letterbox.answers[hook.pk] = fails_thrice
    tell()
    with running():
        until(lambda: states(hook) == [DeliveryState.DELIVERED] * 5)

    assert [message_id for message_id, _ in letterbox.got[hook.pk]] == [
        str(one.pk) for one in deaths
    ]
    first = Delivery.objects.order_by("number").first()
    assert (first.attempts, first.status_code, first.error) == (4, 204, "")
    hook.refresh_from_db()
    assert (hook.failing_since, hook.attempts, hook.next_attempt_at) == (None, 0, None)


def test_a_refused_message_does_not_stop_the_channel(letterbox):
    hook = channel()
    subscription(hook)
    bad, good = death(), death()
    letterbox.answers[hook.pk] = lambda delivery: SendAttempt(
        outcome=SendOutcome.REFUSED if delivery.message_id == bad.pk else SendOutcome.ACCEPTED,
        error="It answered 400.",
    )
    tell()
    with running():
        until(lambda: states(hook) == [DeliveryState.REFUSED, DeliveryState.DELIVERED])
    assert letterbox.got[hook.pk][0][0] == str(good.pk)


def test_a_channel_without_a_receiver_is_disabled_and_its_owner_notified(letterbox):
    gone, other, feed = channel(name="Old"), channel(name="Other"), channel(kind="feed")
    subscription(gone)
    letterbox.answers[gone.pk] = lambda _: SendAttempt(
        outcome=SendOutcome.GONE, error="It answered 410."
    )
    death()
    tell()
    with running():
        until(lambda: letterbox.got[other.pk])
    gone.refresh_from_db()
    assert (gone.state, gone.reason) == (ChannelState.DISABLED, "It answered 410.")
    assert "Old" in letterbox.got[other.pk][0][1]
    assert states(gone) == [DeliveryState.WAITING]
    assert not letterbox.got[feed.pk]


def test_two_relays_never_send_for_one_channel_at_once(letterbox):
    hooks = [channel() for _ in range(5)]
    for hook in hooks:
        subscription(hook)
    deaths = [death() for _ in range(30)]
    tell()
    with running(senders=3):
        until(lambda: sum(map(len, letterbox.got.values())) == 150)
        until(lambda: not Channel.objects.exclude(token=None).exists())
    assert letterbox.met == 0
    for hook in hooks:
        assert [id_ for id_, _ in letterbox.got[hook.pk]] == [str(one.pk) for one in deaths]


def test_the_lease_of_a_dead_relay_is_taken_over_after_it_expires(letterbox):
    now = database_now()
    hook = channel(token=uuid4(), leased_until=now + timedelta(seconds=1))
    subscription(hook)
    death()
    tell()
    assert not channel_leases.claim(uuid4(), kind="webhook", limit=9, busy=(), now=now)
    with running():
        until(lambda: letterbox.got[hook.pk])
    assert database_now() > now + timedelta(seconds=1)


def test_a_lease_set_by_a_clock_that_was_ahead_has_ended(letterbox):
    channel_with_a_message()
    now = database_now()
    ahead = now + timedelta(hours=1)
    assert channel_leases.claim(uuid4(), kind="webhook", limit=9, busy=(), now=ahead)
    assert channel_leases.claim(uuid4(), kind="webhook", limit=9, busy=(), now=now)


def test_a_renewed_lease_lasts_from_its_renewal():
    hook = channel_with_a_message()
    now = database_now()
    old, new = uuid4(), uuid4()
    channel_leases.claim(old, kind="webhook", limit=9, busy=(), now=now)
    soon, later = now + channel_leases.LEASE * 0.6, now + channel_leases.LEASE * 1.2
    assert channel_leases.renew([hook.pk], old, now=soon) == {hook.pk}
    assert not channel_leases.claim(new, kind="webhook", limit=9, busy=(), now=later)


@pytest.mark.parametrize("outcome", [SendOutcome.HELD, SendOutcome.GONE, SendOutcome.ACCEPTED])
def test_a_relay_that_lost_its_lease_does_not_undo_the_work_of_another(letterbox, outcome):
    hook = channel_with_a_message()
    now = database_now()
    old, new = uuid4(), uuid4()
    (held,) = channel_leases.claim(old, kind="webhook", limit=9, busy=(), now=now)
    (delivery,) = begun(held, old, now)
    assert not channel_leases.claim(new, kind="webhook", limit=9, busy=(), now=now)
    later = now + channel_leases.LEASE * 2
    assert channel_leases.claim(new, kind="webhook", limit=9, busy=(), now=later)
    assert channel_leases.renew([hook.pk], old, now=later) == set()
    late = SendReport(hook.pk, [(delivery, SendAttempt(outcome=outcome), later)])
    assert channel_leases.record([late], old, now=later) == {}
    hook.refresh_from_db()
    delivery.refresh_from_db()
    assert (hook.token, hook.failing_since, hook.state) == (new, None, ChannelState.ACTIVE)
    is_over = outcome is SendOutcome.ACCEPTED  # the attempt of either process succeeded
    assert delivery.waits is not is_over
    assert delivery.attempts == is_over


def test_deliveries_that_another_relay_handled_are_not_queued_again(letterbox):
    hook = channel()
    subscription(hook)
    for _ in range(2):
        death()
    tell()
    now = database_now()
    old, new = uuid4(), uuid4()
    channel_leases.claim(old, kind="webhook", limit=9, busy=(), now=now)
    first, second = begun(hook, old, now)
    held = SendReport(hook.pk, [(first, SendAttempt(outcome=SendOutcome.HELD), now)])
    Delivery.objects.filter(pk=first.pk).update(state=DeliveryState.SKIPPED)
    channel_leases.record([held], old, now=now)
    assert states(hook) == [DeliveryState.SKIPPED, DeliveryState.WAITING]
    Channel.objects.update(next_attempt_at=now)
    channel_leases.claim(new, kind="webhook", limit=9, busy=(), now=now)
    made = SendReport(hook.pk, [(second, SendAttempt(outcome=SendOutcome.ACCEPTED), now)])
    channel_leases.record([made], new, now=now)
    channel_leases.record([SendReport(hook.pk, [(second, held.attempts[0][1], now)])], old, now=now)
    assert states(hook) == [DeliveryState.SKIPPED, DeliveryState.DELIVERED]
    hook.refresh_from_db()
    assert hook.next_attempt_at is None


def test_a_killed_relay_repeats_only_unrecorded_messages_with_the_same_ids(letterbox):
    hook = channel()
    subscription(hook)
    deaths = [death() for _ in range(40)]
    tell()
    now = database_now()
    dead = uuid4()
    channel_leases.claim(dead, kind="webhook", limit=9, busy=(), now=now)
    for is_written in (True, False):  # sends sixteen more, and is then killed
        some = begun(hook, dead, now)
        letterbox.got[hook.pk] += [(str(one.message_id), one.body) for one in some]
        report = SendReport(
            hook.pk, [(one, SendAttempt(outcome=SendOutcome.ACCEPTED), now) for one in some]
        )
        if is_written:
            channel_leases.record([report], dead, now=now)
    Channel.objects.update(leased_until=now)
    with running():
        until(lambda: Channel.objects.get().next_attempt_at is None)
    sent = letterbox.got[hook.pk]
    assert [id_ for id_, _ in dict.fromkeys(sent)] == [str(one.pk) for one in deaths]
    assert len(sent) == 40 + channel_leases.BATCH_SIZE
    assert len(set(sent)) == 40


@pytest.mark.parametrize("state", [ChannelState.PAUSED, ChannelState.DISABLED])
def test_a_resumed_channel_gets_all_waiting_messages(letterbox, state):
    hook = channel()
    subscription(hook)
    deaths = [death()]
    tell()
    Channel.objects.update(state=state)
    deaths += [death(at=database_now())]
    tell(after=1)
    with running():
        Channel.objects.update(state=ChannelState.ACTIVE)
        Cursor.objects.create(name="notify", position=2, sees_all=True)
        until(lambda: len(letterbox.got[hook.pk]) == 2)
    assert [id_ for id_, _ in letterbox.got[hook.pk]] == [str(one.pk) for one in deaths]


def test_messages_held_back_too_long_are_skipped_and_counted(letterbox):
    """Counts waiting messages, and events that never became messages."""
    now = database_now()
    hook = channel()
    subscription(hook)
    for days in (5, 4):
        death(at=now - timedelta(days=days))
    rows = list(Event.objects.numbered())
    put(rows, after=0, now=now - timedelta(days=4))
    for hours in (96, 84, 77):
        death(at=now - timedelta(hours=hours))
    fresh = death(at=now)
    Cursor.objects.create(name="notify", position=6, sees_all=True)
    with running():
        until(lambda: len(letterbox.got[hook.pk]) == 3)
    subjects = [json.loads(body)["subject"] for _, body in letterbox.got[hook.pk]]
    assert sorted(subject for subject in subjects if "skipped" in subject) == [
        "2 events were skipped",
        "3 events were skipped",
    ]
    assert str(fresh.pk) in dict(letterbox.got[hook.pk])
    assert states(hook)[:2] == [DeliveryState.SKIPPED] * 2


def test_a_channel_that_fails_for_three_days_is_disabled_with_the_reason(letterbox):
    hook = channel(failing_since=database_now() - timedelta(days=3), attempts=70)
    subscription(hook)
    letterbox.answers[hook.pk] = lambda _: SendAttempt(
        outcome=SendOutcome.HELD, error="It answered 500."
    )
    death()
    tell()
    with running():
        until(lambda: Channel.objects.get().state == ChannelState.DISABLED)
    said = "The channel had been failing for 3 days. Last error: It answered 500."
    assert Channel.objects.get().reason == said


def test_deleting_a_channel_ends_its_sending(letterbox):
    hook, other = channel(), channel()
    for one in (hook, other):
        subscription(one)
    letterbox.hangs.add(hook.pk)
    death()
    tell()
    with running():
        until(lambda: letterbox.under_way[hook.pk])
        hook.delete()
        until(lambda: letterbox.got[other.pk])
    assert states(other) == [DeliveryState.DELIVERED]


def test_retry_after_is_obeyed_and_pauses_grow():
    assert channel_leases.pause_after(1) <= timedelta(seconds=5)
    assert timedelta(seconds=10) <= channel_leases.pause_after(3) <= timedelta(seconds=20)
    assert timedelta(minutes=30) <= channel_leases.pause_after(60) <= timedelta(hours=1)


@pytest.mark.parametrize(("asked", "waits"), [(timedelta(minutes=7), 7), (timedelta(days=9), 1440)])
def test_a_receiver_gets_nothing_for_as_long_as_it_asks(letterbox, asked, waits):
    hook = channel_with_a_message()
    now, token = database_now(), uuid4()
    channel_leases.claim(token, kind="webhook", limit=9, busy=(), now=now)
    (delivery,) = begun(hook, token, now)
    attempt = SendAttempt(outcome=SendOutcome.HELD, retry_after=asked)
    channel_leases.record([SendReport(hook.pk, [(delivery, attempt, now)])], token, now=now)
    hook.refresh_from_db()
    assert hook.next_attempt_at == now + timedelta(minutes=waits)
    assert (hook.token, hook.failing_since) == (None, now)


def test_failing_channels_get_half_of_the_threads_after_working_ones(letterbox):
    now = database_now()
    for number in range(8):
        failing_since = now if number < 5 else None
        channel(next_attempt_at=now, failing_since=failing_since)
    taken = channel_leases.claim(uuid4(), kind="webhook", limit=6, busy=(), now=now)
    assert sorted(one.failing_since is None for one in taken) == [False] * 3 + [True] * 3


def test_retries_give_failing_channels_no_more_than_half(letterbox):
    now, token, busy = database_now(), uuid4(), set()
    for _ in range(20):
        channel(next_attempt_at=now, failing_since=now)
    for _ in range(4):
        room = 8 - len(busy)
        taken = channel_leases.claim(token, kind="webhook", limit=room, busy=busy, now=now)
        busy |= {one.pk for one in taken}
    assert len(busy) == 4
    works = channel(next_attempt_at=now)
    assert channel_leases.claim(token, kind="webhook", limit=8 - len(busy), busy=busy, now=now) == [
        works
    ]


class Gate(Letterbox):
    """A kind with room for two channels that accepts nothing before it is open."""

    max_concurrent = 2
    is_open = False

    async def send(self, channel, delivery):
        self.under_way["all"] += 1
        while not self.is_open:  # noqa: ASYNC110 (the test opens it, in another thread)
            await asyncio.sleep(0.01)
        self.under_way["all"] -= 1
        return await super().send(channel, delivery)


def test_channels_of_a_kind_at_its_limit_wait_and_have_not_failed(letterbox, monkeypatch):
    gate = Gate()
    monkeypatch.setattr(sending, "kind_of", lambda name: gate if name == "mail" else letterbox)
    mails = [channel(kind="mail") for _ in range(6)]
    hook = channel()
    for one in (*mails, hook):
        subscription(one)
    deaths = [death(), death()]
    tell()
    with running():
        until(lambda: gate.under_way["all"] >= gate.max_concurrent and letterbox.got[hook.pk])
        leased = Channel.objects.filter(kind="mail").exclude(token=None)
        assert leased.count() == gate.max_concurrent
        gate.is_open = True
        until(lambda: not Delivery.objects.waiting().exists())
    assert [len(gate.got[one.pk]) for one in mails] == [len(deaths)] * len(mails)
    assert set(Delivery.objects.values_list("attempts", flat=True)) == {1}


@pytest.mark.parametrize(("kind", "module"), [("mail", mail_kind), ("apprise", apprise_kind)])
def test_waiting_for_a_thread_does_not_count_for_the_time_out(kind, module):
    limit = kind_of(kind).max_concurrent
    begun = threading.Barrier(limit + 1)
    for _ in range(limit):
        module._threads.submit(begun.wait, 20)
    begun.wait(20)


def test_a_channel_with_many_waiting_messages_takes_turns(letterbox):
    now, token = database_now(), uuid4()
    much, other = (channel(next_attempt_at=now - timedelta(minutes=age)) for age in (2, 1))
    subscription(much)
    for _ in range(2):
        death()
    tell()
    assert channel_leases.claim(token, kind="webhook", limit=1, busy=(), now=now) == [much]
    first, _ = begun(much, token, now)
    report = SendReport(
        much.pk, [(first, SendAttempt(outcome=SendOutcome.ACCEPTED), now)], must_release=True
    )
    channel_leases.record([report], token, now=now)
    assert channel_leases.claim(token, kind="webhook", limit=1, busy=(), now=now) == [other]
    assert channel_leases.claim(token, kind="webhook", limit=1, busy={other.pk}, now=now) == [much]


@pytest.mark.parametrize(
    ("change", "goes_on", "sent"),
    [
        ("nothing", True, [1, 2]),
        ("a message sent by somebody else", True, [2]),
        ("the owner's role", True, []),
        ("the owner's account", False, []),
        ("a pause", False, []),
    ],
)
def test_unsent_messages_are_sent_in_the_next_turn_if_they_may_still_be_sent(
    letterbox, django_user_model, change, goes_on, sent
):
    now, token = database_now(), uuid4()
    owner = django_user_model.objects.create_user("ada")
    assign(owner, Role.OPERATOR)
    hook = channel(owner=owner, next_attempt_at=now)
    subscription(hook)
    for _ in range(3):
        death(references=["own"], owners=[owner.pk])
    tell()
    channel_leases.claim(token, kind="webhook", limit=9, busy=(), now=now)
    all_three = begun(hook, token, now)
    match change:
        case "a message sent by somebody else":
            Delivery.objects.filter(pk=all_three[1].pk).update(state=DeliveryState.DELIVERED)
        case "the owner's role":
            assign(owner, Role.MEMBER)
        case "the owner's account":
            owner.is_active = False
            owner.save()
        case "a pause":
            Channel.objects.update(state=ChannelState.PAUSED)
    attempt = SendAttempt(outcome=SendOutcome.ACCEPTED)
    report = SendReport(hook.pk, [(all_three[0], attempt, now)], unsent=all_three[1:])
    turns = channel_leases.record([report], token, now=now)
    assert list(turns) == ([hook.pk] if goes_on else [])
    for turn in turns.values():
        assert turn.channel.actor.is_operator is (change != "the owner's role")
        assert turn.must_skip is (sent != [1, 2])
        if turn.must_skip:
            channel_leases.skip(turn.channel, now=now)
            turns = channel_leases.record([SendReport(hook.pk)], token, now=now)
    assert [one for turn in turns.values() for one in turn.deliveries] == [
        all_three[number] for number in sent
    ]


def test_a_channel_whose_messages_cannot_be_skipped_stops_no_other(letterbox, monkeypatch):
    late, other = channel(), channel()
    for one in (late, other):
        subscription(one)
    death()
    tell()
    past = database_now() - delivery_queue.MAX_AGE * 2
    Delivery.objects.filter(channel=late).update(queued_at=past)
    monkeypatch.setattr(delivery_queue, "skip_old", lambda *_, **__: 1 / 0)
    with running():
        until(lambda: letterbox.got[other.pk])
        death()
        tell(after=1)
        until(lambda: len(letterbox.got[other.pk]) == 2)
    assert not letterbox.got[late.pk]


def test_no_message_is_missed_when_a_channel_becomes_idle(letterbox, monkeypatch):
    """A message that is queued while the last one is written is sent without a pause."""
    monkeypatch.setattr(sending, "POLL_INTERVAL", 60.0)
    hook = channel()
    subscription(hook)
    with running():
        for number in range(30):
            death()
            tell(after=number)
        until(lambda: len(letterbox.got[hook.pk]) == 30, within=20)


def test_messages_are_resent_with_the_same_ids_and_bodies(letterbox):
    hook = channel()
    subscription(hook)
    for _ in range(3):
        death()
    tell()
    with running():
        until(lambda: states(hook) == [DeliveryState.DELIVERED] * 3)
        first = list(letterbox.got[hook.pk])
        assert delivery_queue.redeliver_since(hook, hook.created_at, now=database_now()) == 3
        until(lambda: len(letterbox.got[hook.pk]) == 6)
    assert letterbox.got[hook.pk] == first * 2


def test_a_relay_that_runs_once_sends_all_events_and_reports_pending_ones(letterbox):
    well, fails = channel(name="well"), channel(name="fails")
    for one in (well, fails):
        subscription(one, created_at=database_now())
    letterbox.answers[fails.pk] = SendOutcome.HELD
    assert [*sending.drain()] == []
    sent = death(at=database_now(), position=None)
    Cursor.objects.create(name="notify", position=0, sees_all=True)
    with pytest.raises(SystemExit) as ended:
        call_command("run_relay", once=True)
    assert str(ended.value) == "1 message to a channel is waiting for another attempt."
    assert [id_ for id_, _ in letterbox.got[well.pk]] == [str(sent.pk)]


def test_a_poll_with_an_unexpected_error_is_repeated(letterbox, monkeypatch):
    monkeypatch.setattr(sending, "_RETRY_DELAY", 0.01)
    failures = iter([StartOverError(), ValueError("odd")])
    over = threading.Event()

    def sweep():
        for failure in failures:
            raise failure
        over.set()
        return False

    monkeypatch.setattr(sending, "_sweep", sweep)
    with running():
        until(over.is_set)


def test_unsubscribing_deletes_a_pending_digest():
    hook = channel()
    requested = subscription(hook, grouped=True)
    is_locked, is_over = threading.Event(), threading.Event()

    def gather():
        with transaction.atomic():
            delivery_queue.lock_ids([hook.pk])
            is_locked.set()
            is_over.wait(0.5)  # it would be set if the other did not wait
            Gathering.objects.create(subscription=requested, began_at=NOW, due_at=NOW)

    def unsubscribe():
        is_locked.wait(9)
        services.unsubscribe(requested.pk, now=NOW)
        is_over.set()

    run_together([gather, unsubscribe])
    assert not Gathering.objects.exists()
