from foundation import app


class FoundationConfig(app.App):
    name = "foundation"
    label = "lib"  # the prefix of its tables
    verbose_name = "Foundation"
    counters = ("cache_hits", "cache_misses", "cache_warm", "rate_limit_denials")

    def ready(self) -> None:
        # Both modules register what they define when imported.
        import foundation.database.among_lookup
        import foundation.http.openapi  # noqa: F401
