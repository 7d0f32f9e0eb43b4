"""Reading links fast, from the caches: see `forget` for what writers owe to them."""

from collections.abc import Collection


def forget(keys: Collection[str]) -> None:
    """Let every cache forget these keys."""


def forget_expired(keys: Collection[str]) -> None:
    """Make room in the cache: what it knows of reaped links is true, and no longer needed."""
