"""URLs in answers to agents. Pages and redirects can name any URL, so its text is hostile."""

import re
from urllib.parse import quote

from ada_url import URL

LONGEST = 500  # characters of a URL in an answer
_USER = re.compile(r"(?<=//)[^/\\?#]*@")
_SAFE = "%:/?#[]@!$&()*+,;=~"  # quotation marks and backticks are escaped, too


def quoted(url: str) -> str:
    """Return a URL in printable ASCII without credentials; a long URL is truncated with `…`."""
    try:
        parsed = URL(url)
        parsed.username = parsed.password = ""
        url = parsed.href
    except ValueError:
        url = _USER.sub("", url)
    text = quote(url, safe=_SAFE)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
