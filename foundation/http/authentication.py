"""API tokens: knox's, with every malformed one refused."""

from typing import Any

from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from rest_framework.exceptions import AuthenticationFailed


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]
    """`Authorization: Token <key>`."""

    def authenticate_credentials(self, token: bytes) -> Any:
        """Return user and token; raises AuthenticationFailed, also for what is no text at all."""
        try:
            return super().authenticate_credentials(token)
        except ValueError:
            raise AuthenticationFailed("Invalid token.") from None
