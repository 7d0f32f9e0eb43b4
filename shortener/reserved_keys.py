"""Keys that new links may not have: Linkwatch's paths and similar words. Old links keep theirs."""

import re
from collections.abc import Iterator
from functools import cache

from django.urls import URLPattern, URLResolver, get_resolver

from shortener.short_keys import InvalidKeyError, check_key

# Pages that a short domain may serve in the future, and words that look like pages of Linkwatch.
_WORDS = """
abuse app assets auth blog bulk contact dashboard docs export favicon favicon-ico health healthz
help home import index legal login logout null oauth privacy qr register robots robots-txt root
schema security settings setup short signin signout signup sitemap static stats status support
system terms tos undefined urls user users v2 version well-known world ws www
"""
_WORD = re.compile(r"\^?([\w-]+)(?:/.*|\$|\\Z)?")


def check_new_key(key: str) -> None:
    """Raise InvalidKeyError unless a new link may have `key`."""
    check_key(key)
    if key.lower() in reserved_words(get_resolver()):
        raise InvalidKeyError("This key is reserved.")


@cache
def reserved_words(resolver: URLResolver) -> frozenset[str]:
    """Return the first segments of all routes, such as `invitations`, and _WORDS."""
    return frozenset(_WORDS.split()).union(_words(resolver))


def _words(resolver: URLResolver) -> Iterator[str]:
    entry: URLPattern | URLResolver
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver) and not str(entry.pattern):
            yield from _words(entry)
        elif word := _WORD.fullmatch(str(entry.pattern)):
            yield word[1].lower()
