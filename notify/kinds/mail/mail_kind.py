"""Email through the server in EMAIL_URL: text and HTML, with one-click unsubscribe (RFC 8058)."""

import asyncio
import smtplib
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from email.message import EmailMessage as MimeMessage
from email.message import Message
from email.policy import EmailPolicy
from email.utils import format_datetime, formataddr, parseaddr
from typing import Any, ClassVar
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings as deployment
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage, get_connection
from django.core.validators import validate_email
from django.utils import timezone

from accounts.actors import Actor
from notify.kinds.kind import ChannelKindBase, SendAttempt, SendOutcome, invalid_setting
from notify.kinds.mail import addresses
from notify.message_rendering import as_html, as_text
from notify.message_texts import plain
from notify.message_types import Content
from notify.models import Channel, Delivery

TIMEOUT = 15.0  # seconds for a whole attempt
_RESPONSE_TIMEOUT = 10  # seconds for each response from the server
_NO_MAIL = "This server can't send email: an operator has to set EMAIL_URL."

# Our headers that programs read. They can't be folded, so Python would convert them to encoded
# words, which must not be used there (RFC 2047, section 5).
_UNFOLDED = frozenset({"Message-ID", "In-Reply-To", "References", "List-Unsubscribe", "List-ID"})

_MAX_THREADS = 4  # messages sent at once, each in a thread
_threads = ThreadPoolExecutor(_MAX_THREADS, thread_name_prefix="mail")


class Mail(ChannelKindBase):
    """Sends email to a confirmed address."""

    max_concurrent: ClassVar[int] = _MAX_THREADS

    def __init__(self) -> None:
        # Attempts that took too long, with the id of their message, by channel. The mail server may
        # still accept the message, so the next attempt waits for the result.
        self._unfinished: dict[str, tuple[UUID, Future[None]]] = {}

    def clean(self, settings: Mapping[str, Any], *, by: Actor) -> dict[str, Any]:
        """Return `address`; raises ApiError `invalid`, also if EMAIL_URL is not set."""
        address = settings.get("address")
        if not deployment.EMAIL_URL:
            raise invalid_setting("address", _NO_MAIL)
        try:
            validate_email(address)
        except ValidationError:
            address = None
        if not isinstance(address, str) or not address.isascii():
            raise invalid_setting("address", "Must be an address such as me@example.org.")
        return {"address": address}

    def compose(self, channel: Channel, content: Content) -> str:
        """Return the complete message, with headers, in ASCII."""
        link = addresses.unsubscribe_link(channel)
        domain = urlsplit(deployment.BASE_URL).hostname
        message = MimeMessage(policy=_POLICY)
        message["From"] = formataddr(parseaddr(deployment.DEFAULT_FROM_EMAIL))
        message["To"] = channel.settings["address"]
        message["Subject"] = plain(content.subject)
        message["Date"] = format_datetime(timezone.now())
        message["Message-ID"] = f"<{content.message_id}@{domain}>"
        if content.in_reply_to:
            message["In-Reply-To"] = message["References"] = f"<{content.in_reply_to}@{domain}>"
        message["List-Unsubscribe"] = f"<{link}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message["List-ID"] = f"<{channel.id}.{domain}>"
        message["Auto-Submitted"] = "auto-generated"
        text, html = (make(channel, content, unsubscribe_url=link) for make in (as_text, as_html))
        message.set_content(text, cte="quoted-printable")
        message.add_alternative(html, subtype="html", cte="quoted-printable")
        return message.as_bytes().decode("ascii")

    async def send(self, channel: Channel, delivery: Delivery) -> SendAttempt:
        """Send the message to the mail server, or wait for the last attempt if it is unfinished."""
        if not deployment.EMAIL_URL:
            return SendAttempt(outcome=SendOutcome.HELD, error=_NO_MAIL)
        message_id, future = self._unfinished.pop(channel.id, (None, None))
        if future is None or message_id != delivery.message_id:
            message = _ComposedEmail(delivery.body, to=channel.settings["address"])
            future = _threads.submit(_send, message)
        try:
            async with asyncio.timeout(TIMEOUT) as limit:
                await asyncio.wrap_future(future)
        except OSError as error:  # includes SMTPException
            if not limit.expired():
                return _attempt_of_error(error)
            if not future.cancelled():  # its thread has begun, and continues
                self._unfinished[channel.id] = delivery.message_id, future
            sentence = f"The mail server did not respond within {TIMEOUT:.0f} seconds."
            return SendAttempt(outcome=SendOutcome.HELD, error=sentence)
        return SendAttempt(outcome=SendOutcome.ACCEPTED, status_code=250)


class _Policy(EmailPolicy):
    """The default policy, except that some headers are never folded."""

    def fold_binary(self, name: str, value: str) -> bytes:
        if name in _UNFOLDED and value.isascii():
            return f"{name}: {value}{self.linesep}".encode("ascii")
        return super().fold_binary(name, value)


_POLICY = _Policy(linesep="\r\n")


class _ComposedEmail(EmailMessage):
    """A message that is sent as composed."""

    def __init__(self, composed: str, *, to: str) -> None:
        super().__init__(to=[to])
        self._composed = composed.encode("ascii")

    def message(self, *, policy: Any = None) -> Any:
        return _Verbatim(self._composed)


class _Verbatim(Message):
    """A message with given bytes, which Django's mail backend sends unchanged."""

    def __init__(self, composed: bytes) -> None:
        super().__init__()
        self._composed = composed

    def as_bytes(self, *args: Any, **kwargs: Any) -> bytes:
        return self._composed


def _send(message: EmailMessage) -> None:
    connection = get_connection(timeout=_RESPONSE_TIMEOUT)
    try:
        connection.send_messages([message])
    finally:
        connection.close()  # a refused password leaves the connection open


def _attempt_of_error(error: OSError) -> SendAttempt:
    """Return the result of an attempt that failed with this error from the mail server."""
    match error:
        case smtplib.SMTPAuthenticationError():
            sentence = "The mail server rejected the username or password in EMAIL_URL."
            return _attempt(SendOutcome.HELD, error.smtp_code, sentence, error.smtp_error)
        case smtplib.SMTPRecipientsRefused():
            code, response = next(iter(error.recipients.values()))
            return _attempt_of_code(
                code, "The mail server does not accept mail for this address", response
            )
        case smtplib.SMTPSenderRefused():
            sentence = f"The mail server does not accept mail from {error.sender}."
            return _attempt(SendOutcome.HELD, error.smtp_code, sentence, error.smtp_error)
        case smtplib.SMTPDataError():
            sentence = "The mail server did not accept the message"
            return _attempt_of_code(error.smtp_code, sentence, error.smtp_error)
        case smtplib.SMTPResponseException():
            sentence = f"The mail server returned {error.smtp_code}."
            return _attempt(SendOutcome.HELD, error.smtp_code, sentence, error.smtp_error)
        case smtplib.SMTPNotSupportedError():
            sentence = "The mail server does not support what EMAIL_URL requires."
        case _:
            sentence = "The mail server could not be reached."
    return SendAttempt(outcome=SendOutcome.HELD, error=sentence)


def _attempt_of_code(code: int, sentence: str, response: bytes | str) -> SendAttempt:
    outcome = SendOutcome.REFUSED if 500 <= code < 600 else SendOutcome.HELD
    return _attempt(outcome, code, f"{sentence} ({code}).", response)


def _attempt(outcome: SendOutcome, code: int, sentence: str, response: bytes | str) -> SendAttempt:
    text = response.decode("utf-8", "replace") if isinstance(response, bytes) else response
    return SendAttempt(
        outcome=outcome,
        status_code=code if 0 <= code < 1000 else None,
        error=sentence,
        answer=text[:2048].replace("\0", "\ufffd"),
    )
