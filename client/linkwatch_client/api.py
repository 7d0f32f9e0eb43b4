"""A client for a server's HTTP API; it validates responses and limits their size."""

import json
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

import httpx

from linkwatch_client import __version__
from linkwatch_client.credentials import Credentials
from linkwatch_client.errors import ApiRefusalError, QueryFailedError
from linkwatch_client.printable import printable
from linkwatch_client.url_status import UrlStatus, read_status

MAX_LOOKUP_URLS = 5000  # in one lookup
_MAX_CHUNK_BYTES = 3_000_000  # of JSON per request; the server accepts 4 MiB
MAX_BULK_ITEMS = 1000  # in one registration
_MAX_SIZE = 32 * 1024 * 1024  # bytes of a response
_TIMEOUT = httpx.Timeout(30, connect=10)
_TOTAL_TIMEOUT = 120.0  # seconds for a whole response
_MAX_ATTEMPTS = 3
_MAX_PAGES = 1000  # of a list
_MAX_PAUSE = 60.0  # seconds; with a longer Retry-After, the client gives up
_RETRIED_STATUSES = {429, 502, 503, 504}
T = TypeVar("T")


class LinkwatchApi:
    """Sends requests with a token to a server. As a context manager, closes its connections.

    Raises QueryFailedError if HTTPS_PROXY, SSL_CERT_FILE or a similar variable is invalid.
    """

    def __init__(
        self, credentials: Credentials, *, pause: Callable[[float], None] = time.sleep
    ) -> None:
        self._pause = pause
        headers = {
            "Authorization": f"Token {credentials.token}",
            "User-Agent": f"linkwatch-client/{__version__}",
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # the size of compressed content is unknown
        }
        try:
            self._client = httpx.Client(
                base_url=credentials.url,
                timeout=_TIMEOUT,
                follow_redirects=False,  # never send the token to another host
                headers=headers,
            )
        except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
            raise QueryFailedError(
                "The proxies or certificates that environment variables configure can't be used: "
                f"{printable(str(error))[:200]}"
            ) from error

    def __enter__(self) -> "LinkwatchApi":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def look_up(self, urls: Iterable[str], *, max_age: str = "1d") -> dict[str, UrlStatus]:
        """Return the server's status of each of these URLs, by URL. Raises QueryFailedError."""
        statuses: dict[str, UrlStatus] = {}
        for chunk in chunks(list(dict.fromkeys(urls))):
            response = self.call("POST", "/v1/lookups", {"urls": chunk, "max_age": max_age})
            statuses.update(_statuses_by_url(chunk, response))
        return statuses

    def register(
        self, items: Sequence[Mapping[str, Any]], *, scan: Mapping[str, Any] | None = None
    ) -> list[Mapping[str, Any]]:
        """Register these items of `POST /v1/targets/bulk`; return their results, in order.

        `scan` describes the run that found their URLs. Raises QueryFailedError.
        """
        results: list[Mapping[str, Any]] = []
        for chunk in chunks(items, MAX_BULK_ITEMS):
            body = {"items": chunk, **({"scan": scan} if scan else {})}
            response = self.call("POST", "/v1/targets/bulk", body, creates=True)
            results += objects_of(response, "results", count=len(chunk))
        return results

    def repaired_urls(self, prefix: str) -> dict[str, str]:
        """Return the new URLs of repaired references, by old URL.

        Covers references whose ids begin with `prefix`. Raises QueryFailedError.
        """
        urls: dict[str, str] = {}
        page_token = ""
        for _ in range(_MAX_PAGES):
            query = {"reference_id_prefix": prefix, "limit": "1000"}
            query |= {"page_token": page_token} if page_token else {}
            page = self.call("GET", f"/v1/repairs/references?{urlencode(query)}")
            for item in objects_of(page, "items"):
                urls[text_of(item, "url")] = text_of(item, "moved_to")
            page_token = page.get("next_page_token") or ""
            if not isinstance(page_token, str) or not page_token:
                return urls
        raise QueryFailedError(f"{self._server} returned too many repairs for this repository.")

    def page_url(self, path: str) -> str:
        """Return the URL of a page on the server."""
        return f"{str(self._client.base_url).rstrip('/')}{path}"

    def call(self, method: str, path: str, body: Any = None, *, creates: bool = False) -> Any:
        """Send a request and return the JSON of the response; None for 204.

        Retries up to two times on 429, 502, 503 and 504, after the pause in Retry-After (unless it
        is too long) or a short one. If the request `creates` something, an Idempotency-Key makes
        this safe. Raises QueryFailedError; ApiRefusalError for an error response in JSON.
        """
        headers = {"Idempotency-Key": str(uuid.uuid4())} if creates else {}
        for attempt in range(1, _MAX_ATTEMPTS + 1):
            response, content = self._exchange(method, path, body, headers)
            seconds = _retry_pause(response, attempt)
            may_retry = response.status_code in _RETRIED_STATUSES and attempt < _MAX_ATTEMPTS
            if not may_retry or seconds is None:
                break
            self._pause(seconds)
        return _parse(response, content)

    def _exchange(
        self, method: str, path: str, body: Any, headers: Mapping[str, str]
    ) -> tuple[httpx.Response, bytes]:
        content, started = bytearray(), time.monotonic()
        try:
            with self._client.stream(method, path, json=body, headers=headers) as response:
                if response.headers.get("Content-Encoding", "identity") != "identity":
                    raise QueryFailedError(f"{self._server} sent a compressed response.")
                for chunk in response.iter_raw():
                    content += chunk
                    if len(content) > _MAX_SIZE:
                        raise QueryFailedError(f"{self._server} sent more than {_MAX_SIZE} bytes.")
                    if time.monotonic() - started > _TOTAL_TIMEOUT:
                        raise QueryFailedError(
                            f"{self._server} took more than {_TOTAL_TIMEOUT:.0f} s to respond."
                        )
                return response, bytes(content)
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            reason = printable(str(error))[:200] or type(error).__name__
            raise QueryFailedError(f"{self._server} can't be reached: {reason}") from error

    @property
    def _server(self) -> str:
        return f"The server {printable(str(self._client.base_url)).rstrip('/')}"


def chunks(items: Sequence[T], limit: int = MAX_LOOKUP_URLS) -> Iterable[list[T]]:
    """Yield lists of URLs or other items, each small enough for one request."""
    chunk: list[T] = []
    size = 0
    for item in items:
        length = len(json.dumps(item)) + 2
        if chunk and (len(chunk) == limit or size + length > _MAX_CHUNK_BYTES):
            yield chunk
            chunk, size = [], 0
        chunk.append(item)
        size += length
    if chunk:
        yield chunk


def objects_of(response: Any, name: str, *, count: int | None = None) -> list[Mapping[str, Any]]:
    """Return the list of objects `name` in a response.

    Raises QueryFailedError if there is no such list, or its length is not `count`.
    """
    items = response.get(name) if isinstance(response, Mapping) else None
    if not isinstance(items, list) or not all(isinstance(item, Mapping) for item in items):
        raise QueryFailedError(f"The server's response has no list of {name}.")
    if count is not None and len(items) != count:
        raise QueryFailedError(f"The server returned {len(items)} {name} for {count} items.")
    return items


def text_of(response: Any, name: str) -> str:
    """Return the string `name` in a response; raises QueryFailedError if there is none."""
    text = response.get(name) if isinstance(response, Mapping) else None
    if not isinstance(text, str):
        raise QueryFailedError(f"The server's response has no {name}.")
    return text


def _statuses_by_url(urls: Sequence[str], response: Any) -> dict[str, UrlStatus]:
    results = objects_of(response, "results", count=len(urls))
    return {url: read_status(item, url=url) for url, item in zip(urls, results, strict=True)}


def _retry_pause(response: httpx.Response, attempt: int) -> float | None:
    """Return the seconds to wait before the next attempt, or None if that is too long."""
    text = response.headers.get("Retry-After", "")
    seconds = float(text) if text.isascii() and text.isdigit() and len(text) < 10 else attempt
    return seconds if seconds <= _MAX_PAUSE else None


def _parse(response: httpx.Response, content: bytes) -> Any:
    status = response.status_code
    if 300 <= status < 400:
        location = printable(response.headers.get("Location", "")[:200])
        raise QueryFailedError(
            f"The server redirects to {location!r}. The token is not sent there; if that is the "
            "address of your Linkwatch, set LINKWATCH_URL to it."
        )
    if status == 204:
        return None
    try:
        body = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise QueryFailedError(
            f"The server returned {status} with something other than JSON: is this the address "
            "of a Linkwatch server?"
        ) from error
    if status >= 400:
        raise _api_error(body, status)
    return body


def _api_error(body: Any, status: int) -> ApiRefusalError:
    envelope = body if isinstance(body, Mapping) else {}
    code, message = str(envelope.get("code", ""))[:64], str(envelope.get("message", ""))[:500]
    if status == 401:
        message = "The server rejected the token: run `linkwatch login`, or set LINKWATCH_TOKEN."
    return ApiRefusalError(
        printable(message) or f"The server returned {status}.", code=code, status=status
    )
