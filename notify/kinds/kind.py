"""A kind of channel: what its settings must be, how a message is worded, how one is sent."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Any, ClassVar

from accounts.actors import Actor
from foundation.database.thread_pool import in_thread
from foundation.http.errors import ApiError
from notify.content import Content
from notify.models import Channel, Delivery


class SendOutcome(Enum):
    """What an attempt means for the message and its channel."""

    ACCEPTED = "accepted"
    HELD = "held"  # the channel waits, and tries the same message again later
    REFUSED = "refused"  # this message is set aside, the channel goes on
    GONE = "gone"  # the channel is disabled


@dataclass(frozen=True, slots=True, kw_only=True)
class SendAttempt:
    """What came of one attempt to send a delivery."""

    outcome: SendOutcome
    status_code: int | None = None
    error: str = ""  # a sentence; empty when it was accepted
    answer: str = ""  # how the answer's body begins
    retry_after: timedelta | None = None  # as the receiver asks


class ChannelKindBase(ABC):
    """How channels of one kind work. Stateless but for connections; used in one event loop."""

    operators_only: ClassVar[bool] = False
    # Channels of the kind for which one relay sends at once: the rest waits, and has not failed.
    at_once: ClassVar[int] = 256
    # Whether nothing is sent, but fetched: its deliveries are made once they are written.
    passive: ClassVar[bool] = False

    def new_secret(self) -> str:
        """Return a secret for a channel, to be kept encrypted; empty for kinds without one."""
        return ""

    def shown(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the stored settings that everyone who sees the channel may see."""
        return dict(settings)

    @abstractmethod
    def clean(self, settings: Mapping[str, Any], *, by: Actor) -> dict[str, Any]:
        """Return the settings as they are kept; raises ApiError (invalid) for what can't be."""

    @abstractmethod
    def compose(self, channel: Channel, content: Content) -> str:
        """Return the body of the delivery, which is sent as it is, also when it is repeated."""

    @abstractmethod
    async def send(self, channel: Channel, delivery: Delivery) -> SendAttempt:
        """Make one attempt, within 15 seconds; raises nothing that a receiver can cause."""

    async def close(self) -> None:  # noqa: B027 (most have nothing to let go of)
        """Let go of connections of the running loop; `send` may be called again."""


async def is_of_operators(channel: Channel) -> bool:
    """Whether it is the deployment's, or of somebody who is an operator now.

    A callback that has no owner is a service user's.
    """
    if channel.owner_id is None:
        return channel.batch_id is None
    return await in_thread(lambda: channel.actor.is_operator)


def invalid_setting(name: str, sentence: str) -> ApiError:
    """Return the error of a setting that can't be, with a sentence for people."""
    return ApiError("invalid", sentence, details={name: [sentence]})
