"""Bodies of messages in readable form."""

import json
from email import message_from_string, policy
from email.message import EmailMessage

from notify.models import Channel, ChannelKind


def format_body(channel: Channel, body: str) -> str:
    """Return a body as text for people.

    Mail is decoded, and a webhook's JSON is indented. For other JSON objects that have `text`, only
    that is returned. Other bodies are returned unchanged.
    """
    if channel.kind == ChannelKind.MAIL:
        return _mail_text(body)
    try:
        data = json.loads(body)
    except ValueError:
        return body
    if channel.kind != ChannelKind.WEBHOOK and isinstance(data, dict):
        return str(data.get("text", body))
    return json.dumps(data, indent=2, ensure_ascii=False)


def _mail_text(body: str) -> str:
    message = message_from_string(body, _class=EmailMessage, policy=policy.default)
    part = message.get_body(("plain",))
    text = body if part is None else str(part.get_content())
    return f"To: {message['To']}\nSubject: {message['Subject']}\n\n{text}"
