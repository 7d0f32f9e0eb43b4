"""The country of an IP address, from the operator's file (MaxMind DB format).

Linkwatch reads a copy, so overwriting the file in place is harmless. The file is checked
periodically, and loaded again when it has changed.
"""

import logging
import os
import re
import shutil
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import maxminddb

logger = logging.getLogger(__name__)

UNKNOWN = "unknown"
CHECK_INTERVAL = 60.0  # seconds
_CODE = re.compile(r"[A-Z]{2}")
_MAX_NETWORKS_TRIED = 1000  # one of these networks has a country if the file has any


class UnusableFileError(ValueError):
    """The file can't be read, or has no countries; the message says why in one sentence."""


def check_file(path: Path) -> None:
    """Raise UnusableFileError for a file that is unreadable, damaged or without countries."""
    with _open(path) as reader:
        try:
            if any(_code(record) for _, record in islice(reader, _MAX_NETWORKS_TRIED)):
                return
        except (RuntimeError, ValueError) as error:  # maxminddb's errors derive from these
            raise UnusableFileError(f"{path} is damaged: {error}.") from None
        kind = reader.metadata().database_type
    raise UnusableFileError(f"{path} has no countries; it is a {kind!r}.")


class Countries:
    """Looks up countries in a file; for use in one thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._reader: maxminddb.Reader | None = None
        self._version: object = None
        self._next_check_at = 0.0  # monotonic

    def reload_if_changed(self) -> bool:
        """Load the file if it has changed; return whether it was loaded. Checks once a minute.

        If the new file is unusable, the old one remains in use.
        """
        if time.monotonic() < self._next_check_at:
            return False
        self._next_check_at = time.monotonic() + CHECK_INTERVAL
        try:
            status = os.stat(self._path)
            version = (status.st_ino, status.st_size, status.st_mtime_ns)
            if version == self._version:
                return False
            self._version = version  # a broken file is tried only once
            check_file(self._path)
            self._reader = _open_copy(self._path)
        except (OSError, UnusableFileError) as error:
            logger.warning("Keeping the previous file of countries: %s", error)
            return False
        return True

    def country_of(self, address: str) -> str:
        """Return the two letters of ISO 3166-1 for the country of an address, or UNKNOWN."""
        if self._reader is None:
            return UNKNOWN
        try:
            return _code(self._reader.get(address)) or UNKNOWN
        except (RuntimeError, ValueError):
            # Not an address, another address family, or a damaged file.
            return UNKNOWN


def _open(path: Path) -> "maxminddb.Reader":
    import maxminddb  # uses memory, and most deployments have no file

    try:
        return maxminddb.open_database(str(path))
    except OSError as error:
        raise UnusableFileError(f"{path} cannot be read ({error.strerror}).") from None
    except (RuntimeError, ValueError):
        raise UnusableFileError(f"{path} is not a MaxMind DB file, or is damaged.") from None


def _open_copy(path: Path) -> "maxminddb.Reader":
    with tempfile.NamedTemporaryFile(prefix="linkwatch-geoip-") as copy:
        shutil.copyfile(path, copy.name)
        return _open(Path(copy.name))  # the reader keeps the file open


def _code(record: Any) -> str:
    """Return the country's code in a record of GeoLite2, DB-IP (nested) or IPinfo (flat)."""
    country = record.get("country") if isinstance(record, dict) else None
    code = country.get("iso_code") if isinstance(country, dict) else country
    if not isinstance(code, str) and isinstance(record, dict):
        code = record.get("country_code")
    return code if isinstance(code, str) and _CODE.fullmatch(code) else ""
