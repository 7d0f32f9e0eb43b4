"""How URLs are shown to people. Pure."""

from ada_url import URL


def ascii_url(text: str) -> str:
    """Return a URL in ASCII, as a browser would ask for it, so that nothing in it can mislead.

    Names are in punycode; letters of other scripts, and those that turn the direction of writing,
    are escaped, as they are in all that is no URL.
    """
    try:
        href = str(URL(text).href)
    except ValueError:
        href = text
    return href if href.isascii() else href.encode("ascii", "backslashreplace").decode()
