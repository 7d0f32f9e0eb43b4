"""Who may see targets: on the dashboard, on a target's page, and over their WebSockets."""

from enum import Enum, auto
from typing import Any, NamedTuple

from django.contrib.sessions.backends.base import SessionBase

from accounts.authentication import user_of_session


class Audience(Enum):
    """The audience for which a page is rendered."""

    STAFF = auto()  # everything, with links into the admin
    MEMBERS = auto()  # targets, checks and hosts, without other people's links and snippets


class Viewer(NamedTuple):
    """The viewer of a page: a user, by primary key."""

    user: int
    audience: Audience


def audience(user: Any, *, rights: tuple[str, ...] = ()) -> Audience | None:
    """Return the audience that the user belongs to; None if the user may not see targets.

    Also None if the user is inactive, or lacks one of these further `rights`.
    """
    if not (user.is_active and user.has_perms(("targets.view_target", *rights))):
        return None
    return Audience.STAFF if user.is_staff else Audience.MEMBERS


def viewer_of(session: SessionBase, *, rights: tuple[str, ...] = ()) -> Viewer | None:
    """Return the viewer of a session now; None as for `audience`. Queries the database."""
    user = user_of_session(session.session_key)
    sees_as = audience(user, rights=rights)
    return None if sees_as is None else Viewer(user.pk, sees_as)
