"""SECRET_KEY where nobody gives one: made at the first start, and kept."""

import contextlib
import os
import secrets
from pathlib import Path
from typing import TextIO


def secret_key(given: str, *, folder: Path) -> str:
    """Return `given`, or else the key that is kept in `folder`, DATA_DIR, which is made if need be.

    Raises OSError when the folder cannot be used.
    """
    path = folder / "secret_key"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if given:
        return given
    with contextlib.suppress(FileExistsError), _new_file(path) as file:
        file.write(secrets.token_urlsafe(48))
    return path.read_text(encoding="ascii")


def _new_file(path: Path) -> TextIO:
    """Create a file that only its owner may read; raises FileExistsError."""
    return open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii")
