"""The client runs on Python 3.10, whose `re` has no possessive quantifiers or atomic groups."""

import importlib
import pkgutil
import re
from typing import Any

import pytest

import linkwatch_client

pytestmark = pytest.mark.any_database
_PARSER: Any = importlib.import_module("re._parser")
_SINCE_3_11 = ("POSSESSIVE_REPEAT", "ATOMIC_GROUP")


def _patterns():
    for module in pkgutil.walk_packages(linkwatch_client.__path__, "linkwatch_client."):
        if module.name.endswith(("__main__", "sphinx_extension", "mkdocs_plugin")):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, re.Pattern):
                yield f"{module.name}.{name}", value


def test_regular_expressions_are_valid_on_python_3_10():
    patterns = dict(_patterns())
    assert len(patterns) > 50
    for name, pattern in patterns.items():
        parsed = repr(_PARSER.parse(pattern.pattern, pattern.flags))
        assert not [newer for newer in _SINCE_3_11 if newer in parsed], name
