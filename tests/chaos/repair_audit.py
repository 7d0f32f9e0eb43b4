"""References that follow pages to their new addresses, and back, while all parts have faults."""

from collections.abc import Iterator, Mapping

from tests.chaos.audit import rows
from tests.chaos.load import REFERENCES

# Records that checks found each of these pages behind a redirect for more than a week.
SINCE_LONG_AGO = """
from datetime import timedelta
from checker import partitions
from checker.models import CheckResult
from foundation.database.clock import database_now
from targets.models import Target
times = [database_now() - timedelta(days=days) for days in (8, 9, 10)]
partitions.make_for_times(times)
CheckResult.objects.bulk_create(
    CheckResult(target=target, checked_at=at, outcome="success", latency_ms=1, attempts=1,
                moved_to=target.url.replace("/moved/", "/new/"))
    for target in Target.objects.filter(url__contains="/moved/") for at in times
)
"""
_LOST = """
SELECT count(*) FROM targets_target t WHERE t.url LIKE '%/moved/%' AND {number} <>
    (SELECT count(*) FROM targets_reference r WHERE r.target_id = t.id)
"""
_HALF_MOVED = {
    "twins are alone": """
SELECT count(*) FROM targets_reference r JOIN targets_target t ON t.id = r.target_id
WHERE t.url LIKE '%/new/%' AND r.id NOT IN (SELECT new_id FROM targets_replacedreference)
""",
    "pairs have lost a reference": """
SELECT count(*) FROM targets_replacedreference WHERE
    old_id NOT IN (SELECT id FROM targets_reference)
    OR new_id NOT IN (SELECT id FROM targets_reference)
""",
    "pairs are of two documents": """
SELECT count(*) FROM targets_replacedreference p JOIN targets_reference o ON o.id = p.old_id
JOIN targets_reference n ON n.id = p.new_id WHERE o.object_id <> n.object_id
""",
    "pages are marked although a reference has no twin": """
SELECT count(*) FROM targets_target t WHERE t.replaced_by_id IS NOT NULL AND EXISTS (
    SELECT 1 FROM targets_reference r WHERE r.target_id = t.id
    AND r.id NOT IN (SELECT old_id FROM targets_replacedreference))
""",
}


def faults(database: str, promised: Mapping[str, str]) -> Iterator[str]:
    """Return the references of moved pages that are lost or moved only in part.

    `promised`: ids of the repairs whose acceptance was answered, by target.
    """
    queries = {"pages have lost references": _LOST.format(number=REFERENCES), **_HALF_MOVED}
    for what, query in queries.items():
        ((number,),) = rows(database, query)
        if number:
            yield f"{number} {what}"
    ((kept,),) = rows(database, "SELECT count(*) FROM targets_repair")
    if kept < len(promised):
        yield f"{len(promised)} repairs were accepted, {kept} are known"
