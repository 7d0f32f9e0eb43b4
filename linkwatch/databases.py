"""How databases are reached: Django's settings by DATABASE_URL and what belongs to it.

A mistake is a ValueError whose text begins with the setting's name, and never holds a password.
"""

from pathlib import Path
from typing import Any

_POSTGRES = ("postgres://", "postgresql://")


def database(url: str, *, driver: str, folder: Path, durability: str) -> dict[str, Any]:
    """Return Django's settings of the database at `url`: a path (SQLite) or a postgres:// URL.

    `driver` is DATABASE_DRIVER, "" for what the URL says; paths are relative to `folder`, DATA_DIR.
    Raises ValueError.
    """
    is_postgres = url.startswith(_POSTGRES)
    driver = driver or ("postgres" if is_postgres else "sqlite")
    if driver not in ("sqlite", "postgres"):
        raise ValueError(f"DATABASE_DRIVER: {driver!r} is neither sqlite nor postgres.")
    if is_postgres != (driver == "postgres"):
        raise ValueError(f"DATABASE_URL: it does not name a database for DATABASE_DRIVER={driver}.")
    if "://" in url and not is_postgres:
        raise ValueError("DATABASE_URL: give a path for SQLite, or postgres://user@host/name.")
    if is_postgres:
        return _postgres(url)
    return _sqlite(folder / (url or "linkwatch.db"), durability=durability)


def _sqlite(path: Path, *, durability: str) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "TEST": {"NAME": path.with_suffix(".test.db")},  # a file: threads of a test share it
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # NORMAL survives every crash but that of the machine; FULL waits for the disk.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous="
            f"{'FULL' if durability == 'power' else 'NORMAL'};",
        },
    }


def _postgres(url: str) -> dict[str, Any]:
    import dj_database_url  # only this function needs it

    try:
        found = dj_database_url.parse(url)
    except ValueError:  # with the password in its text
        raise ValueError("DATABASE_URL: give postgresql://user:password@host:port/name.") from None
    # A server that hangs takes connections, and never answers on them. One of our processes
    # that hangs amid a transaction has locks that others wait for; ours have no pauses.
    patience = {"options": "-c idle_in_transaction_session_timeout=10s", "connect_timeout": 5}
    options = {**patience, **found.get("OPTIONS", {})}
    # Looked at before use: a server that was restarted fails no request.
    return {**found, "OPTIONS": options, "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
