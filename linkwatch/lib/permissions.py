"""Who may do what: Django's model permissions, also for reading."""

from rest_framework.permissions import DjangoModelPermissions


class ModelPermissions(DjangoModelPermissions):
    """GET needs `view`, POST `add`, PUT and PATCH `change`, DELETE `delete` on the view's model."""

    perms_map = {
        **DjangoModelPermissions.perms_map,
        "GET": ["%(app_label)s.view_%(model_name)s"],
        "HEAD": ["%(app_label)s.view_%(model_name)s"],
    }
