"""Archives in memory."""

import io

from django.core.management import call_command

from linkwatch.backup import making, restoring
from linkwatch.backup.archive import ArchiveReader
from linkwatch.backup.tables import LONGEST
from tests.conftest import NOW


def backup(*, with_secrets=True, moved_on=lambda rows: None):
    """Return an archive of the current database."""
    target = io.BytesIO()
    making.make(target, with_secrets=with_secrets, now=NOW, moved_on=moved_on)
    return target.getvalue()


def restore(archive, *, now=NOW):
    """Restore an archive."""
    restoring.restore(
        ArchiveReader(io.BytesIO(archive), longest=LONGEST), now=now, moved_on=lambda rows: None
    )


def empty():
    """Leave the database as `migrate` creates it."""
    call_command("flush", interactive=False, verbosity=0)
