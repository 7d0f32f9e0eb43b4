"""Other services (Slack, Discord, Teams, ntfy, Matrix …) through Apprise, for operators only.

Apprise resolves names and connects by itself, without our guard, so only operators may use it.
"""

import asyncio
import json
import logging
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings as deployment

from accounts.actors import Actor
from foundation import kept_secrets as secrets
from notify.kinds.kind import (
    ChannelKindBase,
    SendAttempt,
    SendOutcome,
    belongs_to_operators,
    invalid_setting,
)
from notify.message_rendering import as_lines
from notify.message_types import Content
from notify.models import Channel, Delivery

if TYPE_CHECKING:
    from apprise import NotifyBase

logger = logging.getLogger(__name__)

TIMEOUT = 15.0  # seconds for a whole attempt
_OWNER_NOT_OPERATOR = "Only operators can use Apprise, and the owner is no longer an operator."
_UNREADABLE = "The URL of this channel was encrypted with another SECRET_KEY. Enter it again."
_MAX_URL_LENGTH = 4096  # characters
_NOT_ASCII = "Use printable ASCII characters only, and percent-encode all others: é is %C3%A9."
# Apprise's schemas of services that notify this machine or store files on it, and attributes of
# services that contain paths. All other services that read files have an AppriseAttachment.
# tests/notify/kinds/test_apprise.py reads apprise's plugins and fails for new ones.
_LOCAL_SCHEMAS = frozenset(
    {"dbus", "kde", "qt", "glib", "gio", "gnome", "macosx", "windows", "syslog", "blink1", "vapid"}
)
_PATH_ATTRIBUTES = ("keyfile", "subfile", "pgp_key", "pgp_privkey")
_USES_THIS_MACHINE = "This service is not allowed: it would use files or programs on this server."

_MAX_THREADS = 8  # messages sent at once, each in a thread
_threads = ThreadPoolExecutor(_MAX_THREADS, thread_name_prefix="apprise")


class LocalServiceError(Exception):
    """The service notifies this machine or uses its files."""


class Apprise(ChannelKindBase):
    """Sends to a remote service that Apprise supports, at a URL that contains its secrets."""

    operators_only: ClassVar[bool] = True
    encrypted_settings = ("url",)
    max_concurrent: ClassVar[int] = _MAX_THREADS

    def __init__(self) -> None:
        # Attempts in progress, by channel. While one hangs, its channel gets no other thread.
        self._in_progress: dict[str, Future[bool]] = {}

    def clean(self, settings: Mapping[str, Any], *, by: Actor) -> dict[str, Any]:
        """Return the encrypted URL, its service and its scheme; raises ApiError `invalid`."""
        url = settings.get("url")
        if not isinstance(url, str) or not 0 < len(url) <= _MAX_URL_LENGTH:
            raise invalid_setting("url", "Must be an Apprise URL, such as ntfys://ntfy.sh/topic.")
        if not (url.isascii() and url.isprintable()):
            raise invalid_setting("url", _NOT_ASCII)
        try:
            service = _service(url)
        except LocalServiceError as error:
            raise invalid_setting("url", str(error)) from None
        if service is None:
            raise invalid_setting("url", "Apprise doesn't recognize this URL.")
        return {
            "url": secrets.encrypt(url),
            "service": str(service.service_name),
            "scheme": url.partition(":")[0].strip().lower(),
        }

    def settings_to_show(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the service and the URL's scheme; any other part of the URL may be secret."""
        return {"service": settings.get("service"), "url": f"{settings.get('scheme')}://…"}

    def compose(self, channel: Channel, content: Content) -> str:
        """Return title and text, as JSON."""
        message = {"title": content.subject, "text": as_lines(channel, content)}
        return json.dumps(message, ensure_ascii=False)

    async def send(self, channel: Channel, delivery: Delivery) -> SendAttempt:
        """Send the message through Apprise, in a thread."""
        if not await belongs_to_operators(channel):
            return SendAttempt(outcome=SendOutcome.GONE, error=_OWNER_NOT_OPERATOR)
        name = channel.settings.get("service") or "The service"
        try:
            url = secrets.decrypt(channel.settings["url"])
        except secrets.UnreadableSecretError:
            return SendAttempt(outcome=SendOutcome.HELD, error=_UNREADABLE)
        previous = self._in_progress.get(channel.id)
        if previous is not None and not previous.done():
            return SendAttempt(
                outcome=SendOutcome.HELD, error=f"{name} has not yet responded to the last attempt."
            )
        future = self._in_progress[channel.id] = _threads.submit(
            _notify, url, json.loads(delivery.body)
        )
        future.add_done_callback(lambda _: self._in_progress.pop(channel.id, None))
        try:
            async with asyncio.timeout(TIMEOUT):
                is_accepted = await asyncio.wrap_future(future)
        except TimeoutError:
            sentence = f"{name} did not respond within {TIMEOUT:.0f} seconds."
            return SendAttempt(outcome=SendOutcome.HELD, error=sentence)
        except LocalServiceError as error:
            return SendAttempt(outcome=SendOutcome.GONE, error=str(error))
        if is_accepted:
            return SendAttempt(outcome=SendOutcome.ACCEPTED)
        sentence = f"{name} did not accept the message; see the relay's log."
        return SendAttempt(outcome=SendOutcome.HELD, error=sentence)


def _notify(url: str, message: Mapping[str, str]) -> bool:
    """Send a message; return whether the service accepted it. Raises LocalServiceError."""
    import apprise

    service = _service(url)
    if service is None:
        return False
    service.overflow_mode = apprise.OverflowMode.TRUNCATE
    try:
        return bool(
            service.notify(
                body=message["text"], title=message["title"], body_format=apprise.NotifyFormat.TEXT
            )
        )
    except Exception:  # (plugins may raise anything)
        logger.exception("Apprise failed in an unexpected way")
        return False


def _service(url: str) -> "NotifyBase | None":
    """Return apprise's object for the URL, or None for an unknown service.

    Raises LocalServiceError for a service that uses this machine. The object itself is checked,
    because we could parse the URL differently from apprise.
    """
    import apprise  # 25 MB, needed only by relays with such a channel

    asset = apprise.AppriseAsset(
        app_id="Linkwatch",
        app_desc="Linkwatch",
        app_url=deployment.BASE_URL,
        plugin_paths=[],
        storage_mode=apprise.PersistentStoreMode.MEMORY,
        secure_logging=True,
    )
    service = apprise.Apprise.instantiate(url, asset=asset)
    if service is not None and _uses_this_machine(service):
        raise LocalServiceError(_USES_THIS_MACHINE)
    return service


def _uses_this_machine(service: "NotifyBase") -> bool:
    import apprise

    schemas: set[str] = service.schemas()  # type: ignore[no-untyped-call]
    if not _LOCAL_SCHEMAS.isdisjoint(schemas):
        return True
    attributes = vars(service)
    return any(attributes.get(name) for name in _PATH_ATTRIBUTES) or any(
        isinstance(value, apprise.AppriseAttachment) and len(value) for value in attributes.values()
    )
