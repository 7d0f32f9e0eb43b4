"""Sessions in the database, as Django's, whose sign-ins at a provider follow a change of key."""

from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore

from accounts import provider_sign_ins


class SessionStore(DatabaseSessionStore):
    """Django's store: the salt of its signatures is made of this class's name."""

    def cycle_key(self) -> None:
        """Give the session another key: after a change of password or SECRET_KEY."""
        former = self.session_key
        super().cycle_key()
        if former and self.session_key:
            provider_sign_ins.follow(former, self.session_key)
