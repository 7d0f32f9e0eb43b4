"""Public ids: a prefix and the base62 form of a UUIDv7, of fixed width, so that they sort by time.

Source: seed 000, 2. Database Schema ("'t_' + base62(uuid)").
"""

import string
from typing import Any
from uuid import UUID

import uuid_utils
from django.core.exceptions import ValidationError
from django.db import models

_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase  # in ASCII order
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
_VALUES = {pair: value for value, pair in enumerate(_PAIRS)}
_BASE = len(_PAIRS)
_WIDTH = 11  # pairs: 62 ** 22 > 2 ** 128


def encode(number: int) -> str:
    """Return the 22 base62 characters of a 128-bit number."""
    pairs = []
    for _ in range(_WIDTH):
        number, value = divmod(number, _BASE)
        pairs.append(_PAIRS[value])
    return "".join(reversed(pairs))


def decode(text: str) -> int:
    """Return the 128-bit number whose `encode` is `text`; raises ValueError for any other text."""
    if len(text) != 2 * _WIDTH:
        raise ValueError("not a base62 id")
    number = 0
    for start in range(0, 2 * _WIDTH, 2):
        try:
            number = number * _BASE + _VALUES[text[start : start + 2]]
        except KeyError:
            raise ValueError("not a base62 id") from None
    if number >> 128:
        raise ValueError("not a base62 id")
    return number


class PublicIdField(models.UUIDField[Any, str]):
    """A UUID in the database, `<prefix>_<base62>` in Python; a new row gets a fresh UUIDv7."""

    def __init__(self, *args: Any, prefix: str, **kwargs: Any) -> None:
        self.prefix = prefix
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, {**kwargs, "prefix": self.prefix}

    def get_default(self) -> str:
        return f"{self.prefix}_{encode(uuid_utils.uuid7().int)}"

    def from_db_value(self, value: UUID | None, *args: Any) -> str | None:
        return None if value is None else f"{self.prefix}_{encode(value.int)}"

    def to_python(self, value: Any) -> str | None:
        """Return the public id; raises ValidationError for one that could never exist."""
        if value is None:
            return None
        if isinstance(value, UUID):
            return f"{self.prefix}_{encode(value.int)}"
        prefix, _, text = str(value).partition("_")
        try:
            decode(text)
        except ValueError:
            prefix = ""
        if prefix != self.prefix:
            raise ValidationError("“%(value)s” is not an id.", params={"value": value})
        return str(value)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        if isinstance(value, str):
            value = UUID(int=decode(value.partition("_")[2]))
        return super().get_db_prep_value(value, connection, prepared)

    def formfield(self, *args: Any, **kwargs: Any) -> Any:
        return models.CharField(max_length=64).formfield(*args, **kwargs)
