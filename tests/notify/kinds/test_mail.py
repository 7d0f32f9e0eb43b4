"""Mail through a real SMTP server on loopback: contents, unsubscribing, kinds of failures."""

import asyncio
import socket
from datetime import UTC, datetime
from email import message_from_bytes, policy
from queue import Queue
from threading import Event

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from accounts.actors import DEPLOYMENT
from foundation.http.errors import ApiError
from linkwatch.environment import mail_settings
from notify import message_texts
from notify.kinds import kind_of
from notify.kinds.kind import SendOutcome
from notify.kinds.mail import addresses, mail_kind
from notify.message_types import Content
from notify.models import Channel, Delivery
from tests.ports import free_port

NOW = datetime(2026, 3, 1, 14, 2, tzinfo=UTC)
DIGEST = "0195500a-0000-7000-8000-000000000001"
HEADERS = {
    *("From", "To", "Subject", "Date", "Message-ID", "List-Unsubscribe", "List-Unsubscribe-Post"),
    *("List-ID", "Auto-Submitted", "MIME-Version", "Content-Type"),
}
pytestmark = pytest.mark.any_database


class Letters:
    """A handler of aiosmtpd that stores mails byte for byte, and rejects those that a test
    chooses."""

    def __init__(self):
        self.kept, self.answers = Queue(), {}
        self.began, self.released = Event(), Event()  # of the response to a mail
        self.released.set()

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802
        if "RCPT" in self.answers:
            return self.answers["RCPT"]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        self.began.set()
        await asyncio.to_thread(self.released.wait, 30)
        if "DATA" not in self.answers:
            self.kept.put((envelope.mail_from, envelope.rcpt_tos, envelope.original_content))
        return self.answers.get("DATA", "250 OK")


def authenticate(server, session, envelope, mechanism, data):
    return AuthResult(success=data.password == b"right", handled=False)


@pytest.fixture(scope="module")
def server():
    """A mail server that checks names and passwords; each test sets its own handler."""
    controller = Controller(
        Letters(),
        hostname="127.0.0.1",
        port=free_port(),
        authenticator=authenticate,
        auth_require_tls=False,
    )
    controller.start()
    yield controller
    controller.stop()


@pytest.fixture
def letters(server, settings):
    """The mails that Linkwatch's mail server receives, and those that it rejects."""
    server.handler.__init__()
    use(settings, f"smtp://lw:right@127.0.0.1:{server.port}")
    return server.handler


def use(settings, url):
    for name, value in mail_settings(url).items():
        setattr(settings, name, value)
    settings.EMAIL_URL = url
    settings.BASE_URL = "https://watch.example"
    settings.DEFAULT_FROM_EMAIL = "Linkwatch <linkwatch@watch.example>"


def channel(name="Pager"):
    return Channel(
        kind="mail", name=name, created_at=NOW, position=0, settings={"address": "ada@example.org"}
    )


def composed(to, content=None):
    content = content or message_texts.test_content(to, message_id=DIGEST, now=NOW)
    body = kind_of("mail").compose(to, content)
    return Delivery(channel=to, type=content.type, subject=content.subject, body=body)


def send(to, delivery):
    return asyncio.run(kind_of("mail").send(to, delivery))


def test_a_mail_has_text_and_html_and_one_click_unsubscribe(letters):
    to = channel()
    delivery = composed(to)

    assert send(to, delivery).outcome is SendOutcome.ACCEPTED
    sender, recipients, raw = letters.kept.get(timeout=30)
    letter = message_from_bytes(raw, policy=policy.default)
    assert (sender, recipients) == ("linkwatch@watch.example", ["ada@example.org"])
    assert (letter["To"], letter["Subject"]) == ("ada@example.org", delivery.subject)
    assert letter["Message-ID"] == f"<{DIGEST}@watch.example>"
    leave = letter["List-Unsubscribe"].strip("<>")
    assert leave.startswith("https://watch.example/unsubscribe/")
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    text, html = (letter.get_body((kind,)).get_content() for kind in ("plain", "html"))
    assert "This is a test message." in text
    assert "This is a test message." in html
    assert leave in text
    assert leave in html
    assert "<img" not in html  # nothing that identifies the reader
    assert "src=" not in html


def test_headers_that_programs_read_are_sent_unencoded(letters, settings):
    """Programs don't decode encoded words there, and one-click unsubscribing would fail."""
    domain = f"{'linkwatch.' * 8}example"
    settings.BASE_URL = f"https://{domain}"
    to = channel()

    send(to, composed(to))
    lines = letters.kept.get(timeout=30)[2].split(b"\r\n")
    leave = addresses.unsubscribe_link(to)
    assert len(leave) > 78  # Python does not encode values that fit on a line
    assert f"List-Unsubscribe: <{leave}>".encode() in lines
    assert f"List-ID: <{to.id}.{domain}>".encode() in lines
    assert f"Message-ID: <{DIGEST}@{domain}>".encode() in lines


def test_a_mail_is_repeated_byte_for_byte(letters):
    to = channel("Café")
    delivery = composed(to)

    send(to, delivery)
    send(to, delivery)

    first, second = (letters.kept.get(timeout=30)[2] for _ in range(2))
    assert first == second == delivery.body.encode("ascii")
    assert max(map(len, first.split(b"\r\n"))) <= 998  # limit of a line, by RFC 5322


@pytest.mark.parametrize(
    "hostile",
    ["x\r\nBcc: all@example.org\r\n\r\nBuy", "x\ny", "\u202exemlive", "ü" * 500],
)
def test_no_text_injects_headers(letters, hostile):
    to = channel(hostile)
    plain = message_texts.test_content(to, message_id=DIGEST, now=NOW)
    careless = Content(message_id=DIGEST, type="t", data={}, subject=hostile, lines=())

    for content in (plain, careless):
        delivery = composed(to, content)
        assert send(to, delivery).outcome is SendOutcome.ACCEPTED
        letter = message_from_bytes(letters.kept.get(timeout=30)[2], policy=policy.default)
        assert "Bcc" not in letter
        assert set(letter.keys()) == HEADERS
        assert str(letter["Subject"]).isprintable()


@pytest.mark.parametrize(
    ("answers", "outcome", "error"),
    [
        (
            {"RCPT": "550 No such user"},
            SendOutcome.REFUSED,
            "The mail server does not accept mail for this address (550).",
        ),
        (
            {"RCPT": "450 Busy"},
            SendOutcome.HELD,
            "The mail server does not accept mail for this address (450).",
        ),
        (
            {"DATA": "554 Spam"},
            SendOutcome.REFUSED,
            "The mail server did not accept the message (554).",
        ),
        (
            {"DATA": "452 Full"},
            SendOutcome.HELD,
            "The mail server did not accept the message (452).",
        ),
    ],
)
def test_the_servers_response_about_the_recipient_decides(letters, answers, outcome, error):
    letters.answers = answers
    to = channel()

    attempt = send(to, composed(to))

    assert (attempt.outcome, attempt.error) == (outcome, error)
    assert attempt.status_code == int(next(iter(answers.values()))[:3])


def test_a_wrong_password_pauses_the_channel_with_the_reason(letters, settings):
    use(settings, settings.EMAIL_URL.replace("right", "wrong"))
    to = channel()

    attempt = send(to, composed(to))

    assert (attempt.outcome, attempt.status_code) == (SendOutcome.HELD, 535)
    assert attempt.error == "The mail server rejected the username or password in EMAIL_URL."
    assert "wrong" not in attempt.error + attempt.answer


def test_an_unreachable_or_silent_server_pauses_the_channel(settings, monkeypatch):
    to = channel()
    use(settings, f"smtp://127.0.0.1:{free_port()}")
    assert send(to, composed(to)).error == "The mail server could not be reached."

    monkeypatch.setattr(mail_kind, "TIMEOUT", 0.3)

    with socket.create_server(("127.0.0.1", 0)) as silent:
        use(settings, f"smtp://127.0.0.1:{silent.getsockname()[1]}")
        attempt = send(to, composed(to))
    assert (attempt.outcome, "did not respond within" in attempt.error) == (SendOutcome.HELD, True)


@pytest.mark.parametrize(
    ("answers", "outcome", "copies"),
    [({}, SendOutcome.ACCEPTED, 1), ({"DATA": "452 Full"}, SendOutcome.HELD, 0)],
)
def test_the_next_attempt_waits_for_one_that_took_too_long(
    letters, monkeypatch, answers, outcome, copies
):
    monkeypatch.setattr(mail_kind, "TIMEOUT", 1.0)
    letters.answers = answers
    letters.released.clear()
    to = channel()
    delivery = composed(to)

    first = send(to, delivery)
    assert letters.began.wait(30)
    letters.released.set()
    monkeypatch.setattr(mail_kind, "TIMEOUT", 30.0)
    second = send(to, delivery)

    assert (first.outcome, second.outcome) == (SendOutcome.HELD, outcome)
    assert "did not respond within" in first.error
    assert letters.kept.qsize() == copies
    letters.answers = {}
    assert send(to, composed(to)).outcome is SendOutcome.ACCEPTED  # another message
    assert letters.kept.qsize() == copies + 1


def test_without_email_url_there_are_no_mail_channels(settings):
    settings.EMAIL_URL = ""

    with pytest.raises(ApiError) as refused:
        kind_of("mail").clean({"address": "ada@example.org"}, by=DEPLOYMENT)
    assert "has to set EMAIL_URL" in refused.value.message
    to = channel()
    assert send(to, composed(to)).outcome is SendOutcome.HELD


@pytest.mark.parametrize(
    "address",
    [None, "", "ada", "ada@example.org\r\nBcc: x@example.org", "a@b.org, c@d.org", "é@example.org"],
)
def test_an_invalid_mail_address_is_rejected(settings, address):
    settings.EMAIL_URL = "smtp://127.0.0.1:1"

    with pytest.raises(ApiError):
        kind_of("mail").clean({"address": address}, by=DEPLOYMENT)
    kept = kind_of("mail").clean({"address": "ada@example.org"}, by=DEPLOYMENT)
    assert kept == {"address": "ada@example.org"}
