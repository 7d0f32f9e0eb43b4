"""Archives in memory."""

import io

from django.core.management import call_command

from linkwatch.backup import making, restoring
from linkwatch.backup.archive import ArchiveReader
from linkwatch.backup.tables import MAX_ROW_BYTES
from tests.conftest import NOW


def backup(*, with_secrets=True, advance=lambda rows: None):
    """Return an archive of the current database."""
    target = io.BytesIO()
    making.make(target, with_secrets=with_secrets, now=NOW, advance=advance)
    return target.getvalue()


def restore(archive, *, now=NOW):
    """Restore an archive."""
    restoring.restore(
        ArchiveReader(io.BytesIO(archive), max_bytes=MAX_ROW_BYTES),
        now=now,
        advance=lambda rows: None,
    )


def empty():
    """Leave the database as `migrate` creates it."""
    call_command("flush", interactive=False, verbosity=0)
