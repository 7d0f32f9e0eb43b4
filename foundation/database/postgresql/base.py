"""Django's PostgreSQL, where a connection must be to a server of the right role when it is reused.

With several hosts libpq looks for that when it connects (`target_session_attrs`), and never again:
a server that has become read-only since, or a replica that was promoted, would be kept.
"""

from django.db import Error
from django.db.backends.postgresql import base

_READ_ONLY = {"read-write": "off", "primary": "off", "read-only": "on", "standby": "on"}


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is dropped before it is reused when its server has another role now."""

    def is_usable(self) -> bool:
        """Tell whether the server answers, and is one for this database's `target_session_attrs`.

        Either way it is asked once. PostgreSQL says `on` for a standby, too.
        """
        wanted = _READ_ONLY.get(self.settings_dict["OPTIONS"].get("target_session_attrs", ""))
        if wanted is None or self.connection is None:
            return bool(super().is_usable())
        try:
            with self.connection.cursor() as cursor:
                found = cursor.execute("SHOW transaction_read_only").fetchone()
        except (Error, self.Database.Error):
            return False
        return bool(found == (wanted,))
