"""Public ids as text: the prefix of the kind, then a 128-bit number in base62, fixed width.

Source: docs/requirements.md#registry-ids.
"""

import string
from uuid import UUID

# The prefix of public ids by kind, as declared by apps (`foundation.app.App`). Keys of short links
# never begin with these prefixes.
PREFIXES: dict[str, str] = {}

_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase  # in ASCII order
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
_VALUES = {pair: value for value, pair in enumerate(_PAIRS)}
_BASE = len(_PAIRS)
WIDTH = 22  # characters: 62 ** 22 > 2 ** 128


def encode(number: int) -> str:
    """Return the 22 base62 characters of a 128-bit number."""
    pairs = []
    for _ in range(WIDTH // 2):
        number, value = divmod(number, _BASE)
        pairs.append(_PAIRS[value])
    return "".join(reversed(pairs))


def decode(text: str) -> int:
    """Return the 128-bit number whose `encode` is `text`; raises ValueError for any other text."""
    if len(text) != WIDTH:
        raise ValueError("not a base62 id")
    number = 0
    for start in range(0, WIDTH, 2):
        try:
            number = number * _BASE + _VALUES[text[start : start + 2]]
        except KeyError:
            raise ValueError("not a base62 id") from None
    if number >> 128:
        raise ValueError("not a base62 id")
    return number


def public_id(kind: str, raw: UUID) -> str:
    """Return the public id of this kind for `raw`, the value in the database."""
    return f"{PREFIXES[kind]}{encode(raw.int)}"


def raw_id(kind: str, public: str) -> UUID:
    """Return the database value of a public id of this kind. Raises ValueError for other input."""
    prefix = PREFIXES[kind]
    if not public.startswith(prefix):
        raise ValueError(f"not the id of a {kind}")
    return UUID(int=decode(public.removeprefix(prefix)))


def is_id(kind: str, text: str) -> bool:
    """Return whether `text` has the form of a public id of this kind."""
    try:
        raw_id(kind, text)
    except ValueError:
        return False
    return True


def id_pattern(kind: str) -> str:
    """Return the regular expression of public ids of this kind."""
    return f"{PREFIXES[kind]}[0-9A-Za-z]{{{WIDTH}}}"
