"""Classifies the destinations of redirects by their URLs alone: error pages, home pages, searches,
login pages and domain marketplaces.

The functions `leads_…` return a mark, which is a phrase for people, or None. `asked` is the
requested URL, `url` the last URL of the redirects; both are absolute and WHATWG-serialized.
"""

# ruff: noqa: E501, SIM905 (lists of names; long lines keep related words together)
import re
from collections.abc import Collection
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from checker.engine.domains import registrable_domain
from checker.engine.gone_words import alphanumerics_of, fold

_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2,4})?|www|intl|global|international")
_EXTENSION = re.compile(
    r"\.(?:[sx]?html?|php\d?|aspx?|jsp|jspx|do|cfm|cgi|pl|action|xhtml|shtm|mvc|page)$"
)
_MEDIA = re.compile(r"\.(?:png|jpe?g|gif|webp|svg|mp4|webm|pdf)$")
_HOME_NAMES = frozenset(
    "index default home homepage home-page start startseite start-page startpage main welcome"
    " willkommen accueil inicio inici inicial pagina-inicial principal pagina-principale hem hjem"
    " forside etusivu strona-glowna uvod uvodni-strana hlavni-strana kezdolap acasa nachalo glavnaya"
    " anasayfa beranda trang-chu front frontpage front-page portal landing landing-page web site"
    " public html www cms wordpress wp joomla drupal typo3 htdocs pages iindex index1 index2".split()
)
# Parameters that do not select a page.
_IRRELEVANT_PARAMETER = re.compile(
    r"utm_\w+|lang|language|locale|hl|l|lng|ref|referrer|source|src|from|via|redirected|redirect"
    r"|fbclid|gclid|mc_\w+|_ga|sid|phpsessid|jsessionid|session|s?id_?session|country|region|cookie"
    r"|cookies|cookieset|error|err|e|msg|message|status|code|reason|notfound|404|expired|gclsrc"
)
_FIRST_PAGE = re.compile(r"(?:page|p|pg|paged)=[01]")
_PAGE_WORD = (
    r"(?:page|file|item|product|article|content|video|document|resource|url|listing|job|post"
    r"|record|object|link|site|seite|pagina|paxina|sivu|side|sida|strana|stranka|strona|oldal"
    r"|sayfa|halaman|trang|stranica|puslapis|lapa|leht)"
)
# The name of an error page, without its extension and with `-` for `_` and spaces.
_ERROR_NAME = re.compile(
    rf"(?:{_PAGE_WORD}-?)?(?:is-)?not-?found(?:-?(?:404|error|page))?|{_PAGE_WORD}-?(?:404|missing|gone|error"
    rf"|unavailable|removed|expired|deleted)|(?:http-?)?(?:error|err|errors?|fehler|erreur|errore|erro"
    r"|fout|feil|fejl|fel|virhe|chyba|blad|hiba|eroare|oshibka|hata|greska|napaka|viga|klaida|kluda)"
    r"-?(?:page|seite|code|doc|document|handler|view)?-?(?:404|410|\d{3})?|(?:page-?)?404-?(?:error"
    r"|page|not-?found|fehler|erreur|redirect|html?|custom|handler|en|de|fr|es)?|custom-?404|my-?404"
    r"|(?:seite-?)?nicht-?gefunden|(?:page-?)?(?:introuvable|non-trouvee?)|(?:pagina-?)?(?:no"
    r"|non|nao)-(?:encontrad[oa]|trovat[oa]|atopada|trobada)|(?:pagina-?)?niet-gevonden"
    r"|(?:sidan-?)?hittades-inte|(?:siden?-?)?(?:ikke-(?:fundet|funnet)|blev-ikke-fundet|ble-ikke"
    r"-funnet)|(?:sivua-?)?ei-loy\w+|(?:strona-)?nie-znalezion[oa](?:-strony)?|(?:strana|stranka)-?ne-?nalezena"
    r"|nenalezen[oa]|nem-talalhato|(?:sayfa-?)?bulunamadi|(?:halaman-?)?tidak-ditemukan"
    r"|khong-tim-thay|ne-?naiden[oa]?|ne-?naydeno|pagenotfound|filenotfound|no-such-page|invalid-"
    r"(?:url|link|page|request)|(?:page-)?no-longer-available|(?:page|content|item)-?(?:not-|un)"
    r"available|suspendedpage|account-?suspended|site-?suspended|dead-?link|broken-?link|oops"
    r"|missing-page|gone|unavailable|sorry|http-?404"
    rf"|(?:{_PAGE_WORD}-?)?(?:removed|deleted|missing)(?:-?{_PAGE_WORD})?|(?:image|photo|video|file)-?(?:deleted|removed|missing|not-?available)"
)
# Names that are also ordinary words: without an extension, they count only in _ERROR_FOLDERS.
_PLAIN_ERROR_NAME = re.compile(
    r"\d+|error|errors?|err|gone|oops|erro|fel|hata|blad|fout|viga|feil|unavailable|sorry"
    r"|removed|deleted|missing"
)
_ERROR_FOLDERS = frozenset(
    "error errors err system sys static public common content pages page site sites misc info cms"
    " status http shared custom customerrors exceptions exception error-pages errorpages cgi-sys app web home util".split()
)
_ERROR_PARAMETER = re.compile(
    r"(?:http)?_?(?:error|err|e|status|statuscode|code)_?(?:code|page|id)?"
)
_PAGE_PARAMETER = re.compile(r"page|view|p|pg|site|section|action|do|task|content|route|q|id|show")
_ERROR_VALUE = re.compile(
    r"404|410|(?:page|file|item)?[-_]?not[-_]?found|error[-_]?404|404[-_]?error"
)
# Parameters, or their values, with which sites redirect readers of an expired advert.
_EXPIRY_WORDS = re.compile(
    r"(?:is|the)?[-_]?(?:ad|advert|listing|item|product|job|vacancy|offer|post|thread|topic|article|page"
    r"|anzeige|inserat|artikel|produkt|stelle|angebot|seite|annonce|offre|produit|anuncio|oferta"
    r"|producto|vaga|produto|annuncio|prodotto|offerta|advertentie|vacature|ogloszenie|ilan)[-_]?"
    r"(?:is|was|has[-_]?been)?[-_]?(?:deleted|removed|expired|ended|gone|unavailable|inactive|notfound"
    r"|not[-_]found|no[-_]?longer[-_]?available|abgelaufen|geloescht|beendet|entfernt|supprimee?"
    r"|nicht[-_]?gefunden|expiree?|introuvable|caducad[oa]|eliminad[oa]|expirad[oa]|encerrad[oa]|scadut[oa]|rimoss[oa]"
    r"|verlopen|verwijderd|wygaslo|usuniete)"
)
_NOTICE_PARAMETER = re.compile(r"error|err|reason|msg|message|status|notice|alert|info|code|hint")
_TRUE_VALUES = frozenset({"", "1", "true", "yes", "y", "t"})
# Whole words in URLs of pages about errors, or about parked and new sites.
_ERROR_WORDS = re.compile(
    r"(?<![^\W_])(?:(?:http|error|err|status|code|page)?(?:404|410)s?(?:error|page)?(?!-\d)"
    r"|errors?(?![-_ +](?!pages?\b|codes?\b|messages?\b|handling\b|documents?\b|\d)[^\W\d_])|fehler"
    r"|erreurs?|errore|oshibka|(?:page|file|url)?not[-_ +]?found|introuvable|gefunden)(?![^\W_])"
)
_PARKING_WORDS = re.compile(
    r"(?<![^\W_])(?:parking|parked|domain(?:[-_ +]?name)?s?|suspen(?:ded?|sions?|d)|for[-_ +]?sale"
    r"|coming[-_ +]?soon|(?:web)?hosting|nginx|apache2?|caddy|litespeed|tomcat|install)(?![^\W_])"
)
# Whole words in the URL of a search, and the parameters of a search.
_SEARCH_WORDS = re.compile(
    r"(?<![^\W_])(?:(?:re)?search(?:results?)?|suchen?|recherche|busca(?:r|dor)?|busqueda|ricerca|cerca|zoeken"
    r"|szukaj|hledat|hladat|kereses|cautare|poisk|arama|ara|find|results?|query|browse|tags?|filter)(?![^\W_])"
)
_SEARCH_PARAMETER = re.compile(r"q|s|query|search|keywords?|term|text|wd|k|words?|filter|tags?")

_LOGIN_NAMES = frozenset(
    "login log-in signin sign-in logon log-on sso saml saml2 anmelden anmeldung einloggen connexion"
    " se-connecter identification authentification iniciar-sesion iniciarsesion acceder ingresar"
    " entrar iniciar-sessao accedi accesso inloggen aanmelden logga-in logg-inn log-ind kirjaudu"
    " loginuserpass logowanie zaloguj zaloguj-sie prihlaseni prihlasit bejelentkezes autentificare oturum-ac giris"
    " prijava vhod voiti authenticate authentication authorize wp-login userlogin user-login"
    " loginform login-form member-login members-login memberlogin loginpage login-page dologin"
    " account-login customer-login idp openid-connect".split()
)
# Folders of login pages.
_LOGIN_FOLDERS = frozenset(
    "account accounts auth user users member members membership my customer customers session"
    " sessions admin portal secure security mon-compte mein-konto konto kundenkonto cuenta mi-cuenta"
    " minha-conta compte profile core module simplesaml shibboleth.sso cas common community"
    " forum shop library site web app apps public servlet system layouts 15 v1 v2 v3 v2.0 v1.0 page"
    " pages p home index identifier saml redirect post idp realms protocol auth0 u default".split()
)
_RETURN_PARAMETER = re.compile(
    r"next|return\w*|redirect\w*|redir|destination|dest|continue|service|callback\w*|target|goto"
    r"|from|ziel|back\w*|referer|referrer|ref|r|execution|client_id|samlrequest|relaystate|url|uri"
    r"|requested_?url|source|origin|forward|successurl|fromurl|wtrealm|wctx"
)
_NON_LOGIN_NAMES = frozenset(
    "help support about privacy terms signup sign-up register registration join create".split()
)
_LOGIN_HOST = re.compile(
    r"(?:login|signin|sign-in|sso|auth|idp|adfs|cas|shibboleth|accounts|logon|identity|secure-login"
    r"|login-\w++|oauth|websso|weblogin|signon|iam|keycloak|aai|openathens)\d*+\."
)
_MARKETPLACES = frozenset(
    "hugedomains afternic sedo sedoparking dan undeveloped buydomains bodis parkingcrew above"
    " uniregistry domainmarket brandbucket namebright efty squadhelp atom domainnamesales"
    " parklogic voodoo skenzo fabulous domainagents flippa sav dynadot spaceship saw domaineasy"
    " domains-for-sale domainlore ename epik perfectdomain nameshift dnparking cashparking"
    " smartname parked trafficz namedrive domainsponsor mydomaincontact expiereddomains"
    " suspended-website suspended-domain suspendeddomain domainparking parkingpage searchvity".split()
)
_PARKED_HOST = re.compile(r"ww\d{1,3}\.")
# Hosts to which registrars and hosting providers redirect visitors to a domain on hold.
_HELD_HOST = re.compile(
    r"(?:(?:failed-)?whois-?verification|(?:e-?mail|contact)-?verification|(?:domain|site|account)-?suspended"
    r"|suspended-?(?:domain|site|page)|domain-?(?:expired|parking|on-?hold)|batit)[.-]"
)
_PARKED_PATH = re.compile(
    r"/(?:lander|forsale|domain-for-sale|domain_profile|domainprofile|buy-?domain|cgi-sys/suspendedpage|cgi-sys/defaultwebpage"
    r"|suspended\.page|(?:account|site|domain)-?suspended|domain-?expired|static/webblock|alww\.html|wp-admin/(?:install|setup-config)\.php)\b"
)
# First segments of the paths of redirectors.
_REDIRECTOR_SEGMENTS = frozenset(
    "go goto out outbound link links l r redirect redir away url click track t to jump exit visit"
    " s short sl ext external leave cgi-bin proxy openurl resolver doi handle hdl ark urn ct e ref"
    " ad ads adclick clk tr".split()
)
_MAX_KEY_LENGTH = 12  # characters of a possible key of a short link
_MIN_STEM, _MAX_ENDING = 4, 2  # letters of a word's stem; of the ending of its plural
# Endings that name a view of a page, not another page. The quantifiers are possessive: otherwise a
# long number could be split in so many ways that a search would never end.
_VIEWS = re.compile(
    r"(?:index|default|home|(?:comments?+-)?+(?:page|seite|pagina|strana|sida|side|sivu|trang)[-/]?+\d++"
    r"|p?+\d++|amp|print|feed|rss|comments?+|reviews?+|photos?+|gallery|view|show|details?+|overview"
    r"|info|full|all|edit|about|summary|abstract|main|start|latest|newest|new|last|unread|replies"
    r"|share|embed|trackback|mobile|pdf|/)++"
)
_KEY_PARAMETER = re.compile(
    r"(?:\w*id|article|artikel|item|node|p|product|story|doc|nr|no|num|key|page|news)"
)


def leads_to_error_page(*, asked: str, url: str) -> str | None:
    """Return the mark if redirects led to an error page."""
    end = urlsplit(url)
    if mentions_errors(asked):
        return None
    names = path_segments(end.path)
    name = _MEDIA.sub("", names[-1]) if names else ""
    if _ERROR_NAME.fullmatch(name):
        rest = {step for step in names[:-1] if not _LANGUAGE.fullmatch(step)}
        has_extension = _EXTENSION.search(end.path.lower()) is not None and name != "gone"
        is_plain = _PLAIN_ERROR_NAME.fullmatch(name) is not None
        if rest <= _ERROR_FOLDERS or has_extension or not is_plain:
            return f"redirected to an error page: {end.path}"
    if end.fragment.startswith(("/", "!")):
        names = path_segments(end.fragment.lstrip("!"))
        if len(names) == 1 and _ERROR_NAME.fullmatch(names[0]):
            return f"redirected to an error page: #{end.fragment}"
    if _query_names_error(end) and not _says_expired(urlsplit(asked).query.lower()):
        return f"redirected to an error page: {end.path}?{end.query}"
    return None


def _query_names_error(url: SplitResult) -> bool:
    query = url.query.lower()
    if query.startswith(("404;", "404&")) or query == "404" or "aspxerrorpath=" in query:
        return True
    is_home = _is_home_path(url.path)
    if _says_expired(query):
        return True
    return any(
        _ERROR_VALUE.fullmatch(value)
        and (_ERROR_PARAMETER.fullmatch(name) or (is_home and _PAGE_PARAMETER.fullmatch(name)))
        for name, value in parse_qsl(query[:2048])
    )


def _says_expired(query: str) -> bool:
    """Return whether a query says that the requested page has expired: `adDeleted=true`."""
    return any(
        (_EXPIRY_WORDS.fullmatch(name) and value in _TRUE_VALUES)
        or (_NOTICE_PARAMETER.fullmatch(name) and _EXPIRY_WORDS.fullmatch(value))
        for name, value in parse_qsl(query[:2048], keep_blank_values=True)
    )


def leads_home(*, asked: str, url: str) -> str | None:
    """Return the mark if a deep URL was redirected to a home page or to one of its parent folders."""
    start, end = urlsplit(asked), urlsplit(url)
    if _is_home_page(start) or (end.fragment and names_a_page(end.fragment, asked=asked)):
        return None
    same_site = registrable_domain(start.hostname) == registrable_domain(end.hostname)
    if _is_home_page(end) and (same_site or not _may_be_redirector(start)):
        return "redirected to the home page"
    if same_site and _is_above(start, end):
        return "redirected to the parent folder"
    return None


def names_a_page(fragment: str, *, asked: str) -> bool:
    """Return whether a fragment names a page of an application, which a script in the browser shows,
    or the requested page, which is now a section.
    """
    name = path_segments(urlsplit(asked).path)[-1:]
    return _is_route(fragment) or path_segments(fragment) == name


def is_home_page(url: str) -> bool:
    """Return whether a URL is that of a home page, in any language."""
    return _is_home_page(urlsplit(url))


def _is_home_page(url: SplitResult) -> bool:
    return _is_home_path(url.path) and _selects_no_page(url.query)


def _is_route(fragment: str) -> bool:
    """Return whether a fragment names a page of a single-page application: `#/record/77`."""
    if "/" not in fragment and not fragment.startswith("!"):
        return False
    names = path_segments(fragment.lstrip("!"))
    return not all(name in _HOME_NAMES or _ERROR_NAME.fullmatch(name) for name in names)


def _is_home_path(path: str) -> bool:
    return all(name in _HOME_NAMES or _LANGUAGE.fullmatch(name) for name in path_segments(path))


def _selects_no_page(query: str) -> bool:
    parts = [part for part in query[:2048].lower().split("&") if part]
    return all(
        _IRRELEVANT_PARAMETER.fullmatch(part.partition("=")[0]) or _FIRST_PAGE.fullmatch(part)
        for part in parts
    )


def _may_be_redirector(url: SplitResult) -> bool:
    """Return whether a URL, such as a short link, may exist only to redirect."""
    names = path_segments(url.path)
    if len(names) <= 1 and not _EXTENSION.search(url.path.lower()):
        return len("".join(names)) <= _MAX_KEY_LENGTH and "-" not in "".join(names)
    query = url.query.lower()
    has_url = any(part in query for part in ("http%3a", "https%3a", "=http", "=www."))
    return names[0] in _REDIRECTOR_SEGMENTS or has_url or "http" in url.path.lower()


def _is_above(start: SplitResult, end: SplitResult) -> bool:
    """Return whether `end` is a folder above `start`, not another form of the same page."""
    inner, outer = path_segments(start.path), path_segments(end.path)
    while outer and _LANGUAGE.fullmatch(outer[0]) and inner[:1] != outer[:1]:
        outer = outer[1:]
    if end.query:
        return False
    if inner[: len(outer)] != outer:
        return len(outer) < len(inner) and _is_plural(outer, inner[: len(outer)])
    below = inner[len(outer) :]
    if not below:
        parts = [part for part in start.query[:2048].lower().split("&") if part]
        return any(
            _KEY_PARAMETER.fullmatch(part.partition("=")[0]) and not _FIRST_PAGE.fullmatch(part)
            for part in parts
        )
    return bool(outer) and not _VIEWS.fullmatch("/".join(below))


def _is_plural(outer: list[str], inner: list[str]) -> bool:
    """Return whether the last segments are a plural and its singular, and all others are equal."""
    singular, plural = inner[-1], outer[-1]
    stem = max(len(singular), len(plural)) - _MAX_ENDING
    return inner[:-1] == outer[:-1] and singular[:stem] == plural[:stem] and stem >= _MIN_STEM


def leads_to_search(*, asked: str, url: str) -> str | None:
    """Return the mark if redirects led to a search for words of the requested URL."""
    start, end = urlsplit(asked), urlsplit(url)
    if not is_search(url) or is_search(asked) or _may_be_redirector(start):
        return None
    old_letters = alphanumerics_of(unquote(start.path))
    for name, value in parse_qsl(end.query[:2048]):
        words = alphanumerics_of(value) if _SEARCH_PARAMETER.fullmatch(name.lower()) else ""
        if len(words) >= _MIN_STEM and words in old_letters:
            return f"redirected to a search page: {end.path}?{end.query}"
    return None


def leads_to_login(*, asked: str, url: str) -> str | None:
    """Return the mark if redirects led to a login page, unless one was requested."""
    start, end = urlsplit(asked), urlsplit(url)
    if is_login(asked):
        return None
    names = path_segments(end.path)
    host = (end.hostname or "").removeprefix("www.")
    is_other_host = host != (start.hostname or "").removeprefix("www.")
    if is_login(url) or (is_other_host and _LOGIN_HOST.match(host) and _names_no_other_page(names)):
        return f"redirected to a login page: {host}{end.path}"
    return None


def is_login(url: str) -> bool:
    """Return whether a URL is that of a login page.

    Its path has the name of a login page near its end. The other segments are folders of login
    pages or languages, or the query has a return URL.
    """
    parts = urlsplit(url)
    names = path_segments(parts.path)
    if names[-2:] in (["session", "new"], ["sessions", "new"]):
        return True
    if _LOGIN_NAMES.isdisjoint(names[-4:]):
        return False
    rest = (name for name in names if name not in _LOGIN_NAMES)
    keys = (part.partition("=")[0].lower() for part in parts.query[:2048].split("&"))
    return all(name in _LOGIN_FOLDERS or _LANGUAGE.fullmatch(name) for name in rest) or any(
        _RETURN_PARAMETER.fullmatch(key) for key in keys
    )


def _names_no_other_page(names: Collection[str]) -> bool:
    """Return whether a path on a login host names no other page, such as help."""
    return not any(name in _NON_LOGIN_NAMES for name in names)


def leads_to_market(*, asked: str, url: str) -> str | None:
    """Return the mark if redirects led to a URL where domains are sold or parked."""
    start, end = urlsplit(asked), urlsplit(url)
    host = end.hostname or ""
    name = registrable_domain(host).partition(".")[0]
    if host != start.hostname and registrable_domain(host) != registrable_domain(start.hostname):
        if name in _MARKETPLACES:
            return f"redirected to a domain marketplace: {host}"
        if _HELD_HOST.match(host):
            return f"redirected to a host for domains on hold: {host}"
    elif _PARKED_HOST.match(host) and not _PARKED_HOST.match(start.hostname or ""):
        return f"redirected to a host for parked domains: {host}"
    if _PARKED_PATH.search(end.path.lower()) and not _PARKED_PATH.search(start.path.lower()):
        return f"redirected to a page for parked domains: {end.path}"
    return None


def mentions_errors(url: str) -> bool:
    """Return whether a URL mentions errors, so that its page may be about errors."""
    return _ERROR_WORDS.search(_words_of(url)) is not None


def is_search(url: str) -> bool:
    """Return whether a URL is that of a search, whose page may show no results."""
    if _SEARCH_WORDS.search(_words_of(url)):
        return True
    parameters = url.partition("?")[2][:2048].lower().split("&")
    return any(_SEARCH_PARAMETER.fullmatch(each.partition("=")[0]) for each in parameters)


def mentions_parking(url: str) -> bool:
    """Return whether a URL mentions parked, closed or new sites."""
    return _PARKING_WORDS.search(_words_of(url)) is not None


def _words_of(url: str) -> str:
    """Return the path and query of a URL, folded."""
    return fold(unquote(url.partition("://")[2].partition("/")[2][:2048]))


def path_segments(path: str) -> list[str]:
    """Return the segments of a path: folded, without session and extension, with `-` for `_`."""
    text = fold(unquote(path[:2048])).replace("_", "-").replace(" ", "-").replace("+", "-")
    names = [_EXTENSION.sub("", name.partition(";")[0]) for name in text.split("/")]
    return [name.strip("-") for name in names if name.strip("-.")]
