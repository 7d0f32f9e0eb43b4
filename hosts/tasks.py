"""Background tasks of hosts, for django-q2; `linkwatch.schedules` says when they run."""

from datetime import timedelta

from foundation.database.clock import database_now
from foundation.deletion_metrics import deletes
from foundation.shutdown import stop_requested
from hosts import healing, icon_store, reservations

KEEP_FAVICONS_FOR = timedelta(days=90)  # after their last request


@deletes("hosts")
def prune_hosts() -> int:
    """Delete hosts without information; return how many slots. May run concurrently.

    Expired leases need no sweeper: they become due by themselves. Source:
    docs/requirements.md#reservations-sweepers.
    """
    return reservations.prune(now=database_now())


@deletes("favicons")
def delete_old_favicons() -> int:
    """Delete icons that have not been requested for KEEP_FAVICONS_FOR; return how many.

    May run concurrently.
    """
    return icon_store.delete_old(database_now() - KEEP_FAVICONS_FOR)


def heal_hosts() -> dict[str, int]:
    """Repair inconsistent slots and hosts; return the number of faults by kind.

    Never needed in normal operation. May run concurrently.
    """
    faults = healing.heal()
    if not stop_requested():  # otherwise, only some hosts may have been verified
        healing.report(faults)
    return {fault.value: count for fault, count in faults.items()}
