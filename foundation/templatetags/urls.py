"""Template filters for URLs."""

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from foundation.net import urls

register = template.Library()

_LONG, _END = 60, 28  # characters: a longer URL may be cut, but not its end


@register.simple_tag
def share_image() -> str:
    """Return the absolute URL of the image that chats show for a link to a public page."""
    return f"{settings.BASE_URL}{static('linkwatch/card.png')}"


@register.filter
def ascii_url(value: object) -> str:
    """Show a URL in ASCII: names in punycode, other non-ASCII characters escaped."""
    return urls.ascii_url(str(value))


@register.filter
def uncut_end(value: object) -> SafeString:
    """Show a URL as `ascii_url` does, a long one in two parts, so that its end is not cut off."""
    text = ascii_url(value)
    if len(text) <= _LONG:
        return format_html("{}", text)
    start, end = text[:-_END], text[-_END:]
    return format_html(
        '<span class="beginning">{}</span><span class="ending">{}</span>', start, end
    )
