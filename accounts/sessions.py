"""Django's database sessions; a new key gets a copy of the sign-in at a provider."""

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.db import transaction

from accounts import provider_sign_ins
from foundation.valkey import changes


class SessionStore(DatabaseSessionStore):
    """Django's store. Keep the class's name: the salt of its signatures contains it."""

    def flush(self) -> None:
        """End the session, then notify its open pages, which look for it once more and close.

        Django's signal for a sign-out comes too early: the pages could still find the session.
        """
        user_id = self.get(SESSION_KEY)
        super().flush()
        if user_id is not None:
            changes.announce_on_commit([f"user:{user_id}"])

    @transaction.atomic
    def cycle_key(self) -> None:
        """Give the session a new key, for example after a change of password or SECRET_KEY.

        A session that was ended meanwhile, here or by the provider, is emptied.
        """
        old_key = self.session_key
        sign_in = provider_sign_ins.lock(old_key)
        if old_key and sign_in is None and self._began_at_provider() and not self.exists(old_key):
            self.flush()
            return
        super().cycle_key()
        if sign_in is not None and self.session_key:
            provider_sign_ins.copy_to_key(sign_in, self.session_key)

    def _began_at_provider(self) -> bool:
        records = self.get(AUTHENTICATION_METHODS_SESSION_KEY, [])
        return any(record["method"] == "socialaccount" for record in records)
