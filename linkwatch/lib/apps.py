from django.apps import AppConfig


class LibConfig(AppConfig):
    name = "linkwatch.lib"
    label = "lib"
    verbose_name = "Foundation"

    def ready(self) -> None:
        import linkwatch.lib.schema  # noqa: F401 (registers itself)
