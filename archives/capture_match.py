"""Classifies a capture: the wanted page, possibly the wanted page, or another. Pure.

The check engine also judges captures, because archives contain soft 404s, bot walls and parked
pages.
"""

from collections.abc import Mapping

from checker.engine.connection import MAX_BODY
from checker.engine.exchange import Exchange
from checker.engine.page_identity import Identity, identify
from checker.engine.verdict import by_evidence
from checker.engine.verdict_table import ANOTHER_PAGE_FLAGS
from checker.engine.walls import is_wall_title
from targets.flags import RESTRICTED
from targets.models import CopyResult
from targets.state import Outcome

_NOT_THE_PAGE = ANOTHER_PAGE_FLAGS | {RESTRICTED}
_MAX_DISTANCE = 13  # bits by which the simhashes of two versions of a page's text may differ


def classify(
    url: str, *, status: int, headers: Mapping[str, str], body: bytes, known: Identity | None
) -> CopyResult:
    """Classify a capture by its status, headers and raw body.

    VERIFIED: it has the title, the site and the text of the page. POSSIBLE: some of them match, or
    `known`, the page's identity as a check saw it, is None. NONE: it is another page, an error
    page, a bot wall or a parked page.
    """
    if known is not None and is_wall_title(known.title):
        known = None
    exchange = Exchange(
        url=url, asked=url, status=status, headers=headers, body=body[:MAX_BODY], known=known
    )
    verdict = by_evidence(exchange)
    may_be_page = verdict.outcome is Outcome.SUCCESS and _NOT_THE_PAGE.isdisjoint(verdict.flags)
    if not may_be_page or exchange.walls or not body:
        return CopyResult.NONE
    page = exchange.page
    if known is None:
        return CopyResult.POSSIBLE
    if page is None:
        return CopyResult.NONE
    identity = identify(page, url=url, certificate=None, known=None)
    is_same_title = bool(known.title) and known.title == identity.title
    is_same_site = known.domain == identity.domain
    if known.simhash is None or identity.simhash is None:
        return CopyResult.POSSIBLE if is_same_title and is_same_site else CopyResult.NONE
    is_alike = (known.simhash ^ identity.simhash).bit_count() <= _MAX_DISTANCE
    if is_same_title and is_same_site and is_alike:
        return CopyResult.VERIFIED
    return CopyResult.POSSIBLE if is_same_title or is_alike else CopyResult.NONE
