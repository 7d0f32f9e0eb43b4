"""Whether a page that moved for good is the same page at its new address, judged by both addresses.

The checks have read the new page already and found nothing wrong with it: see `flag_if_moved`. This
is stricter, since documents are changed by it: it rules out what redirects for good only for some
readers, or to a page that is merely better than none.
"""

# ruff: noqa: SIM905 (a list of names)
import re
from urllib.parse import parse_qsl, urlsplit

from checker.engine.domains import registrable
from checker.engine.whereabouts import (
    is_front,
    is_login,
    leads_home,
    leads_to_error_page,
    leads_to_login,
    leads_to_market,
    steps,
)

_LANGUAGES = frozenset(
    "ar bg bn ca cs da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka ko lt lv mk"
    " ms nb nl nn no pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur vi zh".split()
)
_LANGUAGE = re.compile(r"([a-z]{2})(?:-[a-z]{2,4})?")
_PARAMETERS_OF_LANGUAGE = frozenset({"lang", "language", "locale", "hl", "lng"})
_OURS = "en"  # what checks ask for by Accept-Language: a site may lead there only those who do
# Addresses of one visit, or that a site leads only some visitors to.
_OF_A_VISIT = re.compile(
    r"utm_\w+|(?:php)?sess(?:ion)?_?id|jsessionid|s?sid|token|ticket|auth|nonce|gclid|fbclid|_ga"
    r"|cookie\w*|cf_chl\w*|expires|signature|x-amz-\w+"
)
_FOR_SOME = re.compile(
    r"(?:cookie|gdpr)?-?consent|cookies?(?:-?(?:wall|policy|check|required|notice))?|captcha|challenge"
    r"|verify|age-?(?:gate|check|verification)|unsupported(?:-?browser)?|maintenance|splash"
    r"|(?:select|choose|change)-?(?:country|region|location|language)|country-?selector?|geo"
    r"|unavailable-?in-?your-?(?:country|region)|blocked|access-?denied|paywall|subscribe"
)
_HOSTS_FOR_SOME = re.compile(r"(?:m|mobile|amp|touch|consent|geo)\.")


def is_same_page(asked: str, moved_to: str, *, keeps_its_title: bool) -> bool:
    """Tell whether documents may name the new address in the place of the old one.

    `keeps_its_title`: what was kept of the page says that it is no other's. Without that only a
    move within one registrable domain counts.
    """
    start, end = urlsplit(asked), urlsplit(moved_to)
    if end.scheme not in ("http", "https") or asked == moved_to:
        return False
    leads = (leads_home, leads_to_login, leads_to_error_page, leads_to_market)
    if any(lead(asked=asked, url=moved_to) for lead in leads) or is_login(moved_to):
        return False
    if _is_for_some(asked, moved_to) or not _is_in_same_language(asked, moved_to):
        return False
    if registrable(start.hostname) != registrable(end.hostname):
        return keeps_its_title and not is_front(moved_to) and _has_same_end(asked, moved_to)
    return not is_front(moved_to) or is_front(asked)


def _is_for_some(asked: str, moved_to: str) -> bool:
    """Tell whether the new address looks like one of a visit, a device or a question first."""
    start, end = urlsplit(asked), urlsplit(moved_to)
    host, before = end.hostname or "", start.hostname or ""
    if _HOSTS_FOR_SOME.match(host) and not _HOSTS_FOR_SOME.match(before):
        return True
    if ";jsessionid=" in end.path.lower():
        return True
    known = {name.lower() for name, _ in _parameters(start.query)}
    added = {name.lower() for name, _ in _parameters(end.query)} - known
    if any(_OF_A_VISIT.fullmatch(name) for name in added):
        return True
    new_steps = set(steps(end.path)) - set(steps(start.path))
    return any(_FOR_SOME.fullmatch(step) for step in new_steps)


def _is_in_same_language(asked: str, moved_to: str) -> bool:
    before, after = _languages(asked), _languages(moved_to)
    if before or not after:
        return before == after or not after
    return after == {_OURS} and not is_front(moved_to)


def _languages(url: str) -> set[str]:
    """Return the languages that an address names: by a step, a host or a parameter."""
    parts = urlsplit(url)
    labels = (parts.hostname or "").split(".")[:-2]
    values = [
        value for name, value in _parameters(parts.query) if name.lower() in _PARAMETERS_OF_LANGUAGE
    ]
    names = [
        *steps(parts.path)[:2],
        *labels,
        *(value.lower().replace("_", "-") for value in values),
    ]
    found = (_LANGUAGE.fullmatch(name) for name in names)
    return {match[1] for match in found if match and match[1] in _LANGUAGES}


def _has_same_end(asked: str, moved_to: str) -> bool:
    """Tell whether the last step, or the only parameter, is the same on both sides."""
    before, after = steps(urlsplit(asked).path), steps(urlsplit(moved_to).path)
    return bool(before) and before[-1:] == after[-1:]


def _parameters(query: str) -> list[tuple[str, str]]:
    return parse_qsl(query[:2048], keep_blank_values=True)
