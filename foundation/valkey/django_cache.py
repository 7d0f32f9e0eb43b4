"""Makes Django's cache use this process's Redis client."""

from typing import TYPE_CHECKING, Any

from django_redis.pool import ConnectionFactory

from foundation.valkey.clients import client_of

if TYPE_CHECKING:
    import redis


class Connections(ConnectionFactory):  # type: ignore[misc]
    """Gives Django's cache the shared client, and ignores the cache's own options."""

    def connect(self, url: str) -> "redis.Redis":
        return client_of(url)

    def disconnect(self, connection: Any) -> None:
        """Do nothing: the client is shared."""
