"""The HTTP API of a Linkwatch server. Answers are bounded and validated."""

import json
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

import httpx

from linkwatch_client import __version__
from linkwatch_client.credentials import Credentials
from linkwatch_client.errors import ApiRefusalError, CannotAskError
from linkwatch_client.printable import printable
from linkwatch_client.url_status import UrlStatus, read_status

MAX_LOOKED_UP = 5000  # URLs of one lookup
MAX_BYTES = 3_000_000  # bytes of URLs per request; the server accepts 4 MiB
MAX_REGISTERED = 1000  # items of one registration
_MAX_ANSWER = 32 * 1024 * 1024  # bytes
_TIMEOUT = httpx.Timeout(30, connect=10)
_DEADLINE = 120.0  # seconds for one answer, in total
_TRIES = 3
_MAX_PAGES = 1000  # of a list
_MAX_PAUSE = 60.0  # the longest Retry-After, in seconds, to wait for
_RETRIED = {429, 502, 503, 504}
T = TypeVar("T")


class LinkwatchApi:
    """A server, accessed with a token; a context manager."""

    def __init__(
        self, credentials: Credentials, *, pause: Callable[[float], None] = time.sleep
    ) -> None:
        self._pause = pause
        self._client = httpx.Client(
            base_url=credentials.url,
            timeout=_TIMEOUT,
            follow_redirects=False,  # never send the token to another host
            headers={
                "Authorization": f"Token {credentials.token}",
                "User-Agent": f"linkwatch-client/{__version__}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",  # compressed answers can't be bounded
            },
        )

    def __enter__(self) -> "LinkwatchApi":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def look_up(self, urls: Iterable[str], *, max_age: str = "1d") -> dict[str, UrlStatus]:
        """Return the server's status of each of these URLs."""
        found: dict[str, UrlStatus] = {}
        for some in chunks(list(dict.fromkeys(urls))):
            answer = self.call("POST", "/v1/lookups", {"urls": some, "max_age": max_age})
            found.update(_paired(some, answer))
        return found

    def register(
        self, items: Sequence[Mapping[str, Any]], *, scan: Mapping[str, Any] | None = None
    ) -> list[Mapping[str, Any]]:
        """Register URLs, each an item of `POST /v1/targets/bulk`; return their results.

        `scan`: the run that found them.
        """
        results: list[Mapping[str, Any]] = []
        for some in chunks(items, MAX_REGISTERED):
            body = {"items": some, **({"scan": scan} if scan else {})}
            answer = self.call("POST", "/v1/targets/bulk", body, creates=True)
            results += objects_of(answer, "results", count=len(some))
        return results

    def repaired(self, prefix: str) -> dict[str, str]:
        """Return the new addresses of repaired pages by their old ones, for references with this
        prefix."""
        found: dict[str, str] = {}
        token = ""
        for _ in range(_MAX_PAGES):
            query = {"reference_id_prefix": prefix, "limit": "1000"}
            query |= {"page_token": token} if token else {}
            answer = self.call("GET", f"/v1/repairs/references?{urlencode(query)}")
            for item in objects_of(answer, "items"):
                found[text_of(item, "url")] = text_of(item, "moved_to")
            token = answer.get("next_page_token") or ""
            if not isinstance(token, str) or not token:
                return found
        raise CannotAskError(f"{self._name} returned too many repairs for this repository.")

    def address_of(self, path: str) -> str:
        """Return the URL of a page of the server."""
        return f"{str(self._client.base_url).rstrip('/')}{path}"

    def call(self, method: str, path: str, body: Any = None, *, creates: bool = False) -> Any:
        """Return the JSON that the server answers.

        429, 503 and similar errors are retried after the pause that the server asks for; with
        `creates`, an Idempotency-Key makes that safe. Raises CannotAskError, and ApiRefusalError
        for an error in the API's own form.
        """
        headers = {"Idempotency-Key": str(uuid.uuid4())} if creates else {}
        for attempt in range(1, _TRIES + 1):
            response, content = self._exchange(method, path, body, headers)
            wait = _pause_of(response, attempt)
            if response.status_code not in _RETRIED or attempt == _TRIES or wait is None:
                break
            self._pause(wait)
        return _read(response, content)

    def _exchange(
        self, method: str, path: str, body: Any, headers: Mapping[str, str]
    ) -> tuple[httpx.Response, bytes]:
        content, begun = bytearray(), time.monotonic()
        try:
            with self._client.stream(method, path, json=body, headers=headers) as response:
                if response.headers.get("Content-Encoding", "identity") != "identity":
                    raise CannotAskError(f"{self._name} sent a compressed response.")
                for chunk in response.iter_raw():
                    content += chunk
                    if len(content) > _MAX_ANSWER:
                        raise CannotAskError(f"{self._name} sent more than {_MAX_ANSWER} bytes.")
                    if time.monotonic() - begun > _DEADLINE:
                        raise CannotAskError(
                            f"{self._name} took more than {_DEADLINE:.0f} s to respond."
                        )
                return response, bytes(content)
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            said = printable(str(error))[:200] or type(error).__name__
            raise CannotAskError(f"{self._name} can't be reached: {said}") from error

    @property
    def _name(self) -> str:
        return f"The server {printable(str(self._client.base_url)).rstrip('/')}"


def chunks(urls: Sequence[T], most: int = MAX_LOOKED_UP) -> Iterable[list[T]]:
    """Yield lists of URLs or items, each small enough for one request."""
    some: list[T] = []
    size = 0
    for url in urls:
        length = len(json.dumps(url)) + 2
        if some and (len(some) == most or size + length > MAX_BYTES):
            yield some
            some, size = [], 0
        some.append(url)
        size += length
    if some:
        yield some


def objects_of(answer: Any, name: str, *, count: int | None = None) -> list[Mapping[str, Any]]:
    """Return a list of objects in an answer; raises CannotAskError if it is not one."""
    found = answer.get(name) if isinstance(answer, Mapping) else None
    if not isinstance(found, list) or not all(isinstance(item, Mapping) for item in found):
        raise CannotAskError(f"The server's response has no list of {name}.")
    if count is not None and len(found) != count:
        raise CannotAskError(f"The server returned {len(found)} {name} for {count} items.")
    return found


def text_of(answer: Any, name: str) -> str:
    """Return a string in an answer; raises CannotAskError if it is not one."""
    found = answer.get(name) if isinstance(answer, Mapping) else None
    if not isinstance(found, str):
        raise CannotAskError(f"The server's response has no {name}.")
    return found


def _paired(urls: Sequence[str], answer: Any) -> dict[str, UrlStatus]:
    results = objects_of(answer, "results", count=len(urls))
    return {url: read_status(item, url=url) for url, item in zip(urls, results, strict=True)}


def _pause_of(response: httpx.Response, attempt: int) -> float | None:
    """Return the seconds to wait before the next attempt, or None if that is too long."""
    asked = response.headers.get("Retry-After", "")
    seconds = float(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else attempt
    return seconds if seconds <= _MAX_PAUSE else None


def _read(response: httpx.Response, content: bytes) -> Any:
    status = response.status_code
    if 300 <= status < 400:
        to = printable(response.headers.get("Location", "")[:200])
        raise CannotAskError(
            f"The server redirects to {to!r}. The token is not sent there; if that is the "
            "address of your Linkwatch, set LINKWATCH_URL to it."
        )
    if status == 204:
        return None
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise CannotAskError(
            f"The server returned {status} with something other than JSON: is this the address "
            "of a Linkwatch server?"
        ) from error
    if status >= 400:
        raise _refusal(answer, status)
    return answer


def _refusal(answer: Any, status: int) -> ApiRefusalError:
    envelope = answer if isinstance(answer, Mapping) else {}
    code, message = str(envelope.get("code", ""))[:64], str(envelope.get("message", ""))[:500]
    if status == 401:
        message = "The server rejected the token: run `linkwatch login`, or set LINKWATCH_TOKEN."
    return ApiRefusalError(
        printable(message) or f"The server returned {status}.", code=code, status=status
    )
