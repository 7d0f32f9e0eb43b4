"""An SQLite database with all migrations applied, created once for all runs of the same source.

All migrations take ten seconds, and most tests need only their result.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
KEPT = ROOT / ".pytest_cache/migrated"


def copy_to(path: Path) -> None:
    """Put a copy of the database at `path`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.copy(database(), path)


def database() -> Path:
    """Return the path of the database; a separate process creates it if it does not exist."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # held by the run that creates the database for all
        found = KEPT / f"{_digest()}.db"
        if not found.exists():
            for earlier in KEPT.glob("*.db"):
                earlier.unlink()
            _make(found)
    return found


def _make(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity=0"],
            cwd=ROOT,
            env={**environment, "DATA_DIR": folder},
            check=True,
        )
        made = shutil.move(Path(folder, "linkwatch.db"), path.with_suffix(".new"))
    Path(made).rename(path)


def _digest() -> str:
    """Return a digest of what determines the migrations: the product's files and packages."""
    found = hashlib.sha256()
    packages = sorted(path.parent for path in ROOT.glob("*/__init__.py"))
    sources = (path for package in packages for path in sorted(package.rglob("*.py")))
    for path in (ROOT / "requirements-dev.txt", *sources):
        if ROOT / "tests" not in path.parents:
            found.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return found.hexdigest()[:16]
