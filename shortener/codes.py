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


class InvalidKeyError(ValueError):
    """The text may not be a key; the message says why in one sentence."""


def random_key() -> str:
    """Return a new key of RANDOM_LENGTH base62 characters that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_LENGTH))


def check_custom(key: str) -> None:
    """Raise InvalidKeyError unless `key` has the form of one; upper and lower case differ.

    A new link may not have one of some reserved words either: `shortener/reserved.py`.
    """
    if not _CUSTOM.fullmatch(key):
        raise InvalidKeyError("A key has 3 to 64 of the characters A-Z, a-z, 0-9, _ and -.")
    if key.startswith(_PREFIXES):
        raise InvalidKeyError(f"A key may not start with {' or '.join(_PREFIXES)}.")


def looks_like_key(text: str) -> bool:
    """Tell whether `text` could be a key at all, so that nobody need look for it."""
    return _CUSTOM.fullmatch(text) is not None
