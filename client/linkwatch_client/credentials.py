"""The server's URL and a token: from the environment, or from the file that `login` writes."""

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import click

from linkwatch_client.errors import ClientError, QueryFailedError


@dataclass(frozen=True, slots=True)
class Credentials:
    """The server's URL and a token, which is not in the repr."""

    url: str
    token: str = field(repr=False)


def credentials_file() -> Path:
    """Return the path of the file that `login` writes."""
    return Path(click.get_app_dir("linkwatch")) / "credentials.json"


def read_credentials(environment: Mapping[str, str], path: Path) -> Credentials:
    """Return the URL and token; LINKWATCH_URL and LINKWATCH_TOKEN override the file.

    The stored token is only sent to the stored URL: any other LINKWATCH_URL needs LINKWATCH_TOKEN.
    Raises QueryFailedError if either is missing or invalid, ClientError if the file is needed and
    can't be read.
    """
    url, token = environment.get("LINKWATCH_URL", ""), environment.get("LINKWATCH_TOKEN", "")
    stored = None if url and token else _read(path)
    url = check_url(url or (stored.url if stored else ""))
    token = token or (stored.token if stored and stored.url == url else "")
    return Credentials(url, check_token(token))


def check_url(url: str) -> str:
    """Return the URL of a server without surrounding whitespace and without a trailing slash.

    Raises QueryFailedError if it is invalid.
    """
    url = url.strip()
    if not url:
        raise QueryFailedError(
            "No server is configured: run `linkwatch login`, or set LINKWATCH_URL."
        )
    try:
        parts = urlsplit(url)
        is_server = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_server = False
    if not is_server or parts.username or parts.query or parts.fragment:
        raise QueryFailedError(
            f"{url!r} is not the address of a server; use one such as https://links.example.org."
        )
    return url.rstrip("/")


def check_token(token: str) -> str:
    """Return the token without surrounding whitespace; raises QueryFailedError if it is invalid."""
    token = token.strip()
    if not token:
        raise QueryFailedError(
            "No token is configured: run `linkwatch login`, or set LINKWATCH_TOKEN."
        )
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise QueryFailedError("The token contains invalid characters.")
    return token


def write_credentials(credentials: Credentials, path: Path) -> None:
    """Store the credentials in a file that only its owner may read (mode 0600)."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = json.dumps({"url": credentials.url, "token": credentials.token})
    descriptor, name = tempfile.mkstemp(dir=path.parent)  # created with mode 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _read(path: Path) -> Credentials | None:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return Credentials(str(stored["url"]), str(stored["token"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ClientError(f"{path} can't be read: run `linkwatch login` again.") from error
