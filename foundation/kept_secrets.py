"""Secrets of channels: created here, and stored encrypted with a key derived from SECRET_KEY.

After changing SECRET_KEY, keep the old one in SECRET_KEY_FALLBACKS, or give all channels new
secrets.
"""

import base64
import hashlib
import hmac
import secrets

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.encoding import force_bytes

_WEBHOOK_BYTES = 32  # Source: the Standard Webhooks specification, 24 to 64


class UnreadableSecretError(Exception):
    """A secret was encrypted with a SECRET_KEY that is no longer known."""

    def __init__(self) -> None:
        super().__init__("The secret was encrypted with another SECRET_KEY. Create a new secret.")


def new_webhook_secret() -> str:
    """Return a signing secret in the form that receivers expect: `whsec_` and base64."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(_WEBHOOK_BYTES)).decode('ascii')}"


def feed_token() -> str:
    """Return a secret for the URL of a feed."""
    return secrets.token_urlsafe(32)


def encrypt(text: str) -> str:
    """Return the encrypted secret."""
    return _fernet().encrypt(text.encode()).decode("ascii")


def decrypt(text: str) -> str:
    """Return the secret that `encrypt` encrypted. Raises UnreadableSecretError."""
    try:
        return _fernet().decrypt(text.encode()).decode()
    except InvalidToken:
        raise UnreadableSecretError from None


def is_same(secret: str, other: str) -> bool:
    """Compare two secrets in constant time; return whether they are equal."""
    first, second = (hashlib.sha256(text.encode()).digest() for text in (secret, other))
    return hmac.compare_digest(first, second)


def _fernet() -> MultiFernet:
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(_derive_key(key)) for key in keys])


def _derive_key(key: str | bytes) -> bytes:
    digest = hmac.digest(force_bytes(key), b"linkwatch: secrets of channels", "sha256")
    return base64.urlsafe_b64encode(digest)
