"""The content of a message, before a kind of channel composes it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The content of a message: one event, a digest of several, or a notice about a channel."""

    message_id: str
    type: str  # of the CloudEvent
    data: Mapping[str, Any]  # the CloudEvent, as sent to webhooks
    subject: str  # a line of plain text that says what happened and where
    lines: tuple["ContentLine", ...]  # the first ten events, and notices
    more: int = 0  # events left out
    link: str = ""  # a page with the details
    # The id of the message that this one follows up, such as the first message of an outage.
    in_reply_to: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentLine:
    """One event or notice in a message. All text is untrusted."""

    headline: str  # the target's URL, or what happened
    reason: str = ""  # a sentence
    since: str = ""  # when an ongoing condition began (RFC 3339)
    at: str = ""  # when something momentary happened (RFC 3339)
    references: tuple[str, ...] = ()  # the first ten
    more_references: int = 0  # left out
    link: str = ""  # to the evidence
    rule: str = ""  # link to the rule or flag in docs/verdicts.md
