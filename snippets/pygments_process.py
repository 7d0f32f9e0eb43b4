"""Runs Pygments in a separate process, which can be killed.

Pygments' lexers are regular expressions. Some take minutes for malicious text, hold the GIL all
the time, and ignore deadlines. `snippets.highlighting` starts the process with its limit of address
space in bytes; it answers requests on a socket, its standard input, until the socket is closed.
"""

import json
import os
import resource
import signal
import socket
import struct
import sys
from io import StringIO
from typing import NamedTuple

from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from snippets.languages import guess

OUT_OF_MEMORY = 3  # exit status of a process that ran out of memory
_LENGTH = struct.Struct("!I")
_OPTIONS = {"stripnl": False, "ensurenl": False}  # so that text copied from the page is unchanged


class Coloured(NamedTuple):
    """A text as HTML, not split into lines.

    `html` is None if the lexer lost part of the text, or failed with `error`.
    """

    html: str | None
    language: str = ""  # for people, empty for plain text
    is_guessed: bool = False
    error: str = ""


def colour(content: str, language: str) -> Coloured:
    """Return the content, whose lines end in LF, as HTML; guess the language if none is given.

    No element spans a newline.
    """
    lexer, is_guessed = _lexer(content, language)
    text = content if content.endswith("\n") else content + "\n"  # lexers expect a final newline
    tokens = list(lexer.get_tokens(text))
    if "".join(value for _, value in tokens) != text:
        return Coloured(None)  # a few lexers lose part of the text
    html = StringIO()
    HtmlFormatter(nowrap=True).format(tokens, html)
    shown = html.getvalue() if text == content else html.getvalue().removesuffix("\n")
    is_plain = isinstance(lexer, TextLexer)
    return Coloured(shown, "" if is_plain else lexer.name, is_guessed and not is_plain)


def _lexer(content: str, language: str) -> tuple[Lexer, bool]:
    """Return the lexer, and whether it was guessed; TextLexer for an unknown language."""
    try:
        return get_lexer_by_name(language or guess(content) or "text", **_OPTIONS), not language
    except ClassNotFound:  # such as a language that only another version of Pygments knows
        return TextLexer(**_OPTIONS), True


def send(connection: socket.socket, message: bytes) -> None:
    """Send one message; raises OSError, including TimeoutError."""
    connection.sendall(_LENGTH.pack(len(message)) + message)


def receive(connection: socket.socket) -> bytes:
    """Return the next message; raises EOFError if the connection is closed, and OSError."""
    return _receive_exactly(connection, *_LENGTH.unpack(_receive_exactly(connection, _LENGTH.size)))


def _receive_exactly(connection: socket.socket, size: int) -> bytes:
    pieces = bytearray()
    while len(pieces) < size:
        piece = connection.recv(min(size - len(pieces), 1 << 20))
        if not piece:
            raise EOFError
        pieces += piece
    return bytes(pieces)


def _respond(request: bytes) -> bytes:
    content, language, cpu_time = json.loads(request)
    # The signal has no handler, so that it ends this process even without its parent.
    signal.setitimer(signal.ITIMER_PROF, cpu_time)
    try:
        coloured = colour(content, language)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except Exception as error:  # noqa: BLE001 - a bug in a lexer
        coloured = Coloured(None, error=f"{type(error).__name__}: {error}"[:200])
    signal.setitimer(signal.ITIMER_PROF, 0)
    return json.dumps(coloured).encode()


def main() -> None:
    """Send one message that signals readiness, then answer requests until the parent closes."""
    memory = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)  # the process ends with its parent
    with socket.socket(fileno=0) as parent:
        send(parent, b"")
        while True:
            try:
                request = receive(parent)
            except (EOFError, ConnectionError):
                return
            send(parent, _respond(request))


if __name__ == "__main__":
    main()
