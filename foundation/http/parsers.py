"""Parses request bodies."""

import json
import re
from collections.abc import Mapping
from itertools import chain, islice
from typing import IO, Any, NoReturn

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

MAX_VALUES = 100_000  # values in one body: a thousand URLs with every field set have fewer
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
MAX_DEPTH = 20  # nested arrays and objects; our bodies need at most four


class SafeJSONParser(JSONParser):
    """UTF-8 JSON that can be stored and returned; anything else is a client error."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the parsed body.

        Raises ParseError, including for deep nesting, lone surrogates, duplicate names, and more
        than MAX_VALUES values.
        """
        raw = stream.read()
        _check_value_count(raw)
        try:
            data = json.loads(
                raw.decode(), parse_constant=_refuse_constant, object_pairs_hook=refuse_duplicates
            )
            if b"\\ud" in raw.lower():  # only an escape can introduce a surrogate
                json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ParseError(
                "The JSON contains a lone surrogate, which is not a character."
            ) from None
        except UnicodeDecodeError:
            raise ParseError("The body is not UTF-8.") from None
        except ValueError as error:
            raise ParseError(f"The body is not JSON: {error}") from None
        except RecursionError:
            raise _too_deep() from None
        _check_depth(data)
        return data


def refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raises ValueError for a duplicate name."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("an object has a duplicate name.")
    return members


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number.")


def _check_value_count(raw: bytes) -> None:
    """Refuse a body of more than MAX_VALUES values: json.loads would block all other threads."""
    excess = raw.count(b",") + raw.count(b"[") - MAX_VALUES
    if excess <= 0:
        return
    # Commas in strings don't count. Finds one match at a time, because a single call for all would
    # block other threads.
    for match in islice(_STRING.finditer(raw), 2 * MAX_VALUES):  # a name and a string per value
        excess -= match[0].count(b",") + match[0].count(b"[")
        if excess <= 0:
            return
    raise ParseError(f"The JSON has more than {MAX_VALUES:,} values.")


def _check_depth(data: Any) -> None:
    """Refuse nesting that later steps, which start deeper in the stack, could not process."""
    level = [data] if isinstance(data, dict | list) else []
    for _ in range(MAX_DEPTH):
        if not level:
            return
        inner = (node.values() if isinstance(node, dict) else node for node in level)
        level = [node for node in chain.from_iterable(inner) if isinstance(node, dict | list)]
    if level:
        raise _too_deep()


def _too_deep() -> ParseError:
    return ParseError("The JSON is nested too deeply.")
