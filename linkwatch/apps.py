from django.apps import AppConfig


class LinkwatchConfig(AppConfig):
    name = "linkwatch"

    def ready(self) -> None:
        from linkwatch import system_checks  # noqa: F401 (registers the system checks)
