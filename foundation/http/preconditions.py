"""If-Match: change an object only if it is unchanged. PATCH increases its `version`.

Checks, visits and views do not increase it, so they never cause a refusal.
"""

import re

from rest_framework.request import Request

from foundation.http.errors import ApiError

_VERSION = re.compile(r'"([0-9]{1,18})"')


def read_if_match(request: Request) -> int | None:
    """Return the version in `If-Match: "3"`; None without the header or for `*`.

    Raises ApiError `invalid_if_match`.
    """
    text = request.headers.get("If-Match", "*").strip()
    if text == "*":
        return None
    match = _VERSION.fullmatch(text)
    if match is None:
        raise ApiError("invalid_if_match", 'Must be one version in quotes, such as "3".')
    return int(match[1])


def check_version(version: int, expected: int | None) -> None:
    """Raise ApiError `version_mismatch` (412) unless the locked row has the expected version.

    Any version passes if `expected` is None.
    """
    if expected not in (None, version):
        raise ApiError(
            "version_mismatch",
            "The resource has changed in the meantime; read it again first.",
            status=412,
            details={"version": version},
        )
