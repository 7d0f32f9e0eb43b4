"""The pages of channels: made, told of things, tried, and seen by whom they belong to."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from accounts.roles import Role
from console.channels.bodies import readable
from foundation.database.clock import database_now
from notify import secrets
from notify.models import Channel, ChannelState, Delivery, DeliveryState, Subscription
from tests.notify.factories import ChannelFactory, DeliveryFactory, SubscriptionFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
LIST = "/account/channels"
HOSTILE = "<script>alert(1)</script>"
WHAT = {"what": ["dead"], "when": "at_once", "grouped": "yes", "hour": "8", "time_zone": "UTC"}


def own(owner="ada", **fields):
    return ChannelFactory(owner=User.objects.get(username=owner), **fields)


def page(channel, rest=""):
    return f"{LIST}/{channel.pk}{rest}"


def html(response, status=200):
    assert response.status_code == status
    return response.content.decode()


def test_without_a_channel_the_page_says_what_one_is_for(ada, person):
    empty = html(ada.get(LIST))
    assert "Nobody is told yet" in empty
    assert "Make the first channel" in empty
    assert "Make the first" not in html(person("vera", Role.VIEWER).get(LIST))


def test_a_webhook_is_made_and_its_secret_shown_this_once(ada):
    kinds = html(ada.get(f"{LIST}/new"))
    assert "kind=webhook" in kinds
    assert "kind=apprise" not in kinds  # for operators
    assert "For all operators" not in html(ada.get(f"{LIST}/new?kind=webhook"))
    given = {"name": "Wiki", "url": "https://wiki.example/hook", "begins": ""}
    made = html(ada.post(f"{LIST}/new?kind=webhook", given))
    channel = Channel.objects.get()
    secret = secrets.decrypt(channel.secret)
    assert secret in made
    assert "Say what it is told of" in made
    assert secret not in html(ada.get(page(channel)))
    again = html(ada.post(page(channel, "/rotate")))
    channel.refresh_from_db()
    assert secrets.decrypt(channel.secret) in again


def test_what_is_wrong_is_said_beside_its_field(ada):
    given = {"name": HOSTILE, "url": "http://10.0.0.1/"}
    refused = html(ada.post(f"{LIST}/new?kind=webhook", given))
    assert re.search(r'id="id_url_error">[^<]+may connect', refused)
    assert HOSTILE not in refused
    assert not Channel.objects.exists()
    assert ada.get(f"{LIST}/new?kind=apprise").status_code == 404
    assert ada.get(f"{LIST}/new?kind={HOSTILE}").status_code == 404


def test_a_feed_shows_its_addresses_this_once(ada):
    made = html(ada.post(f"{LIST}/new?kind=feed", {"name": "Reader"}))
    assert re.search(r"/feeds/c_\w+\.[\w-]+\.atom", made)
    channel = Channel.objects.get()
    assert "/feeds/" not in html(ada.get(page(channel)))
    assert "Send a test" not in html(ada.get(page(channel)))


def test_a_channel_of_all_operators_is_nobodys(person):
    olga = person("olga", Role.OPERATOR)
    given = {"name": "Team", "url": "https://a.example/", "begins": "day", "deployment": "on"}
    html(olga.post(f"{LIST}/new?kind=webhook", given))
    assert Channel.objects.get().owner is None
    assert "of all operators" in html(olga.get(LIST))


def test_what_a_channel_is_told_of_is_said_in_words_and_changed(ada):
    channel = own(name="Mine")
    form = html(ada.get(page(channel, "/subscriptions/new")))
    assert "a page died" in form.lower()
    assert "lost its connection" not in form.lower()  # for operators
    given = WHAT | {"host": "Example.org", "when": "daily", "time_zone": "Europe/Berlin"}
    assert ada.post(page(channel, "/subscriptions/new"), given).status_code == 302
    shown = html(ada.get(page(channel)))
    assert "A page died" in shown
    assert "every day at 08:00, Europe/Berlin" in shown
    told = Subscription.objects.get()
    assert told.host == "example.org"
    path = page(channel, f"/subscriptions/{told.pk}")
    assert 'value="example.org"' in html(ada.get(path))
    changed = WHAT | {"what": ["dead", "alive"], "grouped": "no", "version": "1"}
    assert ada.post(path, changed).status_code == 302
    told.refresh_from_db()
    assert (told.what, told.when, told.grouped) == (["dead", "alive"], "at_once", False)
    assert "changed since" in html(ada.post(path, changed))  # somebody else was faster
    assert ada.post(f"{path}/delete").status_code == 302
    assert not Subscription.objects.exists()


def test_a_wrong_subscription_is_shown_again_with_its_mistakes(ada):
    channel = own()
    refused = html(ada.post(page(channel, "/subscriptions/new"), {"host": HOSTILE, "when": "x"}))
    assert "This field is required" in refused
    assert HOSTILE not in refused
    refused = html(ada.post(page(channel, "/subscriptions/new"), WHAT | {"host": "a b"}))
    assert 'id="id_host_error"' in refused


def test_operators_are_told_of_the_deployment(person):
    olga = person("olga", Role.OPERATOR)
    channel = own("olga")
    given = WHAT | {"what": ["network", "disk"], "owner": "olga"}
    assert "Linkwatch lost its connection" in html(olga.get(page(channel, "/subscriptions/new")))
    assert olga.post(page(channel, "/subscriptions/new"), given).status_code == 302
    assert Subscription.objects.get().of_owner.username == "olga"


def test_a_test_is_sent_and_what_came_of_it_is_seen(ada):
    channel = own(name="Mine")
    assert "Nothing was sent yet" in html(ada.get(page(channel)))
    assert ada.post(page(channel, "/test")).status_code == 302
    delivery = Delivery.objects.get()
    Delivery.objects.update(attempts=2, attempted_at=database_now(), status_code=503, error="Busy.")
    for path in (page(channel), page(channel, "/deliveries")):
        shown = html(ada.get(path))
        assert "answered 503" in shown
        assert "next attempt" in shown
    one = html(ada.get(page(channel, f"/deliveries/{delivery.pk}")))
    assert "This is a test message." in one
    assert "Next attempt" in one


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
def test_a_body_is_shown_as_people_read_it(kind, body, shown):
    assert shown in readable(ChannelFactory.build(kind=kind), body)


def test_the_url_of_another_service_is_not_shown_and_kept_if_it_is_left_empty(person):
    olga = person("olga", Role.OPERATOR)
    channel = own("olga", kind="apprise", settings={"url": "secret", "scheme": "json"})
    assert re.search(r'name="url"(?! value=)', html(olga.get(page(channel, "/edit"))))
    given = {"name": "Renamed", "url": "", "version": "1"}
    assert olga.post(page(channel, "/edit"), given).status_code == 302
    channel.refresh_from_db()
    assert (channel.name, channel.settings["url"]) == ("Renamed", "secret")


def test_messages_are_sent_again_one_or_all_of_late(ada):
    channel = own()
    now = database_now()
    old = DeliveryFactory(channel=channel, created_at=now - timedelta(days=9))
    new = DeliveryFactory(channel=channel, created_at=now)
    ada.post(page(channel, f"/deliveries/{old.pk}/redeliver"))
    ada.post(page(channel, "/redeliver"), {"since": "day"})
    waiting = Delivery.objects.filter(state=DeliveryState.WAITING)
    assert set(waiting) == {old, new}
    answer = ada.post(page(channel, "/redeliver"), {"since": HOSTILE}, follow=True)
    assert "Choose since when" in html(answer)


def test_the_answer_of_a_receiver_is_for_operators(ada, person):
    channel = own()
    one = DeliveryFactory(channel=channel, answer="inside-of-the-network")
    path = page(channel, f"/deliveries/{one.pk}")
    assert "inside-of-the-network" not in html(ada.get(path))
    assert "inside-of-the-network" in html(person("olga", Role.OPERATOR).get(path))


def test_a_disabled_channel_says_why_and_goes_on(ada):
    channel = own(state=ChannelState.DISABLED, reason="The receiver answered 410 Gone.")
    shown = html(ada.get(page(channel)))
    assert "410 Gone" in shown
    assert "410 Gone" in html(ada.get(LIST))
    ada.post(page(channel, "/resume"))
    channel.refresh_from_db()
    assert channel.state == ChannelState.ACTIVE
    ada.post(page(channel, "/pause"))
    assert "told when it is resumed" in html(ada.get(page(channel)))
    assert "Refused" in html(ada.post(page(channel, "/test"), follow=True))


def test_it_is_renamed_led_elsewhere_and_deleted(ada):
    channel = own(name="Mine")
    given = {"name": "Ours", "url": "https://b.example/hook", "version": "1"}
    assert 'value="Mine"' in html(ada.get(page(channel, "/edit")))
    assert ada.post(page(channel, "/edit"), given).status_code == 302
    channel.refresh_from_db()
    assert (channel.name, channel.settings) == ("Ours", {"url": "https://b.example/hook"})
    assert "changed since" in html(ada.post(page(channel, "/edit"), given))
    assert "Delete this channel?" in html(ada.get(page(channel, "/delete")))
    assert ada.post(page(channel, "/delete")).status_code == 302
    assert not Channel.objects.exists()


def test_anothers_channel_is_not_there(ada, person):
    person("bob")
    channel = own("bob", name="bobs")
    told, sent = SubscriptionFactory(channel=channel), DeliveryFactory(channel=channel)
    for rest in ("", "/edit", "/rotate", "/delete", "/deliveries", f"/deliveries/{sent.pk}"):
        assert ada.get(page(channel, rest)).status_code == 404
    mine = own()
    for rest in (f"/subscriptions/{told.pk}", f"/deliveries/{sent.pk}"):
        assert ada.get(page(mine, rest)).status_code == 404  # by the way of one's own
    assert "bobs" not in html(ada.get(LIST))
    assert "bobs" in html(person("olga", Role.OPERATOR).get(LIST))


def test_hostile_names_and_subjects_are_text(ada):
    channel = own(name=HOSTILE, reason=HOSTILE, state=ChannelState.DISABLED)
    SubscriptionFactory(channel=channel, reference_prefix=HOSTILE)
    one = DeliveryFactory(channel=channel, subject=HOSTILE, body=HOSTILE, error=HOSTILE)
    for path in (LIST, page(channel), page(channel, "/deliveries"), f"{page(channel)}/edit"):
        assert HOSTILE not in html(ada.get(path))
    assert HOSTILE not in html(ada.get(page(channel, f"/deliveries/{one.pk}")))


def test_lists_take_the_same_number_of_statements_however_long(ada, django_assert_max_num_queries):
    for _ in range(30):
        channel = own()
        DeliveryFactory(channel=channel)
        SubscriptionFactory(channel=channel)
    ada.get(LIST)
    with django_assert_max_num_queries(8):
        assert html(ada.get(LIST)).count("<li>") >= 30
