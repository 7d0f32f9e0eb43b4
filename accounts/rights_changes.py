"""Notifies the open pages of users whose rights may have changed.

Changes to Django's own models bypass our services: the admin, allauth and commands save them.
Therefore, this module uses signals. A bulk UPDATE sends none. `accounts.sessions` notifies those
who sign out.
"""

from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import Group, User
from django.db.models.signals import m2m_changed, post_delete, post_save

from accounts.models import TeamMember
from foundation.valkey import changes

_IRRELEVANT_FIELDS = {"last_login"}  # fields that do not affect rights


def connect() -> None:
    """Connect to Django's signals."""
    post_save.connect(_on_user_changed, sender=User)
    post_delete.connect(_on_user_changed, sender=User)
    for signal in (post_save, post_delete):
        signal.connect(_on_membership_changed, sender=TeamMember)
    for through in (User.groups.through, User.user_permissions.through, Group.permissions.through):
        m2m_changed.connect(_on_rights_changed, sender=through)


def _on_user_changed(
    *, instance: User, update_fields: Collection[str] | None = None, **_: Any
) -> None:
    if update_fields is None or not _IRRELEVANT_FIELDS.issuperset(update_fields):
        _announce(instance)


def _on_membership_changed(*, instance: TeamMember, **_: Any) -> None:
    changes.announce_on_commit([f"user:{instance.user_id}"])


def _on_rights_changed(*, instance: object, action: str, **_: Any) -> None:
    if action.startswith("post_"):
        _announce(instance)


def _announce(changed: object) -> None:
    topic = f"user:{changed.pk}" if isinstance(changed, User) else changes.PEOPLE
    changes.announce_on_commit([topic])
