"""Sites that are closed: a host answers that nobody has a site at this address any more.

Such answers are refusals (400, 402, 403, 409 …) which come for each page and the root, as those of
bot walls do. A mark must be the host's own template, which no page of a living site has, nor a
wall's; the same host often has a wall's template that differs in one sentence. 404 and 410 say
enough themselves. Sources: the hosts' documentation, and their pages.
"""

# ruff: noqa: E501, RUF001 (words of many languages; a line for what belongs together)
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from checker.engine.charset import decode, unescape
from checker.engine.gone import find_parking
from checker.engine.gone_words import compiled, fold
from checker.engine.inflate import as_text
from checker.engine.page import Page

# Refusals and errors but those that say enough, or are said of the asker.
_STATUSES = {*range(400, 600)} - {401, 404, 407, 410, 429, 451, 511}
_READ = 16_000  # bytes of an answer that are read
_LITTLE_TEXT = 1500  # characters that a host's own page has at most
_ANY = frozenset(_STATUSES)


@dataclass(frozen=True, slots=True)
class Host:
    """A host, or a kind of them, that says of a site that it is closed. One mark suffices.

    All in lower case. A header is a name, or "name: " and how its value begins. Words are looked
    for in the text of the answer: entities decoded, a blank for each tag and run of blanks.
    """

    name: str
    words: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    statuses: frozenset[int] = _ANY  # with which the headers say so


HOSTS = (
    Host(
        "iis",
        words=(
            "bad request - invalid hostname",
            "bad request (invalid hostname)",
            "http error 400. the request hostname is invalid",
        ),
    ),
    Host(
        "azure",
        words=(
            "this web app is stopped",
            "this web site is stopped",
            "you have attempted to reach is currently stopped",
            "find your azure front door service configuration",
        ),
        headers=("x-ms-error-code: accountisdisabled",),
    ),
    # "Request blocked." and "… to block access from your country" in these places are walls.
    Host(
        "cloudfront",
        words=(
            "403 error the request could not be satisfied. bad request.",
            "the distribution is not configured to allow the http request",
            "the distribution does not match the certificate for which",
        ),
    ),
    Host("akamai", words=('the requested url "[no url]", is invalid',)),
    Host("fastly", words=("fastly error: unknown domain",)),
    Host("bunny", words=("domain suspended or not configured",)),
    Host("sucuri", words=("sucuri website firewall - not configured",)),
    Host("alibaba", headers=("x-tengine-error: non-existent domain",)),
    Host("edgeone", headers=("eo-log-uuid",), statuses=frozenset({418})),
    # An http: address of what speaks TLS alone.
    Host(
        "https only",
        words=(
            "the plain http request was sent to https port",
            "you're speaking plain http to an ssl-enabled server port",
            "client sent an http request to an https server",
            "this combination of host and port requires tls",
        ),
    ),
    Host(
        "vercel",
        words=("402: payment_required", "this deployment is temporarily paused"),
        headers=(
            "x-vercel-error: deployment_disabled",
            "x-vercel-error: deployment_blocked",
            "x-vercel-error: deployment_paused",
            "x-vercel-error: payment_required",
            "x-vercel-error: dns_hostname_",
        ),
    ),
    Host(
        "shopify",
        words=(
            "sorry, this shop is currently unavailable",
            "sorry, this store is currently unavailable",
        ),
    ),
    Host(
        "shopify",
        headers=("powered-by: shopify", "x-shopid", "x-shopify-stage"),
        statuses=frozenset({402}),
    ),
    Host(
        "render",
        words=("this service has been suspended by its owner",),
        headers=("x-render-routing: suspend",),
    ),
    Host("netlify", words=("this site was paused as it reached its usage limits",)),
    Host("firebase", words=("firebase projects that are on the no-cost spark",)),
    Host("squarespace", words=("squarespace - website expired",)),
    Host("wp engine", words=("successfully pointed at wp engine, but is not configured",)),
    Host("nextcloud", words=("access through untrusted domain",)),
    Host(
        "development server",
        words=(
            "invalid host header",
            "server.allowedhosts` in vite.config",
            "blocked host: ",
            "blocked hosts: ",
        ),
    ),
    Host(
        "unlicensed in china",
        words=(
            "non-compliance icp filing",
            "aliyun.com/beian",
            "batit.aliyun.com/alww",
            "qcloud.com/static/webblock",
        ),
    ),
)
_HEADERS = tuple(
    (host, header.partition(": ")[0], header.partition(": ")[2])
    for host in HOSTS
    for header in host.headers
)
_TAG = re.compile(r"<[^<>]*>")
_WORDS = tuple((host, words) for host in HOSTS for words in host.words)
# Errors by which Cloudflare has no site to ask; its others are its walls', or pass.
_CLOUDFLARE_CODE = re.compile(r"\berror(?: code)?:? (10(?:0[0-4]|13|14|16|18|23))\b")
_CLOUDFLARE_PAGE = "cf-error-details"
# Of S3 and what speaks as it does. AccessDenied is a page's, or the asker's.
_STORAGE_CODE = re.compile(
    r"(?:<code>|errorcode: ?)(accountisdisabled|accountdisabled|accountproblem|accountsuspended|allaccessdisabled"
    r"|inarrearorinsufficientbalance|userdisable|userprojectaccountproblem"
    r"|usersuspended)\b|(billing account for the owning project is disabled)"
)
# "Not registered for a licence", of the site. Chinese has no blanks between words.
_UNLICENSED = re.compile(
    r"(?:未|没有|尚无)[\u4e00-\u9fff《》]{0,30}(?: ?icp ?)?备案|备案[\u4e00-\u9fff]{0,6}(?:注销|失效|取消)"
    r"|\b(?:no|not|without|missing|invalid) [a-z ]{0,40}\bicp (?:filing|record|licen[cs]e|registration|beian)"
    r"|\bicp (?:filing|record|licen[cs]e|registration) (?:is |was |has been )?(?:not|required|missing|expired|cancell?ed|revoked)"
)
# Of a site as a whole; no wall and no filter says so of anything.
_SUSPENDED = re.compile(
    r"(?:this )?(?:account|web ?site|site|domain|hosting(?: account)?) (?:has been |is |was )?suspended\W{0,3}"
)
# Who speaks on a page that says "suspended": the host to the site's owner.
_TO_THE_OWNER = compiled(
    fold(
        r"hosting|hoster\b|service provider|web ?host\b|(?:site|website|domain|account|shop|store|blog) owner"
        r"|owner of (?:the|this)|by its owner|if you own (?:this|the)|if you(?:'re| are) the (?:owner|web ?master)|control panel|cpanel"
        r"|non-?payment|unpaid|overdue|outstanding (?:balance|invoice)|billing|renew|terms of service"
        r"|registrar|document ?root|test page|default page|proper operation"
        # German, Dutch, Scandinavian
        r"|hosting-?anbieter|provider|inhaber|betreiber dieser|seitenbetreiber|kundencenter"
        r"|kundenmenu|zahlung|eigenaar|beheerder van|betaling|klantenpaneel|agaren av|kundpanel|ejeren af"
        r"|webhotel|sivuston omistaja"
        # Romance
        r"|hebergement|hebergeur|proprietaire|espace client|impaye|facture|reglement|alojamiento"
        r"|proprietario|propietario|titular d|titolare|factura|fattura|pago|impago|pagamento|fatura"
        r"|hospedagem|alojamento|painel|proveedor|provedor|fornitore|gazduire|proprietarul"
        # Slavic, Hungarian, Greek, Turkish
        r"|właścici|wlascici|opłac|oplac|płatnoś|panelu klienta|zapłac|majitel|poskytovatel|nezaplacen"
        r"|tulajdonos|szolgaltato|хостинг|владел|власник|провайдер|оплат|оплач|баланс|задолженност"
        r"|панел\w+ управления|φιλοξενια|ιδιοκτητ|barındırma|barindirma|odeme|sahibi"
        # Asia, Arabic
        r"|空间|主机|欠费|续费|站长|被管理员停止|服务商|空間|主機|欠費|契約|料金|サーハー|レンタル"
        rf"|オーナー|{fold('호스팅')}|{fold('연장')}|{fold('미납')}|luu tru|nha cung cap"
        r"|gia han|penyedia|pemilik|tagihan|perpanjang|استضافة|مالك|الدفع|میزبان|هاست|אחסון|בעל האתר"
    )
)
# A filter of a network, or a wall, speaks to the asker.
_TO_THE_ASKER = compiled(
    r"your (?:ip|country|region|location|network|browser|request|access|organi[sz]ation|employer"
    r"|school|administrator|isp)\b|network administrator|it department|access policy|firewall"
    r"|your (?!hosting)(?:\w{1,12} )?(?:account|trial|membership|sign)|private|permission|not published"
    r"|\b(?:access (?:to|has|is|was|denied)|denied|security|country|region)\b|filter|categor|parental|court order|malware|phishing|captcha|robot"
)


def find_closed(*, status: int, headers: Mapping[str, str], body: bytes) -> str | None:
    """Return the mark by which a host says that a site is closed, as `host: mark`, or None.

    `headers` are by name in lower case.
    """
    if status not in _STATUSES:
        return None
    mark = next(_in_headers(status, headers), None)
    if mark is not None or not body:
        return mark
    page = as_text(body, encoding=headers.get("content-encoding", ""))[:_READ]
    text = unescape(decode(page, content_type=headers.get("content-type", ""))).lower()
    return next(_in_text(text), None)


def _in_headers(status: int, headers: Mapping[str, str]) -> Iterator[str]:
    for host, name, value in _HEADERS:
        if status not in host.statuses or name not in headers:
            continue
        if headers[name].lower().startswith(value):
            yield f"{host.name}: header {name}: {headers[name]}"


def _in_text(text: str) -> Iterator[str]:
    seen = " ".join(_TAG.sub(" ", text).split()).replace("’", "'")
    for host, words in _WORDS:
        if words in seen or words in text:
            yield f"{host.name}: {words}"
    code = _CLOUDFLARE_CODE.search(seen)
    if code and (_CLOUDFLARE_PAGE in text or seen.startswith("error code:")):
        yield f"cloudflare: error {code[1]}"
    if found := _STORAGE_CODE.search(text):
        yield f"storage: {found[1] or found[2]}"
    if len(seen) <= _LITTLE_TEXT and (unlicensed := _UNLICENSED.search(seen)):
        yield f"unlicensed in china: {unlicensed[0]}"


def find_suspension(page: Page, *, asked: str) -> str | None:
    """Return the words by which a refusal is a host's: the site is suspended, or is none yet.

    The page says so as a parked one does, and to the site's owner.
    """
    mark = find_parking(page, asked=asked)
    if mark is None or not mark.startswith(("title: ", "heading: ")):
        return None
    said = fold(f"{page.title} {page.text}")
    if len(page.text) > _LITTLE_TEXT or _TO_THE_ASKER.search(said):
        return None
    is_suspended = any(map(_SUSPENDED.fullmatch, (page.title, *page.headings)))
    return mark if is_suspended or _TO_THE_OWNER.search(said) else None
