"""Background tasks of this app, for django-q2; `linkwatch.schedules` says when they run."""

from foundation.database.clock import database_now
from foundation.deletions import deletes
from hosts import healing, reservations


@deletes("hosts")
def prune_hosts() -> int:
    """Delete hosts without information; return how many slots. May run concurrently.

    Expired leases need no sweeper: they become due by themselves. Source:
    docs/requirements.md#reservations-sweepers.
    """
    return reservations.prune(now=database_now())


def heal_hosts() -> dict[str, int]:
    """Repair inconsistent slots and hosts; return the number of faults by kind.

    Never needed in normal operation. May run concurrently.
    """
    found = healing.heal()
    healing.report(found)
    return {fault.value: count for fault, count in found.items()}
