"""Cookies that redirects set, for the rest of one check."""

import httpx

_MAX_COOKIES = 50  # of one response; browsers keep about as many per site
MAX_COOKIE_BYTES = 4096  # of a Set-Cookie header; longer ones are ignored
_MAX_TOTAL_BYTES = 32 * 1024  # of one response


def add_cookies(response: httpx.Response, jar: httpx.Cookies | None) -> httpx.Cookies | None:
    """Add the cookies of a response to `jar`, which is created if needed, and return it.

    Only bounded Set-Cookie headers are passed to the jar, whose parser is slow on other headers.
    """
    cookies, room = [], _MAX_TOTAL_BYTES
    for name, value in response.headers.raw:
        if name.lower() == b"set-cookie" and len(value) <= min(MAX_COOKIE_BYTES, room):
            cookies.append((name, value))
            room -= len(value)
    if not cookies:
        return jar
    jar = httpx.Cookies() if jar is None else jar
    jar.extract_cookies(
        httpx.Response(
            response.status_code, headers=cookies[:_MAX_COOKIES], request=response.request
        )
    )
    return jar
