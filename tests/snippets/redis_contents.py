"""Reads everything that Redis holds, so that a test can assert that something is not in it."""

from collections.abc import Callable
from typing import Any

from foundation.valkey.clients import client


def all_of_redis() -> bytes:
    """Return each key with its value of any type."""
    redis = client()
    readers: dict[Any, Callable[[Any], Any]] = {
        b"string": redis.get,
        b"hash": redis.hgetall,
        b"zset": lambda key: redis.zrange(key, 0, -1),
        b"set": redis.smembers,
        b"list": lambda key: redis.lrange(key, 0, -1),
        b"stream": redis.xrange,
        b"none": lambda key: None,
    }
    return "\n".join(
        f"{key!r}: {readers[redis.type(key)](key)!r}" for key in redis.keys("*")
    ).encode()
