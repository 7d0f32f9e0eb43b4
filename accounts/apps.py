from django.db.models.signals import post_migrate

from foundation import app


class AccountsConfig(app.App):
    name = "accounts"
    rights_of_members = (
        "view_team",
        *(f"{verb}_referenceshare" for verb in ("view", "add", "change", "delete")),
    )

    def ready(self) -> None:
        # drf-spectacular registers a scheme when its module is imported.
        from accounts import rights, rights_changes, token_openapi  # noqa: F401

        # Runs after the migrations of our last app, because only then do all rights exist.
        post_migrate.connect(rights.make_groups, sender=rights.our_apps()[-1])
        rights_changes.connect()
