"""Formats URLs for people. Pure."""

from ada_url import URL


def ascii_url(text: str) -> str:
    """Return a URL in ASCII, as a browser would request it, so that it cannot mislead.

    Names are in punycode; letters of other scripts, and those that change the writing direction,
    are escaped, even if the text is not a URL.
    """
    try:
        href = str(URL(text).href)
    except ValueError:
        href = text
    return href if href.isascii() else href.encode("ascii", "backslashreplace").decode()
