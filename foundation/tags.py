"""Tags of snippets and short links: storage, validation and pagination.

Each app has its own table, so that a page of a tag is one range of one index.
"""

import unicodedata
from typing import Any

from django.db import models
from rest_framework import serializers

from foundation.http.pagination import KeysetPagination

MAX_TAG_LENGTH = 64  # characters
MAX_TAGS = 20


def normalize_tag(text: str) -> str:
    """Return the normal form of a tag: NFKC, case-folded, with single spaces."""
    for _ in range(2):  # case folding may undo the normalization, but not twice
        text = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", text).split())


class TagField(serializers.CharField):
    """A tag: one or a few words."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_length=1, max_length=MAX_TAG_LENGTH, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        tag = normalize_tag(super().to_internal_value(data))
        if not tag or len(tag) > MAX_TAG_LENGTH or not tag.isprintable():
            raise serializers.ValidationError(
                f"Must be 1 to {MAX_TAG_LENGTH} printable characters."
            )
        return tag


class TagListField(serializers.ListField):
    """Up to MAX_TAGS tags, sorted, without duplicates."""

    child = TagField()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MAX_TAGS, **kwargs)

    def to_internal_value(self, data: Any) -> list[str]:
        if isinstance(data, list) and len(data) > MAX_TAGS:  # before each tag is validated
            raise serializers.ValidationError([f"Must have at most {MAX_TAGS} tags."])
        return sorted(set(super().to_internal_value(data)))


class TagBase(models.Model):
    """A tag on a row of another table, with that row's time; a subclass has the foreign key."""

    name = models.CharField(max_length=MAX_TAG_LENGTH)
    created_at = models.DateTimeField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name


class Tagged(models.Model):
    """A row with tags: TagBase has a foreign key to it whose `related_name` is `tags`."""

    class Meta:
        abstract = True

    @property
    def tag_names(self) -> list[str]:
        """The tags in alphabetical order."""
        tags: models.Manager[Any] = self.tags  # type: ignore[attr-defined] # of the subclass
        return sorted(tag.name for tag in tags.all())


class TagPagination(KeysetPagination):
    """Pages of tags by the creation time of the tagged rows; `owner` names the foreign key."""

    def __init__(self, owner: str) -> None:
        self.id_field = f"{owner}_id"
