"""Code as HTML: one element per line, which can be linked to, its words in Pygments' classes.

The colours of the classes are in the stylesheet. Text is escaped by Pygments or here, always.
"""

import re
from html import escape
from io import StringIO
from time import monotonic
from typing import NamedTuple

from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from snippets.languages import guess

MOST_CHARACTERS = 256 * 1024  # that are highlighted; more stays plain text
MOST_LINES = 20_000  # that get an element each; more stays one block of text
LONGEST = 2.0  # seconds for a lexer: some take very long for texts made to that end

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_OPTIONS = {"stripnl": False, "ensurenl": False}  # what is copied from the page is the text


class CodeHTML(NamedTuple):
    """A text as HTML; `language` for people, empty for plain text; `lines` is 0 without any."""

    html: str
    language: str
    is_guessed: bool
    lines: int


class _NotColouredError(Exception):
    """The lexer has taken LONGEST, or has lost a part of the text, as a few do."""


def highlight(content: str, language: str = "") -> CodeHTML:
    """Return the content as HTML; its language is guessed when none is given.

    Takes time in proportion to the content, which is bounded by the limits above.
    """
    content = content.replace("\r\n", "\n").replace("\r", "\n")
    lines = content.count("\n") + (not content.endswith("\n"))
    if lines > MOST_LINES:
        return CodeHTML(escape(content), "", is_guessed=False, lines=0)
    if len(content) > MOST_CHARACTERS:
        return CodeHTML(_by_line(escape(content)), "", is_guessed=False, lines=lines)
    lexer, is_guessed = _lexer(content, language)
    try:
        html = _coloured(content, lexer)
    except _NotColouredError:
        html, lexer = escape(content), TextLexer()
    is_plain = isinstance(lexer, TextLexer)
    name = "" if is_plain else lexer.name
    return CodeHTML(_by_line(html), name, is_guessed and not is_plain, lines)


def _lexer(content: str, language: str) -> tuple[Lexer, bool]:
    """Return the lexer, and whether it is a guess."""
    try:
        return get_lexer_by_name(language or guess(content) or "text", **_OPTIONS), not language
    except ClassNotFound:  # an operator can write anything in the admin
        return TextLexer(**_OPTIONS), True


def _coloured(content: str, lexer: Lexer) -> str:
    """Return HTML in which no element goes over the end of a line; raises _NotColouredError."""
    text = content if content.endswith("\n") else content + "\n"  # what lexers are made for
    deadline = monotonic() + LONGEST
    tokens = []
    for token in lexer.get_tokens(text):
        tokens.append(token)
        if monotonic() > deadline:
            raise _NotColouredError
    if "".join(value for _, value in tokens) != text:
        raise _NotColouredError
    html = StringIO()
    HtmlFormatter(nowrap=True).format(tokens, html)
    return html.getvalue() if text == content else html.getvalue().removesuffix("\n")


def _by_line(html: str) -> str:
    """Return each line as an element with a link to itself; the number is the stylesheet's."""
    return "".join(
        f'<span class="line" id="L{number}">'
        f'<a href="#L{number}" tabindex="-1" aria-hidden="true"></a>{line}</span>'
        for number, line in enumerate(_LINE.findall(html) or [""], start=1)
    )
