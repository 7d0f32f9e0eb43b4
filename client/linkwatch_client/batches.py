"""Batches: URLs that a server checks now, without registering them."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from linkwatch_client.api import LinkwatchApi, chunks, objects_of, text_of
from linkwatch_client.errors import CannotAskError
from linkwatch_client.progress import Progress
from linkwatch_client.url_status import UrlStatus, read_status

_FIRST_WAIT = "10s"
_LOOK_EVERY = 2.0  # seconds
_PAGE = 1000


def check_now(
    api: LinkwatchApi,
    urls: Sequence[str],
    *,
    max_age: str,
    patience: int,
    progress: Progress,
    pause: Callable[[float], None] = time.sleep,
) -> dict[str, UrlStatus]:
    """Return the server's status of these URLs after checks within `patience` seconds.

    URLs that could not be checked by then have no entry. Raises CannotAskError.
    """
    deadline = time.monotonic() + patience
    found: dict[str, UrlStatus] = {}
    for some in chunks(urls):
        left = max(1, round(deadline - time.monotonic()))
        body = {"urls": some, "max_age": max_age, "wait": _FIRST_WAIT, "give_up": f"{left}s"}
        batch = api.call("POST", "/v1/batches", body, creates=True)
        address = f"/v1/batches/{quote(text_of(batch, 'id'), safe='')}"
        try:
            while not _is_done(batch) and time.monotonic() < deadline:
                progress(f"Checking {len(some):,} URLs: {_count(batch, 'waiting'):,} are waiting")
                pause(_LOOK_EVERY)
                batch = api.call("GET", f"{address}?limit=1")
        finally:
            if not _is_done(batch):
                api.call("DELETE", address)
        items = list(_items(api, address, most=len(some)))
        if len(items) != len(some):
            raise CannotAskError(f"The server returned {len(items)} items for {len(some)} URLs.")
        for url, item in zip(some, items, strict=True):
            if item.get("status") not in ("waiting", "not_checked"):
                found[url] = read_status(item, url=url, failed_twice=_failed_twice(item))
    return found


def _items(api: LinkwatchApi, address: str, *, most: int) -> Iterator[Mapping[str, Any]]:
    query = {"limit": str(_PAGE)}
    for _ in range(most // _PAGE + 1):
        page = api.call("GET", f"{address}?{urlencode(query)}")
        yield from objects_of(page, "items")
        if not page.get("next_page_token"):
            return
        query["page_token"] = text_of(page, "next_page_token")


def _is_done(batch: Any) -> bool:
    return isinstance(batch, Mapping) and batch.get("done") is True


def _count(batch: Any, name: str) -> int:
    counts = batch.get("counts") if isinstance(batch, Mapping) else None
    found = counts.get(name) if isinstance(counts, Mapping) else None
    return found if isinstance(found, int) else 0


def _failed_twice(item: Mapping[str, Any]) -> bool:
    """Whether the last check and an earlier one failed.

    A new page is checked twice within its batch.
    """
    first, last = _time(item.get("first_failed_at")), _time(item.get("last_checked_at"))
    return (
        item.get("outcome") == "failure" and first is not None and last is not None and first < last
    )


def _time(text: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except (AttributeError, ValueError):
        return None
    return found if found.tzinfo else None
