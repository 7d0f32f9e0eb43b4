"""SECRET_KEY where nobody gives one: made at the first start, and kept."""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path


def secret_key(given: str, *, folder: Path) -> str:
    """Return `given`, or else the key that is kept in `folder`, DATA_DIR, which is made if need be.

    Raises OSError when the folder cannot be used.
    """
    path = folder / "secret_key"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if given:
        return given
    if not path.exists():
        _keep(secrets.token_urlsafe(48), path)
    return path.read_text(encoding="ascii")


def _keep(secret: str, path: Path) -> None:
    """Write it whole or not at all, for the folder's owner only; of two at once one is kept."""
    descriptor, draft = tempfile.mkstemp(prefix="secret_key.", dir=path.parent)
    try:
        with open(descriptor, "w", encoding="ascii") as file:
            if os.geteuid() == 0:
                os.fchown(descriptor, path.parent.stat().st_uid, -1)
            file.write(secret)
            file.flush()
            os.fsync(descriptor)
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        os.unlink(draft)
