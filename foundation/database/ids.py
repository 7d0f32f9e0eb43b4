"""The model field of public ids, which sort by time: a UUIDv7 in the database, text in Python."""

from typing import Any
from uuid import UUID

import uuid_utils
from django.core.exceptions import ValidationError
from django.db import models

from foundation.ids import PREFIXES, decode, encode


class PublicIdField(models.UUIDField[Any, str]):
    """A public id of this `kind`, one of PREFIXES; a new row gets a fresh UUIDv7."""

    def __init__(self, *args: Any, kind: str, **kwargs: Any) -> None:
        self.kind = kind
        self.prefix = PREFIXES[kind]
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, {**kwargs, "kind": self.kind}

    def get_default(self) -> str:
        return f"{self.prefix}{encode(uuid_utils.uuid7().int)}"

    def from_db_value(self, value: UUID | None, *args: Any) -> str | None:
        return None if value is None else f"{self.prefix}{encode(value.int)}"

    def to_python(self, value: Any) -> str | None:
        """Return the public id; raises ValidationError for an impossible one."""
        if value is None:
            return None
        if isinstance(value, UUID):
            return f"{self.prefix}{encode(value.int)}"
        text = str(value)
        try:
            decode(text.removeprefix(self.prefix))
        except ValueError:
            text = ""
        if not text.startswith(self.prefix):
            raise ValidationError("“%(value)s” is not an id.", params={"value": value})
        return text

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        if isinstance(value, str):
            value = UUID(int=decode(value.removeprefix(self.prefix)))
        return super().get_db_prep_value(value, connection, prepared)

    def formfield(self, *args: Any, **kwargs: Any) -> Any:
        return models.CharField(max_length=64).formfield(*args, **kwargs)
