"""URLs as people can trust them."""

from django import template

from foundation.net import urls

register = template.Library()


@register.filter
def ascii_url(value: object) -> str:
    """Show a URL in ASCII: names in punycode, all else that is no ASCII escaped."""
    return urls.ascii_url(str(value))
