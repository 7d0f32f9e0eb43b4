"""Dead pages whose copies are requested from an archive while all parts have faults."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from foundation.database.clock import database_now
from targets import event_payload
from targets.state import State
from tests.archives.archive_server import ArchiveServer, archive_server
from tests.archives.corpus import DIED, dead_pages, holdings
from tests.chaos.audit import payloads, rows
from tests.factories import DeadTargetFactory

PAGES = dead_pages()[::6]
REGISTER = "from tests.chaos import copies; copies.register_dead()"
_SECONDS = 0.02  # for each answer, so that some processes are killed while waiting for it
_COPIES = """
SELECT t.url, c.result, c.address FROM targets_targetcopy c
JOIN targets_target t ON t.id = c.target_id WHERE c.result NOT IN ('', 'unavailable')
"""


@contextmanager
def archive() -> Iterator[ArchiveServer]:
    """Run an archive that has captures of the pages, some of them wrong."""
    with archive_server(holdings(PAGES)) as server:
        server.hook = lambda asked: bool(time.sleep(_SECONDS))
        yield server


def settings(server: ArchiveServer) -> dict[str, str]:
    """Return the settings of a deployment that uses this archive."""
    return {
        "ARCHIVES": f"cdx {server.home}/cdx {server.home}/web/",
        "ARCHIVE_LIMIT": "900000/1s",
    }


def register_dead() -> None:
    """Register the pages as targets that were checked and are dead; runs in its own process."""
    for page in PAGES:
        known = page.known and page.known.as_json()
        values = {"is_internal": False, "first_failed_at": DIED, "identity": known}
        with transaction.atomic():
            target = DeadTargetFactory(url=page.url, state_changed_at=database_now(), **values)
            change = event_payload.manual_change(target, previous=State.PENDING.value)
            event_payload.write_transitions([change])


def answered(database: str) -> int:
    """Return for how many of the pages the archive has given its final answer."""
    known = {page.url for page in PAGES}
    return sum(url in known for url, _, _ in rows(database, _COPIES))


def faults(database: str) -> Iterator[str]:
    """Return the copies that are wrong or announced twice, and the number of missing lookups."""
    right = {page.url: {f"{at:%Y%m%d%H%M%S}" for at in page.right} for page in PAGES}
    found = Counter[str]()
    for url, result, address in rows(database, _COPIES):
        if url not in right:
            continue
        found[result] += 1
        if result == "verified" and not any(f"/web/{at}/" in address for at in right[url]):
            yield f"the copy of {url} is wrong: {address}"
    print(f"copies of {len(PAGES)} dead pages: {dict(found)}", flush=True)
    if found.total() < len(PAGES):
        yield f"archives were asked about {found.total()} of {len(PAGES)} dead pages"
    announced = Counter(one.get("target_id") for one in payloads(database, kind="archived"))
    yield from (
        f"the copy of {id_} came {count} times" for id_, count in announced.items() if count > 1
    )
