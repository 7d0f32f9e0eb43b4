"""Keys of short links: how they are made and which ones may be chosen."""

import re
import secrets
import string

from foundation.ids import PREFIXES

ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
RANDOM_LENGTH = 7  # 62 ** 7 is 3.5e12: nobody finds links by guessing, and collisions are rare
MAX_LENGTH = 64
_PREFIXES = tuple(sorted(PREFIXES.values()))  # ids and keys are mixed in the live feed
_CUSTOM = re.compile(r"[A-Za-z0-9_-]{3,64}")
KEY_PATTERN = f"^{_CUSTOM.pattern}$"
# What a short domain may want to serve itself some day, and what would be taken for the product.
_RESERVED = """
about abuse account admin api app assets auth blog bulk contact dashboard docs export favicon
favicon-ico health healthz help home hosts import index legal links livez login logout metrics new
null oauth privacy public qr readyz register robots robots-txt root schema security settings
setup short sign-in sign-out signin signout signup sitemap snippets static stats status support
system targets terms tos undefined urls user users v1 v2 well-known world ws www
"""
RESERVED = frozenset(_RESERVED.split())


class InvalidKeyError(ValueError):
    """The text may not be a key; the message says why in one sentence."""


def random_key() -> str:
    """Return a new key of RANDOM_LENGTH base62 characters that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_LENGTH))


def check_custom(key: str) -> None:
    """Raise InvalidKeyError unless a user may choose `key`. Upper and lower case differ."""
    if not _CUSTOM.fullmatch(key):
        raise InvalidKeyError("A key has 3 to 64 of the characters A-Z, a-z, 0-9, _ and -.")
    if key.startswith(_PREFIXES):
        raise InvalidKeyError(f"A key may not start with {' or '.join(_PREFIXES)}.")
    if key.lower() in RESERVED:
        raise InvalidKeyError("This key is reserved.")


def looks_like_key(text: str) -> bool:
    """Tell whether `text` could be a key at all, so that nobody need look for it."""
    return _CUSTOM.fullmatch(text) is not None
