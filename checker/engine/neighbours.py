"""The test request to a made-up URL next to the requested one, where no page can exist.

A server that answers both with the same page has no page at the requested URL either, unless
everybody gets that page first: until they consent, or until a script fills it.
"""

# ruff: noqa: E501, RUF001 (words of many languages; long lines keep related words together)
import re
import secrets
from typing import Protocol
from urllib.parse import parse_qsl, urlsplit

from checker.engine.domains import registrable_domain
from checker.engine.gate import host_of
from checker.engine.gone_words import alphanumerics_of, fold
from checker.engine.page import FetchedPage
from checker.engine.page_identity import MAX_DIFFERENT_BITS, are_alike, simhash
from checker.engine.redirect_destinations import is_home_page

ASK = "ask"  # the result for a folder whose neighbour should be requested


class FolderLookup(Protocol):
    """The responses to made-up neighbours, by folder."""

    async def look_up(self, folder: str) -> str:
        """Return the `fingerprint`, which may be empty, of the stored response, or ASK."""

    async def remember(self, folder: str, fingerprint: str) -> None:
        """Store the fingerprint, which may be empty, of a response in this folder."""


_SUFFIX = re.compile(r"\.[a-z0-9]{1,5}$")  # of the name of a file
_SCRIPT = re.compile(r"\.(?:php\d?|aspx?|cfm|cgi|jspx?|do|pl|dll|exe|mvc|action)$")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_DAY = re.compile(r"\d{1,2}")
_HAS_ID = re.compile(r"\d++$|.*?\d{5}")
# Parameters that select a page of a script or below a home page; those in the second set do so on
# any short path.
_SELECTOR = re.compile(
    r"(?:\w{0,20}id|article|artikel|item|node|p|t|product|story|doc|nr|no|num|key|page|news|name"
    r"|title|v|slug|uid)"
)
_SELECTORS_ANYWHERE = frozenset({"id", "v"})
_TRACKER = re.compile(
    r"(?:php|j)?sess(?:ion)?_?id|sid|\w{0,12}clid|(?:utm|mc|campaign|click|client|track(?:ing)?|aff"
    r"(?:iliate)?|lang(?:uage)?|store|region|country|visitor|user|ref|source|ad)_?id|cid|v(?=er)"
)
_MAX_STEPS = 2  # steps of a short path
_TOO_LARGE = 1_900_000_000  # for a page number, but small enough for 32-bit integers

_MIN_SHARE = 0.85  # share of words in common, for two otherwise normal pages

_MAX_PROSE = 900  # bytes of running text on an interstitial
_MAX_TEXT = 1500  # characters of an interstitial that is recognized by its buttons
# Elements that a script fills; while they are empty, the page is incomplete.
_EMPTY_MOUNT = re.compile(
    r"<((?:div|main|section)(?=[^<>]{0,200}?\bid\s{0,9}=)|[a-z]{1,20}(?:-[a-z]{1,20}){1,3})"
    r"\b[^<>]{0,200}>\s{0,200}+(?:(?:loading|please wait|lade|chargement)[^<]{0,40})?+</\1\s{0,9}+>"
)
_MAX_NOSCRIPTS, _MAX_NOSCRIPT = 5, 600  # elements that are read; characters of each
_INTERSTITIAL_WORDS = re.compile(
    r"(?:are you|i am|i'm|you must be|must be|confirm|verify)[^.?!]{0,40}(?:of (?:legal )?age|over"
    r"|at least|older|1[68]|19|2[01])|age (?:verification|gate|check|restricted|confirmation)"
    r"|(?:legal )?drinking age|date of birth|year of birth|avez-vous[^.?!]{0,20}1[68]|majeure?s?\b"
    r"|(?:bist|sind) (?:du|sie)[^.?!]{0,30}(?:1[68]|alt|volljahrig)|altersprufung|volljahrig"
    r"|mayor(?:es)? de (?:edad|1[68])|eres mayor|maggiorenn|hai (?:piu di )?1[68]|maior de (?:idade|1[68])"
    r"|ben je 1[68]|ouder dan 1[68]|fyllt 1[68]|(?:masz|ukonczyl)[^.?!]{0,20}1[68]|вам (?:уже )?(?:есть )?1[68]"
    r"|вам исполнилось|年齢(?:確認|認証)|[0-9０-９]{2}歳以上|満?20歳|年龄(?:验证|确认)|年滿|已满1[68]"
    r"|성인 ?인증|cookie|before you continue|privacy|consent|gdpr|datenschutz|privatsphare"
    r"|einwilligung|zustimm|confidentialite|vie privee|consentement|privacidad|consentimiento"
    r"|privacidade|consentimento|riservatezza|consenso|prywatno|zgod[aey]\b|toestemming|samtycke"
    r"|samtykke|soukrom|souhlas|конфиденциальност|согласи|プライバシー|同意|隐私|隱私|개인정보|동의"
    r"|(?:choose|select|change|confirm|where is) your (?:country|region|location|language|store"
    r"|market|site)|(?:choose|select) (?:a |an )?(?:country|region|language)|not available in your"
    r" (?:country|region|location|area)|wahlen sie ihr(?:e|en)? (?:land|region|sprache|standort)"
    r"|choisi(?:r|ssez) (?:votre|un) (?:pays|region|langue)|(?:elija|seleccione|elige|selecciona)"
    r" (?:su|tu|un) (?:pais|region|idioma)|(?:seleziona|scegli) (?:il tuo |un )?(?:paese|lingua)"
    r"|selecione (?:o )?(?:seu )?(?:pais|idioma)|выберите (?:страну|регион|город|язык)"
    r"|国(?:・地域)?を?選択|选择(?:您的)?(?:国家|地区)|選擇(?:您的)?(?:國家|地區)|terms of (?:use|service)"
    r"|disclaimer|professional investor|haftungsausschluss|nutzungsbedingungen"
)
_INTERSTITIAL_BUTTON = re.compile(
    r"accept|\bagree|akzept|einverstanden|aceptar|aceitar|accett|akcept|godkann|godta|hyvaksy|elfogad"
    r"|prijima|souhlas|kabul|принять|принимаю|прийняти|αποδοχη|αποδεχομαι|同意|同意する|수락|동의|i am over"
    r"|enter(?: (?:the )?site)?$|continue to (?:the )?site|^continue$|^weiter$|^continuer$"
)
_INTERSTITIAL_STEP = re.compile(
    r"(?:[a-z]{0,12}[-_]?)?(?:consent|age[-_]?(?:gate|check|verif\w{0,12}|restrict\w{0,8})|agegate"
    r"|cookies?(?:[-_]?(?:wall|policy|consent|check))?|gdpr|privacy(?:[-_]?gate)?|gate(?:way)?"
    r"|country[-_]?(?:select\w{0,8}|selector|chooser)|select[-_]?(?:country|region|language)"
    r"|region[-_]?select\w{0,8}|geo[-_]?(?:block|gate)?|disclaimer|collectconsent|splash|interstitial"
    r"|guce|choose[-_]?country|location[-_]?select\w{0,8}|welcome[-_]?gate)"
)


def make_up_url(asked: str) -> tuple[str, str]:
    """Return a made-up URL next to `asked`, and their common beginning.

    The made-up part is the parameter by which a script selects the page or, without one, the last
    name of the path and a number before it, because servers often ignore the name after a number.
    """
    base, _, query = asked.partition("?")
    other = _with_impossible_value(base, query)
    if other is not None:
        return other, f"{base}?"
    origin = "/".join(base.split("/", 3)[:3])
    steps = base[len(origin) :].strip("/").split("/")
    suffix = _SUFFIX.search(steps[-1].lower())
    parent = steps[:-1]
    if parent and _ends_with_page_number(parent):
        parent.pop()
    folder = "/".join([origin, *parent, ""])
    made_up = [secrets.token_hex(8) for _ in range(len(steps) - len(parent))]
    return f"{folder}{'/'.join(made_up)}{suffix[0] if suffix else ''}", folder


def _ends_with_page_number(steps: list[str]) -> bool:
    """Return whether the last of these steps is a page's number, not part of a date."""
    last = steps[-1]
    if _YEAR.fullmatch(last) or not _HAS_ID.match(last):
        return False
    if not _DAY.fullmatch(last):
        return True
    return not any(_YEAR.fullmatch(step) for step in steps[-3:-1])


def _with_impossible_value(base: str, query: str) -> str | None:
    """Return the URL with impossible values for the parameters that select its page, or None."""
    if not query:
        return None
    path = base.split("/", 3)[-1].lower() if base.count("/") > 2 else ""
    is_script = _SCRIPT.search(path) is not None or is_home_page(base)
    is_short = path.count("/") < _MAX_STEPS
    parts, has_changed = [], False
    for part in query.split("&"):
        name, equals, value = part.partition("=")
        key = name.lower()
        selects = _SELECTOR.fullmatch(key) if is_script else is_short and key in _SELECTORS_ANYWHERE
        if selects and equals and not _TRACKER.fullmatch(key):
            value = str(_TOO_LARGE + secrets.randbelow(10**8)) if value.isdigit() else ""
            parts.append(f"{name}={value or secrets.token_hex(8)}")
            has_changed = True
        else:
            parts.append(part)
    return f"{base}?{'&'.join(parts)}" if has_changed else None


def looks_like_home(page: FetchedPage, *, asked: str) -> bool:
    """Return whether a deep page has the title of the site, like the home page."""
    if not page.title:
        return False
    domain = registrable_domain(host_of(asked)).partition(".")[0]
    names = map(alphanumerics_of, (page.site_name, page.home_link, domain))
    return alphanumerics_of(page.title) in names and not is_home_page(asked)


def is_sent_elsewhere(*, asked: str, url: str) -> bool:
    """Return whether redirects changed the last segment of the path, on the same site."""
    start, end = urlsplit(asked), urlsplit(url)
    if registrable_domain(start.hostname) != registrable_domain(end.hostname) or is_home_page(
        asked
    ):
        return False
    return _last_segment(start.path) != _last_segment(end.path)


def _last_segment(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2].lower()


def are_same_page(page: FetchedPage, other: FetchedPage) -> bool:
    """Return whether two otherwise normal pages are one page that is shown for all URLs.

    That is, their titles have the same letters, and running text and all text have most words in
    common. False for pages that a script fills or that have hardly any text: they prove nothing.
    """
    if alphanumerics_of(page.title) != alphanumerics_of(other.title) or is_unfilled(page):
        return False
    if simhash(page.text) is None:
        return False  # too short to be distinctive
    texts = ((page.running_text, other.running_text), (page.text, other.text))
    return all(are_alike(first, second, min_share=_MIN_SHARE) for first, second in texts)


def is_unfilled(page: FetchedPage) -> bool:
    """Return whether a page with hardly any running text is filled by a script."""
    if page.prose_size >= _MAX_PROSE // 3:
        return False
    requires_scripts = any("javascript" in part for part in _noscripts(page.source))
    return requires_scripts or _EMPTY_MOUNT.search(page.markup) is not None


def _noscripts(source: str) -> list[str]:
    return [part[:_MAX_NOSCRIPT] for part in source.split("<noscript", _MAX_NOSCRIPTS)[1:]]


def is_interstitial(page: FetchedPage | None, *, asked: str, url: str) -> bool:
    """Return whether a page comes before the requested one to ask for consent, age or country."""
    if url != asked and (
        _INTERSTITIAL_STEP.fullmatch(_last_segment(urlsplit(url).path)) or _leads_back(asked, url)
    ):
        return True
    if page is None or page.prose_size >= _MAX_PROSE:
        return False
    if _INTERSTITIAL_WORDS.search(fold(" / ".join((page.title, *page.headings)))[:3000]):
        return True
    buttons = page.buttons if len(page.text) <= _MAX_TEXT else ()
    return any(_is_interstitial_button(fold(text)[:200]) for text in buttons)


def _is_interstitial_button(button: str) -> bool:
    return bool(_INTERSTITIAL_BUTTON.search(button) or _INTERSTITIAL_WORDS.search(button))


def _leads_back(asked: str, url: str) -> bool:
    """Return whether a parameter of `url` is a URL or path with the first step of `asked`."""
    start, end = urlsplit(asked), urlsplit(url)
    first_step = start.path.strip("/").partition("/")[0].lower()
    return bool(first_step) and any(
        value.startswith(("/", "http")) and first_step in value.lower()
        for _, value in parse_qsl(end.query[:2048])
    )


def fingerprint(page: FetchedPage | None) -> str:
    """Return 64 bits of the words of a neighbour's page, as text; empty if it has too few words."""
    bits = None if page is None else simhash(f"{page.title} {page.text}")
    return "" if bits is None else f"{bits:016x}"


def resembles(page: FetchedPage | None, stored: str) -> bool:
    """Return whether a page's fingerprint is close to `stored`; False if that is empty."""
    own = fingerprint(page) if stored else ""
    return bool(own) and (int(own, 16) ^ int(stored, 16)).bit_count() <= MAX_DIFFERENT_BITS
