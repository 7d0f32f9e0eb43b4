"""The icon of a host in front of its name."""

from collections.abc import Mapping

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def favicon(host: str, icons: Mapping[str, str]) -> SafeString:
    """Return the icon of a host; `icons` is from `hosts.icon_store.digests`.

    Without an icon, return an empty span, so that names are aligned; return nothing if no host has
    an icon.
    """
    if not icons:
        return SafeString("")
    if host not in icons:
        return SafeString('<span class="favicon"></span>')
    return format_html(
        '<img class="favicon" src="{}?v={}" alt="" width="16" height="16" loading="lazy">',
        reverse("host-favicon", args=[host]),
        icons[host],
    )
