"""Headers of the senders of requests: a session, a token, or none."""

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from accounts import tokens


def session(user: User) -> dict[str, str]:
    """Return the headers of a signed-in user."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    return {"cookie": f"{name}={client.cookies[name].value}"}


def token(user: User, scope: str = "write") -> dict[str, str]:
    """Return the headers of a program that acts for somebody."""
    return {"authorization": f"Token {tokens.create(user, scope=scope)}"}
