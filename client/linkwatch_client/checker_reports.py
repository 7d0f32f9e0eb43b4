"""Reads reports from other link checkers: JSON of lychee and linkinator, JUnit, lists of URLs."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.parsers import expat

from linkwatch_client.errors import InputOutputError
from linkwatch_client.findings import LinkPlace

MAX_INPUT_BYTES = 64 * 1024 * 1024
_MAX_FINDINGS = 100_000
_URL = re.compile(r"https?://[^\s<>\"|]+", re.IGNORECASE)


def read_findings(data: bytes) -> list[LinkPlace]:
    """Return the bad http and https links in a checker's report, in order.

    Detects the format. Raises InputOutputError for input that is too large, invalid or of an
    unknown format.
    """
    if len(data) > MAX_INPUT_BYTES:
        raise InputOutputError(f"The input is larger than {MAX_INPUT_BYTES} bytes.")
    if b"\0" in data:  # as in UTF-16, which Windows' PowerShell writes
        raise InputOutputError("The input is not UTF-8 text: it contains NUL bytes.")
    text = data.decode("utf-8", errors="replace").lstrip("\ufeff \t\r\n")
    if text.startswith(("{", "[")):
        places = _read_json(text)
    elif text.startswith("<"):
        places = _read_junit(data)
    else:
        places = _read_list(text)
    usable: list[LinkPlace] = []
    for place in places:
        if len(usable) == _MAX_FINDINGS:
            raise InputOutputError(f"The input has more than {_MAX_FINDINGS} findings.")
        if place.url.lower().startswith(("http://", "https://")):
            usable.append(place)
    return usable


def _read_json(text: str) -> Iterator[LinkPlace]:
    try:
        report = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputOutputError(f"The input is not valid JSON: {error}.") from error
    if isinstance(report, Mapping) and "error_map" in report:
        return _read_lychee(report)
    if isinstance(report, Mapping) and isinstance(report.get("links"), list):
        return _read_linkinator(report["links"])
    raise InputOutputError(
        "The input is JSON, but not from lychee (`error_map`) or linkinator (`links`)."
    )


def _read_lychee(report: Mapping[str, Any]) -> Iterator[LinkPlace]:
    """Read `error_map` and `timeout_map`: {input: [{url, span: {line, column}}]}."""
    for name in ("error_map", "timeout_map"):
        by_input = report.get(name) or {}
        if not isinstance(by_input, Mapping):
            raise InputOutputError(f"lychee's {name} is not an object.")
        for source, items in by_input.items():
            for item in _objects(items):
                span = item.get("span")
                start = span if isinstance(span, Mapping) else {}
                yield _place(item, source, line=start.get("line"), column=start.get("column"))


def _read_linkinator(links: list[Any]) -> Iterator[LinkPlace]:
    for item in _objects(links):
        if item.get("state") == "BROKEN":
            yield _place(item, item.get("parent") or "")


def _objects(items: Any) -> Iterable[Mapping[str, Any]]:
    if not isinstance(items, list):
        raise InputOutputError("The input contains something other than a list of findings.")
    return (item for item in items if isinstance(item, Mapping))


def _place(item: Mapping[str, Any], source: Any, *, line: Any = 0, column: Any = 0) -> LinkPlace:
    url = item.get("url")
    return LinkPlace(
        url=url if isinstance(url, str) else "",
        file=file_path(source) if isinstance(source, str) else "",
        line=_number(line),
        column=_number(column),
    )


def _number(value: Any) -> int:
    return value if isinstance(value, int) and 0 < value < 10**9 else 0


def file_path(source: str) -> str:
    """Return the path of a checked file; the URL of a checked page stays a URL."""
    source = source.encode(errors="replace").decode()  # JSON may contain lone surrogates
    if source.startswith("file://"):
        try:
            return unquote(urlsplit(source).path)
        except ValueError:  # such as `file://[`
            return source
    return source.removeprefix("./")


def _read_junit(data: bytes) -> Iterator[LinkPlace]:
    """Read the `file`, the `line` and the first URL in the text of each failed test case."""
    collector = _FailedCaseCollector()
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = collector.refuse_doctype
    parser.StartElementHandler = collector.start
    parser.EndElementHandler = collector.end
    parser.CharacterDataHandler = collector.add_text
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise InputOutputError(f"The input is not valid XML: {error}.") from error
    return iter(collector.places)


class _FailedCaseCollector:
    """Handlers that collect failed test cases; if cases are nested, only the innermost."""

    def __init__(self) -> None:
        self.places: list[LinkPlace] = []
        self._case: dict[str, str] = {}
        self._has_failed = False
        self._texts: list[list[str]] = []  # parts of each text

    def refuse_doctype(self, *_: object) -> None:
        raise InputOutputError(
            "The input is XML with a document type declaration, which is not supported."
        )

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "testcase":
            self._case, self._has_failed = attributes, False
            self._texts = [[attributes.get("name", "")]]
        elif name in ("failure", "error"):
            self._has_failed = True
            self._texts.append([attributes.get("message", "")])
        self._texts.append([])

    def add_text(self, text: str) -> None:
        """Add a part of the text: expat ends a part at each entity and line."""
        if self._case:
            self._texts[-1].append(text)

    def end(self, name: str) -> None:
        if name != "testcase":
            self._texts.append([])
            return
        url = _first_url("".join(parts) for parts in self._texts)
        if self._has_failed and url:
            line = self._case.get("line", "")
            number = int(line) if line.isascii() and line.isdigit() and len(line) < 10 else 0
            file = file_path(self._case.get("file") or "")
            self.places.append(LinkPlace(url=url, file=file, line=number))
        self._case, self._texts = {}, []


def _first_url(texts: Iterable[str]) -> str:
    for text in texts:
        if match := _URL.search(text):
            return match[0]
    return ""


def _read_list(text: str) -> Iterator[LinkPlace]:
    """Read the first URL of each line, with its place if the line is `FILE:LINE: URL`."""
    for line in text.splitlines():
        if match := _URL.search(line):
            file, number = _file_and_line(line[: match.start()].strip())
            yield LinkPlace(url=match[0], file=file, line=number)


def _file_and_line(prefix: str) -> tuple[str, int]:
    file, _, number = prefix.rstrip(":").rpartition(":")
    if file and number.isascii() and number.isdigit() and len(number) < 10:
        return file_path(file), int(number)
    return "", 0
