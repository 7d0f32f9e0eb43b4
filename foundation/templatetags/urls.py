"""Template filters for URLs."""

from django import template
from django.conf import settings
from django.templatetags.static import static

from foundation.net import urls

register = template.Library()


@register.simple_tag
def share_image() -> str:
    """Return the absolute URL of the image that chats show for a link to a public page."""
    return f"{settings.BASE_URL}{static('linkwatch/card.png')}"


@register.filter
def ascii_url(value: object) -> str:
    """Show a URL in ASCII: names in punycode, other non-ASCII characters escaped."""
    return urls.ascii_url(str(value))
