"""Finds the row of `verdict_table` for an exchange: by its error, status and marks."""

from checker.engine import verdict_table as table
from checker.engine.closed_sites import EXPECTS_HTTPS, find_suspension
from checker.engine.errors import ErrorKind
from checker.engine.exchange import Exchange
from checker.engine.gone import find_error, find_login, find_parking, may_be_about_errors
from checker.engine.gone_data import find_error_in_data
from checker.engine.moved_pages import is_same_page
from checker.engine.neighbours import are_same_page, is_interstitial
from checker.engine.page import FetchedPage
from checker.engine.page_identity import are_alike, is_known_page
from checker.engine.redirect_destinations import (
    is_home_page,
    leads_home,
    leads_to_error_page,
    leads_to_login,
    leads_to_market,
    leads_to_search,
    names_a_page,
)
from checker.engine.roots import RootAnswer
from checker.engine.throttling import asks_to_wait
from checker.engine.verdict_table import VerdictRow
from checker.engine.walls import are_only_words, find_certificate_request


def find_row(exchange: Exchange) -> tuple[VerdictRow, tuple[str, ...]]:
    """Return the row that decides the verdict, and its marks, which overrule the status.

    To support a new kind of response, add a branch here and a row to the table.
    """
    certificate_request = _find_certificate_request(exchange)
    if certificate_request:
        return table.ROW_OF_ERROR[ErrorKind.CLIENT_CERTIFICATE], (certificate_request,)
    if exchange.closed:
        expects_https = exchange.closed.startswith(f"{EXPECTS_HTTPS}: ")
        return table.HTTPS_ONLY if expects_https else table.CLOSED_BY_HOST, (exchange.closed,)
    row = row_without_marks(exchange)
    is_refusal = row in (table.BARE_REFUSAL, table.RESTRICTED_PAGE)
    if exchange.walls and not (is_refusal and are_only_words(exchange.walls)):
        return table.BOT_WALL, exchange.walls
    if is_refusal:
        return _refusal_row(exchange, row)
    if row is table.PAGE:
        return _page_row(exchange)
    is_shown = exchange.sibling is not None and is_still_shown(exchange, row)
    return (table.STILL_SHOWN if is_shown else row), ()


def _refusal_row(exchange: Exchange, row: VerdictRow) -> tuple[VerdictRow, tuple[str, ...]]:
    """Return the row of a refusal, by who is refused and why, and its marks."""
    asked, page = exchange.asked or exchange.url, exchange.page
    status = exchange.status or 0
    suspension = find_suspension(page, status=status, asked=asked) if page is not None else None
    if suspension is not None:
        return table.CLOSED_BY_HOST, (suspension,)
    is_forbidden = status == 403
    if is_forbidden and exchange.refusal.login_or_network_mark:
        return table.FOR_MEMBERS, (exchange.refusal.login_or_network_mark,)
    if exchange.walls:
        return table.BOT_WALL, exchange.walls
    if is_forbidden and exchange.refusal.members_mark:
        return table.FOR_MEMBERS, (exchange.refusal.members_mark,)
    root = exchange.root if row is table.BARE_REFUSAL else None
    if root is None:
        return row, ()
    if root.answer is RootAnswer.RESTRICTED and not is_forbidden:
        return row, ()
    return _BY_ROOT.get(root.answer, row), (f"root: {root.how}",)


_BY_ROOT = {
    RootAnswer.REFUSES: table.REFUSED_AT_ROOT,
    RootAnswer.RESTRICTED: table.FOR_MEMBERS,
    RootAnswer.UNKNOWN: table.REFUSED_ROOT_UNKNOWN,
}


def _page_row(exchange: Exchange) -> tuple[VerdictRow, tuple[str, ...]]:
    """Return the row of a page, which may replace the requested one, and its marks."""
    row, mark = _replacement_row(exchange)
    if (
        mark
        and row in (table.FOUND_ERROR, table.PARKED_PAGE)
        and _is_about_errors(exchange, row, mark)
    ):
        return table.PAGE, ()
    if row is table.PAGE and is_same_for_all(exchange, row):
        return table.SAME_AS_MADE_UP, (
            "neighbour: a made-up address in the same folder returns the same page",
        )
    return row, (mark,) if mark else ()


def _is_about_errors(exchange: Exchange, row: VerdictRow, mark: str) -> bool:
    """Return whether a page that mentions missing or parked pages is only about them.

    True if the site answers the made-up neighbour with 404 or 410, because it would answer the same
    for a missing page. That proves nothing about notices of removal, which exist only at the
    removed page's URL.
    """
    sibling = exchange.sibling
    if sibling is None or sibling.error is not None or sibling.status not in (404, 410):
        return False
    asked, page = exchange.asked or exchange.url, exchange.page
    if exchange.redirects or is_home_page(asked) or page is None:
        return False
    if sibling.page is not None and _begin_alike(page, sibling.page):
        return False  # the site's error page
    return row is table.PARKED_PAGE or may_be_about_errors(page, mark)


def _begin_alike(page: FetchedPage, other: FetchedPage) -> bool:
    """Return whether two pages have the same title and first heading."""
    return page.title == other.title and page.headings[:1] == other.headings[:1]


def _replacement_row(exchange: Exchange) -> tuple[VerdictRow, str | None]:
    """Return the row for the page that replaces the requested one, and the mark.

    For the requested page, the row is PAGE and the mark None.
    """
    asked, page = exchange.asked or exchange.url, exchange.page
    if exchange.redirects:
        for row, find_mark in _BY_URL:
            mark = find_mark(asked=asked, url=exchange.shown)
            if mark is not None:
                return row, mark
    row, mark = _replacement_by_words(exchange, asked=asked)
    if mark is not None:
        return row, mark
    mark = leads_home(asked=asked, url=exchange.shown) if exchange.redirects else None
    if mark is None or is_interstitial(page, asked=asked, url=exchange.url):
        return table.PAGE, None
    return table.SENT_HOME, mark


def _replacement_by_words(exchange: Exchange, *, asked: str) -> tuple[VerdictRow, str | None]:
    """Return the row and the mark for the words of a page, or for data.

    If the mark is None, the row means nothing.
    """
    page = exchange.page
    if page is None:
        mark = find_error_in_data(exchange.headers, exchange.body, asked=asked)
        return table.FOUND_ERROR, mark
    for row, find_mark in _BY_WORDS:
        mark = find_mark(page, asked=asked)
        if mark is not None:
            return row, mark
    return table.PAGE, None


_BY_URL = (
    (table.PARKED_PAGE, leads_to_market),
    (table.FOUND_ERROR, leads_to_error_page),
    (table.FOUND_ERROR, leads_to_search),
    (table.LOGIN_PAGE, leads_to_login),
)
_BY_WORDS = (
    (table.PARKED_PAGE, find_parking),
    (table.FOUND_ERROR, find_error),
    (table.LOGIN_PAGE, find_login),
)


def is_still_shown(exchange: Exchange, row: VerdictRow) -> bool:
    """Return whether a 404 or server error still shows the known page, and the neighbour does not.

    A made-up neighbour that has not been requested yet does not matter. A 410 is believed.
    """
    if exchange.error is not None or not (exchange.status == 404 or row is table.SERVER_ERROR):
        return False
    known, page, sibling = exchange.known, exchange.page, exchange.sibling
    if known is None or page is None or not is_known_page(known, page, url=exchange.url):
        return False
    if sibling is None:
        return True
    if sibling.error is not None or sibling.walls:
        return False
    return sibling.page is None or not is_known_page(known, sibling.page, url=sibling.url)


def is_same_for_all(exchange: Exchange, row: VerdictRow) -> bool:
    """Return whether the made-up neighbour returned the same page or redirect.

    False if it was not requested. `row` is the exchange's row, as `_replacement_row` returns it.
    """
    sibling = exchange.sibling
    if sibling is None or sibling.error is not None or sibling.status != exchange.status:
        return False
    if sibling.walls or _replacement_row(sibling)[0] is not row:
        return False
    if any(is_interstitial(x.page, asked=x.asked, url=x.url) for x in (exchange, sibling)):
        return False
    page, other = exchange.page, sibling.page
    if exchange.fragment and names_a_page(exchange.fragment, asked=exchange.asked):
        return False  # a script in the browser would show the page
    if exchange.redirects and sibling.redirects and exchange.url == sibling.url:
        # Both lead to the same URL. If it has the requested page's name, it is that page.
        return not is_same_page(exchange.asked, exchange.shown, identity_matches=True)
    if page is None or other is None:
        return False
    if row is table.PAGE:
        return are_same_page(page, other)
    return are_alike(f"{page.title} {page.text}", f"{other.title} {other.text}")


def _find_certificate_request(exchange: Exchange) -> str | None:
    if exchange.error is not None:
        return None
    status = exchange.status or 0
    return find_certificate_request(status=status, headers=exchange.headers, body=exchange.body)


def row_without_marks(exchange: Exchange) -> VerdictRow:
    """Return the row of an exchange without reading its body."""
    if exchange.error is not None:
        return table.ROW_OF_ERROR[exchange.error]
    if exchange.is_unchanged:
        return table.UNCHANGED
    status = exchange.status or 0
    row = table.row_of_status(status)
    is_refusal = row is table.BARE_REFUSAL or status == 408
    if status == 429 or (is_refusal and asks_to_wait(exchange.headers)):
        return table.THROTTLED
    if row is table.SERVER_ERROR and asks_to_wait(exchange.headers):
        return table.UNAVAILABLE
    return row
