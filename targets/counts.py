"""Counts of targets and references, kept by those who change them: nobody looks at all rows.

Whoever changes rows adds the difference in the same transaction: rows are only appended, so that
nobody waits for anybody, and a transaction that is undone has counted nothing. A count is the sum
of its rows; a task folds them. Source: docs/adr/0013-kept-counts.md.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection, connections, transaction

from foundation.database import replica
from targets.models import KeptCount, Target
from targets.state import State

PAUSED = "paused"
UNSURE = "unsure"  # inconclusive at present
REFERENCES = "references"
_STATE, _FLAG = "state:", "flag:"
NEW = _STATE + State.PENDING  # what each new target is counted as, and nothing else
_FOLDED_AT_ONCE = 20_000  # rows
_LOCK = 0x4C57_0003  # PostgreSQL's advisory lock of who folds or recounts
_TABLE = KeptCount._meta.db_table

# In one statement, and so of one moment: whoever changed rows meanwhile has also counted that.
_RECOUNT = f"""
INSERT INTO {_TABLE} (name, amount)
SELECT name, CAST(sum(amount) AS bigint) FROM (
    SELECT '{_STATE}' || state AS name, count(*) AS amount FROM targets_target GROUP BY state
    UNION ALL SELECT '{PAUSED}', count(*) FROM targets_target WHERE paused
    UNION ALL
    SELECT '{UNSURE}', count(*) FROM targets_target WHERE inconclusive_since IS NOT NULL
    UNION ALL SELECT '{_FLAG}' || flag, count(*) FROM targets_targetflag GROUP BY flag
    UNION ALL SELECT '{REFERENCES}', count(*) FROM targets_reference
    UNION ALL SELECT name, -amount FROM {_TABLE}
) found GROUP BY name HAVING sum(amount) <> 0 RETURNING name, amount
"""  # noqa: S608 - constants


def names(
    state: str, *, is_unsure: bool, is_paused: bool = False, flags: Sequence[str] = ()
) -> list[str]:
    """Return the counts that a target like this is one of; what does not change may be left out."""
    found = [_STATE + state]
    if is_unsure:
        found.append(UNSURE)
    if is_paused:
        found.append(PAUSED)
    if flags:
        found += [_FLAG + flag for flag in dict.fromkeys(flags)]
    return found


def of(target: Target) -> list[str]:
    """Return the counts that a target is one of, as it stands."""
    return names(
        target.state,
        is_unsure=target.inconclusive_since is not None,
        is_paused=target.paused,
        flags=target.flags,
    )


def add(changes: Mapping[str, int]) -> None:
    """Add these differences by name, in the caller's transaction: one statement, or none."""
    rows = [(name, amount) for name, amount in changes.items() if amount]
    if rows:
        values = ", ".join(["(%s, %s)"] * len(rows))
        with connection.cursor() as cursor:
            sql = f"INSERT INTO {_TABLE} (name, amount) VALUES {values}"  # noqa: S608 - a constant
            cursor.execute(sql, [value for row in rows for value in row])


def replace(before: Iterable[str], after: Iterable[str]) -> None:
    """Add the difference that changes make: the counts of each target, before and after.

    One statement, and none as long as nothing is counted differently. New targets have nothing
    before, deleted ones nothing after; a reference is REFERENCES. Lock the targets first.
    """
    gone, come = Counter(before), Counter(after)
    add({name: come[name] - gone[name] for name in gone | come})


def insert(
    insertion: str, params: Mapping[str, Any], *, counted_as: str, returning: str, also: str = ""
) -> list[tuple[Any, ...]]:
    """Execute an INSERT and count its rows as `counted_as`; returns these columns of the rows.

    `also`: an INSERT of what the new rows, `made`, have with them. All is one statement on
    PostgreSQL, where each is a round trip.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            beside = f", beside AS ({also})" if also else ""
            cursor.execute(
                f"WITH made AS ({insertion} RETURNING *), counted AS ("  # noqa: S608 - constants
                f"INSERT INTO {_TABLE} (name, amount) SELECT '{counted_as}', count(*) FROM made"
                f" HAVING count(*) > 0){beside} SELECT {returning} FROM made",
                params,
            )
            made: list[tuple[Any, ...]] = cursor.fetchall()
            return made
        cursor.execute(f"{insertion} RETURNING {returning}", params)
        made = cursor.fetchall()
    add({counted_as: len(made)})
    return made


def totals() -> dict[str, int]:
    """Return each count that is not 0, by name: a look at what was added since the last fold."""
    with connections[replica.alias()].cursor() as cursor:
        cursor.execute(f"SELECT name, sum(amount) FROM {_TABLE} GROUP BY name")  # noqa: S608
        return {name: int(amount) for name, amount in cursor.fetchall() if amount}


def by_state(kept: Mapping[str, int]) -> dict[str, int]:
    """Return the number of targets in each state, of `totals`."""
    return {state.value: kept.get(_STATE + state.value, 0) for state in State}


def by_flag(kept: Mapping[str, int]) -> dict[str, int]:
    """Return how many targets have each flag that any has, by name, of `totals`."""
    flags = [name for name in sorted(kept) if name.startswith(_FLAG)]
    return {name.removeprefix(_FLAG): kept[name] for name in flags}


def fold() -> int:
    """Let one row stand for all of a name; returns how many went. May run at any time, twice.

    What is deleted is what was read, so that whatever others add meanwhile stays. Bounded: call it
    until it returns 0. It writes nothing when there is nothing to fold.
    """
    oldest = f"SELECT id FROM {_TABLE} ORDER BY id LIMIT {_FOLDED_AT_ONCE}"  # noqa: S608
    with transaction.atomic(), connection.cursor() as cursor:
        _lock(cursor)
        cursor.execute(f"SELECT count(*), count(DISTINCT name) FROM {_TABLE}")  # noqa: S608
        rows, distinct = cursor.fetchone()
        if rows == distinct:
            return 0
        cursor.execute(
            f"DELETE FROM {_TABLE} WHERE id IN ({oldest}) RETURNING name, amount"  # noqa: S608
        )
        sums: Counter[str] = Counter()
        gone = cursor.fetchall()
        for name, amount in gone:
            sums[name] += amount
        add(sums)
    return len(gone)


def recount() -> dict[str, int]:
    """Count all rows anew; returns the difference it made, by name, without what was right.

    For rows that came or went around the product. Others may go on meanwhile.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        _lock(cursor)
        cursor.execute(_RECOUNT)
        return dict(cursor.fetchall())


def _lock(cursor) -> None:  # type: ignore[no-untyped-def]
    """One at a time: two recounts would both add what is missing."""
    if connection.vendor == "postgresql":
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
