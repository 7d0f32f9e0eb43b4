"""Which pages an archive may be asked about: to ask is to disclose the URL."""

import re
from urllib.parse import parse_qsl, urlsplit

# Names of parameters whose values open something, without what is between their words.
_SECRET_NAMES = re.compile(
    r"(?:^|.*(?:access|api|auth|id|refresh|csrf|xsrf|reset|invite|session|security))"
    r"(?:token|key|secret|signature|sig|password|passwd|pwd|session|sessionid|sid|auth|jwt|code"
    r"|credential|credentials|ticket|otp|pin)$"
)
_BETWEEN = re.compile(r"[^a-z0-9]")
_RANDOM = re.compile(r"[A-Za-z0-9_\-.~+/=]{20,}")
_WORDS = re.compile(r"[a-z]{4,}")


def may_be_asked(url: str) -> bool:
    """Tell whether a URL has no credentials and nothing that looks like a token."""
    parts = urlsplit(url)
    if "@" in parts.netloc or ";jsessionid" in parts.path.lower():
        return False
    return not any(
        _is_secret(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True)
    )


def _is_secret(name: str, value: str) -> bool:
    return bool(_SECRET_NAMES.match(_BETWEEN.sub("", name.lower()[:100]))) or _is_random(value)


def _is_random(value: str) -> bool:
    """Tell whether a value is long, has letters and digits, and nearly no words."""
    if not _RANDOM.fullmatch(value):
        return False
    has_both = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    in_words = sum(map(len, _WORDS.findall(value)))
    return has_both and in_words < len(value) / 2
