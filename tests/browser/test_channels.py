"""Channels in a browser: made by keyboard, told of something, tried; narrow, light and dark."""

import re
from datetime import timedelta
from functools import partial
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from foundation.database.clock import database_now
from notify.kinds.mail import addresses
from notify.models import Channel, ChannelState, Delivery, Subscription
from tests.browser.test_accounts import (
    _database_beside_the_browser,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)
from tests.notify.factories import ChannelFactory, DeliveryFactory, SubscriptionFactory

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
NARROW = {"width": 320, "height": 640}
HOSTILE = "<script>document.title='owned'</script>" + "a-long-word-without-a-break" * 2


@pytest.fixture
def visit(live_server, open_as):
    """Return a function that opens a path as `ada`, a member."""
    return partial(open_as, live_server.url, viewport=NARROW)


def narrow(page):
    page.set_viewport_size(NARROW)


def test_a_member_makes_a_webhook_by_keyboard_says_what_it_is_told_of_and_tries_it(
    visit,
    looked_at,  # noqa: F811 - a fixture
):
    page = visit("/account/channels")
    looked_at(page, "channels-none")
    narrow(page)
    tab_to(page, "Make the first channel")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="How shall it tell?")).to_be_visible()
    looked_at(page, "channels-kinds")
    narrow(page)
    tab_to(page, r"Webhook\s+Posts.*")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name")).to_be_visible()
    tab_to(page, "Name")
    page.keyboard.type("Our wiki")
    tab_to(page, r"Where is it posted to\?")
    page.keyboard.type("https://wiki.example/hooks/links")
    looked_at(page, "channels-new")
    narrow(page)
    tab_to(page, "Make the channel")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="The secret").wait_for()
    secret = page.get_by_label("Secret", exact=True)
    expect(secret).to_have_value(re.compile("^whsec_"))
    first = secret.input_value()
    tab_to(page, r"Copy\s*Secret")
    page.keyboard.press("Enter")
    expect(page.locator("[data-told]")).not_to_be_empty()
    looked_at(page, "channels-made")
    narrow(page)

    tab_to(page, "Say what it is told of")
    page.keyboard.press("Enter")
    expect(page.get_by_label("A page died")).to_be_visible()
    tab_to(page, "A page died")
    page.keyboard.press("Space")
    tab_to(page, "Only of this host")
    page.keyboard.type("example.org")
    looked_at(page, "channels-subscription")
    narrow(page)
    tab_to(page, "Save")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("told of that from now on")
    told = Subscription.objects.get()
    assert (told.what, told.host) == (["dead"], "example.org")

    tab_to(page, "Send a test")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Linkwatch: test")).to_be_visible()
    Delivery.objects.update(attempts=1, attempted_at=database_now(), status_code=503, error="Busy.")
    page.reload()
    expect(page.get_by_text("answered 503")).to_be_visible()
    looked_at(page, "channels-one")
    narrow(page)
    page.get_by_role("link", name="Linkwatch: test").click()
    expect(page.get_by_text("This is a test message.")).to_be_visible()
    looked_at(page, "channels-delivery")

    page.goto(page.url.partition("/deliveries")[0] + "/rotate")
    page.get_by_role("button", name="New secret").click()
    assert page.get_by_label("Secret", exact=True).input_value() != first


def test_channels_that_fail_or_are_full_of_hostile_text_can_be_read(visit, looked_at):  # noqa: F811 - a fixture
    now, (ada, _) = database_now(), User.objects.get_or_create(username="ada")
    fields = {"owner": ada, "settings": {"url": f"https://a.example/{HOSTILE}"}}
    channel = ChannelFactory(name=HOSTILE[:100], failing_since=now, attempts=3, **fields)
    channel.next_attempt_at = now + timedelta(minutes=4)
    channel.save()
    for state in (ChannelState.DISABLED, ChannelState.PAUSED, ChannelState.UNCONFIRMED):
        ChannelFactory(name=HOSTILE[:100], state=state, reason="The receiver is gone.", **fields)
    SubscriptionFactory(channel=channel, what=["dead", "alive", "flags"], reference_prefix=HOSTILE)
    for name in ("waiting", "delivered", "refused", "skipped"):
        DeliveryFactory(channel=channel, subject=HOSTILE, body=HOSTILE, error="No.", state=name)
    page = visit("/account/channels")
    looked_at(page, "channels-list")
    for one in Channel.objects.all():
        page.goto(page.url.partition("/account")[0] + f"/account/channels/{one.pk}")
        looked_at(page, f"channels-{one.state}")
    page.goto(page.url.partition("/account")[0] + f"/account/channels/{channel.pk}/deliveries")
    looked_at(page, "channels-deliveries")
    assert page.title() != "owned"


def test_whoever_reads_a_mail_leaves_by_one_button(live_server, open_page, looked_at):  # noqa: F811
    address = {"address": f"{'a-long-name' * 5}@example.org"}
    channel = ChannelFactory(kind="mail", settings=address)
    link = addresses.leaving_link(channel)
    page = open_page(live_server.url + urlsplit(link).path, viewport=NARROW)
    looked_at(page, "channels-leave")
    tab_to(page, "Unsubscribe")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Unsubscribed")).to_be_visible()
    looked_at(page, "channels-left")
    channel.refresh_from_db()
    assert channel.state == ChannelState.UNCONFIRMED
