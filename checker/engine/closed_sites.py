"""Detects closed sites: a hosting service responds that there is no longer a site at this address.

A port that responds that it expects HTTPS is detected in the same way, and has its own mark.

Such responses are refusals (400, 402, 403, 409 …) or server errors for every page and the root, like
those of bot walls. A mark must come from the service's own template, which neither a living site
nor a wall uses; the service's template for a wall often differs in one sentence. 404 and 410 need
no mark. Sources: the services' documentation, and their pages.
"""

# ruff: noqa: E501, RUF001 (words of many languages; long lines keep related words together)
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from checker.engine.charset import decode, unescape
from checker.engine.gone import find_parking
from checker.engine.gone_words import compile_folded, fold
from checker.engine.page import FetchedPage
from foundation.net.inflate import inflate

# Statuses of refusals and errors, except those that need no mark or concern the client.
_STATUSES = frozenset(range(400, 600)) - {401, 404, 407, 410, 429, 451, 511}
_MAX_READ = 16_000  # bytes of a response that are read
_MAX_TEXT = 1500  # characters of a hosting service's own page
EXPECTS_HTTPS = "https only"  # the mark of a port for TLS that received plain HTTP


@dataclass(frozen=True, slots=True)
class ClosedSiteHost:
    """A hosting service, or a kind of hosting service, whose pages say that a site is closed.

    One header or one of the `words` suffices; all are in lower case. A header is a name, or a name,
    ": " and the beginning of its value. Words are searched for in the response with its entities
    decoded, and in its text, where each tag and each run of white space is one space.
    """

    name: str
    words: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    statuses: frozenset[int] = _STATUSES  # statuses with which its headers count
    only_over_tls: bool = False  # its words count over TLS only


HOSTS = (
    ClosedSiteHost(
        "iis",
        words=(
            "bad request - invalid hostname",
            "bad request (invalid hostname)",
            "http error 400. the request hostname is invalid",
        ),
    ),
    ClosedSiteHost(
        "azure",
        words=(
            "this web app is stopped",
            "this web site is stopped",
            "you have attempted to reach is currently stopped",
            "find your azure front door service configuration",
        ),
        headers=("x-ms-error-code: accountisdisabled",),
    ),
    # With "Request blocked." or "… to block access from your country" instead, the page is a wall.
    ClosedSiteHost(
        "cloudfront",
        words=(
            "the distribution is not configured to allow the http request",
            "the distribution does not match the certificate for which",
        ),
    ),
    # A distribution that requires HTTPS also responds like this to plain HTTP.
    ClosedSiteHost(
        "cloudfront",
        words=("403 error the request could not be satisfied. bad request.",),
        only_over_tls=True,
    ),
    ClosedSiteHost("akamai", words=('the requested url "[no url]", is invalid',)),
    ClosedSiteHost("fastly", words=("fastly error: unknown domain",)),
    ClosedSiteHost("bunny", words=("domain suspended or not configured",)),
    ClosedSiteHost("sucuri", words=("sucuri website firewall - not configured",)),
    ClosedSiteHost("alibaba", headers=("x-tengine-error: non-existent domain",)),
    # This mark has its own row in the table of verdicts.
    ClosedSiteHost(
        EXPECTS_HTTPS,
        words=(
            "the plain http request was sent to https port",
            "you're speaking plain http to an ssl-enabled server port",
            "client sent an http request to an https server",
            "this combination of host and port requires tls",
        ),
    ),
    ClosedSiteHost(
        "vercel",
        words=("402: payment_required", "this deployment is temporarily paused"),
        headers=(
            "x-vercel-error: deployment_disabled",
            "x-vercel-error: deployment_blocked",
            "x-vercel-error: deployment_paused",
            "x-vercel-error: payment_required",
            "x-vercel-error: dns_hostname_not_found",
        ),
    ),
    ClosedSiteHost(
        "shopify",
        words=(
            "sorry, this shop is currently unavailable",
            "sorry, this store is currently unavailable",
            "this store is unavailable if you own this",
            "this shop is unavailable if you own this",
        ),
    ),
    ClosedSiteHost(
        "shopify",
        headers=("powered-by: shopify", "x-shopid", "x-shopify-stage"),
        statuses=frozenset({402}),
    ),
    ClosedSiteHost(
        "render",
        words=("this service has been suspended by its owner",),
        headers=("x-render-routing: suspend",),
    ),
    ClosedSiteHost(
        "netlify",
        words=(
            "this site was paused as it reached its usage limits",
            "this site's team has used up its credits",
        ),
    ),
    ClosedSiteHost("zeabur", words=("402: service_suspended",)),
    ClosedSiteHost(
        "odoo", words=("this database has been suspended the subscription has expired",)
    ),
    ClosedSiteHost(
        "pythonanywhere", words=("this website has been disabled due to inactivity of its owner",)
    ),
    ClosedSiteHost(
        "builder of applications",
        words=("this app has been deactivated if you are the owner, choose a plan",),
    ),
    ClosedSiteHost("tistory", words=("접근이 제한된 티스토리", "위반으로 이용이 제한된 블로그")),
    ClosedSiteHost("unpaid hosting", words=("послугу хостингу не сплачено",)),
    ClosedSiteHost("firebase", words=("firebase projects that are on the no-cost spark",)),
    ClosedSiteHost("squarespace", words=("squarespace - website expired",)),
    ClosedSiteHost(
        "wp engine", words=("successfully pointed at wp engine, but is not configured",)
    ),
    ClosedSiteHost("nextcloud", words=("access through untrusted domain",)),
    ClosedSiteHost(
        "development server",
        words=(
            "invalid host header",
            "server.allowedhosts` in vite.config",
        ),
    ),
    ClosedSiteHost(
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
# Cloudflare's errors for hosts without an origin; the rest are walls, or temporary.
_CLOUDFLARE_CODE = re.compile(r"\berror(?: code)?:? (10(?:0[0-4]|13|14|16|18|23))\b")
_CLOUDFLARE_PAGE = "cf-error-details"
# Parts of Rails' page for a host name that it does not allow, and the name on that page.
_RAILS = ("action controller: exception caught", "<h1>blocked host", "config.hosts <<")
_BLOCKED_HOST = re.compile(r"\bblocked hosts?: ([a-z0-9.-]{1,253})")
# S3 and compatible servers. AccessDenied concerns the page or the client.
_STORAGE_CODE = re.compile(
    r"(?:<code>|errorcode: ?)(accountarrears|accountisdisabled|accountdisabled|accountproblem|accountsuspended|allaccessdisabled"
    r"|inarrearorinsufficientbalance|userdisable|userprojectaccountproblem"
    r"|usersuspended)\b|(billing account for the owning project is disabled)"
)
# The site has no ICP licence. Chinese has no spaces between words. In a footer that forbids copying,
# similar words are followed by the number of the site's licence.
_UNLICENSED = re.compile(
    r"(?:未|没有|尚无)(?:按照?+[\u4e00-\u9fff]{0,8}《[\u4e00-\u9fff]{1,20}》)?+(?:按规定|经|成功)?+"
    r"(?:进行|办理|完成|取得|通过|履行)?+(?:网站|域名)?+ ?+(?:icp|工信部)?+ ?+(?:或未接入)?+备案(?! ?(?:号|编号|序号|信息))"
    r"|备案(?:号|信息)?+(?:已经?|被|已被)?(?:注销|失效|取消)"
    r"|\b(?:no|without|missing|invalid|(?:not|never) (?:completed|obtained|passed)) (?:(?:a|an|the|its|any|valid|required) ){0,2}+"
    r"icp (?:filing|record|licen[cs]e|registration|beian)\b(?!:? ?\d)"
    r"|\bicp (?:filing|record|licen[cs]e|registration) (?:is |was |has been )?(?:not (?:valid|found|filed|completed)|required|missing|expired|cancell?ed|revoked)"
)
_LICENSED = re.compile(r"icp(?:备|證|证|备案号[:：]?| licen[cs]e:?) ?\d")
# The whole text of a page that says only that the site is suspended.
_SUSPENDED = re.compile(
    r"\W{0,3}(?:(?:this )?(?:account|web ?site|site|domain|hosting(?: account)?) (?:has been |is |was )?suspended\W{0,3}){1,4}+"
)
# A title or heading that says that a site is suspended, expired or unpaid. English "blocked",
# "unavailable" and "not ready" are left out: they often concern the client, or only one day.
_STOPPED = compile_folded(
    fold(
        r"suspend|suspens|expired|non-?payment|unpaid|overdue|gesperrt|abgelaufen|opgeschort|verlopen|avstang|sparra[dt]|sparret"
        r"|stengt|lukket|suljettu|jaadytetty|lukittu|sospes|scadut|caducad|expirad|expirou|expire\b|expirat|impag|impaye"
        r"|obustavlj|deaktiviran|ugasen|onemogucen|ukinjen|zamrznjen|suspendov|суспендован|обустављен|peatatud|suletud|apturet|bloket|slegt|sustabdyt|uzblokuot|isjungt"
        r"|wygas|zawiesz|zablokowan|oplacon|opłacon|pozastav|expirova|felfuggeszt|lejart|askıya|suresi dol"
        r"|ανασταλ|ανεσταλ|αναστολ|απενεργοποιη|ληξει|εληξε|спрян|изтек|замразен|деактивиран|приостановлен|заблокирован|оплач|отключен|отключён|истек|призупинен"
        r"|暂停|暫停|停止|到期|过期|過期|已关闭|已關閉|欠费|欠費|凍結|失効|期限"
        rf"|{fold('만료')}|{fold('정지')}|{fold('중지')}|tam ngung|bi khoa|tam khoa|het han"
        r"|ditangguhkan|disuspend|k[ea]daluw?arsa|nonaktif|digantung|dibekukan|موقوف|معلق|منتهي|مسدود|تعلیق|منقضی|מושעה|הושעה|פג תוקף"
        r"|disabled|deactivated|frozen|deaktiviert|gekundigt|stillgelegt|abgeschaltet|resilie|desactive|bloque|deshabilitad|inhabilitad|vencid"
        r"|desativad|desabilitad|disabilitat|disattivat|bloccat|geblokkeerd|uitgeschakeld|gedeactiveerd|stopgezet|vyprsel|deaktivovan|zaustavljen"
        r"|letilt|вимкнен|остановлен|выключен|deactivat|durdurul|kapatıl|ايقاف|تعليق|تعطيل|נחסם|הושבת|אינו פעיל|निलंबित|निष्क्रिय"
        r"|ระงับ|หมดอาย|ปิดใช้งาน|停用|停机|停機|冻结"
    )
)
# On such a page, the hosting service addresses the site's owner.
_OWNER_WORDS = compile_folded(
    fold(
        r"hosting|hoster\b|web ?host\b|(?:site|website|domain|account|shop|store|blog) owner"
        r"|owner of (?:the|this)|by its owner|if you own (?:this|the)|if you(?:'re| are) the (?:owner|web ?master)|control panel|cpanel"
        r"|non-?payment|unpaid|overdue|outstanding (?:balance|invoice)|registrar"
        # The reason: the owner's actions, or long inaction.
        r"|inactivit|inactive (?:account|site)|(?:terms of (?:service|use)|acceptable use|usage) (?:policy )?violation|violat\w+ (?:of )?(?:our|the|its) (?:terms|acceptable|policies)"
        r"|verstoss|nutzungsbedingungen|inaktiv|compte inactif|inactivite|conditions (?:generales )?d'utilisation|condizioni d'uso|inattivit"
        r"|condiciones de uso|incumplimiento|inactividad|termos de (?:uso|servico)|inatividad|regulaminu|нарушени\w{1,3} (?:правил|условии)"
        # German, Dutch, Scandinavian
        r"|hosting-?anbieter|\binhaber|betreiber dieser (?:web)?(?:site|seite)|seitenbetreiber|kundencenter"
        r"|kundenmenu|zahlung|eigenaar|beheerder van|betaling|klantenpaneel|agaren av|utebliven betalning|ikke betalt|kundpanel|ejeren af"
        r"|webhotel|sivuston omistaja"
        # Romance
        r"|hebergement|hebergeur|proprietaire|espace client|impaye|facture|alojamiento"
        r"|proprietario|propietario|titular d|titolare|factura|fattura|pago|impago|pagamento|fatura"
        r"|hospedagem|alojamento|painel|proveedor|provedor|fornitore|gazduire|proprietarul"
        # Slavic, Hungarian, Greek, Turkish
        r"|właścici|wlascici|opłac|oplac|płatnoś|panelu klienta|zapłac|majitel|poskytovatel|nezaplacen"
        r"|vlasnik|vlasnic|lastnik|korisnick\w{1,3} (?:podrs|sluzb)|neplacen|dugovanj|власник|omanik|majutus|ipasniek|savinink|apmokej|maksaj"
        r"|tulajdonos|szolgaltato|хостинг|владел|собственик|власник|оплат|оплач|баланс|задолженност"
        r"|панел\w+ управления|φιλοξενια|ιδιοκτητ|χρεωσ|πληρωμ|barındırma|barindirma|odeme|sahibi"
        # Asia, Arabic
        r"|空间|主机|欠费|续费|站长|被管理员停止|空間|主機|欠費|契約|料金|レンタル"
        rf"|オーナー|{fold('호스팅')}|{fold('연장')}|{fold('미납')}|luu tru|nha cung cap"
        r"|gia han|penyedia|pemilik|tagihan|perpanjang|استضافة|مالك|الدفع|سداد|میزبان|هاست|אחסון|בעל האתר|תשלום"
        # Contracts, renewals and bills
        r"|vertrag|rechnung|defaut de paiement|renouvel|renuev|renove|rinnov|openstaand|uhrazen|barındırma|ucret"
        r"|होस्टिंग|โฮสติ้ง|ต่ออายุ|サーバー|管理画面|空间商|空間商|主机商|主機商|續約|续约|tarhely|webbhotell|хостинг"
    )
)
# "Blocked" may come from a filter, unless the page mentions bills or the owner's account.
_BLOCKED = compile_folded(
    fold(r"gesperrt|sparra[dt]|sparret|lukittu|zablokowan|заблокирован|bi khoa|tam khoa|مسدود")
)
_UNPAID = compile_folded(
    fold(
        r"zahlung|rechnung|betreiber dieser website wird gebeten|betaling|betalning|faktura|webhotel|laskua|maksu|opłac|zapłac|płatnoś|zaległ|panelu klienta"
        r"|оплат|оплач|неуплат|баланс|задолженност|хостинг|аккаунт владельца|thanh toan|gia han|میزبانی|تمدید|پرداخت"
    )
)
# A network filter, or a wall, addresses the client.
_CLIENT_WORDS = compile_folded(
    r"your (?:ip|country|region|location|network|browser|request|access|organi[sz]ation|employer"
    r"|school|administrator|isp)\b|network administrator|it department|access policy|firewall"
    r"|your (?!(?:web ?)?hosting)(?:\w{1,12} ){0,2}provider|rights ?holders?|blocked|ihr(?:em|en)? (?:internet)?(?:provider|anbieter)"
    r"|rechteinhaber|роскомнадзор|правообладател|решени\w{1,3} суда|доступ\w{0,2} (?:в|к) (?:сети )?интернет"
    r"|your (?!hosting)(?:\w{1,12} )?(?:account|trial|membership|sign)|private|permission|not published"
    r"|\b(?:access (?:to|has|is|was|denied)|denied|security|country|region)\b|filter|categor|parental|court order|malware|phishing|captcha|robot"
)


def find_closed(*, status: int, headers: Mapping[str, str], body: bytes, url: str) -> str | None:
    """Return the mark of a closed site, as `service: mark`, or None.

    `headers` have names in lower case; `url` is the one that answered.
    """
    if status not in _STATUSES:
        return None
    mark = next(_marks_in_headers(status, headers), None)
    if mark is not None or not body:
        return mark
    page = inflate(body, encoding=headers.get("content-encoding", ""))[:_MAX_READ]
    source = unescape(decode(page, content_type=headers.get("content-type", ""))).lower()
    return next(_marks_in_source(source, url=url), None)


def _marks_in_headers(status: int, headers: Mapping[str, str]) -> Iterator[str]:
    for host, name, value in _HEADERS:
        if status not in host.statuses or name not in headers:
            continue
        if headers[name].lower().startswith(value):
            yield f"{host.name}: header {name}: {headers[name]}"


def _marks_in_source(source: str, *, url: str) -> Iterator[str]:
    text = " ".join(_TAG.sub(" ", source).split()).replace("’", "'")
    is_https = url.startswith("https:")
    for host, words in _WORDS:
        if (words in text or words in source) and (is_https or not host.only_over_tls):
            yield f"{host.name}: {words}"
    if _shows_blocked_host(source, text, host=urlsplit(url).hostname):
        yield "development server: blocked host"
    code = _CLOUDFLARE_CODE.search(text)
    if code and (_CLOUDFLARE_PAGE in source or text.startswith("error code:")):
        yield f"cloudflare: error {code[1]}"
    if storage_code := _STORAGE_CODE.search(source):
        yield f"storage: {storage_code[1] or storage_code[2]}"
    unlicensed = _UNLICENSED.search(text) if len(text) <= _MAX_TEXT else None
    if unlicensed and not _LICENSED.search(text):
        yield f"unlicensed in china: {unlicensed[0]}"


def _shows_blocked_host(source: str, text: str, *, host: str | None) -> bool:
    """Return whether this is Rails' page for a host name that it does not allow."""
    is_rails = any(part in source for part in _RAILS)
    if host is None or host.replace(".", "").isdigit() or not is_rails:
        return False
    blocked = _BLOCKED_HOST.search(text)
    return blocked is not None and blocked[1] == host


def find_suspension(page: FetchedPage, *, status: int, asked: str) -> str | None:
    """Return the title or heading that says that the site is suspended, expired or unpaid.

    The page must address the site's owner, as parked pages do, or say nothing else; otherwise
    returns None.
    """
    mark = find_parking(page, asked=asked) if status in _STATUSES else None
    if mark is None or not mark.startswith(("title: ", "heading: ")):
        return None
    if len(page.text) > _MAX_TEXT or not _STOPPED.search(fold(mark)):
        return None
    page_text = fold(f"{page.title} {page.text}")
    if _CLIENT_WORDS.search(page_text):
        return None
    owner_words = _UNPAID if _BLOCKED.search(fold(mark)) else _OWNER_WORDS
    return mark if _SUSPENDED.fullmatch(page.text) or owner_words.search(page_text) else None
