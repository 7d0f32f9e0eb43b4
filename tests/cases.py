"""Cases of a table of which some run in `.ci/run`, and all of them before a release."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet


def only_before_releases(names: Iterable[str], *, but: Iterable[str]) -> list[ParameterSet]:
    """Return the names as parameters, marked `release` except for those in `but`."""
    kept = frozenset(but)
    return [
        pytest.param(name, marks=() if name in kept else pytest.mark.release, id=name)
        for name in names
    ]
