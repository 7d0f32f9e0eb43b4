"""Messages from clients of `/ws/live/`, and the mapping of public ids to subjects of analytics."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from foundation.http.parsers import refuse_duplicates
from foundation.ids import PREFIXES, id_pattern

MAX_IDS = 100  # ids that one client may watch
_SNIPPET = re.compile(id_pattern("snippet"))
_SHORT_KEY = re.compile(rf"(?!{'|'.join(PREFIXES.values())})[A-Za-z0-9_-]{{3,64}}")
_SHORT = "short:"  # prefix of the subject of a short link
_DEFAULT_PORTS = {"http": 80, "https": 443}


class MessageError(Exception):
    """A message that is refused, with the reason as a sentence."""

    def __init__(self, message: str, *, code: str = "invalid") -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRequest:
    """Subjects to watch and subjects to stop watching."""

    subscribe: frozenset[str] = frozenset()
    unsubscribe: frozenset[str] = frozenset()


def read_query(query: bytes) -> LiveRequest:
    """Return the request in `?ids=a,b`; raises MessageError."""
    values = parse_qs(query.decode("latin-1")).get("ids", [""])
    return LiveRequest(subscribe=_subjects(id_ for ids in values for id_ in ids.split(",") if id_))


def read_message(text: str) -> LiveRequest:
    """Return the request in `{"subscribe": […], "unsubscribe": […]}`; raises MessageError."""
    try:
        fields = json.loads(text, object_pairs_hook=refuse_duplicates)
    except (ValueError, RecursionError):
        raise MessageError("The message is not JSON.") from None
    if not isinstance(fields, dict) or not fields or fields.keys() - {"subscribe", "unsubscribe"}:
        raise MessageError('A message must be an object with "subscribe", "unsubscribe", or both.')
    for name, ids in fields.items():
        if not isinstance(ids, list) or not all(isinstance(id_, str) for id_ in ids):
            raise MessageError(f"{name} is not a list of ids.")
    return LiveRequest(**{name: _subjects(ids) for name, ids in fields.items()})


def public_id(subject: str) -> str:
    """Return the public id of a subject: a snippet's id or a bare short key."""
    return subject.removeprefix(_SHORT)


def _subjects(ids: Iterable[str]) -> frozenset[str]:
    return frozenset(_subject(id_) for id_ in ids)


def _subject(id_: str) -> str:
    if _SNIPPET.fullmatch(id_):
        return id_
    if _SHORT_KEY.fullmatch(id_):
        return _SHORT + id_
    raise MessageError("Each id must be that of a snippet, or the key of a short link.")


def is_own_origin(origin: str, host: str) -> bool:
    """Return whether `origin` has the host and port of a Host header; ports may be implicit."""
    try:
        page = urlsplit(origin)
        own = urlsplit(f"{page.scheme}://{host}")
        default = _DEFAULT_PORTS.get(page.scheme, 0)
        return bool(page.hostname) and (
            (page.hostname, page.port or default) == (own.hostname, own.port or default)
        )
    except ValueError:
        return False
