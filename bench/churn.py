"""Reserve and release while another connection holds a snapshot open, and after it ends.

Nothing that dies after the snapshot can be vacuumed, so every lease leaves dead rows and index
entries at the head of the queue, which each reservation has to step over: the known weakness of
queues in PostgreSQL. The bare queue of `bench/reserve.py` (DELETE and INSERT back) has the same
weakness and takes turns with ours, second by second, under the same snapshot.

`churn.py 300` runs for 300 seconds instead of SECONDS: a quarter before the snapshot, half under
it, a quarter after it.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import psycopg
from harness import postgres, report
from reserve import LOAD, LOAD_PEER, PUT_BACK, TAKE, fill, reserve_and_release

SIZE = 100_000
SECONDS = 100.0
TURN = 1.0
DEAD = "SELECT n_dead_tup FROM pg_stat_user_tables WHERE relname = %s"


@dataclass(frozen=True)
class Turn:
    """One turn of each: hosts per second, and the dead rows left after it."""

    ours: float
    peer: float
    dead: int
    peer_dead: int


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    with (
        postgres() as url,
        psycopg.connect(url, autocommit=True) as peer,
        psycopg.connect(url) as reader,
    ):
        fill(peer, LOAD, SIZE)
        fill(peer, LOAD_PEER, SIZE)
        reserve_and_release()
        before = turns(peer, seconds / 4)
        reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        reader.execute("SELECT count(*) FROM hosts_slot")
        held = turns(peer, seconds / 2)
        reader.rollback()
        after = turns(peer, seconds / 4)
    summarize(
        {"before": before, "held, first fifth": held[: len(held) // 5 or 1]}
        | {
            "held, last fifth": held[-(len(held) // 5 or 1) :],
            "after, second half": after[len(after) // 2 :],
        },
        [*before, *held, *after],
    )


def turns(peer: psycopg.Connection, seconds: float) -> list[Turn]:
    def take_and_put_back() -> int:
        hosts = [row[0] for row in peer.execute(TAKE)]
        peer.execute(PUT_BACK, [hosts])
        return len(hosts)

    def dead(table: str) -> int:
        row = peer.execute(DEAD, [table]).fetchone()
        return int(row[0]) if row else 0

    done, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        ours, bare = turn(reserve_and_release), turn(take_and_put_back)
        done.append(Turn(ours, bare, dead("hosts_slot"), dead("queue")))
        print(
            f"  {ours:8,.0f} hosts/s, bare queue {bare:8,.0f}; dead rows {done[-1].dead:9,} {done[-1].peer_dead:9,}",
            flush=True,
        )
    return done


def turn(step: Callable[[], int]) -> float:
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < TURN:
        done += step()
    return done / spent


def summarize(x, y):
    for k, v in x.items():
        print(k, median(t.ours for t in v), median(t.peer for t in v))


if __name__ == "__main__":
    main()
