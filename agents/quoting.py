"""URLs in results for agents. They come from pages and redirects, so they may be hostile."""

import re
from urllib.parse import quote

from ada_url import URL

MAX_LENGTH = 500  # characters of a URL in a result
_CREDENTIALS = re.compile(r"(?<=//)[^/\\?#]*@")
_SAFE = "%:/?#[]@!$&()*+,;=~"  # quotation marks and backticks are escaped, too


def quote_url(url: str) -> str:
    """Return a URL in printable ASCII without credentials; a long URL is truncated with `…`."""
    try:
        parsed = URL(url)
        parsed.username = parsed.password = ""
        url = parsed.href
    except ValueError:
        url = _CREDENTIALS.sub("", url)
    text = quote(url, safe=_SAFE)
    return text if len(text) <= MAX_LENGTH else text[: MAX_LENGTH - 1] + "…"
