"""Whether a page asks archives not to keep it: in its robots meta element or in X-Robots-Tag. Pure.

Any such directive counts, even one for a single crawler: it is safer to keep a page out of
archives.
"""

import re

from checker.engine.connection import MAX_BODY
from checker.engine.exchange import Exchange

PERMITTED, REFUSED = "permitted", "refused"
_META = re.compile(r"<meta\b[^<>]*\bnoarchive\b")
_AFTER_HEAD = ("</head", "<body")


def archiving_permission(exchange: Exchange) -> str | None:
    """Return REFUSED if the page asks not to be archived, PERMITTED if its head does not.

    None if that is unknown, and for a page that was known before: PERMITTED is for new pages only.
    """
    if "noarchive" in exchange.headers.get("x-robots-tag", "").lower():
        return REFUSED
    page = exchange.page
    if page is not None and "noarchive" in page.source and _META.search(page.source):
        return REFUSED
    is_read = exchange.status == 200 and exchange.body and not exchange.is_unchanged
    if not is_read or exchange.known is not None:
        return None
    is_whole = not (exchange.has_unread or exchange.is_cut_off) and len(exchange.body) < MAX_BODY
    has_whole_head = is_whole or page is None or any(tag in page.source for tag in _AFTER_HEAD)
    return PERMITTED if has_whole_head else None
