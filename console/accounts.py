"""Rights of users: Django's model permissions on the models of its own apps."""

from typing import Any

from django.contrib.auth.models import Group, Permission, User

# The apps whose models an operator works with, by label.
APPS = ("hosts", "targets", "checker", "snippets", "shortener", "analytics", "lib")
VIEWERS = "Viewers"


def grant(user: User, *, read_only: bool) -> None:
    """Give a saved user every right on Linkwatch's models, or only the right to see them."""
    rights = Permission.objects.filter(content_type__app_label__in=APPS)
    if read_only:
        rights = rights.filter(codename__startswith="view_")
    user.user_permissions.add(*rights)


def make_viewers(**kwargs: Any) -> None:
    """Give the group Viewers the right to see everything. Runs after each `migrate`.

    A user of the group who is staff has the dashboard and the admin to look at. Rights beyond
    seeing that an operator has given the group stay.
    """
    viewers, _ = Group.objects.get_or_create(name=VIEWERS)
    rights = Permission.objects.filter(content_type__app_label__in=APPS)
    viewers.permissions.add(*rights.filter(codename__startswith="view_"))


def may_write(user: User) -> bool:
    """Tell whether the user has any right beyond seeing, by itself or through a group."""
    return user.is_superuser or any(
        not right.partition(".")[2].startswith("view_") for right in user.get_all_permissions()
    )
