"""Creates rows for tests of short links."""

from datetime import timedelta
from urllib.parse import urlsplit

import factory
from factory.django import DjangoModelFactory

from foundation.database.clock import database_now
from shortener import services
from shortener.models import ShortURL
from shortener.serializers import LinkSerializer
from tests.factories import CREATED_AT

HOUR = timedelta(hours=1)


class ShortURLFactory(DjangoModelFactory):
    class Meta:
        model = ShortURL

    key = factory.Sequence(lambda n: f"key-{n}")
    long_url = factory.Sequence(lambda n: f"https://host{n}.example/page")
    host = factory.LazyAttribute(lambda link: urlsplit(link.long_url).hostname or "")
    created_at = CREATED_AT


def make(**body):
    """Create a link as the API does; return it."""
    now = database_now()
    new_link = LinkSerializer().new_link({"long_url": "https://a.example/x", **body}, now=now)
    made = services.create([new_link], now=now)[0]
    if isinstance(made, Exception):
        raise made
    return made
