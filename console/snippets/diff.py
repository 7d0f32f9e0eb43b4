"""Compares two texts line by line, in bounded time."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice, takewhile
from typing import NamedTuple

MAX_COMPARED = 250_000  # pairs of lines, after removing common lines at the start and the end
MAX_SHOWN = 2_000  # lines, not counting the mark for omitted lines
_CONTEXT = 3  # unchanged lines shown before and after changes


class DiffLine(NamedTuple):
    """A line of either text, or of both."""

    # "-": only in the old text; "+": only in the new text; "": in both; "…": lines were omitted.
    mark: str
    text: str


def difference(old: str, new: str) -> list[DiffLine]:
    """Return the lines that differ, with some lines of context; empty if no lines differ.

    Returns at most MAX_SHOWN lines, followed by a mark if there are more. If there are more than
    MAX_COMPARED pairs of lines to compare, all old lines count as removed and all new lines as
    added, except for common lines at the start and the end.
    """
    before, after = old.splitlines(), new.splitlines()
    head = _count_common(before, after)
    tail = _count_common(before[head:][::-1], after[head:][::-1])
    removed, added = before[head : len(before) - tail], after[head : len(after) - tail]
    if not removed and not added:
        return []
    lines = [
        *_context(before[:head][-_CONTEXT - 1 :], is_end=True),
        *_compare(removed, added),
        *_context(before[len(before) - tail :][: _CONTEXT + 1], is_end=False),
    ]
    shown = lines[:MAX_SHOWN]
    return [*shown, DiffLine("…", "")] if len(lines) > MAX_SHOWN else shown


def _count_common(first: list[str], second: list[str]) -> int:
    """Return the number of lines at the start that both lists have in common."""
    pairs = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _context(lines: list[str], *, is_end: bool) -> list[DiffLine]:
    """Return the last _CONTEXT lines if `is_end`, otherwise the first; mark omitted lines."""
    if len(lines) <= _CONTEXT:
        return [DiffLine("", text) for text in lines]
    if is_end:
        return [DiffLine("…", ""), *(DiffLine("", text) for text in lines[-_CONTEXT:])]
    return [*(DiffLine("", text) for text in lines[:_CONTEXT]), DiffLine("…", "")]


def _compare(removed: list[str], added: list[str]) -> Iterator[DiffLine]:
    if len(removed) * len(added) > MAX_COMPARED:
        yield from (DiffLine("-", text) for text in islice(removed, MAX_SHOWN // 2))
        yield from (DiffLine("+", text) for text in islice(added, MAX_SHOWN))
        return
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, removed, added, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from (DiffLine("-", text) for text in removed[i1:i2])
            yield from (DiffLine("+", text) for text in added[j1:j2])
        elif i2 - i1 <= 2 * _CONTEXT:
            yield from (DiffLine("", text) for text in removed[i1:i2])
        else:
            yield from (DiffLine("", text) for text in removed[i1 : i1 + _CONTEXT])
            yield DiffLine("…", "")
            yield from (DiffLine("", text) for text in removed[i2 - _CONTEXT : i2])
