"""Access to the dashboard: signed-in staff who may see targets."""

from typing import Any

from django.contrib.auth.mixins import PermissionRequiredMixin
from django.http import HttpRequest

from foundation.http.authentication import session_user


def may_see(user: Any) -> bool:
    """Tell whether the user may see all that the dashboard shows."""
    return bool(user.is_active and user.is_staff and user.has_perm("targets.view_target"))


def may_watch(cookies: str) -> bool:
    """Tell the same of whoever sends this Cookie header. Asks the cache and the database."""
    return may_see(session_user(cookies))


class OperatorsOnly(PermissionRequiredMixin):
    """A page for them: who is not signed in is asked to, others get a 403."""

    request: HttpRequest

    def has_permission(self) -> bool:
        return may_see(self.request.user)
