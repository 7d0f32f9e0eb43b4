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
    """Create a user for each name in ROLES; the program gets all rights."""
    people = {}
    for name, role in ROLES.items():
        user = User.objects.create_user(f"the-{name}")
        assign(user, role)
        if role is None:
            grant(user, read_only=False)
        people[name] = User.objects.get(pk=user.pk)
    return people


def api_of(user: User) -> APIClient:
    """Return an API client for this user, with the user's present rights in the database."""
    client = APIClient()
    client.force_authenticate(User.objects.get(pk=user.pk))
    return client


def browser_of(user: User) -> Client:
    """Return a browser in which this user is signed in."""
    client = Client(headers={"accept": "text/html"})
    client.force_login(user)
    return client
