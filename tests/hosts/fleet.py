"""Processes that reserve and release hosts, and are killed while they do.

To run it by hand: `python -m tests.hosts`. Each process appends its reservations and releases to
its own file. It writes each line before the next step, so a kill loses no line that the process
could have acted on.
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
from hosts.aliases import set_hosts
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

TTL = timedelta(seconds=1)  # short, so that many leases expire
DELAY = timedelta(milliseconds=200)
ALIASES, MEMBERS = 25, 1 / 4  # number of aliases, and the share of hosts that have an alias
_BATCH = 1000


@dataclass(frozen=True, kw_only=True)
class Plan:
    folder: Path  # for the histories
    seconds: float
    hosts: int  # the number that `populate` made
    processes: int = 8
    cap: int = 60  # of the processes that check: every second one
    limit: int = 40
    kills_per_second: float = 4


def populate(count: int) -> dict[str, str]:
    """Make `count` hosts due for all purposes, some of them behind aliases.

    Returns the slot of each host: its alias or its own name. Only one host of a slot may be leased.
    """
    names = [f"{n}.example" for n in range(count)]
    for first in range(0, count, _BATCH):
        some = dict.fromkeys(names[first : first + _BATCH], database_now())
        for purpose in Purpose:
            schedule(some, purpose=purpose, now=database_now())
    shared: dict[str, str] = {}
    for number in range(ALIASES):
        members = names[number : int(count * MEMBERS) : ALIASES]
        set_hosts(f"alias-{number}", members, now=database_now())
        shared |= dict.fromkeys(members, f"alias-{number}")
    return dict(zip(names, names, strict=True)) | shared


def run(plan: Plan) -> int:
    """Run the processes for `plan.seconds`, killing some; return how many were killed.

    The processes are forked: the caller must have closed its connections.
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
    """Work in rounds until killed; write an error to a file."""
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
        reported = database_now().isoformat()
        for lease in leases:
            until = lease.leased_until.isoformat()
            write("takes", lease.token, lease.host, lease.purpose, until, reported)
        kept += leases
        if chance.random() < 0.3:
            _extend(kept, write)
        if chance.random() < 0.2:
            time.sleep(chance.random() * 0.1)
        if chance.random() < 0.04:
            time.sleep(TTL.total_seconds())  # until these leases end
        chance.shuffle(kept)
        keep = len(kept) // 2 if chance.random() < 0.3 else 0
        kept, done = kept[:keep], kept[keep:]
        now = database_now()  # no work happens on these from here on
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
    """Lease those of three hosts that are free, by name, as redirects do."""
    requests = [
        ReservationRequest(host=f"{chance.randrange(plan.hosts)}.example") for _ in range(3)
    ]
    answers = reserve_hosts(requests, purpose=Purpose.FETCH, ttl=TTL, now=database_now())
    return [answer for answer in answers if isinstance(answer, Lease)]


def read(folder: Path, slots: Mapping[str, str]) -> list[Holding]:
    """Return the histories that the processes wrote; `slots` is the result of `populate`.

    The slots therefore do not depend on the aliases in the leases. Raises AssertionError with the
    error that ended a process.
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
            host, purpose, end, reported = fields
            until = datetime.fromisoformat(end)
            start, capped = until - TTL, purpose == Purpose.CHECK
            held[token] = Holding(
                token=token,
                host=host,
                slot=slots[host],
                capped=capped,
                start=start,
                reported=datetime.fromisoformat(reported),
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


def reserve_everything(purpose: Purpose) -> list[str]:
    """Return the hosts that are reserved one by one after all leases have ended."""
    now = database_now() + timedelta(hours=1)
    seen: list[str] = []
    while leases := reserve(purpose, limit=_BATCH, ttl=TTL, now=now).leases:
        seen += [lease.host for lease in leases]
        release(dict.fromkeys(lease.token for lease in leases), delay=timedelta(0), now=now)
    return seen
