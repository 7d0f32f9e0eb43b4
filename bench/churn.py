"""Reserves and releases hosts while another connection holds a snapshot open, and after it ends.

No row that dies after the snapshot began can be vacuumed, so every lease leaves dead index entries
at the head of the queue, and each reservation steps over all of them: its cost grows with the
number of leases since then, and falls again when the snapshot ends. The bare queue of `reserve.py`
(DELETE and INSERT back) has the same weakness; it takes turns with ours.

Runs for SECONDS, or for those of its argument (`churn.py 300`): a quarter of them before the
snapshot, half under it, a quarter after it.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import psycopg
from harness import postgres, report, sized
from reserve import LOAD, LOAD_PEER, fill, rate, reserve_and_release, take_and_put_back

SIZE = sized(100_000, toy=1_000)
SECONDS = sized(90.0, toy=2.0)
TURN = sized(1.0, toy=0.1)  # seconds
DEAD = """
SELECT n_dead_tup FROM pg_stat_user_tables
WHERE relname IN ('hosts_slot', 'queue') ORDER BY relname
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of Linkwatch and one of its peer: hosts per second, and the dead rows left."""

    ours: float
    peer: float
    our_dead: int
    peer_dead: int


def take_turns(peer: psycopg.Connection, label: str, *, seconds: float) -> list[Turn]:
    turns: list[Turn] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        ours = rate(reserve_and_release, seconds=TURN)
        bare = rate(lambda: take_and_put_back(peer), seconds=TURN)
        (our_dead,), (peer_dead,) = peer.execute(DEAD)
        turns.append(Turn(ours, bare, our_dead, peer_dead))
        print(
            f"  {label:<8} {ours:8,.0f} hosts/s, {our_dead:9,} dead slots;"
            f" bare queue {bare:8,.0f}, {peer_dead:9,} dead rows",
            flush=True,
        )
    return turns


def run(seconds: float) -> dict[str, Sequence[Turn]]:
    """Return several turns of each phase."""
    with (
        postgres() as url,
        psycopg.connect(url, autocommit=True) as peer,
        psycopg.connect(url) as reader,
    ):
        fill(peer, LOAD.format(size=SIZE))
        fill(peer, LOAD_PEER.format(size=SIZE))
        before = take_turns(peer, "before", seconds=seconds / 4)
        reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        reader.execute("SELECT 1 FROM hosts_slot LIMIT 1")
        during = take_turns(peer, "during", seconds=seconds / 2)
        reader.rollback()
        after = take_turns(peer, "after", seconds=seconds / 4)
    return {
        "before": before,
        "end of the snapshot": during[-(len(during) // 5 + 1) :],
        "afterwards": after[-(len(after) // 2 + 1) :],
    }


def main() -> None:
    phases = run(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
    ours = {label: median(turn.ours for turn in turns) for label, turns in phases.items()}
    peer = {label: median(turn.peer for turn in turns) for label, turns in phases.items()}
    report(
        "churn",
        {f"hosts/s, {label}": value for label, value in ours.items()}
        | {f"dead slots, {label}": turns[-1].our_dead for label, turns in phases.items()},
        peer={f"DELETE and INSERT, hosts/s, {label}": value for label, value in peer.items()}
        | {f"dead rows, {label}": turns[-1].peer_dead for label, turns in phases.items()},
        ratio={
            f"{label} to before{suffix}": figures[label] / figures["before"]
            for suffix, figures in (("", ours), (", bare queue", peer))
            for label in ("end of the snapshot", "afterwards")
        },
        goal={"end of the snapshot to before": "none", "afterwards to before": "≥ 0.8"},
    )


if __name__ == "__main__":
    main()
