"""Reads settings from the environment (or a `.env` file), by kind of value."""

import contextlib
import ipaddress
import logging
import re
import tomllib
from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from urllib.parse import unquote, urlsplit

from dotenv import load_dotenv
from environs import Env, EnvError

from accounts.roles import Role
from archives.archive_settings import Archive, parse_archives, parse_save_service
from foundation.durations import parse_duration
from foundation.net.guard import parse_ports
from targets.canonical import InvalidURLError, canonicalize, url_to_fetch

# Other programs' variables with names like ours.
_FOREIGN_NAMES = frozenset({"HTTPS_HOST", "HTTPS_PORT", "REDIS_SSL"})
# The same words as in 0.2.0, which used marshmallow's.
_ON = frozenset({"t", "true", "1", "on", "y", "yes"})
_OFF = frozenset({"f", "false", "0", "off", "n", "no"})
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_MAX_DISTANCE = 2  # wrong, missing or superfluous letters in a misspelled name

SUPERVISED_VARIABLE = "LINKWATCH_UNDER_UP"  # set for processes that have a supervisor
BASE_DIR = Path(__file__).resolve().parent.parent
_PROJECT = tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION: str = _PROJECT["version"]  # the only definition of the version

env = Env(eager=False)
load_dotenv(BASE_DIR / ".env")  # into os.environ, whose values take precedence


@env.parser_for("number")
def _number(value: str, *, minimum: int, maximum: int) -> int:
    with contextlib.suppress(ValueError):
        if minimum <= int(value) <= maximum:
            return int(value)
    raise EnvError(f"{value[:40]!r} is not a whole number from {minimum} to {maximum}.")


@env.parser_for("switch")
def _switch(value: str) -> bool:
    word = value.lower()
    if word in _ON or word in _OFF:
        return word in _ON
    raise EnvError(f"{value[:40]!r} is not a Boolean; use true or false (or on, off, 1, 0).")


@env.parser_for("level")
def _level(value: str) -> int:
    levels = logging.getLevelNamesMapping()
    if value.upper() in levels:
        return levels[value.upper()]
    if value.isdecimal():
        return int(value)
    raise EnvError(f"{value[:40]!r} is not a log level; use {join_words(_LEVELS)}.")


@env.parser_for("choice")
def _choice(value: str, *, choices: Sequence[str], optional: bool = False) -> str:
    if value in choices or (optional and not value):
        return value
    suffix = ", or leave it unset" if optional else ""
    raise EnvError(f"{value[:40]!r} is unknown; use {join_words(choices)}{suffix}.")


@env.parser_for("text")
def _text(value: str, *, pattern: str, expected: str) -> str:
    """Read text that `pattern` matches as a whole; `expected` describes such text."""
    if not re.fullmatch(pattern, value):
        raise EnvError(f"{value[:100]!r} is not {expected}.")
    return value


@env.parser_for("duration")
def _duration(value: str, *, minimum: str = "0s", word: str = "") -> timedelta:
    """Read a duration of at least `minimum`; errors mention `word` as an alternative."""
    try:
        span = parse_duration(value)
    except ValueError as error:
        suffix = f"; {word} is also allowed." if word else "."
        raise EnvError(str(error).removesuffix(".") + suffix) from error
    if span < parse_duration(minimum):
        raise EnvError(f"{value} is too short; use {minimum} or more.")
    return span


@env.parser_for("retention")
def _retention(value: str, *, minimum: str) -> timedelta | None:
    return None if value == "forever" else _duration(value, minimum=minimum, word="forever")


@env.parser_for("optional_duration")
def _optional_duration(value: str, *, minimum: str = "1ms") -> timedelta | None:
    return None if value == "off" else _duration(value, minimum=minimum, word="off")


@env.parser_for("items")
def _items(value: str) -> list[str]:
    """Read a list; empty items, such as after a superfluous comma, are ignored."""
    return [item.strip() for item in value.split(",") if item.strip()]


@env.parser_for("networks")
def _networks(value: str) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    try:
        return [ipaddress.ip_network(item) for item in _items(value)]
    except ValueError as error:
        raise EnvError(f"{error}; use CIDR blocks such as 10.0.0.0/8,fd00::/8.") from error


@env.parser_for("urls")
def _urls(value: str) -> list[str]:
    urls = _items(value)
    for url in urls:
        try:
            canonicalize(url)
        except InvalidURLError as error:
            raise EnvError(
                f"{url[:100]!r}: {error} Use URLs such as https://example.org/."
            ) from error
    return [url_to_fetch(url) for url in urls]


@env.parser_for("origins")
def _origins(value: str) -> list[str]:
    origins: list[str] = _items(value)
    for origin in origins:
        if not re.fullmatch(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?", origin):
            raise EnvError(f"{origin[:100]!r} is not an origin such as https://app.example.org.")
    return origins


@env.parser_for("ports")
def _ports(value: str) -> tuple[range, ...]:
    try:
        return parse_ports(value)
    except ValueError as error:
        raise EnvError(f"{error}; use a list such as 80,443,1024-65535.") from error


@env.parser_for("functions")
def _functions(value: str) -> dict[str, str]:
    """Read names with dotted paths of functions, such as `shop=our.checks.shop`."""
    functions: dict[str, str] = {}
    for item in _items(value):
        name, _, path = item.partition("=")
        if not re.fullmatch(r"[a-z][a-z0-9_-]{0,63}", name):
            raise EnvError(f"{name[:100]!r} is not a name such as our-rule.")
        if not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)+", path):
            raise EnvError(
                f"{item[:100]!r} does not name a function, as in our-rule=module.function."
            )
        if name in functions:
            raise EnvError(f"{name!r} is listed twice; list each name once.")
        functions[name] = path
    return functions


@env.parser_for("roles")
def _roles(value: str) -> dict[str, str]:
    """Read groups with their roles, such as `staff=Viewers,admins=Operators`."""
    roles = {}
    for item in _items(value):
        group, _, role = item.rpartition("=")
        if not group or role not in list(Role):
            raise EnvError(
                f"{item[:100]!r} is not a group with its role, as in staff=Viewers; roles are "
                f"{join_words(Role, 'and')}."
            )
        roles[group] = role
    return roles


@env.parser_for("teams")
def _teams(value: str) -> dict[str, str]:
    """Read groups with the names of their teams, such as `writers=Docs,site=Website`."""
    teams = {}
    for item in _items(value):
        group, _, team = (part.strip() for part in item.rpartition("="))
        if not (group and team and team.isprintable() and len(team) <= 100):
            raise EnvError(f"{item[:100]!r} is not a group with its team, as in writers=Docs.")
        teams[group] = team
    return teams


@env.parser_for("prefixes")
def _prefixes(value: str) -> dict[str, str]:
    """Read names with prefixes of reference ids, such as `handbook=docs/handbook/`."""
    prefixes: dict[str, str] = {}
    for item in _items(value):
        name, _, prefix = item.partition("=")
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", name) or not prefix:
            raise EnvError(f"{item[:100]!r} is not a name with a prefix, as in handbook=docs/.")
        if name in prefixes:
            raise EnvError(f"{name!r} is listed twice; list each name once.")
        prefixes[name] = prefix
    return prefixes


@env.parser_for("archives")
def _archives(value: str) -> list[Archive]:
    try:
        return parse_archives(value)
    except ValueError as error:
        raise EnvError(
            f"{error}; use wayback, or servers such as timegate https://archive.example/web/."
        ) from error


@env.parser_for("save_service")
def _save_service(value: str) -> Archive | None:
    try:
        return parse_save_service(value)
    except ValueError as error:
        raise EnvError(
            f"{error}; use wayback, or two addresses such as "
            "https://archive.example/save https://archive.example/web/."
        ) from error


@env.parser_for("size")
def _size(value: str, *, maximum: str, minimum: str = "") -> int:
    """Read a number of bytes such as `1MiB`, `64KiB` or `1000`."""
    size = _parse_size(value)
    if size is None or not (_parse_size(minimum) or 0) <= size <= (_parse_size(maximum) or 0):
        lower_limit = f"at least {minimum}, " if minimum else ""
        raise EnvError(
            f"{value[:40]!r} is not a size such as 64KiB or 1MiB ({lower_limit}at most {maximum})."
        )
    return size


def _parse_size(text: str) -> int | None:
    match = re.fullmatch(r"([1-9][0-9]{0,11})(KiB|MiB|GiB|)", text)
    factors = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
    return int(match[1]) * factors[match[2]] if match else None


@env.parser_for("rate")
def _rate(value: str, *, minimum: int = 1) -> tuple[int, timedelta]:
    """Read a number of requests or URLs per window of time, such as `600/1m`."""
    count, _, window = value.partition("/")
    with contextlib.suppress(EnvError):
        return _number(count, minimum=minimum, maximum=999_999), _duration(window, minimum="1s")
    raise EnvError(
        f"{value[:40]!r} is not a rate such as 600/1m (a number from {minimum} to 999999, and a "
        "duration of 1s or more)."
    )


def mail_settings(url: str) -> dict[str, object]:
    """Return Django's mail settings for `url`; if it is empty, mail is discarded.

    Raises ValueError unless `url` is an smtp:// (plain), smtps:// (TLS) or smtp+tls:// (STARTTLS)
    URL without a path or query.
    """
    if not url:
        return {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    parts = urlsplit(url)
    ports = {"smtp": 25, "smtps": 465, "smtp+tls": 587}
    if parts.scheme not in ports or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ValueError
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or ports[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_TIMEOUT": 10,  # seconds
    }


def join_words(words: Iterable[str], last: str = "or") -> str:
    """Return `a, b or c`."""
    *others, end = words
    return f"{', '.join(others)} {last} {end}" if others else end


def misspelled(names: Iterable[str], known: Collection[str]) -> list[tuple[str, str]]:
    """Return each unknown name that resembles a known one, together with the known one.

    The first letter must match: SMTP_PORT is not meant to be HTTP_PORT.
    """
    pairs = []
    for name in sorted(set(names) - _FOREIGN_NAMES - set(known)):
        similar = [
            other
            for other in known
            if other[0] == name[:1] and _distance(other, name) <= _MAX_DISTANCE
        ]
        if similar:
            pairs.append((name, min(similar, key=lambda other: (_distance(other, name), other))))
    return pairs


def _distance(one: str, other: str) -> int:
    """Return the Levenshtein distance."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, start=1):
        above, row = row, [number]
        for index, other_letter in enumerate(other):
            row.append(
                min(above[index] + (letter != other_letter), above[index + 1] + 1, row[index] + 1)
            )
    return row[-1]
