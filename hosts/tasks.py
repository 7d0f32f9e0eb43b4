"""Background tasks of this app, for django-q2; `linkwatch.schedules` says when they run."""

from foundation.database.clock import database_now
from foundation.deletions import deletes
from hosts import healing, reservations


@deletes("hosts")
def prune_hosts() -> int:
    """Delete hosts that hold nothing worth keeping; return how many slots. May run twice at once.

    Expired leases need no sweeper: they are due again by themselves.
    Source: docs/requirements.md#reservations-sweepers.
    """
    return reservations.prune(now=database_now())


def heal_hosts() -> dict[str, int]:
    """Heal what is wrong with slots and hosts; return how many faults of each kind there were.

    Normal operation never needs it. May run twice at once.
    """
    found = healing.heal()
    healing.report(found)
    return {fault.value: count for fault, count in found.items()}
