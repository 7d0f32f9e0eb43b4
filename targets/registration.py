"""Registration: URLs become targets and references, in a handful of statements for any number.

Locks: slots, then targets by id; new rows are sorted by their keys. The statements are SQL, each
with one parameter for all of its rows: building its own, the ORM took half of an import's time.
Figures and reasons: docs/adr/0025-registration.md.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils.duration import duration_iso_string, duration_microseconds

from accounts import traces
from accounts.actors import DEPLOYMENT, Actor
from accounts.roles import Role
from foundation.database import rows
from foundation.database.transactions import StartOverError, restartable
from foundation.ids import raw_id
from hosts import reservations
from hosts.models import Purpose
from targets import counts
from targets.canonical import CanonicalURL
from targets.models import SHOWN_REFERENCES, Reference, Target, TargetText, text_of

WATCH = "watch"  # by which a member refers to what it registers without a reference id
POLICY_FIELDS = ("check_period", "recheck_period", "recheck_threshold", "condition")

# What a new row has of its own, with its type on PostgreSQL; what is null may be left out.
_OF_TARGETS = {
    "id": "uuid",
    "url": "text",
    "canonical_url": "text",
    "host": "text",
    "pinned": "boolean",
    "check_period": "interval",
    "recheck_period": "interval",
    "recheck_threshold": "integer",
    "condition": "text",
    "paused": "boolean",
    "quiet": "boolean",
    "instructions": "jsonb",
}
_OF_REFERENCES = {"target_id": "uuid", "object_id": "text", "owner_id": "integer"}
_URLS = {
    "postgresql": "= ANY(ARRAY(SELECT value FROM json_array_elements_text(%(urls)s)))",
    "sqlite": "IN (SELECT value FROM json_each(%(urls)s))",
}
_FIND = "SELECT canonical_url FROM targets_target WHERE canonical_url {urls}"
_LOCK = "SELECT {columns} FROM targets_target WHERE canonical_url {urls} ORDER BY id {for_update}"
_INSERT_REFERENCES = """\
INSERT INTO targets_reference (target_id, object_id, owner_id, created_at)
SELECT target_id, object_id, owner_id, %(now)s FROM {rows}
ON CONFLICT DO NOTHING
"""
_INSERT_TARGETS = """\
INSERT INTO targets_target ({columns}) SELECT {values} FROM {rows}
ON CONFLICT (canonical_url) DO NOTHING
"""
# As `text_of` has it.
_INSERT_TEXTS = """\
INSERT INTO targets_targettext (target_id, text)
SELECT id, url || CASE WHEN url = canonical_url THEN '' ELSE chr(10) || canonical_url END FROM made
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """A wish to have a URL watched, already validated by `services.accept_url`."""

    url: str
    canonical: CanonicalURL
    reference_id: str | None = None  # None pins the target
    # For a new target only:
    policy: Mapping[str, Any] = field(default_factory=dict)  # POLICY_FIELDS
    paused: bool = False
    quiet: bool = False  # until its first success
    instructions: Mapping[str, Any] | None = None  # as `hosts.instructions` keeps them


@dataclass(frozen=True, slots=True)
class RegistrationResult:
    """What became of a registration."""

    target: Target
    is_new: bool  # the target was created by it
    reference: Reference | None  # that was created by it
    is_pinned: bool = False  # a target that was there is pinned by it

    @property
    def is_new_reference(self) -> bool:
        """Whether it made a reference."""
        return self.reference is not None


@restartable
def register(
    wishes: Sequence[Registration], *, now: datetime, by: Actor = DEPLOYMENT
) -> list[RegistrationResult]:
    """Make or find a target for each wish, in order, and add its reference.

    Two processes that register one URL at once make one target. A handful of statements, however
    many wishes. Source: docs/requirements.md#registry-registration.
    """
    return register_within(wishes, now=now, by=by)


def register_within(
    wishes: Sequence[Registration], *, now: datetime, by: Actor = DEPLOYMENT
) -> list[RegistrationResult]:
    """Do as `register`, as a part of the caller's transaction, which an error must undo.

    What members register without a reference id they refer to as `watch`: pinned, it would stay
    for good, for none of them may delete it.
    """
    if by.role is Role.MEMBER:
        wishes = [
            replace(wish, reference_id=WATCH) if wish.reference_id is None else wish
            for wish in wishes
        ]
    done = _register(None if by.owner is None else by.owner.pk, wishes, now=now)
    changed = [row for row in done if row.is_new or row.is_new_reference or row.is_pinned]
    kind = "target" if any(row.is_new or row.is_pinned for row in changed) else "reference"
    traces.write(by, "register", kind, {row.target.id for row in changed}, now=now)
    return done


@restartable
def register_for(
    owner_id: int | None, wishes: Sequence[Registration], *, now: datetime
) -> list[RegistrationResult]:
    """Do as `register` for references of this owner, without a trace: the caller leaves one."""
    return _register(owner_id, wishes, now=now)


def _register(
    owner_id: int | None, wishes: Sequence[Registration], *, now: datetime
) -> list[RegistrationResult]:
    by_url: dict[str, Registration] = {}
    for wish in wishes:
        by_url.setdefault(wish.canonical.url, wish)
    pinned = {wish.canonical.url for wish in wishes if wish.reference_id is None}
    known, new = _find_or_create(by_url, pinned, now=now)
    newly_pinned = {url for url in pinned if url in known and not known[url].pinned}
    _pin([known[url] for url in newly_pinned])
    targets = known | new
    references = _refer(wishes, targets, owner_id, now=now)
    by_target: dict[str, list[Reference]] = defaultdict(list)
    for reference in references.values():
        by_target[reference.target_id].append(reference)
    for target in new.values():  # as `with_references` would load them: these are all that it has
        made = by_target.get(target.id, [])
        target.first_references, target.reference_count = made[:SHOWN_REFERENCES], len(made)
    done = []
    for wish in wishes:  # a second one of the batch for the same thing did nothing
        url = wish.canonical.url
        added = references.pop((targets[url].id, wish.reference_id or ""), None)
        is_new, is_pinned = new.pop(url, None) is not None, url in newly_pinned
        done.append(RegistrationResult(targets[url], is_new, added, is_pinned))
    return done


Targets = dict[str, Target]  # by canonical URL


def _find_or_create(
    by_url: Mapping[str, Registration], pinned: set[str], *, now: datetime
) -> tuple[Targets, Targets]:
    """Return the locked targets that were there, and those that were made here.

    A single one that is there is locked at once. Of several, some may be new, and the slots of
    those come before any target.
    """
    is_one = len(by_url) == 1
    known = _lock(by_url) if is_one else {}
    new: Targets = {}
    if missing := sorted(by_url.keys() - (known if is_one else _find(by_url))):
        hosts = {by_url[url].canonical.host: now for url in missing}
        reservations.schedule_within(hosts, purpose=Purpose.CHECK, now=now)
        # Without those that others made before their slots were locked here; none from now on.
        new = _create([by_url[url] for url in missing], pinned, now=now)
    if rest := by_url.keys() - new.keys() - known.keys():
        known |= _lock(rest)
    if len(known) + len(new) < len(by_url):
        raise StartOverError  # another process removed a target between two statements
    return known, new


def _find(urls: Iterable[str]) -> set[str]:
    sql = _FIND.format(urls=_URLS[connection.vendor])
    return {url for (url,) in _execute(sql, urls=json.dumps(list(urls)))}


def _lock(urls: Iterable[str]) -> Targets:
    """Lock those of these targets that exist, in the order of their ids; return them."""
    names = [column.attname for column in Target._meta.concrete_fields]
    for_update = "" if connection.vendor == "sqlite" else "FOR NO KEY UPDATE"
    words = {"columns": ", ".join(names), "urls": _URLS[connection.vendor]}
    sql = _LOCK.format(**words, for_update=for_update)
    if not (rows := _execute(sql, urls=json.dumps(list(urls)))):  # as for most single ones
        return {}
    # As `objects.raw` does, which takes half a millisecond before it finds that there is no row.
    compiler = Target.objects.all().query.get_compiler(connection=connection)
    columns = [column.get_col("targets_target") for column in Target._meta.concrete_fields]
    read = compiler.apply_converters(rows, compiler.get_converters(columns))
    targets = [Target.from_db(connection.alias, names, values) for values in read]
    return {target.canonical_url: target for target in targets}


def _pin(targets: Sequence[Target]) -> None:
    for target in targets:
        target.pinned = True
    if targets:
        Target.objects.filter(pk__in=[target.pk for target in targets]).update(pinned=True)


def _create(wishes: Iterable[Registration], pinned: set[str], *, now: datetime) -> Targets:
    """Create a target for each of these wishes, sorted by URL, where there is none; return them."""
    targets = {
        wish.canonical.url: Target(
            url=wish.url,
            canonical_url=wish.canonical.url,
            host=wish.canonical.host,
            created_at=now,
            state_changed_at=now,
            next_check_at=now,
            pinned=wish.canonical.url in pinned,
            paused=wish.paused,
            quiet=wish.quiet,
            instructions=wish.instructions,
            **wish.policy,
        )
        for wish in wishes
    }
    given = json.dumps([_row(target) for target in targets.values()])
    made = counts.insert(
        _insertion(connection.vendor),
        {"rows": given, "now": _time(now), **_defaults()},
        counted_as=counts.NEW,
        returning="canonical_url",
        also=_INSERT_TEXTS,
    )
    new = {url: targets[url] for (url,) in made}
    counts.add({counts.PAUSED: sum(target.paused for target in new.values())})
    if connection.vendor == "sqlite":  # what `also` does elsewhere
        texts = [
            (raw_id("target", target.id), text_of(target.url, target.canonical_url))
            for target in new.values()
        ]
        rows.insert(TargetText, ("target_id", "text"), texts)
    return new


def _row(target: Target) -> dict[str, Any]:
    """Return what of a new target is no default, as JSON has it."""
    row = {
        "id": _number(target.id),
        "url": target.url,
        "canonical_url": target.canonical_url,
        "host": target.host,
        "pinned": target.pinned,
        "paused": target.paused,
        "quiet": target.quiet,
        "condition": target.condition,
    }
    if target.instructions:
        row["instructions"] = target.instructions
    for name in ("check_period", "recheck_period"):
        if (span := getattr(target, name)) is not None:
            row[name] = _span(span)
    if target.recheck_threshold is not None:
        row["recheck_threshold"] = target.recheck_threshold
    return row


@cache
def _insertion(vendor: str) -> str:
    """Return the statement that inserts targets: defaults are the model's, as the ORM has them."""
    moments = dict.fromkeys(["created_at", "state_changed_at", "next_check_at"], "%(now)s")
    defaults = {name: f"%({name})s" for name in _defaults()}
    values = {name: name for name in _OF_TARGETS} | moments | defaults
    return _INSERT_TARGETS.format(
        columns=", ".join(values),
        values=", ".join(values.values()),
        rows=_rows(_OF_TARGETS, vendor),
    )


def _defaults() -> dict[str, Any]:
    """Return what all new targets have alike, as the database takes it; but for nulls."""
    return {
        column.attname: column.get_db_prep_save(default, connection)
        for column in Target._meta.concrete_fields
        if column.attname not in _OF_TARGETS and (default := column.get_default()) is not None
    }


def _refer(
    wishes: Sequence[Registration], targets: Targets, owner_id: int | None, *, now: datetime
) -> dict[tuple[str, str], Reference]:
    """Add the owner's references that are missing; returns them by target id and object id."""
    wanted = sorted(
        {
            (targets[wish.canonical.url].id, wish.reference_id)
            for wish in wishes
            if wish.reference_id is not None
        }
    )
    if not wanted:
        return {}
    ids = {_number(id_): id_ for id_, _ in wanted}
    rows = [
        {"target_id": _number(id_), "object_id": object_id, "owner_id": owner_id}
        for id_, object_id in wanted
    ]
    sql = _INSERT_REFERENCES.format(rows=_rows(_OF_REFERENCES, connection.vendor))
    made = {}
    inserted = counts.insert(
        sql,
        {"rows": json.dumps(rows), "now": _time(now)},
        counted_as=counts.REFERENCES,
        returning="id, target_id, object_id",
    )
    for pk, number, object_id in inserted:
        id_ = ids[number.hex if isinstance(number, UUID) else number]
        made[id_, object_id] = Reference(
            pk=pk, target_id=id_, object_id=object_id, owner_id=owner_id, created_at=now
        )
    return made


def _rows(columns: Mapping[str, str], vendor: str) -> str:
    """Return the table, in a statement, that the parameter `rows` makes: a list of objects."""
    if vendor == "postgresql":
        typed = ", ".join(f"{name} {kind}" for name, kind in columns.items())
        return f"json_to_recordset(%(rows)s) AS wish ({typed})"
    read = ", ".join(f"json_extract(value, '$.{name}') AS {name}" for name in columns)
    return f"(SELECT {read} FROM json_each(%(rows)s)) AS wish WHERE true"  # noqa: S608


def _number(public_id: str) -> str:
    """Return the 32 hexadecimal digits of a target's id: what the database has of it."""
    return raw_id("target", public_id).hex


def _time(value: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(value)


def _span(value: timedelta) -> str | int:
    if connection.vendor == "sqlite":
        return duration_microseconds(value)
    return duration_iso_string(value)


def _execute(sql: str, **params: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows
