"""What webhooks are sent: CloudEvents 1.0, as in the feed, and of types that only channels have."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings

from accounts.actors import Actor
from foundation.times import rfc3339
from targets.events.kinds import OF_TARGETS, EventKind
from targets.events.payload import event_type, public
from targets.models import Transition

DIGEST = "linkwatch.digest"
SKIPPED = "linkwatch.channel.skipped"
DISABLED = "linkwatch.channel.disabled"
TEST = "linkwatch.test"


def type_of(transition: Transition) -> str:
    """Return the CloudEvents type of an outbox row: linkwatch.target.dead, linkwatch.disk.filling.

    Of what is about a target but no change of its state: linkwatch.target.flag_raised.
    """
    if transition.kind == EventKind.STATE:
        return event_type(transition.to_state)
    if transition.kind in OF_TARGETS:
        return event_type(transition.kind)
    return f"linkwatch.{transition.kind.replace('_', '.', 1)}"


def cloud_event(
    message_id: str, type_: str, data: Mapping[str, Any], *, subject: str | None, at: datetime
) -> dict[str, Any]:
    """Return an event in CloudEvents' JSON format."""
    about = {"subject": subject} if subject else {}
    return {
        "specversion": "1.0",
        "id": message_id,
        "source": settings.BASE_URL,
        "type": type_,
        **about,
        "time": rfc3339(at),
        "datacontenttype": "application/json",
        "data": dict(data),
    }


def event_of(transition: Transition, by: Actor) -> dict[str, Any]:
    """Return an outbox row as `by` may see it; as the feed has it, but never in parts."""
    data = public(transition.payload, by)
    subject = data.get("target_id") or data.get("key") or data.get("name")
    return cloud_event(
        str(transition.id), type_of(transition), data, subject=subject, at=transition.at
    )
