"""Stored counts of targets and references, maintained by `targets.writer`.

The writer adds the difference in the transaction that changes rows. Rows are only appended, so that
writers never wait for each other, and a rolled-back transaction counts nothing. A count is the sum
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
UNSURE = "unsure"  # currently inconclusive
REFERENCES = "references"
_STATE, _FLAG = "state:", "flag:"
_MAX_FOLDED = 20_000  # rows
_LOCK = 0x4C57_0003  # PostgreSQL's advisory lock for folding and recounting
_TABLE = KeptCount._meta.db_table

# The counts of a table's rows, except flags; `names_of` returns those of one target.
_TARGET_COUNTS = f"""\
SELECT '{_STATE}' || state AS name, count(*) AS amount FROM {{rows}} GROUP BY state
UNION ALL SELECT '{PAUSED}', count(*) FROM {{rows}} WHERE paused
UNION ALL SELECT '{UNSURE}', count(*) FROM {{rows}} WHERE inconclusive_since IS NOT NULL"""  # noqa: S608
_REFERENCE_COUNTS = f"SELECT '{REFERENCES}' AS name, count(*) AS amount FROM {{rows}}"  # noqa: S608

# One statement, so that all counts are from the same moment. Writers count concurrent changes.
_RECOUNT = f"""
INSERT INTO {_TABLE} (name, amount)
SELECT name, CAST(sum(amount) AS bigint) FROM (
    {_TARGET_COUNTS.format(rows="targets_target")}
    UNION ALL SELECT '{_FLAG}' || flag, count(*) FROM targets_targetflag GROUP BY flag
    UNION ALL {_REFERENCE_COUNTS.format(rows="targets_reference")}
    UNION ALL SELECT name, -amount FROM {_TABLE}
) counted GROUP BY name HAVING sum(amount) <> 0 RETURNING name, amount
"""  # noqa: S608 - constants
# Part of a statement in which `made` is the inserted rows.
_ADD_COUNTS = (
    "INSERT INTO {table} (name, amount) "
    "SELECT name, amount FROM ({counts}) counted WHERE amount > 0"
)
ADD_NEW_TARGETS = _ADD_COUNTS.format(table=_TABLE, counts=_TARGET_COUNTS.format(rows="made"))
ADD_NEW_REFERENCES = _ADD_COUNTS.format(table=_TABLE, counts=_REFERENCE_COUNTS.format(rows="made"))


def names_of(target: Any) -> list[str]:
    """Return the names of the counts that include a target (or a row with the same columns)."""
    names = [_STATE + target.state]
    if target.inconclusive_since is not None:
        names.append(UNSURE)
    if target.paused:
        names.append(PAUSED)
    if target.flags:
        names += [_FLAG + flag for flag in dict.fromkeys(target.flags)]
    return names


def add(changes: Mapping[str, int]) -> None:
    """Add these differences by name, in the caller's transaction, with at most one statement."""
    rows = [(name, amount) for name, amount in changes.items() if amount]
    if rows:
        values = ", ".join(["(%s, %s)"] * len(rows))
        with connection.cursor() as cursor:
            sql = f"INSERT INTO {_TABLE} (name, amount) VALUES {values}"  # noqa: S608 - a constant
            cursor.execute(sql, [value for row in rows for value in row])


def replace(before: Iterable[str], after: Iterable[str]) -> None:
    """Add the differences between the counts that include the changed rows, before and after.

    A name appears once for each row (`names_of`; REFERENCES for a reference); deleted rows have no
    names in `after`. Runs at most one statement.
    """
    old, new = Counter(before), Counter(after)
    add({name: new[name] - old[name] for name in old | new})


def totals() -> dict[str, int]:
    """Return each count that is not 0, by name; reads all rows, which are few after a fold."""
    with connections[replica.alias()].cursor() as cursor:
        cursor.execute(f"SELECT name, sum(amount) FROM {_TABLE} GROUP BY name")  # noqa: S608
        return {name: int(amount) for name, amount in cursor.fetchall() if amount}


def by_state(totals: Mapping[str, int]) -> dict[str, int]:
    """Return the number of targets in each state, from `totals`."""
    return {state.value: totals.get(_STATE + state.value, 0) for state in State}


def by_flag(totals: Mapping[str, int]) -> dict[str, int]:
    """Return the number of targets with each flag, from `totals`."""
    flags = [name for name in sorted(totals) if name.startswith(_FLAG)]
    return {name.removeprefix(_FLAG): totals[name] for name in flags}


def fold() -> int:
    """Fold the oldest _MAX_FOLDED rows into one row of each name; return how many were deleted.

    Call it until it returns 0. May run at any time, even concurrently: it only deletes rows that it
    has read, so that concurrent additions are kept. Writes nothing if there is nothing to fold.
    """
    oldest = f"SELECT id FROM {_TABLE} ORDER BY id LIMIT {_MAX_FOLDED}"  # noqa: S608
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
        deleted = cursor.fetchall()
        for name, amount in deleted:
            sums[name] += amount
        add(sums)
    return len(deleted)


def recount() -> dict[str, int]:
    """Count all targets and references again; return the corrections, by name.

    Needed after other programs have changed rows. Processes may write meanwhile.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        _lock(cursor)
        cursor.execute(_RECOUNT)
        return dict(cursor.fetchall())


def _lock(cursor) -> None:  # type: ignore[no-untyped-def]
    """Serialize folds and recounts: two recounts would both add the difference."""
    if connection.vendor == "postgresql":
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
