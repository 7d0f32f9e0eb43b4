"""Feeds at secret URLs: the messages of a channel, as Atom (RFC 4287) and JSON Feed 1.1."""

import hashlib
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import http_date
from django.views.decorators.http import require_safe

from foundation import kept_secrets as secrets
from foundation.http.throttling import count_request
from foundation.ids import is_id, raw_id
from notify.models import Channel, ChannelKind, Delivery, DeliveryState

MAX_ENTRIES = 50
_MAX_AGE = 60  # seconds that clients may cache a feed
_ROUTE = "GET feeds/<str:token>"


def feed_urls(channel: Channel, secret: str) -> dict[str, str]:
    """Return a feed's URLs by format; `secret` is the channel's, decrypted."""
    url = f"{settings.BASE_URL}/feeds/{channel.id}.{secret}"
    return {"atom": f"{url}.atom", "json": f"{url}.json"}


@require_safe
def atom(request: HttpRequest, token: str) -> HttpResponse:
    """Return the feed as Atom."""
    return _respond(request, token, as_atom, "application/atom+xml; charset=utf-8")


@require_safe
def json_feed(request: HttpRequest, token: str) -> HttpResponse:
    """Return the feed as JSON Feed."""
    return _respond(request, token, as_json_feed, "application/feed+json; charset=utf-8")


def _respond(
    request: HttpRequest,
    token: str,
    render: Callable[[Channel, Sequence[Delivery], str], str],
    content_type: str,
) -> HttpResponse:
    """Return the feed, or 304 after two short queries if it is unchanged.

    Responds with 429 if the rate limit is exceeded. Raises Http404 for an invalid token.
    """
    channel = _channel_of(token)
    admission = count_request(_ROUTE, request)
    if admission is not None and not admission.admitted:
        return HttpResponse("Too many requests.\n", "text/plain", 429, headers=admission.headers)
    delivered = channel.deliveries.filter(state=DeliveryState.DELIVERED)
    newest = delivered.permitted().order_by("-number")
    shown = list(newest.values_list("number", "created_at")[:MAX_ENTRIES])
    changed_at = shown[0][1] if shown else channel.created_at
    etag = f'"{hashlib.sha256(repr((channel.name, content_type, shown)).encode()).hexdigest()}"'
    response = get_conditional_response(request, etag, int(changed_at.timestamp()))
    if response is None:
        entries = list(newest.filter(number__in=[number for number, _ in shown]))
        url = settings.BASE_URL + request.path
        response = HttpResponse(render(channel, entries, url), content_type)
    response["ETag"] = etag
    response["Last-Modified"] = http_date(changed_at.timestamp())
    response["Cache-Control"] = f"private, max-age={_MAX_AGE}"
    response["X-Robots-Tag"] = "noindex"
    return response


def _channel_of(token: str) -> Channel:
    """Return the channel of a token; raises Http404."""
    channel_id, _, secret = token.partition(".")
    channel = None
    if is_id("channel", channel_id):
        rows = Channel.objects.permitted().filter(kind=ChannelKind.FEED)
        channel = rows.filter(pk=channel_id).first()
    if channel is None:
        raise Http404
    try:
        is_valid = secrets.is_same(secret, secrets.decrypt(channel.secret))
    except secrets.UnreadableSecretError:
        raise Http404 from None
    if not is_valid:
        raise Http404
    return channel


class _Atom(Atom1Feed):
    """An Atom feed whose update time is set explicitly, because there may be no entries."""

    updated: datetime

    def latest_post_date(self) -> datetime:
        return self.updated


def as_atom(channel: Channel, deliveries: Sequence[Delivery], url: str) -> str:
    """Return these deliveries, newest first, as Atom; `url` is the feed's."""
    feed = _Atom(
        title=f"Linkwatch: {channel.name}",
        link=f"{settings.BASE_URL}/",
        description=None,
        author_name="Linkwatch",
        feed_url=url,
        feed_guid=f"urn:uuid:{raw_id('channel', channel.id)}",
        language="en",
    )
    feed.updated = deliveries[0].created_at if deliveries else channel.created_at
    for delivery in deliveries:
        entry = json.loads(delivery.body)
        feed.add_item(
            title=delivery.subject,
            link=entry["link"],
            description=entry["html"],
            unique_id=f"urn:uuid:{delivery.message_id}",
            pubdate=delivery.created_at,
            updateddate=delivery.created_at,
        )
    return feed.writeString("utf-8")


def as_json_feed(channel: Channel, deliveries: Sequence[Delivery], url: str) -> str:
    """Return these deliveries, newest first, as JSON Feed; `url` is the feed's."""
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": f"Linkwatch: {channel.name}",
        "home_page_url": f"{settings.BASE_URL}/",
        "feed_url": url,
        "language": "en",
        "authors": [{"name": "Linkwatch", "url": settings.BASE_URL}],
        "items": [_item(delivery) for delivery in deliveries],
    }
    return json.dumps(feed, ensure_ascii=False)


def _item(delivery: Delivery) -> dict[str, Any]:
    entry = json.loads(delivery.body)
    return {
        "id": f"urn:uuid:{delivery.message_id}",
        "url": entry["link"],
        "title": delivery.subject,
        "content_html": entry["html"],
        "content_text": entry["text"],
        "date_published": delivery.created_at.isoformat(),
    }
