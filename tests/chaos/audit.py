"""Check what must hold at the end and what happened during the run: database, feed and Kafka."""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from analytics.stream import FLUSH_EVERY
from checker.worker_leases import LEASE
from foundation.ids import encode
from tests.chaos.load import Answer, Load
from tests.chaos.parts import Part

EVENT_STATES = ("alive", "potentially_dead", "dead")
# Seconds of views that are lost with a killed web process: FLUSH_EVERY, plus the views that are
# being sent. On a machine as busy as this one, sending may take a while (up to 0.2 s were seen).
FLUSH = FLUSH_EVERY + 0.25
RETRY = 1.0 + FLUSH  # seconds after an outage of Valkey until a process tries to send again
SAVED_EVERY = 60.0 + 30.0  # seconds between two saves of the counts; the scheduler checks every 30
RECOVERY = 2.0  # seconds in which answers may still report an outage: they began during it

NOTICED = 5.0  # seconds that health has to notice a change
HEALTH_WITHIN = 2.0  # seconds for an answer about health; a later answer counts as late
TRUE_AT_LEAST = 0.99  # of the health checks
MANY_LOOKS = 200  # fewer are not enough to judge


class Transition(NamedTuple):
    id: str
    target: str
    from_state: str
    to_state: str
    position: int | None


def rows(database: str, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query; a PostgreSQL is given by URL, an SQLite by path."""
    if database.startswith("postgres"):
        with psycopg.connect(database) as connection:
            return connection.execute(query).fetchall()
    sqlite = sqlite3.connect(database)
    try:
        return sqlite.execute(query).fetchall()
    finally:
        sqlite.close()


def transitions(database: str) -> list[Transition]:
    """Return all transitions in the order of the feed."""
    # Use the payload: events lose the reference to their target when an undone repair deletes it.
    query = "SELECT id, payload, from_state, to_state, position FROM targets_transition"
    found = [
        Transition(str(UUID(str(id_))), str(_read(payload).get("target_id", "")), *rest)
        for id_, payload, *rest in rows(database, query)
    ]
    return sorted(found, key=lambda one: one.position or 0)


def payloads(database: str, *, kind: str) -> list[dict[str, Any]]:
    """Return the payloads of all events of a kind."""
    query = f"SELECT payload FROM targets_transition WHERE kind = '{kind}'"
    return [_read(payload) for (payload,) in rows(database, query)]


def _read(payload: Any) -> dict[str, Any]:
    """Return the payload of an event; a payload from PostgreSQL is decoded already."""
    data: dict[str, Any] = json.loads(payload) if isinstance(payload, str) else payload
    return data


def _public_id(target: object) -> str:
    return f"t_{encode(UUID(str(target)).int)}"


def registry(database: str, promised: Iterable[str]) -> list[str]:
    """Return the lost targets, and those whose history is not a chain from pending to the current
    state."""
    found = rows(database, "SELECT id, state FROM targets_target")
    states = {_public_id(id_): state for id_, state in found}
    history = transitions(database)
    faults = [f"target {id_} is lost" for id_ in promised if id_ not in states]
    positions = [one.position for one in history]
    if positions != list(range(1, len(history) + 1)):
        faults.append(f"positions are not dense: {positions.count(None)} have none")
    chains: dict[str, list[Transition]] = defaultdict(list)
    for one in history:
        if one.to_state:  # otherwise the event is of another kind
            chains[one.target].append(one)
    for id_, state in states.items():
        chain = chains[id_]
        ends = ["pending", *(one.to_state for one in chain)]
        if [one.from_state for one in chain] != ends[:-1] or ends[-1] != state:
            faults.append(f"target {id_} is {state}, but its history is {ends}")
    return faults


def feed(load: Load, expected: Sequence[str]) -> list[str]:
    """Return a fault if the feed, read page by page, differs from these events in this order."""
    seen: list[str] = []
    page = load.get("/v1/events?limit=200")
    while page["items"]:
        seen += [event["id"] for event in page["items"]]
        page = load.get(f"/v1/events?limit=200&page_token={page['next_page_token']}")
    return [] if seen == list(expected) else [_difference("the feed", seen, expected)]


def _difference(name: str, seen: Iterable[str], expected: Iterable[str]) -> str:
    lost, foreign = set(expected) - set(seen), set(seen) - set(expected)
    return f"{name} lost {len(lost)}, made up {len(foreign)}, or is in another order"


def kafka(messages: Iterable[tuple[str, str]], expected: Sequence[Transition]) -> list[str]:
    """Return the events (target, id) that are missing, or out of order for their target."""
    firsts: dict[str, dict[str, None]] = defaultdict(dict)
    wanted: dict[str, dict[str, None]] = defaultdict(dict)
    for target, id_ in messages:
        firsts[target].setdefault(id_)
    for one in expected:
        wanted[one.target].setdefault(one.id)
    return [
        _difference(f"Kafka, target {target}", firsts[target], wanted[target])
        for target in wanted.keys() | firsts.keys()
        if list(firsts[target]) != list(wanted[target])
    ]


class Views(NamedTuple):
    """The views of all subjects together."""

    answered: int
    unsure: int  # unknown whether they were counted: no answer came
    counted: int
    may_be_lost: int  # as README allows

    def faults(self) -> list[str]:
        found = []
        if self.counted > self.answered + self.unsure:
            found.append(f"views were counted twice: {self}")
        if self.counted < self.answered - self.may_be_lost:
            found.append(f"more views are lost than may be: {self}")
        return found


def views(
    answers: Iterable[Answer], counted: int, webs: Sequence[Part], valkey: Sequence[Part]
) -> Views:
    """Return the fate of the views; `valkey` is the server and the connection to it."""
    viewed = [one for one in answers if one.subject]
    answered = [one for one in viewed if one.status in (200, 302)]
    lost = [one for one in answered if _may_be_lost(one, webs[one.web], valkey)]
    unsure = sum(one.status == 0 for one in viewed)
    return Views(len(answered), unsure, counted, len(lost))


def _may_be_lost(view: Answer, web: Part, valkey: Sequence[Part]) -> bool:
    """Return whether the view waited in a killed web process, or in a Valkey that lost its data."""
    of_valkey = [one for part in valkey for one in part.outages]
    for outage in web.outages:
        if outage.fault.startswith("kill") and view.start <= outage.killed:
            waits = [
                one
                for one in of_valkey
                if one.is_away and one.start <= outage.struck <= one.end + RETRY
            ]
            since = min((one.start for one in waits), default=outage.struck)
            if view.end >= since - FLUSH:
                return True
    losses = [one.start for one in of_valkey if one.fault in ("lose_data", "flush")]
    return any(at - SAVED_EVERY <= view.end <= at + FLUSH for at in losses)


def errors(answers: Iterable[Answer], servers: Sequence[Part]) -> list[str]:
    """Return the answers with a 500 although everything they needed was available."""
    wrong = [
        one
        for one in answers
        if one.status in (500, 502, 504)
        and not any(part.was_away(one.start - RECOVERY, one.end) for part in servers)
    ]
    tally = Counter((one.route, one.status) for one in wrong)
    return [f"{route}: {status}, {n} times" for (route, status), n in tally.items()]


def doubles(found: Iterable[tuple[float, str]], database: Sequence[Part]) -> list[str]:
    """Return the hosts that got two requests at once although the database's clock ran evenly.

    A clock that jumps ahead ends all leases, so a request that is under way outlives its lease.
    """
    jumps = [one for part in database for one in part.outages if one.fault == "jump"]
    changes = [at for one in jumps for at in (one.start, one.end)]
    lease = LEASE.total_seconds()
    return [
        f"two requests at once to {what}"
        for at, what in found
        if not any(change <= at <= change + lease for change in changes)
    ]


def longest_idle(asked_at: Sequence[float], tasks: Sequence[Part], needed: Sequence[Part]) -> float:
    """Return the longest time (s) without a check while a run_tasks and its dependencies were
    available."""
    gaps = sorted(pairwise(asked_at), key=lambda gap: gap[0] - gap[1])
    for start, end in gaps:
        had_fault = any(part.had_fault(start, end) for part in needed)
        if not had_fault and not all(part.had_fault(start, end) for part in tasks):
            return end - start
    return 0.0


class Health(NamedTuple):
    """One request for `/v1/health`."""

    web: int  # the web process that answered
    start: float
    end: float
    said: Mapping[str, str] | None  # None: no answer, or an answer in another format


class Needs(NamedTuple):
    """What a part of the health needs to work, and how much time it has to notice a change."""

    servers: Sequence[Part]  # the part is down while one of these is unavailable
    others: Sequence[Part] = ()  # while one of these is unavailable, the part can't be judged
    recovers: float = NOTICED  # seconds
    notices: float = NOTICED  # seconds


@dataclass
class Truth:
    """How often health reported the real state."""

    tally: Counter[str] = field(default_factory=Counter)
    judged: int = 0  # answers
    true: int = 0  # of these answers

    def faults(self) -> list[str]:
        if self.judged < MANY_LOOKS or self.true >= TRUE_AT_LEAST * self.judged:
            return []
        return [f"health was correct in {self.true} of {self.judged} looks only"]


def health(
    looks: Iterable[Health],
    needs: Mapping[str, Needs],
    webs: Sequence[Part],
    written: Sequence[float] = (),
) -> Truth:
    """Judge the health that live web processes reported of parts whose dependencies were stable for
    long enough.

    An answer is true if everything that it reports of such parts is true: "ok" or "off" while the
    part's servers are available, another value while one is unavailable. Not judged are the time in
    which a part `notices` an outage, the time in which it `recovers` after the end, a web process
    that has just come back, and an outage during which the part's other dependencies had faults. A
    part stays available when a clock jumps or Valkey loses its data: "ok" is true again after the
    same time. While the disk is full, "ok" is true of the database as long as it accepts writes;
    `written` are the times when it did.
    """
    found = Truth()
    for look in looks:
        if not webs or not _are_quiet([webs[look.web]], look.start - NOTICED, look.end):
            continue
        answers = list(_answers(look, needs, written))
        found.tally.update(what for what, _ in answers)
        found.judged += bool(answers)
        found.true += bool(answers) and all(is_true for _, is_true in answers)
    return found


def _answers(
    look: Health, needs: Mapping[str, Needs], written: Sequence[float]
) -> Iterator[tuple[str, bool]]:
    """Yield the report on each part that can be judged, and whether it is true."""
    late = ", late" if look.end - look.start > HEALTH_WITHIN else ""
    for name, need in needs.items():
        said = "no answer" if look.said is None else look.said.get(name, "nothing")
        if (state := _state(name, need, look)) is None:
            continue
        is_ok = said in ("ok", "off")
        is_true = is_ok if state == "there" else not is_ok and look.said is not None
        if state == "full" and is_ok:
            is_true = any(look.start - NOTICED <= at <= look.end for at in written)
        yield f"{name} {state}: {said}{late}", is_true


def _state(name: str, need: Needs, look: Health) -> str | None:
    """Return the state of the part during the whole request; None if the state is unknown."""
    since = look.start - need.notices
    lasting = [
        one
        for part in need.servers
        for one in part.outages_in(since, look.end)
        if one.start <= since and look.end <= one.end
    ]
    if any(one.is_away for one in lasting):
        return "away" if _are_quiet(need.others, since, look.end) else None
    if name == "database" and any(one.fault == "fill_disk" for one in lasting):
        return "full"
    parts = [*need.others, *need.servers]
    return "there" if _are_quiet(parts, look.start - need.recovers, look.end) else None


def _are_quiet(parts: Sequence[Part], start: float, end: float) -> bool:
    """Return whether there was no fault in that time; a clock that jumped before counts as none."""
    return not any(
        one.fault not in ("flush", "jump") or start <= one.start or one.end <= end
        for part in parts
        for one in part.outages_in(start, end)
    )
