"""Small disks for a single test, which can be filled."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, *, size: str = "4m") -> Iterator[Path]:
    """Mount a disk of that size here; skip the test if mounting is not permitted."""
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "linkwatch", str(folder)]
    if os.getuid() != 0 or subprocess.run(command, check=False).returncode:
        pytest.skip("only root may mount, and not in every container")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


@contextmanager
def filled(disk: Path) -> Iterator[None]:
    """Fill the disk to its last byte during the block."""
    file = disk / "full"
    with file.open("wb", 0) as full:
        for piece in (1 << 20, 4096, 1):
            with suppress(OSError):
                while True:
                    full.write(bytes(piece))
    try:
        yield
    finally:
        file.unlink()
