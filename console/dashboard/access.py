"""Access to the dashboard: who may see targets, and whether what everybody has is for them too."""

from enum import Enum, auto
from typing import Any

from foundation.http.authentication import session_user


class Audience(Enum):
    """For whom a summary is rendered."""

    STAFF = auto()  # all that there is, with links into the admin
    MEMBERS = auto()  # targets, checks and hosts: links and snippets are other people's


def audience(user: Any) -> Audience | None:
    """Return which dashboard this user may see; None for none."""
    if not (user.is_active and user.has_perm("targets.view_target")):
        return None
    return Audience.STAFF if user.is_staff else Audience.MEMBERS


def audience_of(cookies: str) -> Audience | None:
    """Return the same of whoever sends this Cookie header. Asks the cache and the database."""
    return audience(session_user(cookies))
