"""Users of the registry: one of each role, two members, and a program."""

from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from accounts.rights import assign, grant
from accounts.roles import Role

ROLES = {
    "member": Role.MEMBER,
    "other": Role.MEMBER,
    "viewer": Role.VIEWER,
    "operator": Role.OPERATOR,
    "program": None,
}


def make_people() -> dict[str, User]:
    """Make a user of each name in ROLES; the program has every right by itself."""
    people = {}
    for name, role in ROLES.items():
        user = User.objects.create_user(f"the-{name}")
        assign(user, role)
        if role is None:
            grant(user, read_only=False)
        people[name] = User.objects.get(pk=user.pk)
    return people


def api_of(user: User) -> APIClient:
    """Return a client of the API for this user, as the database has it now."""
    client = APIClient()
    client.force_authenticate(User.objects.get(pk=user.pk))
    return client


def browser_of(user: User) -> Client:
    """Return the browser of this user, signed in."""
    client = Client(headers={"accept": "text/html"})
    client.force_login(user)
    return client
