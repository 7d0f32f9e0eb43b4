"""Sessions in the database, as Django's, whose sign-ins at a provider follow a change of key."""

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.db import transaction

from accounts import provider_sign_ins


class SessionStore(DatabaseSessionStore):
    """Django's store: the salt of its signatures is made of this class's name."""

    @transaction.atomic
    def cycle_key(self) -> None:
        """Give the session another key: after a change of password or SECRET_KEY.

        A session that was ended meanwhile, here or by the provider, becomes an empty one.
        """
        former = self.session_key
        sign_in = provider_sign_ins.locked(former)
        if former and sign_in is None and self._began_at_provider() and not self.exists(former):
            self.flush()
            return
        super().cycle_key()
        if sign_in is not None and self.session_key:
            provider_sign_ins.follow(sign_in, self.session_key)

    def _began_at_provider(self) -> bool:
        records = self.get(AUTHENTICATION_METHODS_SESSION_KEY, [])
        return any(record["method"] == "socialaccount" for record in records)
