"""Permissions of the API and of pages: Django's model permissions, also for reading."""

from django.contrib.auth.mixins import PermissionRequiredMixin
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from rest_framework.permissions import DjangoModelPermissions


class ModelPermissions(DjangoModelPermissions):
    """GET needs `view`, POST `add`, PUT and PATCH `change`, DELETE `delete` on the view's model."""

    perms_map = {
        **DjangoModelPermissions.perms_map,
        "GET": ["%(app_label)s.view_%(model_name)s"],
        "HEAD": ["%(app_label)s.view_%(model_name)s"],
    }


class ChangePermissions(ModelPermissions):
    """For a POST or DELETE that changes an existing object, which needs `change`."""

    perms_map = {
        **ModelPermissions.perms_map,
        **dict.fromkeys(("POST", "DELETE"), ModelPermissions.perms_map["PATCH"]),
    }


class DeletePermissions(ModelPermissions):
    """For a POST that deletes, which needs `delete`."""

    perms_map = {**ModelPermissions.perms_map, "POST": ModelPermissions.perms_map["DELETE"]}


@method_decorator(never_cache, name="dispatch")  # the Back button must not show it after sign-out
class PermittedPage(PermissionRequiredMixin, View):
    """A page for users who have `permission_required`: anonymous visitors sign in first, other
    users get a 403."""
