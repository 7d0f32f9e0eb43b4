"""Types of a message's content, before a kind of channel composes it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The content of a message, before a kind composes it: one event, or a digest of several."""

    message_id: str
    type: str  # of the CloudEvent
    data: Mapping[str, Any]  # the CloudEvent, as sent to webhooks
    subject: str  # a line of plain text that says what happened and where
    lines: tuple["ContentLine", ...]  # the first ten
    more: int = 0  # lines left out
    link: str = ""  # a page with all of it
    # The id of the message that this one follows up, such as the first message of an outage.
    in_reply_to: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentLine:
    """One target, or one fact about the deployment, in a message. Everything is untrusted."""

    headline: str  # the URL, or the fact
    reason: str = ""  # a sentence
    since: str = ""  # RFC 3339, of what lasts
    at: str = ""  # RFC 3339, of what is over
    references: tuple[str, ...] = ()  # the first ten
    more_references: int = 0  # left out
    link: str = ""  # to the evidence
    rule: str = ""  # link to the reason in docs/verdicts.md
