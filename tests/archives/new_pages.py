"""New targets that a check has seen alive, which may be saved."""

from archives.save_reader import SavesReader
from checker.models import CheckResult
from foundation.database.clock import database_now
from targets.state import State
from tests.archives.corpus import dead_pages
from tests.factories import ReferenceFactory, TargetFactory, TransitionFactory

PAGE = next(page for page in dead_pages() if page.label == "plain")


def new_page(url=PAGE.url, *, archiving="permitted", references=("docs:1",), owner=None, **fields):
    """Create a new target that a check has seen alive."""
    known = PAGE.known.as_json()
    values = {"state": State.ALIVE, "is_internal": False, "pinned": False, "identity": known}
    target = TargetFactory(**{"url": url, **values, **fields})
    for object_id in references:
        ReferenceFactory(target=target, object_id=object_id, owner=owner)
    add_result(target, archiving)
    return target


def add_result(target, archiving, **fields):
    evidence = {"archiving": archiving} if archiving else {}
    values = {"outcome": "success", "latency_ms": 1, "attempts": 1, "final_url": target.url}
    values |= fields
    at = values.pop("checked_at", database_now())
    CheckResult.objects.create(target=target, checked_at=at, evidence=evidence, **values)


def seen(*targets, at=None):
    """Have the reader process the event that these became alive."""
    states = {"from_state": State.PENDING, "to_state": State.ALIVE}
    events = [TransitionFactory(target=one, at=at or database_now(), **states) for one in targets]
    events[-1].position = 1
    progress = SavesReader().read(events, renew=lambda: None)
    progress.write()
