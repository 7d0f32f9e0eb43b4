"""SECRET_KEY where nobody gives one: made at the first start, and kept."""

import contextlib
import os
import secrets
from pathlib import Path


def secret_key(given: str, *, folder: Path) -> str:
    """Return `given`, or else the key that is kept in `folder`, DATA_DIR, which is made if need be.

    Raises OSError when the folder cannot be used.
    """
    path = folder / "secret_key"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if given:
        return given
    with contextlib.suppress(FileExistsError):
        _keep(secrets.token_urlsafe(48), path)
    return path.read_text(encoding="ascii")


def _keep(secret: str, path: Path) -> None:
    """Write it whole or not at all, for the folder's owner only; raises FileExistsError."""
    file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        if os.geteuid() == 0:
            os.fchown(file, path.parent.stat().st_uid, -1)
        os.write(file, secret.encode())
        os.fsync(file)
    except OSError:  # the disk is full
        path.unlink()
        raise
    finally:
        os.close(file)
