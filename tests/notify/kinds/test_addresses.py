"""Mail addresses: confirmed by their owner, asked rarely, unsubscribed with one click."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import transaction
from django.test import Client

from accounts import adapters, audit_log
from accounts.actors import Actor
from accounts.rights import assign
from accounts.roles import Role
from foundation.http.errors import ApiError
from notify import digest_queue, services
from notify.kinds.mail import addresses
from notify.models import Channel, ChannelState, Gathering
from tests.accounts.test_provider_logout import and_close, on_postgresql, wait_for_a_lock
from tests.conftest import NOW
from tests.factories import TransitionFactory
from tests.notify.factories import DeliveryFactory, SubscriptionFactory

pytestmark = pytest.mark.django_db
OTHERS = "list@example.org"


@pytest.fixture
def ada(django_user_model, settings):
    settings.EMAIL_URL = "smtp://127.0.0.1:1"
    settings.BASE_URL = "https://links.example"
    user = django_user_model.objects.create_user("ada", "ada@example.org")
    assign(user, Role.MEMBER)
    return Actor(user)


@pytest.fixture
def make(ada, django_capture_on_commit_callbacks):
    """Return a function that creates a mail channel and sends the mails that this causes."""

    def make(address=OTHERS, *, by=ada, now=NOW):
        requested = {"kind": "mail", "name": "<b>hostile", "settings": {"address": address}}
        with django_capture_on_commit_callbacks(execute=True):
            channel, _ = services.create_channel(requested, now=now, by=by)
        adapters._mail_executor.submit(bool).result()
        return channel

    return make


def link_in(message):
    return re.search(r"https://links\.example(\S+)", message.body)[1]


def state_of(channel):
    channel.refresh_from_db()
    return channel.state


def test_another_persons_address_gets_a_confirmation_mail(make):
    channel = make()
    assert channel.state == ChannelState.UNCONFIRMED
    [message] = mail.outbox
    assert message.to == [OTHERS]
    assert "ada would like" in message.body
    assert "hostile" not in message.body  # the name can't carry text to others
    assert addresses.channel_to_confirm(link_in(message).rpartition("/")[2], now=NOW) == channel


def test_opening_the_link_does_not_confirm_but_its_button_does(make, monkeypatch):
    channel, reader = make(), Client(enforce_csrf_checks=True)
    monkeypatch.setattr("notify.kinds.mail.address_pages.database_now", lambda: NOW)
    link = link_in(mail.outbox[0])
    page = reader.get(link)  # as mail scanners do
    assert state_of(channel) == ChannelState.UNCONFIRMED
    assert OTHERS in page.content.decode()
    assert reader.post(link).status_code == 403  # not from one of our pages
    TransitionFactory(position=7)
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page.content.decode())[1]
    done = reader.post(link, {"csrfmiddlewaretoken": token})
    assert "Confirmed" in done.content.decode()
    assert state_of(channel) == ChannelState.ACTIVE
    assert channel.position == 7  # receives events from now on


@pytest.mark.parametrize(
    "spoil",
    [
        lambda token: token[:-1],
        lambda token: token.replace(":", "."),
        lambda token: "x",
        lambda token: "\N{SNOWMAN}:x",
    ],
)
def test_an_invalid_link_confirms_nothing(make, spoil):
    channel = make()
    token = addresses.confirmation_link(channel, now=NOW).rpartition("/")[2]
    for call in (addresses.channel_to_unsubscribe, lambda text: addresses.confirm(text, now=NOW)):
        with pytest.raises(ApiError, match="incomplete or has expired"):
            call(spoil(token))
    with pytest.raises(ApiError, match="incomplete or has expired"):
        addresses.unsubscribe(token, now=NOW)  # signed for another purpose
    assert Client().get(f"/confirm/{spoil(token)}").status_code == 404
    assert state_of(channel) == ChannelState.UNCONFIRMED


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_link_does_not_confirm_an_address_that_replaces_its_own_meanwhile(make, ada):
    channel = make()
    token = addresses.confirmation_link(channel, now=NOW).rpartition("/")[2]
    change = {"settings": {"address": "victim@example.org"}}
    confirm = partial(and_close, partial(addresses.confirm, token, now=NOW))
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            services.change_channel(channel.pk, change, now=NOW, by=ada)
            confirmed = pool.submit(confirm)
            wait_for_a_lock()
        with pytest.raises(ApiError, match="another address"):
            confirmed.result()
    assert state_of(channel) == ChannelState.UNCONFIRMED


def test_no_mail_is_sent_again_if_the_channel_was_just_confirmed_or_deleted(make, ada):
    channel = make()
    seen = Channel.objects.get()
    addresses.confirm(addresses.confirmation_link(channel, now=NOW).rpartition("/")[2], now=NOW)
    with pytest.raises(ApiError, match="nothing to confirm"):
        addresses.resend_confirmation(seen, now=NOW, by=ada)
    assert state_of(channel) == ChannelState.ACTIVE
    Channel.objects.all().delete()
    with pytest.raises(ApiError, match="no such channel"):
        addresses.resend_confirmation(seen, now=NOW, by=ada)


def test_a_link_ends_after_three_days_and_with_another_address(make, ada):
    channel = make()
    token = addresses.confirmation_link(channel, now=NOW).rpartition("/")[2]
    late = NOW + addresses.LINK_LIFETIME + timedelta(seconds=1)
    with pytest.raises(ApiError, match="incomplete or has expired"):
        addresses.confirm(token, now=late)
    other = {"settings": {"address": "other@example.org"}}
    services.change_channel(channel.id, other, now=NOW, by=ada)
    with pytest.raises(ApiError, match="incomplete or has expired"):
        addresses.confirm(token, now=NOW)


def test_a_users_own_verified_address_needs_no_confirmation(make, ada):
    assert make("ada@example.org").state == ChannelState.UNCONFIRMED  # the address is not verified
    EmailAddress.objects.create(user=ada.user, email="ada@example.org", verified=True)
    mail.outbox.clear()
    assert make("Ada@Example.org").state == ChannelState.ACTIVE
    assert mail.outbox == []


def test_a_confirmed_channel_with_a_new_address_is_unconfirmed_again(make, ada):
    channel = make()
    addresses.confirm(addresses.confirmation_link(channel, now=NOW).rpartition("/")[2], now=NOW)
    letter = DeliveryFactory(channel=channel, state="waiting")
    other = {"settings": {"address": "other@example.org"}}
    assert services.change_channel(channel.id, other, now=NOW, by=ada).state == "unconfirmed"
    letter.refresh_from_db()
    assert letter.state == "skipped"  # it was for the former address
    paused = services.change_channel(channel.id, {"paused": False}, now=NOW, by=ada)
    assert paused.state == "unconfirmed"  # resuming does not confirm it


def test_confirmation_mails_are_limited(make, ada):
    channel = make()
    for _ in range(2):
        addresses.resend_confirmation(channel, now=NOW, by=ada)
    with pytest.raises(ApiError) as refused:
        addresses.resend_confirmation(channel, now=NOW, by=ada)
    assert (refused.value.code, refused.value.status_code) == ("rate_limited", 429)
    with pytest.raises(ApiError):
        make(OTHERS.upper())  # the same mailbox
    assert Channel.objects.count() == 1
    for number in range(7):
        make(f"someone{number}@example.org")
    with pytest.raises(ApiError):
        make("someone-else@example.org")  # too many requests by one user
    assert make("someone-else@example.org", now=NOW + timedelta(days=1, seconds=1))


def test_one_click_unsubscribes_without_a_session_and_a_get_does_not(make, ada):
    channel = make()
    addresses.confirm(addresses.confirmation_link(channel, now=NOW).rpartition("/")[2], now=NOW)
    link = addresses.unsubscribe_link(channel).removeprefix("https://links.example")
    program = Client(enforce_csrf_checks=True)
    page = program.get(link)
    assert "<button" in page.content.decode()
    assert state_of(channel) == ChannelState.ACTIVE
    done = program.post(link, {"List-Unsubscribe": "One-Click"})
    assert done.status_code == 200
    assert state_of(channel) == ChannelState.UNCONFIRMED
    assert channel.reason.startswith("Unsubscribed on ")
    assert program.post(link).status_code == 200  # a second time changes nothing
    resumed = services.change_channel(channel.id, {"paused": False}, now=NOW, by=ada)
    assert resumed.state == ChannelState.UNCONFIRMED  # the owner alone can't undo it
    addresses.confirm(addresses.confirmation_link(channel, now=NOW).rpartition("/")[2], now=NOW)
    assert (state_of(channel), channel.reason) == (ChannelState.ACTIVE, "")


@pytest.mark.parametrize("address", [OTHERS, "ada@example.org"], ids=["others", "own"])
def test_a_reactivated_user_gets_no_earlier_events(make, ada, address):
    EmailAddress.objects.create(user=ada.user, email="ada@example.org", verified=True)
    channel = make(address)
    addresses.confirm(addresses.confirmation_link(channel, now=NOW).rpartition("/")[2], now=NOW)
    letter = DeliveryFactory(channel=channel, state="waiting")
    requested = SubscriptionFactory(channel=channel)
    Gathering.objects.create(subscription=requested, began_at=NOW, due_at=NOW)
    addresses.unsubscribe(addresses.unsubscribe_link(channel).rpartition("/")[2], now=NOW)
    TransitionFactory(position=7)
    assert digest_queue.close_due(now=NOW) == 0
    channel.refresh_from_db()
    addresses.resend_confirmation(channel, now=NOW, by=ada)
    entry = audit_log.entries_about("channel", channel.pk).first()
    assert entry.own_page_summary == "resent the confirmation email"
    if address == OTHERS:
        addresses.confirm(addresses.confirmation_link(channel, now=NOW).rpartition("/")[2], now=NOW)
    assert (state_of(channel), channel.position) == (ChannelState.ACTIVE, 7)
    letter.refresh_from_db()
    assert (letter.state, letter.error) == ("skipped", "Unsubscribed.")
    assert channel.subscriptions.get() == requested


@pytest.mark.parametrize("address", [OTHERS, "ada@example.org"], ids=["others", "own"])
def test_a_confirmed_channel_has_no_earlier_failures(make, ada, address):
    EmailAddress.objects.create(user=ada.user, email="ada@example.org", verified=True)
    channel = make(address)
    unsubscribed = {"state": "unconfirmed", "failing_since": NOW, "attempts": 3}
    Channel.objects.update(**unsubscribed, next_attempt_at=NOW + timedelta(hours=1))
    channel.refresh_from_db()
    later = NOW + timedelta(days=4)
    addresses.resend_confirmation(channel, now=later, by=ada)
    if address == OTHERS:
        link = addresses.confirmation_link(channel, now=later)
        addresses.confirm(link.rpartition("/")[2], now=later)
    assert state_of(channel) == ChannelState.ACTIVE
    assert (channel.failing_since, channel.attempts, channel.next_attempt_at) == (None, 0, None)


def test_links_of_a_deleted_channel_show_an_explanation(make, ada):
    channel = make()
    link = addresses.unsubscribe_link(channel).removeprefix("https://links.example")
    services.delete_channel(channel.id, now=NOW, by=ada)
    for answer in (Client().get(link), Client().post(link)):
        assert answer.status_code == 404
        assert "incomplete or has expired" in answer.content.decode()
