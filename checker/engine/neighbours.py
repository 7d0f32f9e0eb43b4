"""The made-up neighbour: an address next to the one that was asked for, at which nothing can be.

A server that gives it the same page as the other has no page at the other either, unless it gives
that page to everybody first: to those who have not consented, or whose browser will fill it.
"""

# ruff: noqa: E501, RUF001 (words of many languages; a line for what belongs together)
import re
import secrets
from typing import Protocol
from urllib.parse import parse_qsl, urlsplit

from checker.engine.domains import registrable
from checker.engine.gone_words import fold
from checker.engine.identity import SAME_BITS, are_alike, simhash
from checker.engine.page import FetchedPage
from checker.engine.whereabouts import is_front

ASK = "ask"  # what is known of a folder that is to be asked about


class FolderLookup(Protocol):
    """What made-up addresses got, by what they begin with."""

    async def look_up(self, folder: str) -> str:
        """Return the `fingerprint` of what one got; empty without; ASK where one is to be asked."""

    async def remember(self, folder: str, fingerprint: str) -> None:
        """Keep what one got."""


_SUFFIX = re.compile(r"\.[a-z0-9]{1,5}$")  # of the name of a file
_SCRIPT = re.compile(r"\.(?:php\d?|aspx?|cfm|cgi|jspx?|do|pl|dll|exe|mvc|action)$")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_DAY = re.compile(r"\d{1,2}")
_HAS_ID = re.compile(r"\d++$|.*?\d{5}")
# Parameters that choose a page, of a script or a home page, and of any short path.
_CHOOSES = re.compile(
    r"(?:\w{0,20}id|article|artikel|item|node|p|t|product|story|doc|nr|no|num|key|page|news|name"
    r"|title|v|slug|uid)"
)
_CHOOSES_ANYWHERE = frozenset({"id", "v"})
_TRACKS = re.compile(
    r"(?:php|j)?sess(?:ion)?_?id|sid|\w{0,12}clid|(?:utm|mc|campaign|click|client|track(?:ing)?|aff"
    r"(?:iliate)?|lang(?:uage)?|store|region|country|visitor|user|ref|source|ad)_?id|cid|v(?=er)"
)
_SHORT_PATH = 2  # steps
_TOO_LARGE = 1_900_000_000  # for the number of a page, and small enough for what holds one

_ALIKE = 0.85  # of the words in common, of two pages about which nothing else is odd

_LITTLE = 900  # bytes of running text on an interstitial
_SHORT_TEXT = 1500  # characters of a page that is an interstitial by its buttons
# What a script fills; where it is empty the page that people see is not there yet.
_EMPTY_MOUNT = re.compile(
    r"<((?:div|main|section)(?=[^<>]{0,200}?\bid\s{0,9}=)|[a-z]{1,20}(?:-[a-z]{1,20}){1,3})"
    r"\b[^<>]{0,200}>\s{0,200}+(?:(?:loading|please wait|lade|chargement)[^<]{0,40})?+</\1\s{0,9}+>"
)
_NOSCRIPTS, _NOSCRIPT = 5, 600  # how many are looked at, and characters of each
_INTERSTITIALS = (
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
_IS_INTERSTITIAL = re.compile(_INTERSTITIALS)
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


def made_up(asked: str) -> tuple[str, str]:
    """Return an address next to `asked` that nobody can have made, and what both begin with.

    The last name of the path is made up, and a number before it, since a page that is found by its
    number is given whatever name follows; of a script what chooses the page.
    """
    base, _, query = asked.partition("?")
    chosen = _with_another_choice(base, query)
    if chosen is not None:
        return chosen, f"{base}?"
    origin = "/".join(base.split("/", 3)[:3])
    steps = base[len(origin) :].strip("/").split("/")
    suffix = _SUFFIX.search(steps[-1].lower())
    kept = steps[:-1]
    if kept and _is_number_of_a_page(kept):
        kept.pop()
    folder = "/".join([origin, *kept, ""])
    made = [secrets.token_hex(8) for _ in range(len(steps) - len(kept))]
    return f"{folder}{'/'.join(made)}{suffix[0] if suffix else ''}", folder


def _is_number_of_a_page(steps: list[str]) -> bool:
    """Tell whether the last of these steps is a number that chooses a page, and no date."""
    last = steps[-1]
    if _YEAR.fullmatch(last) or not _HAS_ID.match(last):
        return False
    if not _DAY.fullmatch(last):
        return True
    return not any(_YEAR.fullmatch(step) for step in steps[-3:-1])


def _with_another_choice(base: str, query: str) -> str | None:
    """Return the address of a script with a page chosen that cannot be; None for any other."""
    if not query:
        return None
    path = base.split("/", 3)[-1].lower() if base.count("/") > 2 else ""
    is_script = _SCRIPT.search(path) is not None or is_front(base)
    is_short = path.count("/") < _SHORT_PATH
    parts, has_changed = [], False
    for part in query.split("&"):
        name, equals, value = part.partition("=")
        key = name.lower()
        chooses = _CHOOSES.fullmatch(key) if is_script else is_short and key in _CHOOSES_ANYWHERE
        if chooses and equals and not _TRACKS.fullmatch(key):
            value = str(_TOO_LARGE + secrets.randbelow(10**8)) if value.isdigit() else ""
            parts.append(f"{name}={value or secrets.token_hex(8)}")
            has_changed = True
        else:
            parts.append(part)
    return f"{base}?{'&'.join(parts)}" if has_changed else None


def looks_like_home(page: FetchedPage, *, asked: str) -> bool:
    """Tell whether a deep page has the title of the site: that of its home page, maybe."""
    if is_front(asked) or not page.title:
        return False
    title = _letters(page.title)
    if title in (_letters(page.site_name), _letters(page.home_link)):
        return True
    name = registrable(urlsplit(asked).hostname).partition(".")[0]
    return title == _letters(name)


def _letters(text: str) -> str:
    return "".join(letter for letter in fold(text) if letter.isalnum())


def is_sent_elsewhere(*, asked: str, url: str) -> bool:
    """Tell whether redirects changed the last step of the path, on the same site."""
    start, end = urlsplit(asked), urlsplit(url)
    if registrable(start.hostname) != registrable(end.hostname) or is_front(asked):
        return False
    return _last_step(start.path) != _last_step(end.path)


def _last_step(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2].lower()


def say_the_same(page: FetchedPage, other: FetchedPage) -> bool:
    """Tell whether two pages about which nothing else is odd are one page, shown for all addresses.

    Title, running text and all text are the same. What a browser would fill says nothing.
    """
    if _letters(page.title) != _letters(other.title) or is_unfilled(page):
        return False
    if simhash(page.text) is None:
        return False  # too short to differ from others
    texts = ((page.running_text, other.running_text), (page.text, other.text))
    return all(are_alike(one, another, least=_ALIKE) for one, another in texts)


def is_unfilled(page: FetchedPage) -> bool:
    """Tell whether a page without running text is made to be filled by a script."""
    if page.prose >= _LITTLE // 3:
        return False
    wants_scripts = any("javascript" in part[:_NOSCRIPT] for part in _after_noscript(page.source))
    return wants_scripts or _EMPTY_MOUNT.search(page.markup) is not None


def _after_noscript(source: str) -> list[str]:
    return source.split("<noscript", _NOSCRIPTS)[1:]


def is_interstitial(page: FetchedPage | None, *, asked: str, url: str) -> bool:
    """Tell whether everybody is asked first: for consent, age or country. The page is behind it."""
    end = urlsplit(url)
    if url != asked and (
        _INTERSTITIAL_STEP.fullmatch(_last_step(end.path)) or _leads_back(asked, url)
    ):
        return True
    if page is None or page.prose >= _LITTLE:
        return False
    if _IS_INTERSTITIAL.search(fold(" / ".join((page.title, *page.headings)))[:3000]):
        return True
    buttons = page.buttons if len(page.text) <= _SHORT_TEXT else ()
    return any(_is_interstitial_button(fold(text)[:200]) for text in buttons)


def _is_interstitial_button(button: str) -> bool:
    return bool(_INTERSTITIAL_BUTTON.search(button) or _IS_INTERSTITIAL.search(button))


def _leads_back(asked: str, url: str) -> bool:
    """Tell whether an address says where its reader wanted to go."""
    start, end = urlsplit(asked), urlsplit(url)
    wanted = start.path.strip("/").partition("/")[0].lower()
    return bool(wanted) and any(
        value.startswith(("/", "http")) and wanted in value.lower()
        for _, value in parse_qsl(end.query[:2048])
    )


def fingerprint(page: FetchedPage | None) -> str:
    """Return what is kept of a neighbour's page: 64 bits of its words; empty of one without."""
    bits = None if page is None else simhash(f"{page.title} {page.text}")
    return "" if bits is None else f"{bits:016x}"


def resembles(page: FetchedPage | None, kept: str) -> bool:
    """Tell whether a page may be the one that a neighbour got, as `fingerprint` keeps it."""
    own = fingerprint(page) if kept else ""
    return bool(own) and (int(own, 16) ^ int(kept, 16)).bit_count() <= SAME_BITS
