"""Prepares and locks DATA_DIR at the start of `up`, and checks that it is writable and not full."""

import fcntl
import glob
import os
import shutil
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection

_MIN_FREE_BYTES = 16 * 1024 * 1024  # a new database with its write-ahead log takes 3 MB


def lock() -> IO[str]:
    """Create DATA_DIR if necessary, check and lock it, and return the lock file.

    The lock is released when this process ends: it is a POSIX lock, which forked processes do not
    inherit. Raises CommandError if Linkwatch is already running on DATA_DIR, or can't use it.
    """
    folder = settings.DATA_DIR
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check(folder)
        file = open(folder / "lock", "w")  # noqa: SIM115 (held until the process ends)
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _revoke_others_permissions()
        except OSError:
            file.close()
            raise
    except BlockingIOError:
        raise CommandError(f"Linkwatch is already running on {folder} (DATA_DIR).") from None
    except OSError as error:
        path = error.filename or folder
        raise CommandError(f"DATA_DIR: {path} cannot be used ({error.strerror}).") from None
    return file


def _check(folder: Path) -> None:
    user, owner = os.geteuid(), folder.stat().st_uid
    if user == 0 != owner:
        raise CommandError(
            f"DATA_DIR: {folder} belongs to user {owner}, who could not read files that root "
            f"creates there. Start Linkwatch as that user, or run `chown -R root {folder}`."
        )
    if os.statvfs(folder).f_flag & os.ST_RDONLY:
        raise CommandError(f"DATA_DIR: {folder} is read-only.")
    for path in (folder, folder / "lock", *_files()):
        if path.exists() and not os.access(path, os.R_OK | os.W_OK):
            raise CommandError(
                f"DATA_DIR: {path} belongs to user {path.stat().st_uid}, and user {user} isn't "
                f"allowed to read and write it. Run `chown -R {user} {folder}`."
            )
    free = shutil.disk_usage(folder).free
    if free < _MIN_FREE_BYTES:
        raise CommandError(
            f"DATA_DIR: {folder} is full. It has {free // 1024} KiB left, and Linkwatch needs at "
            f"least {_MIN_FREE_BYTES // 1024**2} MiB."
        )


def _files() -> list[Path]:
    """Return the paths that `up` and its processes write; some may not exist."""
    files = [settings.DATA_DIR / "secret_key"]
    valkey = settings.DATA_DIR / "valkey"
    if valkey.exists():
        files += [valkey, *(valkey.rglob("*") if os.access(valkey, os.R_OK | os.X_OK) else ())]
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        # Includes the write-ahead log.
        files += [database, *database.parent.glob(f"{glob.escape(database.name)}-*")]
    return files


def _revoke_others_permissions() -> None:
    """Remove other users' permissions, which an earlier version or a copy may have left."""
    for path in _files():
        if path.exists() and not path.is_symlink() and (mode := path.stat().st_mode) & 0o077:
            path.chmod(mode & 0o700)
