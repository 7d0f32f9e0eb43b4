"""Rights of users: Django's model permissions, given by roles, which are groups."""

from typing import Any

from django.contrib.auth.models import Group, Permission, User
from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.roles import Role

# The apps whose models an operator works with, by label.
APPS = ("hosts", "targets", "checker", "snippets", "shortener", "analytics", "accounts", "lib")
_VIEW = Q(codename__startswith="view_")
_OF_MEMBERS = (
    ("targets", "view_target"),
    ("targets", "view_transition"),
    ("checker", "view_checkresult"),
    ("hosts", "view_host"),
    ("hosts", "view_alias"),
    ("snippets", "view_snippet"),
    ("snippets", "add_snippet"),
    ("snippets", "change_snippet"),
    ("snippets", "delete_snippet"),
    ("shortener", "view_shorturl"),
    ("shortener", "add_shorturl"),
    ("shortener", "change_shorturl"),
    ("shortener", "delete_shorturl"),
)


def grant(user: User, *, read_only: bool) -> None:
    """Give a saved user every right on Linkwatch's models, or only the right to see them."""
    user.user_permissions.add(*_of_all(_VIEW if read_only else Q()))


def make_groups(**kwargs: Any) -> None:
    """Give the groups of all roles their rights. Runs after each `migrate`.

    What an operator has given a group beyond them stays.
    """
    members = Q()
    for app, codename in _OF_MEMBERS:
        members |= Q(content_type__app_label=app, codename=codename)
    of_people = Permission.objects.filter(content_type__app_label__in=("auth", "knox"))
    rights = {
        Role.MEMBER: _of_all(members),
        Role.VIEWER: _of_all(_VIEW),
        Role.OPERATOR: _of_all(Q()) | of_people,
    }
    for role, granted in rights.items():
        Group.objects.get_or_create(name=role)[0].permissions.add(*granted)


def _of_all(which: Q) -> QuerySet[Permission]:
    return Permission.objects.filter(which, content_type__app_label__in=APPS)


def role_of(user: User) -> Role | None:
    """Return the role of a user, the highest of several; None for a service user.

    Asks for the user's groups, unless they were prefetched.
    """
    if user.is_superuser:
        return Role.OPERATOR
    names = {group.name for group in user.groups.all()}
    return next((role for role in reversed(Role) if role in names), None)


@transaction.atomic
def assign(user: User, role: Role | None) -> None:
    """Give a saved user this role instead of whatever rights it has; None takes them all.

    Operators are superusers. They and Viewers are staff: they see the dashboard and the admin.
    """
    user.groups.remove(*Group.objects.filter(name__in=list(Role)))
    user.user_permissions.clear()
    if role is not None:
        user.groups.add(Group.objects.get(name=role))
    user.is_superuser = role is Role.OPERATOR
    user.is_staff = role in (Role.OPERATOR, Role.VIEWER)
    user.save(update_fields=["is_superuser", "is_staff"])


def is_last_operator(user: User) -> bool:
    """Tell whether nobody else who is active is an operator."""
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    return user.is_superuser and user.is_active and not others.exists()


def may_write(user: User) -> bool:
    """Tell whether the user has any right beyond seeing, by itself or through a group."""
    return user.is_superuser or any(
        not right.partition(".")[2].startswith("view_") for right in user.get_all_permissions()
    )
