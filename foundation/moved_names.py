"""Names that have moved: old imports work for two releases, with a warning."""

import warnings
from collections.abc import Callable, Mapping
from typing import Any

from django.utils.module_loading import import_string


def moved(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module whose names have moved to these paths."""

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        sentence = (
            f"{module}.{name} is {names[name]} since 0.3.0; the old name will be removed in 0.5.0."
        )
        warnings.warn(sentence, DeprecationWarning, stacklevel=2)
        return import_string(names[name])

    return find
