"""Whom a password lets in, and what users may do: as Django has it, in fewer statements."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User

from accounts import rights


class Backend(ModelBackend):
    """Django's own, which asks for a user's rights twice; with the role that would be thrice."""

    def get_user(self, user_id: Any) -> Any:
        """Return the user of a session with the settings of a reader, None without any."""
        found = User.objects.select_related("reading").filter(pk=user_id).first()
        return found if self.user_can_authenticate(found) else None

    def get_user_permissions(self, user_obj: Any, obj: Any = None) -> set[str]:
        """Return the rights that the user has by itself."""
        if obj is not None or not user_obj.is_active or user_obj.is_superuser:
            return super().get_user_permissions(user_obj, obj)
        return set(rights.held_by(user_obj).own)

    def get_group_permissions(self, user_obj: Any, obj: Any = None) -> set[str]:
        """Return the rights that the user has by groups."""
        if obj is not None or not user_obj.is_active or user_obj.is_superuser:
            return super().get_group_permissions(user_obj, obj)
        return set(rights.held_by(user_obj).by_groups)
