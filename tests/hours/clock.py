"""A time of day that tests set, for processes and their children; steady clocks are not changed."""

import atexit
import shutil
import subprocess
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

_SOURCE = Path(__file__).with_name("clock.c")
_BYTES = 8
INHERITED = ("LD_PRELOAD", "SHIFTED_CLOCK")


class Clock:
    """A time of day that differs from this machine's by `shift`; it may jump at any moment."""

    def __init__(self, path: Path) -> None:
        """Use the clock of this file; create the file if it doesn't exist."""
        self._path = path
        if not path.exists():
            path.touch()
            path.chmod(0o644)  # PostgreSQL runs as another user
            self.shift = timedelta()

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment variables that make a process and its children use this clock."""
        return dict(zip(INHERITED, (str(_library()), str(self._path)), strict=True))

    @property
    def shift(self) -> timedelta:
        nanoseconds = int.from_bytes(self._path.read_bytes(), "little", signed=True)
        return timedelta(microseconds=nanoseconds // 1000)

    @shift.setter
    def shift(self, shift: timedelta) -> None:
        nanoseconds = shift // timedelta(microseconds=1) * 1000
        with self._path.open("r+b", buffering=0) as file:  # mapped, so never empty
            file.write(nanoseconds.to_bytes(_BYTES, "little", signed=True))


@cache
def _library() -> Path:
    """Return the preloaded library, compiled by this machine's `cc`."""
    folder = Path(mkdtemp(prefix="clock-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    folder.chmod(0o755)  # PostgreSQL runs as another user
    library = folder / "clock.so"
    command = [
        "cc",
        "-shared",
        "-fPIC",
        "-O2",
        "-Wall",
        "-Werror",
        "-o",
        str(library),
        str(_SOURCE),
    ]
    subprocess.run([*command, "-ldl", "-lpthread"], check=True)
    return library
