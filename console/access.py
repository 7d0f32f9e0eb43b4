"""Who may see targets: on the dashboard, on a target's page, and by the sockets of both."""

from enum import Enum, auto
from typing import Any, NamedTuple

from django.contrib.sessions.backends.base import SessionBase

from accounts.authentication import user_of_session


class Audience(Enum):
    """For whom a page is rendered."""

    STAFF = auto()  # all that there is, with links into the admin
    MEMBERS = auto()  # targets, checks and hosts: links and snippets are other people's


class Viewer(NamedTuple):
    """Who looks: a user by its key."""

    user: int
    audience: Audience


def audience(user: Any, *, also: tuple[str, ...] = ()) -> Audience | None:
    """Return as whom this user may see targets, who needs these rights as well; None for not."""
    if not (user.is_active and user.has_perms(("targets.view_target", *also))):
        return None
    return Audience.STAFF if user.is_staff else Audience.MEMBERS


def viewer_of(session: SessionBase, *, also: tuple[str, ...] = ()) -> Viewer | None:
    """Return who has this session by now, if they may see targets. Asks the database."""
    user = user_of_session(session.session_key)
    found = audience(user, also=also)
    return None if found is None else Viewer(user.pk, found)
