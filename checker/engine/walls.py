"""Bot walls, which refuse us pages that people can see, and how to recognize them.

404 and 410 never come from a wall, but from the server behind it.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from urllib.parse import urlsplit

from checker.engine.charset import decode, unescape
from checker.engine.gone_words import fold
from checker.engine.page import FetchedPage
from checker.engine.refusal_words import CHALLENGE_KINDS, KINDS, QUEUE, SUPPORT_ID, find_words
from checker.engine.wall_products import NAME_BY_STATUS, WALLS, Wall
from foundation.net.inflate import inflate

# Statuses of walls. The others are not: 404, 410 and most 5xx concern the page, and 402, 407 and
# 451 have rows of their own.
_REFUSAL_STATUSES = {503, *range(400, 500)} - {402, 404, 407, 410, 451}
# 5xx that no standard or CDN uses: they are a firewall's own if their words are.
_REFUSAL_STATUSES |= {*range(512, 520), *range(531, 561), *range(562, 598)}
_UNUSUAL_STATUSES = frozenset({402, *range(500, 600)})  # some walls use them, too
# With these, a page that consists of scripts is a challenge, regardless of the scripts: Ruishu,
# Knownsec.
_CHALLENGE_STATUSES = frozenset({412, 521})


# Cloudflare's errors that refuse the client; its other errors say that there is no site.
_CLOUDFLARE_CODE = re.compile(r"\berror(?: code:)? (10(?:0[5-9]|1[0-2]|15|20)|1106)\b")
_CLOUDFLARE_PAGE = "cf-error-details"
_AKAMAI_REFERENCE = re.compile(r"\breference ?# ?\d{1,4}\.[0-9a-f]{1,40}\.\d{6,20}\.[0-9a-f]")
# Any error of Cloudflare. A refusal that shows a ray ID, but no such error, is a custom page of
# the firewall.
_ANY_CLOUDFLARE_CODE = re.compile(r"\berror(?: code:)? 1\d{3}\b")
_RAY = re.compile(r"\bray id\W{0,20}[0-9a-f]{16}\b")
_PLAIN_LETTERS = {"’": "'", "ʼ": "'", "`": "'", "ё": "е"}  # noqa: RUF001
# Words by which nginx, IIS and Apache ask for a client certificate.
_CERTIFICATE_REQUESTS = (
    b"no required ssl certificate was sent",
    b"the ssl certificate error",
    b"client certificate required",
    b"page requires a client certificate",
    b"cannot perform post-handshake authentication",
)
_TAG = re.compile(r"<[^<>]*>")
_TITLE = re.compile(r"<(title|h1|h2)\b[^<>]{0,300}>")
_MAX_HEADING = 300  # characters of a title or heading that are read
_MAX_HEADINGS = 50  # titles and headings of a page that are read
_MAX_REFUSAL = 40_000  # bytes of a refusal that are read
_MAX_UNTAGGED = 16_000  # characters of a refusal without its tags that are read
_MAX_TEXT = 1000  # characters of a challenge
_MAX_SHORT_TEXT = 400  # characters of a challenge that is recognized only by its words or a widget
_MIN_TEXT = 20  # characters; a challenge with words has more
_MIN_SOURCE = 20  # bytes of a challenge without its title
_MAX_URLS = 9  # URLs in a script that are read
_MAX_SENTENCE = 200  # characters of a response that only gives the reason
_MAX_SCRIPT_TEXT = 80  # characters of text on a page that is only a script
_MAX_NOSCRIPTS = 5  # noscript elements that are read
_MAX_LINKS = 60  # links of a challenge; menus have more
_MAX_FEW_LINKS = 12  # links of a challenge that is recognized by its words
# A captcha widget. Many pages have one in a form; on its own, it is a challenge.
_WIDGETS = (
    *("cf-turnstile", "turnstile.render", "altcha-widget", "frc-captcha", "g-recaptcha"),
    *("grecaptcha.render", "h-captcha", "hcaptcha.render", "mcaptcha", "cap-widget"),
    *("smart-captcha", "smartcaptcha.", "initgeetest", "arkoselabs.com", "funcaptcha"),
    *("procaptcha", "captchafox", "mtcaptcha", "private-captcha", "trustcaptcha"),
    *("tencentcaptcha", "tcaptcha.js", "aliyuncaptcha", "initnecaptcha", "vkcaptcha"),
    *("captcha-container", "captcha-element", "captcha.eu"),
)
_WIDGET_SIGNS = (b"captcha", b"turnstile", b"cap-widget", b"geetest", b"arkoselabs", b"altcha")
# Fields to fill in: if there are any, the captcha protects a form, and the page exists.
_FIELD = re.compile(r"<(?:input|textarea|select)\b[^<>]{0,400}")
_IGNORED_FIELD = re.compile(
    r"captcha|name=[\"']?(?:code|answer|verify|challenge|response)\b|type\s{0,3}=\s{0,3}[\"']?(?:hidden|submit|button|image|checkbox|reset|search)\b"
)
# A field for a proof of work that a script computes.
_PROOF_FIELD = re.compile(
    r"<input\b[^<>]{0,200}\bname\s{0,3}=\s{0,3}[\"']?(?:cha|challenge|sol|solution|proof|pow|nonce)[\"'\s/>]"
)
# The shell of an application that renders its page itself.
_SHELL = re.compile(
    r"\bid\s{0,3}=\s{0,3}[\"']?(?:root|app|__next|__nuxt|___gatsby|q-app|application)[\"' >]"
    r"|<app-root\b|data-size=[\"']?invisible"
)
# Words for the purpose of a form that a captcha protects.
_FORM_WORDS = re.compile(
    r"log ?in\b|sign ?in\b|log on\b|anmelde|einloggen|connexion|iniciar sesi|accedi\b|войти|вход\b"
    r"|登录|登入|ログイン|로그인|contact|kontakt|newsletter|download|subscribe|regist|comment"
)
_SETS_COOKIE = re.compile(r"document(?:\.cookie|\[[\"']cookie[\"']\])\s{0,9}=(?!=)|\bsetcookie\(")
_RELOADS = re.compile(
    r"http-equiv\s{0,3}=\s{0,3}[\"']?refresh[\"']?\s{1,3}content\s{0,3}=\s{0,3}[\"']?\d{1,2}[\"'\s>]"
    r"|location\.reload|history\.go\(0|location(?:\.href)?\s{0,9}=\s{0,9}(?:(?:window|document|self"
    r"|top)\.)?(?:location|document\.url)|location\.(?:replace|assign)\(\s{0,9}(?:(?:window|document"
    r"|self|top)\.)?(?:location|document\.url)"
)
_OPENS = re.compile(r"location(?:\.href)?\s{0,9}=(?!=)|location\.(?:replace|assign)\(|\.submit\(\)")
_OPENED_URL = re.compile(
    r"location(?:\.href\s{0,9}=|\s{0,9}=|\.replace\(|\.assign\()\s{0,9}[\"']([^\"'<>]{1,2000})[\"']"
)
# Tags of a page that consists of scripts.
_BARE_TAGS = frozenset("html head meta title body script noscript style base br center".split())  # noqa: SIM905
# Tags of a page that also says what its script does, and has no links, fields or pictures.
_TEXT_TAGS = _BARE_TAGS.union(
    *(("h1", "h2", "h3", "h4", "p", "div", "span", "section"), ("b", "strong", "i", "em", "main"))
)
_TAG_NAME = re.compile(r"<([a-z][a-z0-9-]{0,30})")
# Segments of the paths to which walls redirect.
_WALL_SEGMENTS = frozenset(
    (
        *("crawlprevention", "captcha", "recaptcha", "hcaptcha", "showcaptcha", "validatecaptcha"),
        *("sgcaptcha", "captcha-challenge", "captchachallenge", "antispider", "anti-spider"),
        *("robotcheck", "robot-check", "botcheck", "bot-check", "botdetection", "bot-detection"),
        *("human-verification", "humanverification", "verify-human", "verifyhuman", "humancheck"),
        *("are-you-human", "areyouhuman", "are-you-a-robot", "notarobot", "not-a-robot"),
        *("distil_r_captcha", "cookieabsent", "cookie-absent", "_____tmd_____"),
        *("botwall", "bot-wall", "challengepage", "_incapsula_resource"),
        *("unusual-traffic", "human-check", "iamnotarobot"),
    )
)
_WALL_PATHS = ("/verify/traffic", "/verify/captcha")  # Shopee
_WALL_HOSTS = (
    *("validate.perfdrive.com", "geo.captcha-delivery.com", "wappass.baidu.com"),
    *("sec.douban.com", "captcha.", "passport.weibo.com"),
)


def find_walls(
    *,
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    url: str,
    page: FetchedPage | None,
) -> tuple[str, ...]:
    """Return the marks of bot walls in a response, each as `name: mark`.

    `headers` have names in lower case; `url` is the response's; `page` is the parsed body. The time
    that this takes is linear in the length of the body.
    """
    if status in (404, 410):
        return ()
    marks: list[str] = []
    if status in NAME_BY_STATUS:
        marks.append(f"{NAME_BY_STATUS[status]}: status {status}")
    elif status == 402:
        marks += _header_marks(status, headers)
    is_page = 200 <= status < 300
    if not (is_page or status in _REFUSAL_STATUSES or status in _UNUSUAL_STATUSES or marks):
        return ()
    source = inflate(body, encoding=headers.get("content-encoding", ""))
    if is_page:
        return (*_header_marks(status, headers), *_challenge_marks(source, headers, url, page))
    text = _plain_source(source[:_MAX_REFUSAL], headers.get("content-type", ""))
    if status not in _REFUSAL_STATUSES:
        marks += _any_status_marks(text, status, url)
        return tuple(dict.fromkeys(marks))
    untagged = " ".join(_TAG.sub(" ", text).split())[:_MAX_UNTAGGED]
    marks += _header_marks(status, headers)
    marks += _word_marks(text, untagged)
    marks += _markup_marks(text, WALLS)
    marks += _title_marks(_titles(text), WALLS)
    marks += _script_marks(text, status, url)
    if headers.get("server", "").lower().startswith("cloudflare"):
        marks += _ray_marks(untagged)
    marks += _client_phrases(status, text, untagged)
    return tuple(dict.fromkeys(marks))


def _client_phrases(status: int, text: str, untagged: str) -> Iterator[str]:
    """Yield a refusal's phrases about the client.

    Only the titles and short text of a 503 are read, because it often describes the server, too.
    """
    if status != 503:
        yield from find_words(_visible_words(text, untagged), KINDS)
        return
    yield from find_words(" · ".join(_titles(text)), KINDS)
    if len(untagged) <= _MAX_SENTENCE:
        yield from find_words(untagged, ("rate limit", "asker"))


def is_wall_title(title: str) -> bool:
    """Return whether a page's title, folded, is that of a wall, not of the page."""
    return _trim_title(title) in _FOLDED_TITLES


def are_only_words(marks: Iterable[str]) -> bool:
    """Return whether all these marks are words, which other refusals may also contain."""
    return all(mark.partition(":")[0] in KINDS and ": title " not in mark for mark in marks)


def leads_to_wall(*, asked: str, url: str) -> str | None:
    """Return the mark if redirects led to the URL of a wall; None if such a URL was requested."""
    end = urlsplit(url)
    host = end.hostname or ""
    segments = {segment.partition(".")[0] for segment in end.path[:2048].lower().split("/")}
    is_wall = host.startswith(_WALL_HOSTS) or end.path.startswith(_WALL_PATHS)
    if segments.isdisjoint(_WALL_SEGMENTS) and not is_wall:
        return None
    start = urlsplit(asked)
    asked_segments = {segment.partition(".")[0] for segment in start.path[:2048].lower().split("/")}
    if host == start.hostname and not asked_segments.isdisjoint(_WALL_SEGMENTS):
        return None
    return f"captcha: redirected to {host}{end.path}"


def find_certificate_request(*, status: int, headers: Mapping[str, str], body: bytes) -> str | None:
    """Return the words by which a server asks for a client certificate, or None."""
    if status not in (400, 401, 403, 496):
        return None
    text = inflate(body, encoding=headers.get("content-encoding", "")).lower()
    return next((words.decode() for words in _CERTIFICATE_REQUESTS if words in text), None)


def _header_marks(status: int, headers: Mapping[str, str]) -> Iterator[str]:
    for name, value, mark in _headers_with(status):
        if name in headers and headers[name].lower().startswith(value):
            yield mark


@functools.cache
def _headers_with(status: int) -> tuple[tuple[str, str, str], ...]:
    """Return the headers that are marks in a response with this status.

    Each is a name, the beginning of its value, and the mark.
    """
    rows = []
    for wall in WALLS:
        for header in wall.headers if status in wall.statuses else ():
            name, _, value = header.partition(": ")
            rows.append((name, value, f"{wall.name}: header {header}"))
    return tuple(rows)


def _word_marks(text: str, untagged: str) -> Iterator[str]:
    for wall in WALLS:
        for words in wall.words:
            if words in text:
                yield f"{wall.name}: {words}"
    code = _CLOUDFLARE_CODE.search(untagged)
    if code and (_CLOUDFLARE_PAGE in text or text.startswith("error code:")):
        yield f"cloudflare: error {code[1]}"
    if reference := _AKAMAI_REFERENCE.search(text):
        yield f"akamai: {reference[0]}"


def _markup_marks(text: str, walls: Iterable[Wall]) -> Iterator[str]:
    for wall in walls:
        for fragment in wall.markup:
            if fragment in text:
                yield f"{wall.name}: {fragment}"


def _title_marks(titles: Iterable[str], walls: Iterable[Wall]) -> Iterator[str]:
    titles = set(map(_trim_title, titles)) & _TITLES
    if not titles:
        return
    for wall in walls:
        for title in wall.titles:
            if title in titles:
                yield f"{wall.name}: title {title}"


_TITLES = {title for wall in WALLS for title in wall.titles}
_FOLDED_TITLES = {fold(title) for title in _TITLES}
_ANY_STATUS = tuple(wall for wall in WALLS if wall.any_status)


def _ray_marks(untagged: str) -> Iterator[str]:
    """Yield the ray ID of a refusal by Cloudflare itself, unless it concerns the site."""
    if _ANY_CLOUDFLARE_CODE.search(untagged) and not _CLOUDFLARE_CODE.search(untagged):
        return
    if ray := _RAY.search(untagged):
        yield f"cloudflare: {ray[0]}"


def _any_status_marks(text: str, status: int, url: str) -> Iterator[str]:
    """Yield the marks that count with any status."""
    yield from _markup_marks(text, _ANY_STATUS)
    # A challenge with status 402 may come from any product.
    yield from _title_marks(_titles(text), WALLS if status == 402 else _ANY_STATUS)
    yield from _script_marks(text, status, url)


def _script_marks(text: str, status: int, url: str) -> Iterator[str]:
    """Yield the marks of a refusal that is only a script, which lets browsers in."""
    if "<script" not in text:
        return
    visible = _visible(text)
    if not visible:
        yield from _unquoted(text, visible, [(wall.name, wall.scripts) for wall in WALLS])
        if status in _CHALLENGE_STATUSES:
            yield "script: nothing but a script"
    if _only_sets_cookie(text, visible) and (_OPENS.search(text) or _RELOADS.search(text)):
        yield "script: sets a cookie and reloads"


def _challenge_marks(
    source: bytes, headers: Mapping[str, str], url: str, page: FetchedPage | None
) -> Iterator[str]:
    """Yield the marks of a challenge that a 2xx contains instead of the page.

    Cheap tests come first: hardly any page is a challenge.
    """
    content_type = headers.get("content-type", "html")
    if page is None or "html" not in content_type or page.has_more_prose_than(_MAX_TEXT):
        return
    lowered = source.lower()
    titles = list(_title_marks(_titles(_first_title(page)), WALLS))
    if len(source) <= _MIN_SOURCE:
        yield from titles
        return
    links, size = lowered.count(b"<a "), len(_visible(lowered.decode("latin-1")))
    if links > _MAX_LINKS or size > _MAX_TEXT:
        return
    has_markup = any(fragment in lowered for fragment in _MARKUP)
    has_widget = any(widget in lowered for widget in _WIDGET_SIGNS)
    is_script = size <= _MAX_SHORT_TEXT and b"<script" in lowered
    has_hidden = b"<form" in lowered and b"hidden" in lowered
    may_reload = is_script and (has_hidden or b"cookie" in lowered)
    may_explain = links <= _MAX_FEW_LINKS and _MIN_TEXT < size <= _MAX_SHORT_TEXT
    yield from _support_id_marks(lowered, size)
    if not (titles or has_markup or has_widget or may_reload or may_explain):
        return
    text = decode(source, content_type=content_type).lower()
    visible = _with_plain_letters(unescape(_visible(text)))
    yield from titles
    if has_markup:
        scripts = () if visible else [(wall.name, wall.scripts) for wall in WALLS]
        yield from _unquoted(
            text, visible, [*((wall.name, wall.markup) for wall in WALLS), *scripts]
        )
    if may_reload:
        yield from _reload_marks(text, visible, url)
    if has_widget or may_explain:
        yield from _words_or_widget(text, visible, has_widget=has_widget, is_short=may_explain)


# Quotations: a manual may quote challenges.
_QUOTED = re.compile(r"“[^“”]{1,200}”|„[^„“”]{1,200}[“”]|«[^«»]{1,200}»")


def _support_id_marks(lowered: bytes, size: int) -> Iterator[str]:
    """Yield the support ID that a page with little text shows to clients without scripts."""
    if size > _MAX_SHORT_TEXT:
        return
    for part in lowered.split(b"<noscript", _MAX_NOSCRIPTS)[1:]:
        words = part[:_MAX_HEADING].partition(b"</noscript")[0].decode("utf-8", "replace")
        if number := SUPPORT_ID.search(words):
            yield f"f5: {number[0]}"


def _reload_marks(text: str, visible: str, url: str) -> Iterator[str]:
    """Yield the marks of a page that consists of a script that reloads it."""
    if _reloads_itself(text, visible, url):
        yield "script: sets a cookie and reloads"
    if _submits_proof_of_work(text, visible):
        yield "captcha: proof of work"


def _words_or_widget(text: str, visible: str, *, has_widget: bool, is_short: bool) -> Iterator[str]:
    """Yield the words or the widget of a challenge on a page that has nothing else."""
    phrases: tuple[str, ...] = ()
    if is_short:
        titles = " · ".join(_titles(text))  # the text of API documentation may have such words
        phrases = (
            *find_words(_QUOTED.sub(" ", visible), CHALLENGE_KINDS),
            *find_words(titles, ("rate limit", "location", "asker")),
        )
    if _has_fields(text):
        return
    yield from phrases
    if is_short and (queue := QUEUE.search(visible)):
        yield f"waiting room: {queue[0]}"
    if not has_widget or _SHELL.search(text) or _FORM_WORDS.search(visible):
        return
    if phrases or len(visible) <= _MAX_SHORT_TEXT:
        found = (widget for widget in _WIDGETS if widget in text and widget not in visible)
        yield from islice((f"captcha: {widget}" for widget in found), 1)


def _unquoted(text: str, visible: str, marks: Iterable[tuple[str, Iterable[str]]]) -> Iterator[str]:
    """Yield the marks in a page's source, except those that its text quotes."""
    for name, sources in marks:
        for source in sources:
            if source in text and source not in visible:
                yield f"{name}: {source}"


def _first_title(page: FetchedPage) -> str:
    """Return the source of the first title, even of a hidden one; empty if there is none."""
    start = page.source.find("<title")
    if start < 0:
        return ""
    title = page.source[start : start + 2 * _MAX_HEADING].partition("</title")[0]
    return _with_plain_letters(unescape(title).lower())


def _plain_source(page: bytes, content_type: str) -> str:
    """Return a page's source in lower case, with entities decoded and straight apostrophes."""
    return _with_plain_letters(unescape(decode(page, content_type=content_type)).lower())


def _with_plain_letters(text: str) -> str:
    """Return text with plain letters; faster than `translate` if it already has only those."""
    for letter, plain in _PLAIN_LETTERS.items():
        text = text.replace(letter, plain)
    return text


_MARKUP = tuple(fragment.encode() for wall in WALLS for fragment in (*wall.markup, *wall.scripts))


def _has_fields(text: str) -> bool:
    """Return whether there are fields for people, other than for a captcha or a search."""
    return any(not _IGNORED_FIELD.search(field[0]) for field in _FIELD.finditer(text))


def _only_sets_cookie(text: str, visible: str) -> bool:
    """Return whether a page is just a script that sets a cookie, with hardly any words or links."""
    tags = _BARE_TAGS if len(visible) <= _MAX_SCRIPT_TEXT else _TEXT_TAGS
    return (
        len(visible) <= _MAX_SHORT_TEXT
        and _SETS_COOKIE.search(text) is not None
        and tags.issuperset(_TAG_NAME.findall(_without_scripts(text)))
    )


def _submits_proof_of_work(text: str, visible: str) -> bool:
    """Return whether a page is a form that a script fills with a proof of work and submits."""
    if len(visible) > _MAX_SCRIPT_TEXT or _has_fields(text):
        return False
    return len(_PROOF_FIELD.findall(text)) > 1


def _reloads_itself(text: str, visible: str, url: str) -> bool:
    """Return whether a page is just a script that sets a cookie and reloads the same URL."""
    if not _only_sets_cookie(text, visible):
        return False
    if _RELOADS.search(text):
        return True
    urls = (match[1].partition("?")[0] for match in islice(_OPENED_URL.finditer(text), _MAX_URLS))
    here = url.lower().partition("?")[0]
    path = f"/{here.partition('://')[2].partition('/')[2]}"
    return any(opened in ("", here, path) for opened in urls)


def _titles(text: str) -> list[str]:
    """Return the words of each title and of each heading of the first two levels."""
    titles = []
    for opening in islice(_TITLE.finditer(text), _MAX_HEADINGS):
        words = text[opening.end() : opening.end() + _MAX_HEADING].partition(f"</{opening[1]}")[0]
        titles.append(" ".join(_TAG.sub(" ", words).split()))
    return titles


def _trim_title(title: str) -> str:
    return title.strip(" .…!·")


def _visible_words(text: str, untagged: str) -> str:
    """Return the visible words of a refusal; also those of scripts if there are few others."""
    shown = _without(text[: 2 * _MAX_UNTAGGED], "script", "style", "!--")
    words = " ".join(_TAG.sub(" ", shown).split())
    return words if len(words) > _MAX_SCRIPT_TEXT else untagged


def _without(page: str, *tags: str) -> str:
    """Return a page, which is in lower case, without these elements."""
    for tag in tags:
        first, *others = page.split(f"<{tag}")
        closing = "--" if tag == "!--" else f"</{tag}"
        page = first + "".join(part.partition(closing)[2].partition(">")[2] for part in others)
    return page


def _without_scripts(page: str) -> str:
    """Return a page, which is in lower case, without scripts, styles and noscript elements."""
    return _without(page, "script", "style", "noscript")


def _visible(page: str) -> str:
    """Return the visible text of a page, which is in lower case."""
    return " ".join(_TAG.sub(" ", _without_scripts(page)).split())
