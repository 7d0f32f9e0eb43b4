"""All text on pages, in mails and forms: `python -m tests.visible_strings`.

For templates, this is the text between tags, and attributes that are shown or read aloud; for
Python, the sentences and labels in modules that make pages and messages. Values are shown as ….
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEMPLATES = ("templates",)
MODULES = (
    *("console", "accounts", "notify", "snippets", "shortener", "targets", "status", "foundation"),
    *("checker", "hosts", "analytics", "archives", "batches", "lookups", "outbox", "agents"),
)
_BLOCK = re.compile(r"\{#.*?#\}|<(script|style|svg)\b.*?</\1>", re.DOTALL)
_VALUE = re.compile(r"\{\{.*?\}\}|\{% (?:when|clock|url|static|firstof|include)\b.*?%\}", re.DOTALL)
_INLINE = re.compile(r"</?(?:a|b|bdi|br|code|em|i|kbd|span|strong|small|time)\b[^<>]*>")
_CUT = re.compile(r"\{%.*?%\}|<[^<>]*>", re.DOTALL)
_ATTRIBUTE = re.compile(r'\b(?:title|placeholder|aria-label|alt|content)="([^"{}]*[a-z][^"{}]*)"')
_SENTENCE = re.compile(r"[A-Z“][^\n]* [^\n]*|[A-Z][a-z]+")


def of_template(text: str) -> Iterator[str]:
    """Yield the visible pieces of a template."""
    text = _VALUE.sub("…", _BLOCK.sub(" ", text))
    yield from _ATTRIBUTE.findall(text)
    for piece in _CUT.sub("\n", _INLINE.sub("", text)).split("\n"):
        words = " ".join(piece.split())
        if re.search(r"[A-Za-z]{2}", words):
            yield words


def of_module(text: str) -> Iterator[str]:
    """Yield the sentences and labels of a module, without docstrings."""
    tree = ast.parse(text)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    parts = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    logged = {
        id(argument)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and "logger" in ast.dump(node.func)
        for argument in node.args
    }
    for node in ast.walk(tree):
        if id(node) in docstrings | parts | logged:
            continue
        if isinstance(node, ast.JoinedStr):
            found = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = node.value
        else:
            continue
        if _SENTENCE.fullmatch(found) and " " in found:
            yield " ".join(found.split())


def lines() -> Iterator[str]:
    """Yield `file: text`, each once, by file."""
    for folder in TEMPLATES:
        for path in sorted((ROOT / folder).rglob("*.*")):
            yield from _lines_of(path, of_template(path.read_text()))
    for package in MODULES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts and "engine" not in path.parts:
                yield from _lines_of(path, of_module(path.read_text()))


def _lines_of(path: Path, found: Iterator[str]) -> Iterator[str]:
    for text in dict.fromkeys(found):
        yield f"{path.relative_to(ROOT)}: {text}"


if __name__ == "__main__":
    print(*lines(), sep="\n")
