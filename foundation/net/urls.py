"""Formats URLs for people. Pure."""

from ada_url import URL


def ascii_url(text: str) -> str:
    """Return a URL in ASCII, as a browser would request it, so that it cannot mislead.

    Names are in punycode, and other non-ASCII characters are percent-encoded. In text that is not a
    URL, they become backslash escapes, including those that change the writing direction.
    """
    try:
        href = str(URL(text).href)
    except ValueError:
        href = text
    return href if href.isascii() else href.encode("ascii", "backslashreplace").decode()
