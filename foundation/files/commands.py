"""For commands that process long files: a progress bar, interruption, atomic writes."""

import os
import secrets
import signal
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO

from django.core.management.base import CommandError
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

_LINE_INTERVAL = 100_000  # entries per progress line, if there is no terminal


def stderr_console() -> Console:
    """Return a console for messages on stderr, without markup."""
    return Console(stderr=True, soft_wrap=True, markup=False, highlight=False)


@contextmanager
def progress(
    console: Console, *, total: int | None, position: Callable[[], int] | None = None
) -> Iterator[Callable[[int], None]]:
    """Show a bar on a terminal, otherwise occasional lines; yield a function to report progress.

    The function takes the number of entries just done. `total` is in the units of `position`, or in
    entries if `position` is None; it is None if unknown.
    """
    done = 0

    def advance(entries: int) -> None:
        nonlocal done
        done += entries
        bar.update(task, completed=position() if total and position else done, done=f"{done:,}")
        if bar.disable and done // _LINE_INTERVAL > (done - entries) // _LINE_INTERVAL:
            console.print(f"{done:,} entries done")

    bar = Progress(
        TextColumn("{task.fields[done]} entries"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )
    task = bar.add_task("entries", total=total, done="0")
    with bar:
        yield advance


def open_input(file: str) -> AbstractContextManager[BinaryIO]:
    """Open a file, `-` for standard input; raises CommandError with a sentence."""
    if file == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(file).open("rb")
    except OSError as error:
        raise CommandError(f"{file} cannot be read ({error.strerror}).") from None


@contextmanager
def interrupt_on_sigterm() -> Iterator[None]:
    """Raise KeyboardInterrupt on SIGTERM within the block, as on Ctrl-C."""
    previous = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def size_of(source: BinaryIO) -> int | None:
    """Return the size in bytes of a regular file; None for anything else, such as a pipe."""
    try:
        status = os.fstat(source.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def write_lines(file: str, lines: Iterable[str]) -> None:
    """Write these lines to a file, all or nothing.

    Lines for standard output (`-`), a pipe or a device are written as they arrive. Raises
    CommandError with a sentence if writing fails.
    """
    try:
        if file == "-":
            _print(lines)
        else:
            with _replacement(Path(file).resolve()) as target:
                target.writelines(line.encode() for line in lines)
    except OSError as error:
        raise CommandError(f"{file} cannot be written ({error.strerror}).") from None


def _print(lines: Iterable[str]) -> None:
    try:
        sys.stdout.buffer.writelines(line.encode() for line in lines)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The reader (`| head`) has seen enough; Python would flush again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _replacement(path: Path) -> Iterator[BinaryIO]:
    """Yield a file that replaces `path` at the end of the block, unless there is an error."""
    if path.exists() and not path.is_file():  # a pipe or device can't be replaced
        with path.open("wb") as target:
            yield target
        return
    # Not named after the process: in a container, the next one often has the same id, and a killed
    # process leaves its draft behind.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("xb") as target:
            yield target
            target.flush()
            os.fsync(target.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
