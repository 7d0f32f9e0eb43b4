"""Cache-aside for fast reads: entries in Redis, filled by loading the source.

A miss is loaded once: callers in a process share one load, and processes share one lock. A fill is
written only while its lock exists, and an invalidation deletes entry and lock together, so that a
slow fill can't restore an old value. Without Redis, everything is loaded from the source.

An entry is JSON: `{"until":…,"kind":"found","release":…,"payload":…}`; `until` is in ms of Redis's
clock, and an entry past it has expired, regardless of its TTL. Reads never delete entries.
Source: docs/requirements.md#snippets-reads.
"""

import asyncio
import json
import random
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import NamedTuple

import redis
from django.conf import settings

from foundation.database.thread_pool import in_thread
from foundation.valkey import metrics
from foundation.valkey.clients import client
from foundation.valkey.scripts import CLOCK, Script

MAX_LIFE = 24 * 3600.0  # seconds since the last read
TOMBSTONE_LIFE = 3600.0  # seconds
MISSING_LIFE = 10.0  # seconds
LOCK_LIFE = 2.0  # seconds; a slower load is not cached
# Seconds to wait for another process's fill, longer than the lock of a dead process lasts.
PATIENCE = 2.5
_FIRST_PAUSE, _MAX_PAUSE = 0.005, 0.05  # seconds between polls while waiting
_UNLINK_BATCH = 1000  # names in one command

EXPIRED = "expired"


class Key(NamedTuple):
    """The names of one object in Redis: of its entry and, if any, of the hash that mirrors it."""

    entry: str
    meta: str = ""

    @property
    def lock(self) -> str:
        return f"lock:{self.entry}"

    @property
    def names(self) -> list[str]:
        """The names, whose values exist and expire together."""
        return [self.entry, self.meta] if self.meta else [self.entry]


@dataclass(frozen=True, slots=True)
class CacheHit:
    """An existing object. `payload` is JSON; `expires_in` is in seconds, None for never.

    If it is not `lasting`, it is returned but not cached.
    """

    payload: bytes
    expires_in: float | None = None
    lasting: bool = True
    meta: Mapping[str, str | int] = field(default_factory=dict, compare=False)  # write-only


@dataclass(frozen=True, slots=True)
class Gone:
    """A tombstone: the reason why an object no longer exists."""

    reason: str


@dataclass(frozen=True, slots=True)
class Missing:
    """The object does not exist."""


Entry = CacheHit | Gone | Missing
Load = Callable[[], Entry]  # called in a thread
AsyncLoad = Callable[[], Awaitable[Entry]]


class CacheStatus(StrEnum):
    """Where an entry came from: Redis, the source, or another caller's load."""

    HIT = "HIT"
    MISS = "MISS"
    WARM = "WARM"


_METRICS: dict[CacheStatus, str] = {
    CacheStatus.HIT: "cache_hits",
    CacheStatus.MISS: "cache_misses",
    CacheStatus.WARM: "cache_warm",
}


class CacheAnswer(NamedTuple):
    entry: Entry
    cache: CacheStatus


class _LoadResult(NamedTuple):
    """The result of a load. `is_current`: it is certain that nothing was invalidated meanwhile."""

    answer: CacheAnswer
    is_current: bool


# Entries that are read often never expire, so entries of other releases are ignored.
_FOUND = f'"kind":"found","release":{json.dumps(settings.VERSION)},'
# `look(names, now)` returns an entry, or false, and the ms until it expires, -1 for never. For an
# expired entry it returns a tombstone.
LOOK = f"""
local function look(names, now)
  local entry = redis.call('GET', names[1])
  local expires, kind
  if entry then expires, kind = string.match(entry, '^{{"until":(%w+),"kind":"(%a+)"') end
  if kind ~= 'found' then return kind and entry or false, -1 end
  if not string.find(string.sub(entry, 1, 100), '{_FOUND}', 1, true) then return false, -1 end
  local left, life = -1, {int(MAX_LIFE * 1000)}
  if expires ~= 'null' then
    left = tonumber(expires) - now
    life = math.min(life, left)
    if left <= 0 then return '{{"until":null,"kind":"gone","reason":"{EXPIRED}"}}', -1 end
  end
  for _, name in ipairs(names) do redis.call('PEXPIRE', name, life) end
  return entry, left
end
"""
_LOOK = Script(CLOCK, LOOK, "return {look(KEYS, milliseconds())}")
_CLAIM = Script(
    CLOCK,
    LOOK,
    """
    local entry, left = look({unpack(KEYS, 2)}, milliseconds())
    if entry then return {entry, left} end
    if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
    return 0
    """,
)
_FILL = Script(
    CLOCK,
    """
    local lock, entry, meta = KEYS[1], KEYS[2], KEYS[3]
    local token, content, life, left = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
    if redis.call('GET', lock) ~= token then return 0 end
    redis.call('DEL', lock)
    local expires = left < 0 and 'null' or string.format('%.0f', milliseconds() + left)
    redis.call('SET', entry, '{"until":' .. expires .. ',' .. content, 'PX', life)
    if meta then redis.call('DEL', meta) end
    if meta and #ARGV > 4 then
      redis.call('HSET', meta, unpack(ARGV, 5))
      redis.call('PEXPIRE', meta, life)
    end
    return 1
    """,
)
_UNLOCK = Script(
    """
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    return redis.call('DEL', KEYS[1])
    """
)
_HEAD = re.compile(rb'\{"until":\w+,"kind":"(\w+)"(?:,"release":"[^"]*")?(?:,"\w+":)?')

_loads: "dict[str, asyncio.Task[_LoadResult]]" = {}  # loads in progress, shared by all waiters


async def read(key: Key, load: Load) -> CacheAnswer:
    """Return the entry of `key`, from Redis or from `load`, which runs in a thread.

    Raises the errors of `load`, but not those of Redis.
    """
    entry = await look(key)
    return await fill(key, load) if entry is None else counted_hit(entry)


async def look(key: Key) -> Entry | None:
    """Return the entry of `key` in Redis; None if there is none or Redis is unavailable."""
    try:
        return parse(*await _LOOK.run(key.names))
    except redis.RedisError:
        return None


def counted_hit(entry: Entry) -> CacheAnswer:
    """Count a cache hit, and return its answer."""
    return _counted(entry, CacheStatus.HIT)


def _counted(entry: Entry, cache: CacheStatus) -> CacheAnswer:
    metrics.count(_METRICS[cache])
    return CacheAnswer(entry, cache)


async def fill(key: Key, load: Load) -> CacheAnswer:
    """Like `read`, but for a caller that has just found no entry of `key` in Redis."""
    return await fill_async(key, partial(in_thread, load))


async def fill_async(key: Key, load: AsyncLoad) -> CacheAnswer:
    """Like `fill`, but with a coroutine function.

    `load` is called once the lock is taken, or without the lock if Redis is unavailable or another
    process has held it for PATIENCE. A load belongs to no single caller: a cancelled caller does
    not cancel the load for others.
    """
    task = _loads.get(key.entry)
    if task is None:
        return _counted(*(await asyncio.shield(_start(key, load))).answer)
    loaded = await asyncio.shield(task)
    if not loaded.is_current:
        # The value may have changed since the load began; a load that begins now is current.
        loaded = await asyncio.shield(_loads.get(key.entry) or _start(key, load))
    return _counted(loaded.answer.entry, CacheStatus.WARM)


def _start(key: Key, load: AsyncLoad) -> "asyncio.Task[_LoadResult]":
    task = asyncio.create_task(_load_and_fill(key, load))
    _loads[key.entry] = task

    def end(task: "asyncio.Task[_LoadResult]") -> None:
        del _loads[key.entry]
        if not task.cancelled():
            task.exception()  # mark it as retrieved; waiters get it, if there are any

    task.add_done_callback(end)
    return task


async def _load_and_fill(key: Key, load: AsyncLoad) -> _LoadResult:
    """Load and fill, or wait for the fill of the process that holds the lock.

    Load without filling if Redis is unavailable, or if that fill takes longer than PATIENCE.
    """
    token = secrets.token_hex(8)
    try:
        claim = await _claim(key, token)
    except redis.RedisError:
        claim = False
    if claim is False:
        return _LoadResult(CacheAnswer(await load(), CacheStatus.MISS), is_current=False)
    if claim is not True:
        return _LoadResult(CacheAnswer(claim, CacheStatus.WARM), is_current=True)
    began_at = time.monotonic()
    try:
        entry = await load()
    except Exception:
        with suppress(redis.RedisError):  # otherwise the lock expires
            await _UNLOCK.run([key.lock], token)
        raise
    try:
        is_current = await _write(key, entry, token, age=time.monotonic() - began_at)
    except redis.RedisError:
        is_current = False
    return _LoadResult(CacheAnswer(entry, CacheStatus.MISS), is_current)


async def _claim(key: Key, token: str) -> Entry | bool:
    """Return the entry, True once we hold the lock, or False after PATIENCE without either."""
    deadline, pause = time.monotonic() + PATIENCE, _FIRST_PAUSE
    while True:
        reply = await _CLAIM.run([key.lock, *key.names], token, int(LOCK_LIFE * 1000))
        if reply == 1:
            return True
        if reply != 0 and (entry := parse(*reply)):
            return entry
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - not a secret
        pause = min(2 * pause, _MAX_PAUSE)


async def _write(key: Key, entry: Entry, token: str, *, age: float) -> bool:
    """Write the entry, whose load began `age` seconds ago, if our lock still exists.

    Returns whether it existed. An entry that is not lasting is not written.
    """
    left, meta = -1.0, []
    if isinstance(entry, CacheHit) and not entry.lasting:
        return bool(await _UNLOCK.run([key.lock], token))
    if isinstance(entry, CacheHit):
        life, content = MAX_LIFE, b'%b"payload":%b}' % (_FOUND.encode(), entry.payload)
        meta = [part for item in entry.meta.items() for part in item]
        if entry.expires_in is not None:
            left = max(0.001, entry.expires_in - age)
            life = min(life, left)
    elif isinstance(entry, Gone):
        life, reason = TOMBSTONE_LIFE, json.dumps(entry.reason).encode()
        content = b'"kind":"gone","reason":%b}' % reason
    else:
        life, content = MISSING_LIFE, b'"kind":"missing"}'
    names, times = [key.lock, *key.names], (int(life * 1000) or 1, int(left * 1000))
    return bool(await _FILL.run(names, token, content, *times, *meta))


def parse(raw: bytes | None, milliseconds: int) -> Entry | None:
    """Return the entry that `look` returned in Lua; None if there is none or it is unreadable."""
    head = None if raw is None else _HEAD.match(raw)
    if raw is None or head is None:
        return None
    rest = raw[head.end() : -1]
    if head[1] == b"found":
        return CacheHit(rest, None if milliseconds < 0 else milliseconds / 1000)
    return Gone(json.loads(rest)) if head[1] == b"gone" else Missing()


def invalidate(keys: Iterable[Key]) -> None:
    """Delete entries whose source has changed, and their locks. Raises redis.RedisError.

    Call it after the commit, even while the breaker is open: this protects readers from old values.
    """
    names = [name for key in keys for name in (*key.names, key.lock)]
    for start in range(0, len(names), _UNLINK_BATCH):
        client().unlink(*names[start : start + _UNLINK_BATCH])
