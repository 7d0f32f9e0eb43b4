"""Who may see targets: on the dashboard, on a target's page, and over their WebSockets."""

from enum import Enum, auto
from typing import Any, NamedTuple

from django.contrib.sessions.backends.base import SessionBase

from accounts.authentication import user_of_session


class Audience(Enum):
    """The audience for which a page is rendered."""

    STAFF = auto()  # everything, with links to the admin
    MEMBERS = auto()  # targets, checks and hosts, without other people's links and snippets


class Viewer(NamedTuple):
    """The user who views a page."""

    user_id: int
    audience: Audience


def audience_of(user: Any, *, rights: tuple[str, ...] = ()) -> Audience | None:
    """Return the audience that the user belongs to; None if the user may not see targets.

    Also None if the user is inactive, or lacks one of these further `rights`.
    """
    if not (user.is_active and user.has_perms(("targets.view_target", *rights))):
        return None
    return Audience.STAFF if user.is_staff else Audience.MEMBERS


def viewer_of(session: SessionBase, *, rights: tuple[str, ...] = ()) -> Viewer | None:
    """Return the current viewer of a session; None as for `audience_of`. Queries the database."""
    user = user_of_session(session.session_key)
    audience = audience_of(user, rights=rights)
    return None if audience is None else Viewer(user.pk, audience)
