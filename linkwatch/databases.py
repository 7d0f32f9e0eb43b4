"""Django's database settings from DATABASE_URL and related settings.

Errors are ValueErrors whose text begins with the setting's name, and never contains a password.
"""

import re
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

_POSTGRES_PREFIXES = ("postgres://", "postgresql://")
_HOST = re.compile(r"(?:\[(?P<v6>[0-9a-fA-F:.]+)\]|(?P<name>[^][:]+))(?::(?P<port>\d{1,5}))?")
_DEFAULT_PORT = 5432
# An unreachable server is detected after 11 s of silence, or 15 s without an acknowledgement,
# instead of after hours. libpq ignores these options for Unix sockets.
_KEEPALIVES = {
    "keepalives": 1,
    "keepalives_idle": 5,  # seconds
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # ms
}
_MAX_AGE = 60  # seconds of a connection: opening one costs more than most requests' queries
MAX_IDLE_WAL_BYTES = 64 * 1024 * 1024  # of SQLite's -wal file, once it is in the database

Pooler = Literal["", "transaction"]


def database_settings(
    url: str, *, driver: str, pooler: Pooler, folder: Path, durability: str
) -> dict[str, Any]:
    """Return Django's settings for the database at `url`: a path (SQLite) or a postgres:// URL.

    An empty `url` means `linkwatch.db`; paths are relative to `folder` (DATA_DIR). `driver` is
    DATABASE_DRIVER, or "" to choose by the URL; `pooler` is DATABASE_POOLER, and `durability`
    DURABILITY, for SQLite only. Raises ValueError.
    """
    is_postgres = url.startswith(_POSTGRES_PREFIXES)
    driver = driver or ("postgres" if is_postgres else "sqlite")
    if driver not in ("sqlite", "postgres"):
        raise ValueError(f"DATABASE_DRIVER: {driver!r} is unknown; use sqlite or postgres.")
    if is_postgres != (driver == "postgres"):
        raise ValueError(
            f"DATABASE_URL: this is not the URL of a database for DATABASE_DRIVER={driver}."
        )
    if "://" in url and not is_postgres:
        raise ValueError("DATABASE_URL: use a path for SQLite, or postgres://user@host/name.")
    if not is_postgres and pooler:
        raise ValueError(
            "DATABASE_POOLER: SQLite does not support poolers; set DATABASE_URL to a PostgreSQL "
            "database."
        )
    if not is_postgres:
        return _sqlite(folder / (url or "linkwatch.db"), durability=durability)
    try:
        primary = _postgres(url, pooler=pooler)
    except ValueError as error:
        raise ValueError(f"DATABASE_URL: {error}") from None
    if "," in _hosts(primary):  # use the one server that accepts writes
        primary["OPTIONS"].setdefault("target_session_attrs", "read-write")
    return primary


def replica_settings(url: str, *, pooler: Pooler, primary: dict[str, Any]) -> dict[str, Any]:
    """Return settings for the replica at `url`, DATABASE_REPLICA_URL; raises ValueError."""
    if "postgresql" not in primary["ENGINE"]:
        raise ValueError(
            "DATABASE_REPLICA_URL: SQLite does not support replicas; set DATABASE_URL to a "
            "PostgreSQL database."
        )
    if not url.startswith(_POSTGRES_PREFIXES):
        raise ValueError("DATABASE_REPLICA_URL: use postgresql://user:password@host:port/name.")
    try:
        standby = _postgres(url, pooler=pooler)
    except ValueError as error:
        raise ValueError(f"DATABASE_REPLICA_URL: {error}") from None
    standby["OPTIONS"].setdefault("target_session_attrs", "standby")
    return {**standby, "TEST": {"MIRROR": "default"}}


def _sqlite(path: Path, *, durability: str) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        # A file, so that a test's threads share it.
        "TEST": {"NAME": path.with_suffix(".test.db")},
        "CONN_MAX_AGE": _MAX_AGE,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # NORMAL survives all crashes except those of the machine; FULL waits for the disk.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous="
            f"{'FULL' if durability == 'power' else 'NORMAL'};"
            # Otherwise it stays as large as it grew during the longest read, such as a backup.
            f"PRAGMA journal_size_limit={MAX_IDLE_WAL_BYTES};",
        },
    }


def _postgres(url: str, *, pooler: Pooler) -> dict[str, Any]:
    import dj_database_url  # needed only here

    parts = urlsplit(url)
    user, at, hosts = parts.netloc.rpartition("@")
    servers = hosts.split(",") if "," in hosts else []  # dj_database_url can't parse these
    try:
        host, port = ",".join(_host(server) for server in servers), ",".join(map(_port, servers))
        netloc = user + at if servers else parts.netloc
        parsed = dj_database_url.parse(parts._replace(netloc=netloc).geturl())
    except ValueError:  # the error's text contains the password
        raise ValueError("use postgresql://user:password@host:port/name.") from None
    # A hanging server accepts connections, but never answers. The timeout applies to each host.
    options: dict[str, Any] = {"connect_timeout": 5, **_KEEPALIVES}
    if not pooler:
        # A process that hangs in a transaction holds locks that others wait for; our transactions
        # are never idle for long. A pooler refuses `options`.
        options["options"] = "-c idle_in_transaction_session_timeout=10s"
    return {
        **parsed,
        **({"HOST": host, "PORT": port} if servers else {}),
        "ENGINE": "foundation.database.postgresql",
        "OPTIONS": {**options, **parsed.get("OPTIONS", {})},
        # A cursor needs one connection, but a pooler may change it after each transaction.
        "DISABLE_SERVER_SIDE_CURSORS": bool(pooler),
        "CONN_MAX_AGE": _MAX_AGE,
        # Connections are checked before use, so that no request fails after a restart of the
        # server.
        "CONN_HEALTH_CHECKS": True,
    }


def _hosts(settings: dict[str, Any]) -> str:
    return str(settings["HOST"] or settings["OPTIONS"].get("host", ""))


def _host(server: str) -> str:
    """Return the host of `host`, `host:port` or `[address]:port`; raises ValueError."""
    match = _match_host(server)
    return match["v6"] or unquote(match["name"])


def _port(server: str) -> str:
    return _match_host(server)["port"] or str(_DEFAULT_PORT)


def _match_host(server: str) -> "re.Match[str]":
    match = _HOST.fullmatch(server)
    if match is None or not 1 <= int(match["port"] or _DEFAULT_PORT) <= 65535:
        raise ValueError
    return match
