"""Messages as text and as HTML, from templates/notify/, for email, feeds and other services."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from notify.message_texts import format_datetime, plain
from notify.message_types import Content
from notify.models import Channel


def as_text(channel: Channel, content: Content, **extra: Any) -> str:
    """Return the message as plain text; `extra` adds to the context, such as unsubscribe_url."""
    context = {**_context(channel, content), "text": as_lines(channel, content), **extra}
    return render_to_string("notify/message.txt", context)


def as_html(channel: Channel, content: Content, **extra: Any) -> str:
    """Return the message as a page for email programs, with untrusted text escaped."""
    return render_to_string("notify/message.html", {**_context(channel, content), **extra})


def as_lines(channel: Channel, content: Content) -> str:
    """Return the message without its subject, as plain text."""
    return render_to_string("notify/lines.txt", _context(channel, content)).strip()


def as_fragment(channel: Channel, content: Content) -> str:
    """Return the message as an HTML fragment."""
    return render_to_string("notify/lines.html", _context(channel, content))


def _context(channel: Channel, content: Content) -> Mapping[str, Any]:
    return {
        "name": plain(channel.name),
        "content": content,
        "lines": [
            (line, format_datetime(line.since), format_datetime(line.at)) for line in content.lines
        ],
        "base_url": settings.BASE_URL,
    }
