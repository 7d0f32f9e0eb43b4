"""Guesses the language of code or text from distinctive patterns.

Pygments' own guess works for few languages and is often wrong: it mistakes Go for Python, and a
module with a long docstring for GAP. No highlighting is better than wrong highlighting.
"""

import re

_MAX_READ = 4096  # characters
_PATTERNS = [
    (name, re.compile(pattern, re.MULTILINE))
    for name, pattern in (
        ("python", r"\A#!.*python|^(def|class) \w+.*:$|^from [\w.]+ import |^import \w+$"),
        ("bash", r"\A#!.*\b(ba|z|k|da)?sh\b"),
        ("php", r"\A<\?php\b"),
        ("html", r"\A(?i:<!doctype html|<html)\b"),
        ("xml", r"\A<\?xml\b"),
        ("diff", r"\Adiff --git |\A--- .*\n\+\+\+ "),
        ("pytb", r"\ATraceback \(most recent call last\):$"),
        ("docker", r"^FROM [\w./:-]+( AS \w+)?\n+(ARG|CMD|COPY|ENTRYPOINT|ENV|RUN|WORKDIR) "),
        ("go", r"^package \w+$"),
        ("rust", r"^(pub )?fn \w+.*\{$|^use (std|crate|super)::|^impl\b.*\{$"),
        ("csharp", r"^using System[\w.]*;$|^namespace [\w.]+;?$"),
        ("java", r"^package [\w.]+;$|^import (static )?java|^public (final )?class \w+"),
        ("cpp", r"^#include <\w+>$|^using namespace \w+;$|\bstd::\w"),
        ("c", r"^#include [<\"][\w/]+\.h[>\"]$"),
        ("typescript", r"^(export )?(interface|type) \w+|^(const|let) \w+: \w+"),
        ("javascript", r"\A#!.*node|^(export |import .* from )|^ *(const|let) \w+ = |=> \{$"),
        ("sql", r"^(?i:select\b[\s\S]{1,200}?\bfrom\b|insert into |create table |update \w+ set )"),
        ("ini", r"\A\[[\w. :-]+\]$"),
        ("css", r"^[\w.#:*, >-]+ ?\{\n?\s*[\w-]+: .*;"),
        ("yaml", r"\A---$|\A[\w-]+:( .*)?\n([\w-]+:| +[\w-]+:| *- )"),
        ("json", r"\A(\{\s*[\"}]|\[\s*[\"\[{\]\d-])"),
    )
]


def guess(content: str) -> str:
    """Return Pygments' name of the language, or an empty string; reads only the beginning."""
    beginning = content[:_MAX_READ].lstrip()
    return next((name for name, pattern in _PATTERNS if pattern.search(beginning)), "")
