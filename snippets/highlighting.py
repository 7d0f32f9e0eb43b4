"""Code as HTML: one element per line, which can be linked to, with Pygments' classes.

The colours are in the style sheet. Text is always escaped, by Pygments or here. Pygments runs in a
process that is killed if it takes too long (`snippets.pygments_process`).
"""

import atexit
import json
import logging
import re
import signal
import socket
import subprocess
import sys
from html import escape
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import NamedTuple

from snippets.pygments_process import OUT_OF_MEMORY, Coloured, receive, send

logger = logging.getLogger(__name__)

MAX_CHARACTERS = 256 * 1024  # characters that are highlighted; longer text stays plain
MAX_LINES = 20_000  # lines that get an element each; longer text stays one block
MAX_CPU_TIME = 2.0  # seconds per text; 0: no highlighting
MAX_MEMORY = 256 * 1024 * 1024  # bytes of address space; ordinary text needs a quarter
_MAX_SLOWDOWN = 5  # maximum elapsed time per CPU time: other processes may be busy
_START_TIMEOUT = 10.0  # seconds for the process to start
_STOP_TIMEOUT = 0.1  # seconds for the process to end by itself
_MAX_TEXTS = 2  # being highlighted or waiting: half of the loading threads

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_ROOT = Path(__file__).parent.parent


class CodeHTML(NamedTuple):
    """A text as HTML. `language` is for people, empty for plain text; `lines` is 0 if unsplit."""

    html: str
    language: str
    is_guessed: bool
    lines: int


class TooHard(CodeHTML):
    """A plain text whose highlighting exceeded the limits, and would do so again."""


class TooBusy(CodeHTML):
    """A text that stays plain this time, because no process could highlight it now."""


class _TooHardError(Exception):
    """The text takes more time than MAX_CPU_TIME, or too much memory."""


class _TooBusyError(Exception):
    """The process is busy, has crashed or does not start."""


def highlight(content: str, language: str = "") -> CodeHTML:
    """Return the content as HTML; the language is guessed if none is given.

    Usually takes at most a few times MAX_CPU_TIME, including the wait for another text; a call that
    starts the process may take _START_TIMEOUT more.
    """
    content = _normalize_newlines(content)
    uncoloured = plain(content)
    if not uncoloured.lines or len(content) > MAX_CHARACTERS or MAX_CPU_TIME <= 0:
        return uncoloured
    try:
        coloured = _WORKER.colour(content, language)
    except _TooHardError:
        return TooHard(*uncoloured)
    except _TooBusyError:
        return TooBusy(*uncoloured)
    if coloured.error:
        logger.warning("A text in %r cannot be highlighted: %s", language, coloured.error)
    if coloured.html is None:
        return uncoloured
    return CodeHTML(_by_line(coloured.html), *coloured[1:3], uncoloured.lines)


def plain(content: str) -> CodeHTML:
    """Return the content as HTML without colours."""
    content = _normalize_newlines(content)
    lines = content.count("\n") + (not content.endswith("\n"))
    if lines > MAX_LINES:
        return CodeHTML(escape(content), "", is_guessed=False, lines=0)
    return CodeHTML(_by_line(escape(content)), "", is_guessed=False, lines=lines)


def _normalize_newlines(content: str) -> str:
    return content.replace("\r\n", "\n").replace("\r", "\n")


def _by_line(html: str) -> str:
    """Return each line as an element with a link to itself; the style sheet adds the number."""
    return "".join(
        f'<span class="line" id="L{number}">'
        f'<a href="#L{number}" tabindex="-1" aria-hidden="true"></a>{line}</span>'
        for number, line in enumerate(_LINE.findall(html) or [""], start=1)
    )


class _Worker:
    """The highlighting process, started on first use; thread-safe.

    It highlights one text at a time, while up to _MAX_TEXTS - 1 wait. It ends with this process.
    """

    def __init__(self) -> None:
        self._slots = BoundedSemaphore(_MAX_TEXTS)
        self._turn = Lock()
        self._running: tuple[subprocess.Popen[bytes], socket.socket] | None = None

    def colour(self, content: str, language: str) -> Coloured:
        """Return the highlighted text; raises _TooHardError or _TooBusyError."""
        if not self._slots.acquire(blocking=False):
            raise _TooBusyError
        try:
            if not self._turn.acquire(timeout=MAX_CPU_TIME):
                raise _TooBusyError
            try:
                return self._ask(content, language)
            finally:
                self._turn.release()
        finally:
            self._slots.release()

    def _ask(self, content: str, language: str) -> Coloured:
        process, connection = self._running or self._start()
        try:
            connection.settimeout(_MAX_SLOWDOWN * MAX_CPU_TIME)
            send(connection, json.dumps([content, language, MAX_CPU_TIME]).encode())
            coloured = Coloured(*json.loads(receive(connection)))
        except (OSError, EOFError):
            self.stop()
            if process.returncode in (OUT_OF_MEMORY, -signal.SIGPROF):
                raise _TooHardError from None
            raise _TooBusyError from None
        return coloured

    def _start(self) -> "tuple[subprocess.Popen[bytes], socket.socket]":
        connection, child = socket.socketpair()
        with child:
            command = [sys.executable, "-m", "snippets.pygments_process", str(MAX_MEMORY)]
            try:
                process = subprocess.Popen(command, stdin=child.fileno(), cwd=_ROOT)  # noqa: S603
            except BaseException:
                connection.close()
                raise
        self._running = process, connection
        connection.settimeout(_START_TIMEOUT)
        try:
            receive(connection)
        except (OSError, EOFError):
            self.stop()
            logger.error("The process that highlights snippets does not start")  # noqa: TRY400
            raise _TooBusyError from None
        return self._running

    def stop(self) -> None:
        """End the process, if it is running; the next text starts another."""
        if self._running is None:
            return
        process, connection = self._running
        self._running = None
        connection.close()
        try:
            process.wait(_STOP_TIMEOUT)  # it may have ended by itself, with a status
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


_WORKER = _Worker()
atexit.register(_WORKER.stop)
