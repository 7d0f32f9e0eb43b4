"""Counts of targets and references, kept by `targets.writer`: nobody looks at all rows.

The writer adds the difference in the transaction that changes rows: rows are only appended, so that
nobody waits for anybody, and a transaction that is undone has counted nothing. A count is the sum
of its rows; a task folds them. Source: docs/adr/0013-kept-counts.md.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import connection, connections, transaction

from foundation.database import replica
from targets.models import KeptCount
from targets.state import State

PAUSED = "paused"
UNSURE = "unsure"  # inconclusive at present
REFERENCES = "references"
_STATE, _FLAG = "state:", "flag:"
_FOLDED_AT_ONCE = 20_000  # rows
_LOCK = 0x4C57_0003  # PostgreSQL's advisory lock of who folds or recounts
_TABLE = KeptCount._meta.db_table

# What the rows of a table are counted as, but for flags; `of` says it of one target.
_OF_TARGETS = f"""\
SELECT '{_STATE}' || state AS name, count(*) AS amount FROM {{rows}} GROUP BY state
UNION ALL SELECT '{PAUSED}', count(*) FROM {{rows}} WHERE paused
UNION ALL SELECT '{UNSURE}', count(*) FROM {{rows}} WHERE inconclusive_since IS NOT NULL"""  # noqa: S608
_OF_REFERENCES = f"SELECT '{REFERENCES}' AS name, count(*) AS amount FROM {{rows}}"  # noqa: S608

# In one statement, and so of one moment: a change of rows meanwhile has been counted, too.
_RECOUNT = f"""
INSERT INTO {_TABLE} (name, amount)
SELECT name, CAST(sum(amount) AS bigint) FROM (
    {_OF_TARGETS.format(rows="targets_target")}
    UNION ALL SELECT '{_FLAG}' || flag, count(*) FROM targets_targetflag GROUP BY flag
    UNION ALL {_OF_REFERENCES.format(rows="targets_reference")}
    UNION ALL SELECT name, -amount FROM {_TABLE}
) found GROUP BY name HAVING sum(amount) <> 0 RETURNING name, amount
"""  # noqa: S608 - constants
# For the statement that inserts the rows, as `made`.
_ADD_MADE = (
    "INSERT INTO {table} (name, amount) SELECT name, amount FROM ({found}) found WHERE amount > 0"
)
ADD_NEW_TARGETS = _ADD_MADE.format(table=_TABLE, found=_OF_TARGETS.format(rows="made"))
ADD_NEW_REFERENCES = _ADD_MADE.format(table=_TABLE, found=_OF_REFERENCES.format(rows="made"))


def of(target: Any) -> list[str]:
    """Return the counts that a target, or a row with columns of the same names, is one of."""
    found = [_STATE + target.state]
    if target.inconclusive_since is not None:
        found.append(UNSURE)
    if target.paused:
        found.append(PAUSED)
    if target.flags:
        found += [_FLAG + flag for flag in dict.fromkeys(target.flags)]
    return found


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

    One statement, and none as long as nothing is counted differently. Deleted targets have nothing
    after; a reference is REFERENCES.
    """
    gone, come = Counter(before), Counter(after)
    add({name: come[name] - gone[name] for name in gone | come})


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
