"""Channels in a browser: created by keyboard, notified, tested; narrow, light and dark."""

import json
import re
import threading
from datetime import timedelta
from email import message_from_bytes, policy
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from playwright.sync_api import expect

from accounts.roles import Role
from foundation.database.clock import database_now
from notify.kinds.mail import addresses
from notify.models import Channel, ChannelState, Delivery, Subscription
from tests.acceptance.processes import until
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)
from tests.notify.conftest import loopback_allowed  # noqa: F401 - a fixture
from tests.notify.factories import ChannelFactory, DeliveryFactory, SubscriptionFactory
from tests.notify.test_one_cause import _sending, letters  # noqa: F401 - fixtures

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
WIDE = {"width": 1280, "height": 800}
NARROW = {"width": 320, "height": 640}
HOSTILE = "<script>document.title='owned'</script>" + "a-long-word-without-a-break" * 2


@pytest.fixture
def visit(live_server, open_as):
    """Return a function that opens a path as `ada`, a member."""
    return partial(open_as, live_server.url, viewport=NARROW)


def narrow(page):
    page.set_viewport_size(NARROW)


def test_a_member_creates_and_tests_a_webhook_by_keyboard(
    visit,
    looked_at,  # noqa: F811 - a fixture
):
    page = visit("/account/channels")
    looked_at(page, "channels-none")
    narrow(page)
    tab_to(page, "Add a channel")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="New channel")).to_be_visible()
    tab_to(page, "(Webhook|Email)")
    while not page.get_by_label("Webhook").is_checked():
        page.keyboard.press("ArrowDown")
    expect(page.get_by_label("Email address")).to_be_hidden()
    tab_to(page, "URL to post to")
    page.keyboard.type("https://wiki.example/hooks/links")
    tab_to(page, "Only references starting with")
    page.keyboard.type("docs/")
    tab_to(page, "Immediately")
    looked_at(page, "channels-new")
    narrow(page)
    tab_to(page, "Save")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Signing secret").wait_for()
    secret = page.get_by_label("Secret", exact=True)
    expect(secret).to_have_value(re.compile("^whsec_"))
    first = secret.input_value()
    expect(page.get_by_role("status").filter(has_text="Sending the test…")).to_be_visible()
    reported = Subscription.objects.get()
    assert (reported.what, reported.reference_prefix) == (["dead", "alive", "repairs"], "docs/")
    tab_to(page, r"Copy\s*Secret")
    page.keyboard.press("Enter")
    expect(page.locator("[data-status]")).not_to_be_empty()
    looked_at(page, "channels-made")
    narrow(page)

    Delivery.objects.update(attempts=1, attempted_at=database_now(), status_code=503, error="Busy.")
    tab_to(page, "Send a test")
    page.keyboard.press("Enter")
    refresh = page.get_by_role("link", name="Refresh")
    refresh.wait_for()  # no sender runs here
    expect(secret).to_have_value(first)  # the page was not reloaded
    refresh.click()
    expect(page.get_by_text("HTTP 503")).to_be_visible()
    looked_at(page, "channels-one")
    narrow(page)
    page.get_by_role("link", name="Linkwatch: test").last.click()
    expect(page.get_by_text("This is a test message.")).to_be_visible()
    looked_at(page, "channels-delivery")

    channel = page.url.partition("/deliveries")[0]
    page.goto(f"{channel}/subscriptions/new")
    looked_at(page, "channels-subscription")
    page.goto(f"{channel}/rotate")
    page.get_by_role("button", name="Create secret").click()
    assert page.get_by_label("Secret", exact=True).input_value() != first


@pytest.fixture
def posted():
    """Yield the address of a receiver of webhooks on loopback, and the bodies it received."""
    got = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            got.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args):
            pass

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/", got
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.usefixtures("_sending", "loopback_allowed")
def test_an_operator_sees_a_webhooks_test_arrive_next_to_its_button(
    live_server,
    open_as,
    posted,
    looked_at,  # noqa: F811 - a fixture
):
    url, got = posted
    page = open_as(live_server.url, "/account/channels", Role.OPERATOR, viewport=WIDE)
    page.get_by_role("link", name="Add a channel").click()
    page.get_by_label("Webhook").check()
    page.get_by_label("URL to post to").fill(url)
    expect(page.get_by_label("Linkwatch goes offline or comes back online")).to_be_checked()
    page.get_by_role("button", name="Save").click()
    result = page.locator("#test-result")
    expect(result).to_contain_text("Delivered")
    expect(result).to_contain_text("HTTP 204")
    expect(page.get_by_role("heading", name="Signing secret")).to_be_visible()
    page.get_by_role("button", name="Send a test").click()
    expect(page.locator(".deliveries .badge[data-is=success]")).to_have_count(2)
    expect(result).to_contain_text("Delivered")
    assert [one["type"] for one in got] == ["linkwatch.test"] * 2
    looked_at(page, "channels-delivered")


@pytest.mark.usefixtures("_sending")
def test_a_test_mail_arrives_and_a_link_shows_it_without_javascript(
    live_server,
    open_as,
    letters,  # noqa: F811 - a fixture
):
    ada, _ = User.objects.get_or_create(username="ada", email="ada@example.org")
    EmailAddress.objects.create(user=ada, email=ada.email, verified=True, primary=True)
    page = open_as(
        live_server.url, "/account/channels/new", viewport=NARROW, java_script_enabled=False
    )
    expect(page.get_by_label("Email address")).to_be_visible()  # mail is configured here
    page.get_by_label("Email address").fill("ada@example.org")
    page.get_by_role("button", name="Save").click()
    until(letters.qsize)
    until(lambda: not Delivery.objects.waiting().exists())
    refresh = page.get_by_role("link", name="Refresh")
    refresh.click() if refresh.count() else page.reload()
    expect(page.locator("#test-result")).to_contain_text("Delivered")
    letter = message_from_bytes(letters.get()[2], policy=policy.default)
    assert letter["Subject"] == "Linkwatch: test message for “ada@example.org”"
    assert "the channel “ada@example.org” works" in letter.get_body(("plain",)).get_content()


def test_failing_channels_and_hostile_texts_are_readable(visit, looked_at):  # noqa: F811 - a fixture
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


def test_the_reader_of_a_mail_unsubscribes_by_one_button(live_server, open_page, looked_at):  # noqa: F811
    address = {"address": f"{'a-long-name' * 5}@example.org"}
    channel = ChannelFactory(kind="mail", settings=address)
    link = addresses.unsubscribe_link(channel)
    page = open_page(live_server.url + urlsplit(link).path, viewport=NARROW)
    looked_at(page, "channels-leave")
    tab_to(page, "Unsubscribe")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Unsubscribed")).to_be_visible()
    looked_at(page, "channels-left")
    channel.refresh_from_db()
    assert channel.state == ChannelState.UNCONFIRMED
