"""One message for one cause: a whole host dies, reported by real mail and a real webhook."""

import json
import threading
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from aiosmtpd.controller import Controller
from standardwebhooks import Webhook as Verifier

from foundation import kept_secrets as secrets
from foundation.database.clock import database_now
from notify import digest_queue, sending
from notify.models import Delivery, Gathering
from notify.sending import Sender
from tests.acceptance.processes import until
from tests.notify.conftest import channel, death, subscription
from tests.notify.kinds.test_mail import Letters, use
from tests.notify.test_sending import tell
from tests.ports import free_port

pytestmark = [
    pytest.mark.any_database,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("loopback_allowed"),
]
PAGES = 1000
SECRET = secrets.new_webhook_secret()


@pytest.fixture
def hooked():
    """A receiver that verifies webhooks: its address, and the bodies that it received."""
    got = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            Verifier(SECRET).verify(body, dict(self.headers))
            got.append(json.loads(body))
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


@pytest.fixture
def letters(settings):
    """The mails that a mail server received."""
    controller = Controller(Letters(), hostname="127.0.0.1", port=free_port())
    controller.start()
    use(settings, f"smtp://127.0.0.1:{controller.port}")
    yield controller.handler.kept
    controller.stop()


@pytest.fixture
def _sending(monkeypatch):
    """A running sender, as in a relay's process."""
    monkeypatch.setattr(sending, "POLL_INTERVAL", 0.05)
    monkeypatch.setattr(sending, "_SWEEP_INTERVAL", 3600.0)  # the test closes digests
    over = threading.Event()
    thread = threading.Thread(target=Sender(until=over.is_set).run)
    thread.start()
    yield
    over.set()
    thread.join()


def send_all_digests():
    """Send all digests, as if no event had arrived for long enough."""
    Gathering.objects.update(due_at=database_now())
    while digest_queue.close_due(now=database_now()):
        sending.wake()


@pytest.mark.usefixtures("_sending")
def test_a_thousand_pages_of_a_host_die_in_two_mails_and_two_webhooks(hooked, letters):
    url, posted = hooked
    hook = channel(settings={"url": url}, secret=secrets.encrypt(SECRET))
    mail = channel(kind="mail", settings={"address": "ada@example.org"})
    for one in (hook, mail):
        subscription(one, grouped=True)
    deaths = [death(number=number) for number in range(1, PAGES + 1)]

    tell()
    until(lambda: (len(posted), letters.qsize()) == (1, 1))
    send_all_digests()
    until(lambda: not Delivery.objects.waiting().exists())

    first, closing = posted
    assert first["id"] == str(deaths[0].pk)
    assert closing["type"] == "linkwatch.digest"
    sent = [message_from_bytes(letters.get()[2], policy=policy.default) for _ in range(2)]
    assert letters.empty()
    assert "a.example" in sent[0]["Subject"]
    assert f"{PAGES - 1}" in sent[1]["Subject"]
