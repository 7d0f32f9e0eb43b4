"""Decides from two URLs whether a permanently moved page is the same page at its new URL.

Checks have already read the new page and found nothing wrong with it: see `flag_if_moved`. This
rule is stricter, because it decides whether documents are changed. The new URL must keep the name
of the page, and must not be one that a site chooses for some readers or one visit. In case of
doubt, the page counts as a different one.
"""

# ruff: noqa: SIM905 (lists of names)
import re
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from checker.engine.domains import registrable_domain
from checker.engine.gone_words import fold
from checker.engine.redirect_destinations import (
    is_home_page,
    is_login,
    leads_home,
    leads_to_error_page,
    leads_to_login,
    leads_to_market,
    path_segments,
)

_MIN_LONG_ID = 6  # characters of an id that suffices by itself
_MIN_IN_COMMON = 0.6  # share of the words of the old name
# Languages and countries, except "cs", "id" and "in", which are also departments, ids and words.
_LOCALES = frozenset(
    "ar at au be bg bn br ca ch cl cn cz da de dk ee el en es et eu fa fi fr ga gb gl gr he hi hk"
    " hr hu hy ie is it ja jp ka ko kr lt lv mk ms mx nb nl nn no nz pl pt ro ru se sk sl sq sr sv"
    " sw ta te th tr tw ua uk ur us vi za zh".split()
)
_LOCALE = re.compile(r"([a-z]{2})(?:-[a-z]{2,4})?")
_LANGUAGE_PARAMETERS = frozenset({"lang", "language", "locale", "hl", "lng"})
_VARIANT_LABELS = frozenset("m mobile amp touch sp wap consent geo".split())
_VARIANT_STEPS = re.compile(
    r"amp|search|suche|recherche|buscar|find|results|captcha|challenge|splash|maintenance|geo"
    r"|(?:.+-)?cookies?(?:-.+)?|(?:.+-)?consent|age-?(?:gate|check|verification)|campaigns?|promo"
    r"|(?:select|choose|change)-?(?:country|region|location|language)|(?:.+-)?(?:un|not-)available(?:-.+)?"
)
_SESSION = re.compile(r";.*")
_SESSION_IN_PATH = re.compile(r";\w*sess\w*=|/\(s\(", re.IGNORECASE)
# Names of the latest version, and hosts of persistent links: their destinations change.
_ALIASES = frozenset("latest stable current newest today now".split())
_PERSISTENT_HOST = re.compile(r"(?:dx\.)?doi\.|hdl\.|purl\.|w3id\.|ark\.|go\.|aka\.|link\.")
_VERSION = re.compile(r"v?(\d+(?:\.(?:\d+|x))+)|v(\d+)")
_INDEX = frozenset("index default home start main".split())
_EXTENSION = re.compile(r"\.[a-z][a-z0-9]{1,4}$")
_TOKEN = re.compile(r"\d+|[^\W\d_]+")
_ID = re.compile(r"(?=[a-z]*\d)(?!(?:19|20)\d\d(?![a-z0-9]))[a-z0-9]{4,}")  # but not a year


def is_same_page(asked: str, moved_to: str, *, identity_matches: bool) -> bool:
    """Return whether documents may use the new URL in place of the old one.

    `identity_matches`: the stored identity proves that it is the same page. Otherwise, only a move
    within one registrable domain counts.
    """
    start, end = urlsplit(asked), urlsplit(moved_to)
    if end.scheme not in ("http", "https") or asked == moved_to or end.fragment:
        return False
    is_same_site = registrable_domain(start.hostname) == registrable_domain(end.hostname)
    if not (identity_matches or is_same_site):
        return False
    finders = (leads_to_login, leads_to_error_page, leads_to_market)
    if any(find(asked=asked, url=moved_to) for find in finders) or is_login(moved_to):
        return False
    if _is_variant(start, end) or _may_change(start, end):
        return False
    if _path_and_query(start) == _path_and_query(end):
        return True
    if is_home_page(asked) or is_home_page(moved_to) or leads_home(asked=asked, url=moved_to):
        return False
    return _keeps_name(start, end)


def _is_variant(start: SplitResult, end: SplitResult) -> bool:
    """Return whether a site may have chosen the new URL for one language, device or visit.

    Also True for a new step such as `search` or `captcha`, and, if the old URL has no query, for a
    parameter whose value is not a step of the old URL.
    """
    if not _have_compatible_locales(start, end) or _SESSION_IN_PATH.search(end.path):
        return True
    labels = set((end.hostname or "").split(".")) - set((start.hostname or "").split("."))
    if not labels.isdisjoint(_VARIANT_LABELS):
        return True
    new = set(path_segments(end.path)) - set(path_segments(start.path))
    if any(_VARIANT_STEPS.fullmatch(step) for step in new):
        return True
    old_steps = {fold(unquote(step)) for step in start.path.split("/")}
    return not start.query and any(fold(value) not in old_steps for _, value in _parameters(end))


def _have_compatible_locales(start: SplitResult, end: SplitResult) -> bool:
    """Return whether both have the same locales, or one has English and the other has none."""
    before, after = _locales(start), _locales(end)
    is_english = before ^ after == {"en"} and before | after <= {"en", "uk"}
    return before == after or is_english


def _locales(url: SplitResult) -> set[str]:
    """Return the locales in a URL: in a step, the host or a parameter."""
    suffix = registrable_domain(url.hostname).rpartition(".")[2]
    labels = (url.hostname or "").split(".")[:-2]
    values = [value for name, value in _parameters(url) if name in _LANGUAGE_PARAMETERS]
    named = [*path_segments(url.path)[:1], *labels, *path_segments("/".join(values)), suffix]
    found = map(_LOCALE.fullmatch, named)
    return {match[0] for match in found if match and match[1] in _LOCALES}


def _may_change(start: SplitResult, end: SplitResult) -> bool:
    """Return whether the old URL has changing content, or the new one has another version."""
    if _PERSISTENT_HOST.match(start.hostname or "") and start.hostname != end.hostname:
        return not _PERSISTENT_HOST.match(end.hostname or "")
    if not _ALIASES.isdisjoint({*path_segments(start.path)} ^ {*path_segments(end.path)}):
        return True
    before, after = _versions(start), _versions(end)
    return bool(before and after) and before != after


def _versions(url: SplitResult) -> set[str]:
    parts = (part for step in path_segments(url.path)[:-1] for part in step.split("-"))
    return {match[1] or match[2] for match in map(_VERSION.fullmatch, parts) if match}


def _keeps_name(start: SplitResult, end: SplitResult) -> bool:
    """Return whether the new URL keeps all ids of the old one, a long id, or the numbers and most
    words."""
    ids, shared = _ids(start), _ids(start) & _ids(end)
    if ids and (ids == shared or max(map(len, shared), default=0) >= _MIN_LONG_ID):
        return True
    before, after = _name(start), _name(end)
    end_tokens = _tokens("/".join([*_names(end)[-2:], *_shared_values(start, end)]))
    numbers = {token for token in before if token.isdigit()}
    words = before - numbers
    if not before or not numbers <= end_tokens:
        return False
    new_numbers = {token for token in after if token.isdigit()} - _tokens(_path_and_query(start))
    if numbers and new_numbers - numbers:
        return bool(numbers & after)
    in_common = len(words & end_tokens)
    return in_common >= _MIN_IN_COMMON * len(words) and not after.isdisjoint(before)


def _ids(url: SplitResult) -> set[str]:
    """Return the keys and numbers of four characters or more that may identify a page.

    They are in the last three steps or in parameters.
    """
    text = "/".join([*_names(url)[-3:], *(value for _, value in _parameters(url))])
    return set(_ID.findall(fold(text)))


def _name(url: SplitResult) -> set[str]:
    """Return the words and numbers of the last step and of the parameters, except the language."""
    names = _names(url)
    values = [value for name, value in _parameters(url) if name not in _LANGUAGE_PARAMETERS]
    return _tokens("/".join([*names[-1:], *values]))


def _names(url: SplitResult) -> list[str]:
    """Return the steps of a path that are names, without their extensions."""
    folded = (_EXTENSION.sub("", fold(unquote(step))) for step in url.path.split("/"))
    return [name for name in folded if name and name not in _INDEX]


def _shared_values(start: SplitResult, end: SplitResult) -> list[str]:
    old_names = {name for name, _ in _parameters(start)}
    return [value for name, value in _parameters(end) if name in old_names]


def _tokens(text: str) -> set[str]:
    return set(_TOKEN.findall(fold(unquote(text))))


def _path_and_query(url: SplitResult) -> str:
    """Return the path, in lower case and without sessions and index names, and the query."""
    names = (_SESSION.sub("", step) for step in url.path.lower().split("/"))
    shown = [name for name in names if name and _EXTENSION.sub("", name) not in _INDEX]
    return f"{'/'.join(shown)}?{url.query}"


def _parameters(url: SplitResult) -> list[tuple[str, str]]:
    """Return names, in lower case, and values; a name without a value is returned as a value."""
    pairs = parse_qsl(url.query[:2048], keep_blank_values=True)
    return [(name.lower(), value) if value else ("", name) for name, value in pairs]
