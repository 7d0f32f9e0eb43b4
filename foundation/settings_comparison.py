"""Compares settings: a command's with those of running processes, and all processes' SECRET_KEYs.

Each process announces its SHARED_SETTINGS in Redis while it runs, so that a command can detect
differences. Secrets are replaced: SECRETS by fingerprints, DATABASE_URL by the address without user
and password. The database stores a digest made with SECRET_KEY, which does not reveal the key and
needs no Redis: with two keys, people are signed out on every other request, secrets of channels
can't be decrypted, and visitors are counted twice.
"""

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import redis
from django.conf import settings
from django.core.management.base import OutputWrapper
from django.db import DatabaseError, InterfaceError, connection, connections
from django.utils.crypto import salted_hmac

from foundation import loops
from foundation.durations import format_duration
from foundation.models import KeyDigest
from foundation.valkey.clients import client

logger = logging.getLogger(__name__)

# A command is compared with the first kind that runs. `run_tasks` comes first, because it checks:
# if processes differ, its settings decide the verdicts.
_CHECKER = "checker"  # a `run_tasks` with CHECKER_SHIFTS is of this kind, too
_KINDS = ("run_tasks", "run_web", "run_relay", "run_analytics", _CHECKER)
NO_CHECKS = "no targets are being checked, because every running process has CHECKER_SHIFTS=0"
_RENEWAL = 60.0  # seconds: each renewal is a write to Redis's append-only file
_RETRY = 10.0  # seconds, while Redis or the database is unavailable, or has no tables
_LIFE = 150  # seconds that an announcement is valid
_ONLY = 1  # the primary key of the only KeyDigest


class Difference(NamedTuple):
    """A setting that differs between this process and a running one."""

    name: str
    here: str
    there: str
    kind: str  # of the process

    def __str__(self) -> str:
        return f"{self.name} is {self.here} here and {self.there} in the running {self.kind}."


class Announcement:
    """The settings that this process announces, for each of its kinds.

    Without Redis or the database, `renew` tries again.
    """

    def __init__(self, *kinds: str) -> None:
        if "run_tasks" in kinds and settings.CHECKER_SHIFTS:
            kinds += (_CHECKER,)
        self._keys = [_key(kind) for kind in kinds]
        shifts = {"CHECKER_SHIFTS": str(settings.CHECKER_SHIFTS)}
        self._text = json.dumps(_current_settings() | shifts)
        self._key_is_compared = False

    def renew(self) -> float:
        """Announce the settings for _LIFE seconds, and compare the key until that succeeds once.

        Returns the seconds until the next renewal.
        """
        pause = _RENEWAL
        try:
            for key in self._keys:
                client().set(key, self._text, ex=_LIFE)
        except redis.RedisError:
            pause = _RETRY
        try:
            if not self._key_is_compared:
                compare_key()
                self._key_is_compared = True
        except (DatabaseError, InterfaceError):  # health and others report it
            pause = _RETRY
        return pause


@contextmanager
def announced(*kinds: str) -> Iterator[None]:
    """Announce this process's settings within the block, from a thread."""
    announcement = Announcement(*kinds)

    def renew() -> float:
        try:
            return announcement.renew()
        finally:
            connections.close_all()  # until the next time

    loop = loops.Loop(renew, until=None, uses_database=False, patience=None)
    loops.start(loop.run, name="announce settings")
    try:
        yield
    finally:
        loop.stop()


def compare_key() -> None:
    """Log an error if this process has a different SECRET_KEY from earlier processes.

    The first process on a database stores its key's digest; later, a process with that key in
    SECRET_KEY_FALLBACKS replaces the digest. Raises DatabaseError or InterfaceError.
    """
    own = _digest(settings.SECRET_KEY)
    stored_key, _ = KeyDigest.objects.get_or_create(pk=_ONLY, defaults={"digest": own})
    if stored_key.digest == own:
        return
    if stored_key.digest in map(_digest, settings.SECRET_KEY_FALLBACKS):
        KeyDigest.objects.filter(pk=_ONLY, digest=stored_key.digest).update(digest=own)
        logger.info("SECRET_KEY has been replaced: the previous one is its fallback.")
        return
    logger.error(
        "SECRET_KEY differs from that of the other processes on this database. Give all of them "
        "the same key; to change it, add the previous one to SECRET_KEY_FALLBACKS."
    )


def key_matches() -> bool:
    """Return whether this process has the SECRET_KEY of the others, or no digest is stored yet."""
    stored_key = KeyDigest.objects.filter(pk=_ONLY).first()
    return stored_key is None or stored_key.digest == _digest(settings.SECRET_KEY)


def differences() -> list[Difference]:
    """Return the settings that differ between this process and the first running kind.

    A process is running if it announced its settings within the last _LIFE seconds. If its
    database differs, it belongs to another deployment, and only this difference is returned.
    Raises redis.RedisError.
    """
    stored = client().mget([_key(kind) for kind in _KINDS])
    running = [(kind, text) for kind, text in zip(_KINDS, stored, strict=True) if text]
    if not running:
        return []
    kind, theirs = running[0][0], json.loads(running[0][1])
    differing = [
        Difference(name, here, theirs[name], kind)
        for name, here in _current_settings().items()
        if theirs.get(name, here) != here
    ]
    return [item for item in differing if item.name == "DATABASE_URL"] or differing


def running() -> frozenset[str]:
    """Return the kinds of processes that announced settings within the last _LIFE seconds.

    Raises redis.RedisError.
    """
    stored = client().mget([_key(kind) for kind in _KINDS])
    return frozenset(kind for kind, text in zip(_KINDS, stored, strict=True) if text)


def nothing_is_checked() -> bool:
    """Return whether CHECKER_SHIFTS is 0 in every `run_tasks`; raises redis.RedisError.

    If no `run_tasks` runs, if only those of version 0.2.0 run, which don't announce the setting, or
    if REDIS_URL is not set, this process's own setting decides.
    """
    keys = [_key("run_tasks"), _key(_CHECKER)]
    tasks, checker = client().mget(keys) if settings.REDIS_URL else (None, None)
    if checker:
        return False
    announced = json.loads(tasks) if tasks else {}
    return bool(announced.get("CHECKER_SHIFTS", str(settings.CHECKER_SHIFTS)) == "0")


def warn(stderr: OutputWrapper) -> list[Difference]:
    """Return `differences`, and warn of each on `stderr`; empty if Redis is unavailable."""
    if not settings.REDIS_URL:
        return []
    try:
        differing = differences()
    except redis.RedisError as error:
        stderr.write(f"Warning: the settings of the running processes are unknown: {error}")
        return []
    for difference in differing:
        stderr.write(f"Warning: {difference}")
    return differing


def _key(kind: str) -> str:
    return f"deployment:settings:{kind}"


def _current_settings() -> dict[str, str]:
    names = ("SECRET_KEY", *settings.SHARED_SETTINGS)
    return {"DATABASE_URL": _database()} | {name: _shown_value(name) for name in names}


def _shown_value(name: str) -> str:
    value = getattr(settings, name)
    return _fingerprint(value) if value and name in settings.SECRETS else _format(value)


def _database() -> str:
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return str(Path(database["NAME"]).resolve())
    host = database["HOST"] or database["OPTIONS"].get("host", "")
    return f"postgresql://{host}:{database['PORT'] or 5432}/{database['NAME']}"


def _fingerprint(secret: str) -> str:
    digest = salted_hmac("deployment", "", secret).hexdigest()
    return f"a value with the fingerprint {digest[:8]}"


def _digest(key: str) -> str:
    """Return a SECRET_KEY's digest as the database stores it; 0.2.0 processes compare it, too."""
    return salted_hmac("foundation.key_comparison", "one", key, algorithm="sha256").hexdigest()


def _format(value: Any) -> str:
    """Return a setting as text, as in the environment; equivalent values give the same text."""
    if isinstance(value, timedelta):
        return format_duration(value)
    if isinstance(value, range):
        return f"{value[0]}-{value[-1]}"
    if isinstance(value, Mapping):
        return _format([f"{name}={part}" for name, part in sorted(value.items())])
    if isinstance(value, list | tuple):
        return ",".join(map(_format, value)) or "none"
    return str(value) or "none"
