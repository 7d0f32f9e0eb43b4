"""Keys of short links: random keys, and the format of chosen keys."""

import re
import secrets
import string

from foundation.ids import PREFIXES

ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
RANDOM_LENGTH = 7  # 62 ** 7 is 3.5e12: guessing finds no links, and collisions are rare
MAX_LENGTH = 64
_PREFIXES = tuple(sorted(PREFIXES.values()))  # ids and keys share the live feed
_CUSTOM = re.compile(r"[A-Za-z0-9_-]{3,64}")
KEY_PATTERN = f"^{_CUSTOM.pattern}$"


class InvalidKeyError(ValueError):
    """The text is not a valid key; the message says why in one sentence."""


def random_key() -> str:
    """Return a random key of RANDOM_LENGTH base62 characters."""
    return "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_LENGTH))


def check_key(key: str) -> None:
    """Raise InvalidKeyError unless `key` has the form of a key and no prefix of an id.

    Keys are case-sensitive. `shortener/reserved_keys.py` lists keys that new links may not have.
    """
    if not _CUSTOM.fullmatch(key):
        raise InvalidKeyError("A key must have 3 to 64 characters: A-Z, a-z, 0-9, _ or -.")
    if key.startswith(_PREFIXES):
        raise InvalidKeyError(f"A key must not start with {' or '.join(_PREFIXES)}.")


def looks_like_key(text: str) -> bool:
    """Return whether `text` has the form of a key; if not, no query is needed."""
    return _CUSTOM.fullmatch(text) is not None
