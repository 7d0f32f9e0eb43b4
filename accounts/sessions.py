"""Django's database sessions; a new key gets a copy of the sign-in at a provider."""

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.db import transaction

from accounts import provider_sign_ins


class SessionStore(DatabaseSessionStore):
    """Django's store. Keep the class's name: the salt of its signatures contains it."""

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
