"""The base class of channel kinds: they validate settings, and compose and send messages."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Any, ClassVar

from accounts.actors import Actor
from foundation.database.thread_pool import in_thread
from foundation.http.errors import ApiError
from notify.message_types import Content
from notify.models import Channel, Delivery


class SendOutcome(Enum):
    """What an attempt means for the message and its channel."""

    ACCEPTED = "accepted"
    HELD = "held"  # the channel waits and retries the message later
    REFUSED = "refused"  # the message is not retried; the channel continues
    GONE = "gone"  # the channel is disabled


@dataclass(frozen=True, slots=True, kw_only=True)
class SendAttempt:
    """The result of one attempt to send a delivery."""

    outcome: SendOutcome
    status_code: int | None = None
    error: str = ""  # a sentence; empty if accepted
    answer: str = ""  # the start of the response's body
    retry_after: timedelta | None = None  # requested by the receiver


class ChannelKindBase(ABC):
    """A kind of channel. Its only state is connections and attempts of one event loop."""

    operators_only: ClassVar[bool] = False
    # How many channels of the kind one relay serves at once; the others wait.
    max_concurrent: ClassVar[int] = 256
    # Whether receivers fetch messages: writing a delivery completes it.
    passive: ClassVar[bool] = False
    # Settings that are stored encrypted; they are empty in a backup without secrets.
    encrypted_settings: ClassVar[tuple[str, ...]] = ()

    def new_secret(self) -> str:
        """Return a secret for a channel, to be stored encrypted; empty for kinds without one."""
        return ""

    def settings_to_show(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings to show to people who may change the channel.

        `notify.serializers.shown_settings` shortens URLs for viewers.
        """
        return dict(settings)

    @abstractmethod
    def clean(self, settings: Mapping[str, Any], *, by: Actor) -> dict[str, Any]:
        """Return the settings to store; raises ApiError `invalid`."""

    @abstractmethod
    def compose(self, channel: Channel, content: Content) -> str:
        """Return the delivery's body, which each attempt sends unchanged."""

    @abstractmethod
    async def send(self, channel: Channel, delivery: Delivery) -> SendAttempt:
        """Make one attempt within 15 seconds; raises nothing, whatever the receiver does."""

    async def close(self) -> None:  # noqa: B027 (most kinds have nothing to close)
        """Close the running loop's connections; `send` may be called again."""


async def belongs_to_operators(channel: Channel) -> bool:
    """Return whether the channel is the deployment's, or its owner is an operator now.

    Returns False for the callback of a service user, which has no owner either, and of a bound
    token, which may be public.
    """
    if channel.owner_id is None:
        return channel.batch_id is None

    def is_operators() -> bool:
        is_bound = channel.batch is not None and channel.batch.has_bound_token
        return channel.actor.is_operator and not is_bound

    return await in_thread(is_operators)


def invalid_setting(name: str, sentence: str) -> ApiError:
    """Return the error for an invalid setting, with a sentence for people."""
    return ApiError("invalid", sentence, details={name: [sentence]})
