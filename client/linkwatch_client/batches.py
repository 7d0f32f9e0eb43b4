"""Batches: URLs that a server checks now, without registering them."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from linkwatch_client.api import LinkwatchApi, chunks, objects_of, text_of
from linkwatch_client.counted import counted
from linkwatch_client.errors import QueryFailedError
from linkwatch_client.progress import Progress
from linkwatch_client.url_status import UrlStatus, read_status

_FIRST_WAIT = "10s"
_POLL_INTERVAL = 2.0  # seconds
_PAGE_SIZE = 1000


def check_now(
    api: LinkwatchApi,
    urls: Sequence[str],
    *,
    max_age: str,
    patience: int,
    progress: Progress,
    pause: Callable[[float], None] = time.sleep,
) -> dict[str, UrlStatus]:
    """Return the server's status of these URLs, by URL, after checks within `patience` seconds.

    URLs that were not checked by then have no entry. Raises QueryFailedError.
    """
    deadline = time.monotonic() + patience
    statuses: dict[str, UrlStatus] = {}
    for chunk in chunks(urls):
        seconds = max(1, round(deadline - time.monotonic()))
        body = {"urls": chunk, "max_age": max_age, "wait": _FIRST_WAIT, "give_up": f"{seconds}s"}
        batch = api.call("POST", "/v1/batches", body, creates=True)
        path = f"/v1/batches/{quote(text_of(batch, 'id'), safe='')}"
        try:
            while not _is_done(batch) and time.monotonic() < deadline:
                progress(
                    f"Checking {counted(len(chunk), 'URL')}: {_count(batch, 'waiting'):,} waiting"
                )
                pause(_POLL_INTERVAL)
                batch = api.call("GET", f"{path}?limit=1")
        finally:
            if not _is_done(batch):
                api.call("DELETE", path)
        items = list(_items(api, path, limit=len(chunk)))
        if len(items) != len(chunk):
            raise QueryFailedError(
                f"The server returned {counted(len(items), 'item')} for "
                f"{counted(len(chunk), 'URL')}."
            )
        for url, item in zip(chunk, items, strict=True):
            if item.get("status") not in ("waiting", "not_checked"):
                statuses[url] = read_status(item, url=url, failed_twice=_failed_twice(item))
    return statuses


def _items(api: LinkwatchApi, path: str, *, limit: int) -> Iterator[Mapping[str, Any]]:
    query = {"limit": str(_PAGE_SIZE)}
    for _ in range(limit // _PAGE_SIZE + 1):
        page = api.call("GET", f"{path}?{urlencode(query)}")
        yield from objects_of(page, "items")
        if not page.get("next_page_token"):
            return
        query["page_token"] = text_of(page, "next_page_token")


def _is_done(batch: Any) -> bool:
    return isinstance(batch, Mapping) and batch.get("done") is True


def _count(batch: Any, name: str) -> int:
    counts = batch.get("counts") if isinstance(batch, Mapping) else None
    number = counts.get(name) if isinstance(counts, Mapping) else None
    return number if isinstance(number, int) else 0


def _failed_twice(item: Mapping[str, Any]) -> bool:
    """Whether the last check and an earlier one failed.

    A new page is checked twice within its batch.
    """
    first, last = _parse_time(item.get("first_failed_at")), _parse_time(item.get("last_checked_at"))
    return (
        item.get("outcome") == "failure" and first is not None and last is not None and first < last
    )


def _parse_time(value: Any) -> datetime | None:
    try:
        parsed = datetime.fromisoformat(value.replace("Z", "+00:00"))
    except (AttributeError, ValueError):
        return None
    return parsed if parsed.tzinfo else None
