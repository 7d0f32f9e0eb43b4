"""The pages of channels: create, deliver, send a test message; who sees which channel."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from accounts.roles import Role
from console.channels.message_bodies import format_body
from foundation import kept_secrets as secrets
from foundation.database.clock import database_now
from notify.models import Channel, ChannelState, Delivery, DeliveryState, Subscription
from tests.notify.factories import ChannelFactory, DeliveryFactory, SubscriptionFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
LIST = "/account/channels"
HOSTILE = "<script>alert(1)</script>"
WHAT = {"what": ["dead"], "when": "at_once", "grouped": "yes", "hour": "8", "time_zone": "UTC"}
HOOK = WHAT | {"kind": "webhook", "url": "https://wiki.example/hook"}


def own(owner="ada", **fields):
    return ChannelFactory(owner=User.objects.get(username=owner), **fields)


def page(channel, rest=""):
    return f"{LIST}/{channel.pk}{rest}"


def html(response, status=200):
    assert response.status_code == status
    return response.content.decode()


def test_without_a_channel_the_page_explains_channels(ada, person):
    empty = html(ada.get(LIST))
    assert "You are not notified when a link dies: you have no channels yet." in empty
    assert "Add a channel" in empty
    everybody = html(person("vera", Role.VIEWER).get(LIST))
    assert "Nobody is notified when a link dies: there are no channels yet." in everybody
    assert "Add a channel" not in everybody


def test_a_webhook_its_events_and_a_test_are_one_form_and_its_secret_is_shown_once(ada):
    form = html(ada.get(f"{LIST}/new"))
    assert 'value="webhook"' in form
    assert 'value="apprise"' not in form  # for operators
    assert "Shared" not in form
    made = html(ada.post(f"{LIST}/new", HOOK | {"what": ["dead", "alive"], "test": "on"}))
    channel = Channel.objects.get()
    assert (channel.name, Subscription.objects.get().what) == ("wiki.example", ["dead", "alive"])
    secret = secrets.decrypt(channel.secret)
    assert secret in made
    assert "Saved." in made
    assert "Sending the test…" in made
    assert Delivery.objects.get().channel == channel
    assert secret not in html(ada.get(page(channel)))
    again = html(ada.post(page(channel, "/rotate")))
    channel.refresh_from_db()
    assert secrets.decrypt(channel.secret) in again


def test_deaths_recoveries_and_for_operators_outages_are_preselected(ada, person):
    ticked = re.compile(r'name="what" value="(\w+)"[^>]* checked')
    assert ticked.findall(html(ada.get(f"{LIST}/new"))) == ["dead", "alive", "repairs"]
    shown = html(person("olga", Role.OPERATOR).get(f"{LIST}/new"))
    assert ticked.findall(shown) == ["dead", "alive", "repairs", "network"]


def test_without_a_subscription_the_list_says_that_nobody_is_notified(ada, person):
    channel = own()
    warning = (
        "You are not notified when a link dies: none of your channels has any events selected."
    )
    assert warning in html(ada.get(LIST))
    SubscriptionFactory(channel=own(name="other"))
    assert warning not in html(ada.get(LIST))
    assert "no events selected" in html(ada.get(LIST))  # the first channel's
    person("bob")
    assert channel.name not in html(person("bob").get(LIST))


def test_mistakes_are_shown_next_to_their_fields_and_nothing_is_created(ada):
    refused = html(ada.post(f"{LIST}/new", HOOK | {"name": HOSTILE, "url": "http://10.0.0.1/"}))
    assert re.search(r'id="id_url_error">[^<]+not allowed to connect', refused)
    assert HOSTILE not in refused
    for wrong in ({"url": ""}, {"what": []}, {"host": "a b"}, {"kind": "apprise"}, {"kind": ""}):
        assert 'class="error"' in html(ada.post(f"{LIST}/new", HOOK | wrong))
    assert not Channel.objects.exists()
    assert not Subscription.objects.exists()
    assert ada.get(f"{LIST}/new?kind=apprise").status_code == 404
    assert ada.get(f"{LIST}/new?kind={HOSTILE}").status_code == 404


def test_an_error_about_a_services_url_is_shown_next_to_its_field(person):
    olga = person("olga", Role.OPERATOR)
    given = HOOK | {"kind": "apprise", "service": "nonsense"}
    assert 'id="id_service_error"' in html(olga.post(f"{LIST}/new", given))


def test_mail_to_another_address_waits_for_confirmation_and_sends_no_test(ada, settings):
    settings.EMAIL_URL = "smtp://127.0.0.1:1"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    given = WHAT | {"kind": "mail", "address": "team@example.org", "test": "on"}
    made = html(ada.post(f"{LIST}/new", given, follow=True))
    assert "Waiting for confirmation from team@example.org." in made
    assert "once the address is confirmed" in made
    assert not Delivery.objects.exists()


def test_a_feed_shows_its_addresses_only_once(ada):
    made = html(ada.post(f"{LIST}/new?kind=feed", WHAT | {"name": "Reader", "test": "on"}))
    assert re.search(r"/feeds/c_\w+\.[\w-]+\.atom", made)
    assert "Saved. New events will appear in the feed." in made
    channel = Channel.objects.get()
    assert "/feeds/" not in html(ada.get(page(channel)))
    assert "New addresses…" in html(ada.get(page(channel)))
    assert "Create new addresses for this feed?" in html(ada.get(page(channel, "/rotate")))


def test_a_paused_feed_is_not_said_to_send_anything(ada):
    channel = own(kind="feed", settings={})
    assert "so the feed stays empty" in html(ada.get(page(channel)))
    paused = html(ada.post(page(channel, "/pause"), follow=True))
    assert "Paused. The feed gets no new entries until you resume the channel." in paused
    assert "events that it missed in the last three days are added" in paused
    resumed = html(ada.post(page(channel, "/resume"), follow=True))
    assert "Resumed. New events will appear in the feed again." in resumed
    deletion = html(ada.get(page(channel, "/delete")))
    assert "entries will be deleted" in deletion
    for shown in (paused, resumed, deletion):
        assert "be sent" not in shown
        assert "is sent" not in shown


def test_a_webhook_that_was_restored_without_its_secret_can_get_a_new_one(ada):
    channel = own(secret="", state=ChannelState.DISABLED, reason="Create a new secret.")
    assert "New secret…" in html(ada.get(page(channel)))
    assert "New secret…" not in html(ada.get(page(own(kind="mail", settings={"address": "a@b.c"}))))
    assert "Send a test" not in html(ada.get(page(channel)))


def test_a_channel_of_all_operators_has_no_owner(person):
    olga = person("olga", Role.OPERATOR)
    given = HOOK | {"name": "Team", "begins": "day", "deployment": "on"}
    html(olga.post(f"{LIST}/new", given))
    assert Channel.objects.get().owner is None
    assert "shared by all operators" in html(olga.get(LIST))


def test_subscriptions_are_described_in_words_and_can_be_changed(ada):
    channel = own(name="Mine")
    form = html(ada.get(page(channel, "/subscriptions/new")))
    assert "a page dies" in form.lower()
    assert "comes back online" not in form.lower()  # for operators
    given = WHAT | {"host": "Example.org", "when": "daily", "time_zone": "Europe/Berlin"}
    assert ada.post(page(channel, "/subscriptions/new"), given).status_code == 302
    shown = html(ada.get(page(channel)))
    assert "A page dies" in shown
    assert "daily digest at 08:00 (Europe/Berlin)" in shown
    reported = Subscription.objects.get()
    assert reported.host == "example.org"
    path = page(channel, f"/subscriptions/{reported.pk}")
    assert 'value="example.org"' in html(ada.get(path))
    changed = WHAT | {"what": ["dead", "alive"], "grouped": "no", "version": "1"}
    assert ada.post(path, changed).status_code == 302
    reported.refresh_from_db()
    assert (reported.what, reported.when, reported.grouped) == (["dead", "alive"], "at_once", False)
    assert "changed this after you opened the page" in html(
        ada.post(path, changed)
    )  # another user saved first
    assert ada.post(f"{path}/delete").status_code == 302
    assert not Subscription.objects.exists()


def test_an_invalid_subscription_is_shown_again_with_its_mistakes(ada):
    channel = own()
    refused = html(ada.post(page(channel, "/subscriptions/new"), {"host": HOSTILE, "when": "x"}))
    assert "This field is required" in refused
    assert HOSTILE not in refused
    refused = html(ada.post(page(channel, "/subscriptions/new"), WHAT | {"host": "a b"}))
    assert 'id="id_host_error"' in refused


def test_operators_are_notified_of_the_deployment(person):
    olga = person("olga", Role.OPERATOR)
    channel = own("olga")
    given = WHAT | {"what": ["network", "disk"], "owner": "olga"}
    form = html(olga.get(page(channel, "/subscriptions/new")))
    assert "Linkwatch goes offline or comes back online" in form
    assert olga.post(page(channel, "/subscriptions/new"), given).status_code == 302
    assert Subscription.objects.get().of_owner.username == "olga"


def test_a_test_message_is_sent_and_its_result_is_shown(ada):
    channel = own(name="Mine")
    assert "Nothing was sent in the last 30 days" in html(ada.get(page(channel)))
    assert ada.post(page(channel, "/test")).status_code == 302
    sending = html(ada.get(page(channel)))
    assert "Sending the test…" in sending
    assert f'<a href="{page(channel)}" data-refresh>Refresh</a>' in sending
    delivery = Delivery.objects.get()
    Delivery.objects.update(attempts=2, attempted_at=database_now(), status_code=503, error="Busy.")
    for path in (page(channel), page(channel, "/deliveries")):
        shown = html(ada.get(path))
        assert "HTTP 503" in shown
        assert "next attempt" in shown
    one = html(ada.get(page(channel, f"/deliveries/{delivery.pk}")))
    assert "This is a test message." in one
    assert "Next attempt" in one
    assert "Busy. Next attempt" in html(ada.get(page(channel)))
    Delivery.objects.update(state=DeliveryState.DELIVERED, status_code=204)
    assert re.search(r'role="status">.*Delivered.*, HTTP 204', html(ada.get(page(channel))))


def test_too_many_tests_are_refused_in_a_sentence(ada):
    channel = own()
    for _ in range(5):
        ada.post(page(channel, "/test"))
    assert "Too many test messages have been sent" in html(
        ada.post(page(channel, "/test"), follow=True)
    )


@pytest.mark.parametrize(
    ("kind", "body", "shown"),
    [
        ("webhook", '{"id":"\u00fc"}', '{\n  "id": "\u00fc"\n}'),
        ("feed", '{"text": "1 page died", "html": "<p>"}', "1 page died"),
        ("apprise", '{"title": "x", "text": "1 page died"}', "1 page died"),
        (
            "mail",
            "To: a@b.example\nSubject: =?utf-8?q?=C3=BC?=\n\nIt died.\n",
            "\u00fc\n\nIt died.",
        ),
        ("mail", "no mail at all", "no mail at all"),
        ("webhook", "[1", "[1"),
        ("feed", "[]", "[]"),
    ],
)
def test_a_body_is_shown_in_readable_form(kind, body, shown):
    assert shown in format_body(ChannelFactory.build(kind=kind), body)


def test_the_url_of_another_service_is_hidden_and_kept_if_left_empty(person):
    olga = person("olga", Role.OPERATOR)
    channel = own("olga", kind="apprise", settings={"url": "secret", "scheme": "json"})
    assert re.search(r'name="url"(?! value=)', html(olga.get(page(channel, "/edit"))))
    given = {"name": "Renamed", "url": "", "version": "1"}
    assert olga.post(page(channel, "/edit"), given).status_code == 302
    channel.refresh_from_db()
    assert (channel.name, channel.settings["url"]) == ("Renamed", "secret")


def test_one_or_all_recent_messages_can_be_sent_again(ada):
    channel = own()
    now = database_now()
    old = DeliveryFactory(channel=channel, created_at=now - timedelta(days=9))
    new = DeliveryFactory(channel=channel, created_at=now)
    ada.post(page(channel, f"/deliveries/{old.pk}/redeliver"))
    ada.post(page(channel, "/redeliver"), {"since": "day"})
    waiting = Delivery.objects.filter(state=DeliveryState.WAITING)
    assert set(waiting) == {old, new}
    answer = ada.post(page(channel, "/redeliver"), {"since": HOSTILE}, follow=True)
    assert "Select a time span" in html(answer)


def test_the_answer_of_a_receiver_is_shown_only_to_operators(ada, person):
    channel = own()
    one = DeliveryFactory(channel=channel, answer="inside-of-the-network")
    path = page(channel, f"/deliveries/{one.pk}")
    assert "inside-of-the-network" not in html(ada.get(path))
    assert "inside-of-the-network" in html(person("olga", Role.OPERATOR).get(path))


def test_a_list_without_failing_channels_says_so(ada):
    own()
    shown = html(ada.get(f"{LIST}?failing=1"))
    assert "No channel is failing." in shown
    assert "You are not notified" not in shown


def test_the_pages_of_failing_channels_have_failing_channels_only(ada, monkeypatch):
    monkeypatch.setattr("console.channels.views.CHANNELS_PER_PAGE", 1)
    own(name="Broken one", state=ChannelState.DISABLED)
    own(name="Healthy")
    own(name="Broken two", state=ChannelState.DISABLED)
    first = html(ada.get(f"{LIST}?failing=1"))
    next_page = re.search(r'rel="next" href="([^"]+)"', first)[1].replace("&amp;", "&")
    second = html(ada.get(f"{LIST}{next_page}"))
    assert re.findall("Broken one|Broken two|Healthy", first + second) == [
        "Broken one",
        "Broken two",
    ]
    assert 'href="?failing=1">First page' in second


def test_a_disabled_channel_says_why_and_continues(ada):
    channel = own(state=ChannelState.DISABLED, reason="The receiver returned 410 Gone.")
    shown = html(ada.get(page(channel)))
    assert "410 Gone" in shown
    assert "410 Gone" in html(ada.get(LIST))
    ada.post(page(channel, "/resume"))
    channel.refresh_from_db()
    assert channel.state == ChannelState.ACTIVE
    ada.post(page(channel, "/pause"))
    assert "events that it missed in the last three days are sent" in html(ada.get(page(channel)))
    assert "paused" in html(ada.post(page(channel, "/test"), follow=True))


def test_a_channel_is_renamed_given_another_url_and_deleted(ada):
    channel = own(name="Mine")
    given = {"name": "Ours", "url": "https://b.example/hook", "version": "1"}
    assert 'value="Mine"' in html(ada.get(page(channel, "/edit")))
    assert ada.post(page(channel, "/edit"), given).status_code == 302
    channel.refresh_from_db()
    assert (channel.name, channel.settings) == ("Ours", {"url": "https://b.example/hook"})
    assert "changed this after you opened the page" in html(ada.post(page(channel, "/edit"), given))
    assert "Delete this channel?" in html(ada.get(page(channel, "/delete")))
    assert ada.post(page(channel, "/delete")).status_code == 302
    assert not Channel.objects.exists()


def test_another_users_channel_is_not_found(ada, person):
    person("bob")
    channel = own("bob", name="bobs")
    reported, sent = SubscriptionFactory(channel=channel), DeliveryFactory(channel=channel)
    for rest in ("", "/edit", "/rotate", "/delete", "/deliveries", f"/deliveries/{sent.pk}"):
        assert ada.get(page(channel, rest)).status_code == 404
    mine = own()
    for rest in (f"/subscriptions/{reported.pk}", f"/deliveries/{sent.pk}"):
        assert ada.get(page(mine, rest)).status_code == 404  # through a channel of one's own
    assert "bobs" not in html(ada.get(LIST))
    assert "bobs" in html(person("olga", Role.OPERATOR).get(LIST))


def test_hostile_names_and_subjects_are_shown_as_text(ada):
    channel = own(name=HOSTILE, reason=HOSTILE, state=ChannelState.DISABLED)
    SubscriptionFactory(channel=channel, reference_prefix=HOSTILE)
    one = DeliveryFactory(channel=channel, subject=HOSTILE, body=HOSTILE, error=HOSTILE)
    for path in (LIST, page(channel), page(channel, "/deliveries"), f"{page(channel)}/edit"):
        assert HOSTILE not in html(ada.get(path))
    assert HOSTILE not in html(ada.get(page(channel, f"/deliveries/{one.pk}")))


def test_lists_of_any_length_take_the_same_number_of_statements(ada, django_assert_max_num_queries):
    for _ in range(30):
        channel = own()
        DeliveryFactory(channel=channel)
        SubscriptionFactory(channel=channel)
    ada.get(LIST)
    with django_assert_max_num_queries(8):
        assert html(ada.get(LIST)).count("<li>") >= 30
