"""Normalizes host names, for targets and for reservations."""

import re

from ada_url import URL

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
SURROGATE = re.compile(r"[\ud800-\udfff]")
MAX_INPUT = 1024  # characters: no valid name is longer before punycode
MAX_URL = 2048
_DELIMITERS = re.compile(r"[/\\?#@\s]")
_INVALID_LENGTH = "The host name is too long, or one of its labels is empty or too long."


class InvalidHostError(ValueError):
    """The text is not a host; the message says why in one sentence."""


def normalize_host(raw: str) -> str:
    """Return the name in lower case and punycode, without a trailing dot; IPv6 in brackets.

    Follows the rules for URLs of targets. Raises InvalidHostError, including for a port or a URL.
    """
    if len(raw) > MAX_INPUT:
        raise InvalidHostError(_INVALID_LENGTH)
    if CONTROL.search(raw) or SURROGATE.search(raw) or _DELIMITERS.search(raw):
        raise InvalidHostError("Must be a host name only, such as example.com.")
    if ":" in raw and not (raw.startswith("[") and raw.endswith("]")):
        raise InvalidHostError("Must be a host without a port, or an IPv6 address in brackets.")
    try:
        hostname = URL(f"http://{raw}/").hostname
    except ValueError:
        raise InvalidHostError("This is not a valid host name.") from None
    return trim_host(hostname)


def host_of(text: str) -> str:
    """Return the normal form of a host's name, or of the host of an http or https URL.

    Raises InvalidHostError, including for a URL with credentials or over MAX_URL characters.
    """
    if "://" not in text:
        return normalize_host(text)
    if len(text) > MAX_URL:
        raise InvalidHostError(f"The URL is longer than {MAX_URL} characters.")
    if CONTROL.search(text) or SURROGATE.search(text):
        raise InvalidHostError("The URL contains control characters or lone surrogates.")
    try:
        url = URL(text)
    except ValueError:
        raise InvalidHostError("This is not a valid URL.") from None
    if url.protocol not in ("http:", "https:"):
        raise InvalidHostError("Only http and https URLs are accepted.")
    if url.username or url.password:
        raise InvalidHostError("The URL contains credentials.")
    return trim_host(url.hostname)


def trim_host(hostname: str) -> str:
    """Return the host name of a parsed URL without a trailing dot.

    Raises InvalidHostError if it or a label is too long or empty. Source: RFC 1035, 2.3.4.
    """
    if hostname.startswith("["):
        return hostname
    host = hostname.removesuffix(".")
    if len(host) > 253 or not all(1 <= len(label) <= 63 for label in host.split(".")):
        raise InvalidHostError(_INVALID_LENGTH)
    return host
