from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts import rights, telling

        # After the last of our apps: only then are all rights there.
        ours = [app for app in apps.get_app_configs() if app.label in rights.APPS]
        post_migrate.connect(rights.make_groups, sender=ours[-1])
        telling.connect()
