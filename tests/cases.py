"""Cases of a table, some of which run in `.ci/run`, and all of them before a release."""

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import hypothesis
import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")


def only_before_releases(names: Iterable[str], *, but: Iterable[str]) -> list[ParameterSet]:
    """Return the names as parameters, marked `release` except for those in `but`."""
    kept = frozenset(but)
    return [
        pytest.param(name, marks=() if name in kept else pytest.mark.release, id=name)
        for name in names
    ]


def some_of_each(
    cases: Sequence[T], *, kind: Callable[[T], object], most: int
) -> list[ParameterSet]:
    """Return the cases as parameters, marked `release` except for `most` of each kind.

    The cases are chosen by checksums of their names, so they are the same each time.
    """
    kept: Counter[object] = Counter()
    chosen = {}
    for case in sorted(cases, key=lambda case: zlib.crc32(str(case).encode())):
        kept[kind(case)] += 1
        chosen[str(case)] = kept[kind(case)] <= most
    return [
        pytest.param(case, marks=() if chosen[str(case)] else pytest.mark.release, id=str(case))
        for case in cases
    ]


def examples(number: int) -> int:
    """Return how many of `number` examples this run's profile draws: all if it draws 100."""
    return max(5, number * hypothesis.settings.default.max_examples // 100)
