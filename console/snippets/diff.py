"""Compares two texts line by line, in bounded time."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice, takewhile
from typing import NamedTuple

MAX_COMPARED = 250_000  # pairs of lines; with more, all lines in between count as changed
MAX_SHOWN = 2_000  # lines
_AROUND = 3  # unchanged lines shown before and after changes


class DiffLine(NamedTuple):
    """A line of either text, or of both."""

    # "-": only in the old text; "+": only in the new one; "": in both; "…": lines omitted.
    mark: str
    text: str


def difference(old: str, new: str) -> list[DiffLine]:
    """Return the lines that differ, with some around them, at most MAX_SHOWN.

    Common lines at start and end are not compared; if too many lines remain, all old lines count as
    removed and all new ones as added.
    """
    before, after = old.splitlines(), new.splitlines()
    head = _alike(before, after)
    tail = _alike(before[head:][::-1], after[head:][::-1])
    gone, come = before[head : len(before) - tail], after[head : len(after) - tail]
    if not gone and not come:
        return []
    lines = [
        *_around(before[:head][-_AROUND - 1 :], is_end=True),
        *_between(gone, come),
        *_around(before[len(before) - tail :][: _AROUND + 1], is_end=False),
    ]
    shown = lines[:MAX_SHOWN]
    return [*shown, DiffLine("…", "")] if len(lines) > MAX_SHOWN else shown


def _alike(one: list[str], other: list[str]) -> int:
    """Return the number of common first lines."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _around(kept: list[str], *, is_end: bool) -> list[DiffLine]:
    """Return up to _AROUND of these lines, those at the end or at the beginning."""
    if len(kept) <= _AROUND:
        return [DiffLine("", text) for text in kept]
    if is_end:
        return [DiffLine("…", ""), *(DiffLine("", text) for text in kept[-_AROUND:])]
    return [*(DiffLine("", text) for text in kept[:_AROUND]), DiffLine("…", "")]


def _between(gone: list[str], come: list[str]) -> Iterator[DiffLine]:
    if len(gone) * len(come) > MAX_COMPARED:
        yield from (DiffLine("-", text) for text in islice(gone, MAX_SHOWN // 2))
        yield from (DiffLine("+", text) for text in islice(come, MAX_SHOWN))
        return
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, gone, come, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from (DiffLine("-", text) for text in gone[i1:i2])
            yield from (DiffLine("+", text) for text in come[j1:j2])
        elif i2 - i1 <= 2 * _AROUND:
            yield from (DiffLine("", text) for text in gone[i1:i2])
        else:
            yield from (DiffLine("", text) for text in gone[i1 : i1 + _AROUND])
            yield DiffLine("…", "")
            yield from (DiffLine("", text) for text in gone[i2 - _AROUND : i2])
