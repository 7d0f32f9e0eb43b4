"""The default SECRET_KEY: created at the first start, and stored."""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path


def secret_key(configured: str, *, folder: Path) -> str:
    """Return `configured` or, if that is empty, the key stored in `folder` (DATA_DIR).

    Creates the folder and the key if they do not exist. Raises OSError if the folder can't be used.
    """
    path = folder / "secret_key"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if configured:
        return configured
    if not path.exists():
        _write(secrets.token_urlsafe(48), path)
    return path.read_text(encoding="ascii")


def _write(secret: str, path: Path) -> None:
    """Write the key atomically, unless another process has just written one.

    Only the owner can read it; a key that root writes belongs to the folder's owner.
    """
    descriptor, temporary = tempfile.mkstemp(prefix="secret_key.", dir=path.parent)
    try:
        with open(descriptor, "w", encoding="ascii") as file:
            if os.geteuid() == 0:
                os.fchown(descriptor, path.parent.stat().st_uid, -1)
            file.write(secret)
            file.flush()
            os.fsync(descriptor)
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        os.unlink(temporary)
