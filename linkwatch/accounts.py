"""What users of Linkwatch may do: Django's model permissions on the models of its own apps."""

from django.contrib.auth.models import Permission, User

# The apps whose models an operator works with, by label.
APPS = ("hosts", "targets", "checker", "snippets", "shortener", "analytics", "lib")


def grant(user: User, *, read_only: bool) -> None:
    """Give a saved user every right on Linkwatch's models, or only the right to see them."""
    rights = Permission.objects.filter(content_type__app_label__in=APPS)
    if read_only:
        rights = rights.filter(codename__startswith="view_")
    user.user_permissions.add(*rights)


def may_write(user: User) -> bool:
    """Tell whether the user has any right beyond seeing, by itself or through a group."""
    return user.is_superuser or any(
        not right.partition(".")[2].startswith("view_") for right in user.get_all_permissions()
    )
