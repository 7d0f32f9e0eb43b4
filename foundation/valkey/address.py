"""Parses REDIS_URL: one server, or Sentinels that know the master.

    redis://[user:password@]host:6379/0     rediss:// over TLS
    unix:///run/valkey.sock?db=0
    redis+sentinel://[user:password@]s1:26379,s2:26379/mymaster/0     rediss+sentinel:// over TLS

Options follow a `?`, under redis-py's names (ssl_ca_certs, ssl_certfile, ssl_keyfile); for
Sentinels with their own password, sentinel_username and sentinel_password. The settings use this
module, so it does not import Django.
"""

import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import redis
import redis.asyncio
from redis.connection import parse_url

# The connection classes for each scheme: blocking, and for coroutines.
_CONNECTIONS: dict[str, tuple[Any, ...]] = {
    "redis": (redis.Connection, redis.asyncio.Connection),
    "rediss": (redis.SSLConnection, redis.asyncio.SSLConnection),
    "unix": (redis.UnixDomainSocketConnection, redis.asyncio.UnixDomainSocketConnection),
}
# Options of redis-py's pools, which its connections don't accept.
_POOL_OPTIONS = ("connection_class", "max_connections", "timeout")
_SENTINELS_URL = re.compile(
    r"(?P<scheme>rediss?)\+sentinel://(?:(?P<login>[^/?#]*)@)?(?P<hosts>[^/?#]*)"
    r"(?:/(?P<master>[^/?#]*))?(?P<database>/\d*)?(?P<options>\?.*)?"
)
_HOST = re.compile(r"(?P<host>[\w.-]+|\[[0-9a-fA-F:.]+\])(?::(?P<port>\d{1,5}))?")
_DEFAULT_SENTINEL_PORT = 26379
_SENTINEL_LOGIN = re.compile(r"(sentinel_)(username|password)")
_MAX_PORT = 65_535
_ESCAPES = "in a password write / as %2F, ? as %3F, # as %23 and @ as %40."


@dataclass(frozen=True, slots=True)
class Sentinels:
    """Sentinels, the name of their master, and how to connect.

    Options are those of redis-py's clients, including passwords.
    """

    addresses: list[tuple[str, int]]
    master: str
    options: dict[str, Any] = field(repr=False)
    sentinel_options: dict[str, Any] = field(repr=False)


def sentinels_in(url: str) -> Sentinels | None:
    """Return the Sentinels of this URL; None if it has no Sentinel scheme.

    Raises ValueError, whose message has no secrets, for an invalid URL of Sentinels.
    """
    if "+sentinel://" not in url:
        return None
    parts = _SENTINELS_URL.fullmatch(url)
    if parts is None:
        raise ValueError(f"use redis+sentinel://s1:26379,s2:26379/mymaster/0; {_ESCAPES}")
    if not re.fullmatch(r"[\w.-]+", unquote(parts["master"] or "")):
        raise ValueError("name the master after the Sentinels, as in s1:26379,s2:26379/mymaster.")
    login, database = parts["login"] or "", parts["database"] or ""
    options = _parse_options(f"{parts['scheme']}://{login}@any{database}{parts['options'] or ''}")
    for name in ("host", "connection_class"):
        options.pop(name, None)
    if parts["scheme"] == "rediss":
        options["ssl"] = True
    sentinel_options = {name: value for name, value in options.items() if name.startswith("ssl")}
    for name in [name for name in options if _SENTINEL_LOGIN.fullmatch(name)]:
        sentinel_options[name.removeprefix("sentinel_")] = options.pop(name)
    return Sentinels(
        _addresses(parts["hosts"]), unquote(parts["master"]), options, sentinel_options
    )


def _addresses(text: str) -> list[tuple[str, int]]:
    addresses = []
    for item in text.split(","):
        match = _HOST.fullmatch(item)
        if match is None or int(match["port"] or _DEFAULT_SENTINEL_PORT) > _MAX_PORT:
            raise ValueError(f"name Sentinels as in s1:26379,s2:26379,s3:26379; {_ESCAPES}")
        addresses.append((match["host"].strip("[]"), int(match["port"] or _DEFAULT_SENTINEL_PORT)))
    return addresses


def check(url: str) -> None:
    """Raise ValueError, whose message has no secrets, for an invalid URL."""
    scheme, _, rest = url.partition("://")
    if scheme not in ("redis", "rediss", "unix", "redis+sentinel", "rediss+sentinel") or not rest:
        raise ValueError("use a URL such as redis://127.0.0.1:6379/0, or none.")
    sentinels = sentinels_in(url)
    kind = scheme.removesuffix("+sentinel")
    options = _parse_options(url) if sentinels is None else sentinels.options
    _check_options(url, kind, options)
    _check_certificates(options)


def _parse_options(url: str) -> dict[str, Any]:
    parse: Callable[[str], dict[str, Any]] = parse_url
    problem = f"its port, its database or one of its options is not a number; {_ESCAPES}"
    try:
        options, path = parse(url), urlsplit(url).path
    except ValueError:  # the error's text may contain the password
        raise ValueError(problem) from None
    if not (url.startswith("unix:") or re.fullmatch(r"/?\d*", path)):
        raise ValueError(problem)
    return options


def _check_options(url: str, kind: str, options: dict[str, Any]) -> None:
    query = parse_qsl(url.partition("?")[2], keep_blank_values=True)
    if any("@" in name + value for name, value in query):
        raise ValueError(_ESCAPES)
    if kind != "rediss" and any(name.startswith("ssl_") for name, _ in query):
        raise ValueError("TLS options (ssl_…) only work with rediss:// and rediss+sentinel://.")
    options = {
        name: value for name, value in options.items() if name not in (*_POOL_OPTIONS, "ssl")
    }
    for connection_class in _CONNECTIONS[kind]:
        try:
            connection_class(**options)
        except TypeError as error:
            name = re.search(r"argument '(\w+)'", str(error))
            raise ValueError(
                f"{name[1] if name else 'one of its options'} is not one of its options."
            ) from None
        except (redis.RedisError, ValueError):
            raise ValueError("one of its options has an invalid value.") from None


def _check_certificates(options: dict[str, Any]) -> None:
    """Raise ValueError if a certificate or its key cannot be read or is invalid."""
    context = ssl.create_default_context()
    authorities, certificate = options.get("ssl_ca_certs"), options.get("ssl_certfile")
    name, path = "ssl_ca_certs", authorities
    try:
        if authorities:
            context.load_verify_locations(authorities)
        name, path = "ssl_certfile", certificate
        if certificate:
            key, password = options.get("ssl_keyfile"), options.get("ssl_password")
            context.load_cert_chain(certificate, key, password or "")
    except ssl.SSLError:
        raise ValueError(
            f"{name}: {path} contains no valid certificate, or the key does not match."
        ) from None
    except OSError as error:
        raise ValueError(f"{name}: {path} or its key cannot be read ({error.strerror}).") from None
