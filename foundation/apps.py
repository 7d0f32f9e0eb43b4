from django.apps import AppConfig


class FoundationConfig(AppConfig):
    name = "foundation"
    label = "lib"  # its tables are named so
    verbose_name = "Foundation"

    def ready(self) -> None:
        # Both register themselves.
        import foundation.database.lookups
        import foundation.http.openapi  # noqa: F401
