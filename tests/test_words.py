"""Banned words in product code and docs/, and class names that are used more than once.

`_LEFT` has the banned words of packages whose sentences are not rewritten yet. Lower a number when
you remove words; never raise one.
"""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.any_database

ROOT = Path(__file__).parent.parent
PACKAGES = sorted(
    [
        "client",
        *(path.parent.name for path in ROOT.glob("*/__init__.py") if path.parent.name != "tests"),
    ]
)

# Each word with its replacement; docs/glossary.md has the words of this project.
BANNED = {
    "told": "the thing itself: headers, counts, notified",
    "beside": "next to",
    "besides": "also",
    "amid": "during",
    "whoever": "anyone who",
    "fares": "status",
    "what is none": "what is not",
    "is none any more": "no longer exists",
    "given an end": "expires",
    "put to rest": "backoff",
    "as a rule": "usually",
    "kept count": "stored count",
    "kept counts": "stored counts",
    "dead promise": "dead destination",
    "dead promises": "dead destinations",
    "wish": "request",
    "wishes": "requests",
    "nearby": "local cache",
    "Shift": "CheckerWorker",
    "LeadsOrTells": "RedirectOrNotice",
}
_BANNED = re.compile(rf"(?<![\w`/])({'|'.join(BANNED)})(?![\w`])")

# Public names, and quotations.
_ALLOWED = re.compile(r"0034-told-changes|0028-dead-promises|0013-kept-counts|0006-shifts")

# Django's own names, of which each app has one; models whose tables keep their names.
_OFTEN = {"Command", "Meta", "Tag"}

_LEFT = {"docs": 4}


def _files(package: str) -> Iterator[Path]:
    for path in sorted((ROOT / package).rglob("*")):
        if path.suffix in {".py", ".md"} and "migrations" not in path.parts:
            yield path


def _banned(text: str) -> list[str]:
    return _BANNED.findall(_ALLOWED.sub("", text))


@pytest.mark.parametrize("package", [*PACKAGES, "docs"])
def test_no_banned_word_is_used(package):
    found = Counter(word for path in _files(package) for word in _banned(path.read_text()))

    assert found.total() <= _LEFT.get(package, 0), {word: BANNED[word] for word in found}


@pytest.mark.parametrize("word", BANNED)
def test_each_banned_word_is_found(word):
    assert _banned(f"a sentence with {word} in it") == [word]


def test_class_names_are_unique():
    places = defaultdict(list)
    for package in PACKAGES:
        for path in _files(package):
            if path.suffix == ".py":
                for node in ast.walk(ast.parse(path.read_text())):
                    if isinstance(node, ast.ClassDef) and node.name not in _OFTEN:
                        places[node.name].append(str(path.relative_to(ROOT)))

    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}
