from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class ConsoleConfig(AppConfig):
    name = "console"

    def ready(self) -> None:
        from console import accounts

        # After the last of our apps: only then are all rights there.
        ours = [app for app in apps.get_app_configs() if app.label in accounts.APPS]
        post_migrate.connect(accounts.make_viewers, sender=ours[-1])
