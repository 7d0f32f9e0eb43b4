"""Processes that reserve and release hosts, and are killed while they do.

To run it by hand: `python -m tests.hosts`. Each process appends what it holds and what it releases
to a file of its own. It writes each line before the next step, so a kill loses nothing that the
process could have acted on.
"""

import os
import random
import signal
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import NoReturn

from foundation.database.clock import database_now
from hosts.aliases import attach
from hosts.models import Purpose
from hosts.reservations import (
    Lease,
    ReservationRequest,
    extend_all,
    release,
    reserve,
    reserve_hosts,
    schedule,
)
from tests.hosts.history import Holding

TTL = timedelta(seconds=1)  # short: many leases expire
DELAY = timedelta(milliseconds=200)
ALIASES, MEMBERS = 25, 1 / 4  # so many aliases have so many of the hosts
_BATCH = 1000


@dataclass(frozen=True, kw_only=True)
class Plan:
    folder: Path  # for the histories
    seconds: float
    hosts: int  # as many as `populate` made
    processes: int = 8
    cap: int = 60  # of those that check: every other process
    limit: int = 40
    kills_per_second: float = 4


def populate(count: int) -> dict[str, str]:
    """Make so many hosts due for all, some of them behind aliases.

    Returns what each may be out under once only: its alias, or itself.
    """
    names = [f"{n}.example" for n in range(count)]
    for first in range(0, count, _BATCH):
        some = dict.fromkeys(names[first : first + _BATCH], database_now())
        for purpose in Purpose:
            schedule(some, purpose=purpose, now=database_now())
    shared: dict[str, str] = {}
    for number in range(ALIASES):
        members = names[number : int(count * MEMBERS) : ALIASES]
        attach(f"alias-{number}", members, now=database_now())
        shared |= dict.fromkeys(members, f"alias-{number}")
    return dict(zip(names, names, strict=True)) | shared


def run(plan: Plan) -> int:
    """Let the processes work for so long, killing some; return how many were killed.

    They are forked: the caller has closed its connections.
    """
    chance = random.Random(plan.processes)
    workers = [_start(plan, number) for number in range(plan.processes)]
    killed = 0
    deadline = time.monotonic() + plan.seconds
    try:
        while time.monotonic() < deadline:
            time.sleep(chance.expovariate(plan.kills_per_second))
            _kill(workers.pop(chance.randrange(len(workers))))
            killed += 1
            workers.append(_start(plan, plan.processes + killed))
    finally:
        for worker in workers:
            _kill(worker)
    return killed


def _kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def _start(plan: Plan, number: int) -> int:
    pid = os.fork()
    if pid == 0:
        _work(plan, number)
    return pid


def _work(plan: Plan, number: int) -> NoReturn:
    """Take turns until killed; an error is left in a file."""
    try:
        with (plan.folder / f"{number}.history").open("w", buffering=1) as history:
            _take_turns(plan, random.Random(number), lambda *fields: print(*fields, file=history))
    except BaseException as error:  # noqa: BLE001 - a forked process must not go on as its parent
        (plan.folder / f"{number}.error").write_text(repr(error))
    os._exit(1)


def _take_turns(plan: Plan, chance: random.Random, write: Callable[..., None]) -> None:
    purpose = chance.choice(list(Purpose))
    cap = plan.cap if purpose is Purpose.CHECK else None
    kept: list[Lease] = []
    while True:
        leases = reserve(
            purpose, limit=chance.randint(1, plan.limit), ttl=TTL, cap=cap, now=database_now()
        ).leases
        leases += _lease_by_name(plan, chance)
        told = database_now().isoformat()
        for lease in leases:
            until = lease.leased_until.isoformat()
            write("takes", lease.token, lease.host, lease.purpose, until, told)
        kept += leases
        if chance.random() < 0.3:
            _extend(kept, write)
        if chance.random() < 0.2:
            time.sleep(chance.random() * 0.1)
        if chance.random() < 0.04:
            time.sleep(TTL.total_seconds())  # till the ends of these leases
        chance.shuffle(kept)
        keep = len(kept) // 2 if chance.random() < 0.3 else 0
        kept, done = kept[:keep], kept[keep:]
        now = database_now()  # they are not worked on from here on
        for lease in done:
            write("gives", lease.token, now.isoformat())
        given = release({lease.token: now for lease in done}, delay=DELAY, now=now)
        answered = database_now().isoformat()
        for lease in done:
            write("gave" if lease.token in given else "lost", lease.token, answered)


def _extend(leases: Iterable[Lease], write: Callable[..., None]) -> None:
    tokens = [lease.token for lease in leases]
    for token, terms in extend_all(tokens, ttl=TTL, now=database_now()).items():
        write("extends", token, terms.leased_until.isoformat())


def _lease_by_name(plan: Plan, chance: random.Random) -> list[Lease]:
    """Return some of three hosts that may be had, as redirects want them."""
    requests = [
        ReservationRequest(host=f"{chance.randrange(plan.hosts)}.example") for _ in range(3)
    ]
    answers = reserve_hosts(requests, purpose=Purpose.FETCH, ttl=TTL, now=database_now())
    return [answer for answer in answers if isinstance(answer, Lease)]


def read(folder: Path, slots: Mapping[str, str]) -> list[Holding]:
    """Return what the processes wrote down, `slots` being what `populate` returned.

    So it does not depend on what the leases say of aliases. Raises AssertionError with what any
    process died of.
    """
    errors = [path.read_text() for path in folder.glob("*.error")]
    assert not errors, errors
    holdings: list[Holding] = []
    for path in sorted(folder.glob("*.history")):
        holdings += _holdings((line.split() for line in path.read_text().splitlines()), slots)
    return holdings


def _holdings(lines: Iterable[list[str]], slots: Mapping[str, str]) -> Iterable[Holding]:
    held: dict[str, Holding] = {}
    for event, token, *fields in lines:
        if event == "takes":
            host, purpose, end, told = fields
            until = datetime.fromisoformat(end)
            start, capped = until - TTL, purpose == Purpose.CHECK
            held[token] = Holding(
                token=token,
                host=host,
                slot=slots[host],
                capped=capped,
                start=start,
                told=datetime.fromisoformat(told),
                until=until,
            )
        elif event == "extends":
            held[token].until = datetime.fromisoformat(fields[0])
        elif event == "gives":
            held[token].released = datetime.fromisoformat(fields[0])
        else:
            held[token].accepted = event == "gave"
            held[token].answered = datetime.fromisoformat(fields[0])
            held[token].pause = DELAY
    return held.values()


def all_that_come_out(purpose: Purpose) -> list[str]:
    """Return the hosts that are reserved one after the other when all leases are over."""
    now = database_now() + timedelta(hours=1)
    seen: list[str] = []
    while leases := reserve(purpose, limit=_BATCH, ttl=TTL, now=now).leases:
        seen += [lease.host for lease in leases]
        release(dict.fromkeys(lease.token for lease in leases), delay=timedelta(0), now=now)
    return seen
