"""What is gone behind a redirect, and what is gone because its name lapsed or has another owner."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.server import Visit
from tests.zoo.wild.case import ELSE, Case, Reply, Site, gone, html, only, redirect
from tests.zoo.wild.year2026_ninth.frames import (
    LOST,
    ROBOTS,
    alone,
    app,
    blocks,
    board,
    home,
    market,
    office,
    story,
)

_WAYS = ("error_page", "same_for_all", "home_page", "parked", "changed_owner")

# Names: where such are known from, what is answered to everything.
_NAMES: dict[str, tuple[str, Reply]] = {
    "a name of an encoder's tester is a sign that it is for sale": (
        "BinomialLLC/basis_universal issue 364: the domain has expired and acts as a For Sale sign",
        html(
            alone(
                "$HOST is for sale",
                "<h1>$HOST</h1><p>This premium domain name is available for purchase.</p><form method='post'><input name='offer' placeholder='Your offer in USD'><button>Make an offer</button></form>",
            )
        ),
    ),
    "a name of a library of settings has expired": (
        "theskumar/python-dotenv issue 556: has expired.",
        html(
            alone(
                "$HOST has expired",
                "<h1>$HOST has expired.</h1><p>If you owned this domain, contact your domain registration service provider for further assistance. If you need help identifying your provider, visit the registry's site.</p>",
            )
        ),
    ),
    "a name of a compressor could be bought for a month": (
        "deltachat/deltachat-core issue 296: You can buy this domain...",
        html(
            alone(
                "$HOST",
                "<p>You can buy this domain. <a href='/buy'>Inquire about $HOST</a></p><ul><li><a href='/?q=zip'>Zip files</a></li><li><a href='/?q=download'>Free download</a></li><li><a href='/?q=tools'>Compression tools</a></li></ul>",
            )
        ),
    ),
    "a name in a copyright notice shows a page full of advertisements": (
        "jondot/hygen issue 260: expired and now displays a parking page full of ads",
        html(
            alone(
                "$HOST",
                "<div id='ads'></div><script>window.park='eyJ1dWlkIjoiMTg0MyJ9';</script><script src='/bTg0M.js'></script><noscript>Ads by the domain's parking service</noscript>",
            )
        ),
    ),
    "a name of Sweden is not in use yet": (
        "One.com: Domänen är registrerad hos One.com",
        html(
            alone(
                "$HOST is hosted by One.com",
                "<h1>Denna domän är registrerad hos One.com</h1><p>Ägaren har ännu inte publicerat någon hemsida.</p><a href='https://www.one.example/'>Skaffa din egen domän</a>",
                lang="sv",
            )
        ),
    ),
    "a name of Norway waits for its owner": (
        "Domeneshop: Dette domenet er parkert hos Domeneshop",
        html(
            alone(
                "$HOST",
                "<h1>$HOST</h1><p>Domenet er registrert, men har ingen aktive nettsider. Det er parkert hos Domeneshop på vegne av en av våre kunder.</p>",
                lang="no",
            )
        ),
    ),
    "a name of Hungary was registered": (
        "regisztrátorok: Ez a domain név már regisztrált, a weboldal feltöltés alatt áll",
        html(
            alone(
                "$HOST",
                "<h1>Ez a domain foglalt</h1><p>A(z) $HOST domain nevet ügyfelünk számára regisztráltuk. Domain regisztráció már 1 843 Ft-tól!</p>",
                lang="hu",
            )
        ),
    ),
    "a name of Ukraine is up for auction": (
        "реєстратори: домен звільняється, аукціон",
        html(
            alone(
                "$HOST — домен продається",
                "<h1>Домен $HOST продається</h1><p>Стартова ціна — 1843 грн. Залиште свою заявку.</p><button>Купити домен</button>",
                lang="uk",
            )
        ),
    ),
    "a name of China is offered by a broker": (
        "域名中介: 您正在访问的域名可以转让",
        html(
            alone(
                "您正在访问的域名可以转让！",
                "<h1>$HOST</h1><p>您正在访问的域名可以转让！This domain is for sale.</p><p>一口价：18430 元。联系 QQ：18431843</p>",
                lang="zh",
            )
        ),
    ),
    "a name of Brazil was registered and left": (
        "Registro.br e revendas: Este domínio está estacionado",
        html(
            alone(
                "Domínio estacionado",
                "<h1>$HOST</h1><p>Este domínio foi registrado e está estacionado. Você é o dono? Contrate uma hospedagem e publique seu site.</p>",
                lang="pt",
            )
        ),
    ),
    "a name of Japan is past its date": (
        "ムームードメイン: ドメインの有効期限が切れています",
        html(
            alone(
                "ドメインの有効期限切れ",
                "<h1>このドメインは有効期限が切れています</h1><p>$HOST のご利用を継続される場合は、ドメイン管理会社にて更新手続きを行ってください。</p>",
                lang="ja",
            )
        ),
    ),
    "a name of Italy has no site": (
        "Register.it, Aruba: dominio registrato, sito in costruzione da anni",
        html(
            alone(
                "$HOST",
                "<h1>Dominio registrato</h1><p>Il dominio $HOST è stato registrato tramite il nostro servizio. Acquista un dominio anche tu a partire da 1 euro.</p>",
                lang="it",
            )
        ),
    ),
}


def _was(path: str, title: str, lang: str = "en") -> Site:
    """Return what the site was before its name changed hands."""
    page = html(blocks(title, f"<h1>{title}</h1>{story(lang, 2)}", lang=lang))
    return {"/": home(lang), "/robots.txt": ROBOTS, path: page, ELSE: LOST}


def _taken() -> Iterator[Case]:
    """Yield pages whose name went to somebody with another trade."""
    yield gone(
        "a primer on scripts for cats is a channel for football and bets now",
        "max-mapper/javascript-for-cats issue 69: replaced by Xoilac TV with gambling ads, August 2026",
        only(
            html(
                blocks(
                    "Xôi Lạc TV – Trực tiếp bóng đá",
                    "<h1>Trực tiếp bóng đá hôm nay</h1><p>Xem bóng đá trực tuyến miễn phí, kèo nhà cái, tỷ lệ cược.</p><a href='/dang-ky'>Đăng ký nhận thưởng</a>",
                    lang="vi",
                    name="Xôi Lạc TV",
                )
            )
        ),
        *_WAYS,
        path="/lesson/",
        earlier=_was("/lesson/", "JavaScript for cats"),
    )
    yield gone(
        "a tester of a protocol is a place for bets now",
        "ripienaar/free-for-dev pull request 3823: taken by another person to host a gambling site",
        only(
            html(
                blocks(
                    "Slot Gacor Hari Ini",
                    "<h1>Situs Slot Gacor Terpercaya 2026</h1><p>Daftar sekarang, bonus new member 100%. Deposit pulsa tanpa potongan.</p><a href='/daftar'>DAFTAR</a><a href='/login'>LOGIN</a>",
                    lang="id",
                    name="Slot Gacor",
                )
            )
        ),
        *_WAYS,
        path="/check?url=example.org",
        earlier=_was("/check?url=example.org", "HTTP/2 test of example.org"),
    )
    yield gone(
        "a platform for musicians leads to a casino",
        "cashmusic/platform issue 1328: takes me to some casino site",
        only(redirect("http://royal-wheel-of-luck.example:PORT/?aff=1843")),
        *_WAYS,
        path="/docs/embeds",
        others={
            "royal-wheel-of-luck.example": only(
                html(
                    blocks(
                        "Royal Wheel – Casino",
                        "<h1>200 free spins</h1><p>Play the best slots online. 18+. Gamble responsibly.</p>",
                        name="Royal Wheel",
                    )
                )
            )
        },
    )
    yield gone(
        "a list of shops for extensions of an editor has another purpose now",
        "jeremyrajan/vscode-exts pull request 147: this domain has changed hands",
        only(
            html(
                blocks(
                    "Günstige Kredite im Vergleich",
                    "<h1>Kreditvergleich 2026</h1><p>Sofortzusage in wenigen Minuten. Jetzt Angebot anfordern.</p><form><input name='betrag'></form>",
                    lang="de",
                    name="Kreditradar",
                )
            )
        ),
        *_WAYS,
        path="/extensions/lamp.html",
        earlier=_was("/extensions/lamp.html", "Lamp syntax for the editor"),
    )
    yield gone(
        "a manual of scripts to make one polite goes round by endless addresses of advertising",
        "Fooidge/PleaseJS issue 72: goes to infinite spam redirects",
        {
            "/robots.txt": LOST,
            ELSE: redirect("http://tracker-of-clicks.example:PORT/go?z=1843"),
        },
        *_WAYS,
        path="/please",
        others={
            "tracker-of-clicks.example": only(
                html(
                    alone(
                        "Click Allow",
                        "<h1>Click “Allow” to confirm that you are not a robot</h1><p>Press Allow to watch the video.</p><script>Notification.requestPermission()</script>",
                    )
                )
            )
        },
    )
    yield gone(
        "a museum's name was caught and copies of posts on slimming are under it",
        "lapsed names with good links: a blog of paid posts, after the name was caught",
        {
            ELSE: html(
                blocks(
                    "Healthy Daily",
                    "<h1>Healthy Daily</h1><h2>7 teas that melt fat</h2><h2>Best CBD gummies of 2026</h2><h2>Write for us</h2>",
                    name="Healthy Daily",
                )
            )
        },
        *_WAYS,
        path="/collection/lens-1843",
        earlier=_was("/collection/lens-1843", "Lens of the first order"),
    )


def _lost(name: str, source: str, path: str, to: str, reply: Reply, lang: str = "en") -> Case:
    """Return a page that leads to `to`, as every address of the site does that is not there."""
    front = {"/": home(lang)} if to != "/" else {}
    return gone(
        name,
        source,
        {**front, to: reply, "/robots.txt": ROBOTS, ELSE: redirect(to)},
        *_WAYS,
        path=path,
    )


def _led() -> Iterator[Case]:
    yield _lost(
        "a relaunch sends all old pages in German to the front page",
        "relaunches: RewriteRule .* / for whatever was",
        "/index.php?id=1843",
        "/",
        home("de"),
        "de",
    )
    yield _lost(
        "a plugin sends every 404 in Spanish home",
        "WordPress: plugin All 404 Redirect to Homepage, 301",
        "/2018/04/mechas-de-algodon/",
        "/",
        home("es"),
        "es",
    )
    yield _lost(
        "an old address in Norwegian leads to /404, which is a 200",
        "sites on a framework with its own route for errors: 302 to /404, 200",
        "/artikler/fyr-1843",
        "/404",
        html(
            blocks(
                "Siden finnes ikke",
                "<h1>Vi fant ikke siden</h1><p>Siden du leter etter finnes ikke lenger.</p>",
                lang="no",
            )
        ),
        "no",
    )
    yield _lost(
        "an address that a store of Korea lost leads to a page of an error",
        "Cafe24: 302 to /error.html?code=404, 200",
        "/product/detail.html?product_no=1843",
        "/error.html?code=404",
        html(
            market(
                "페이지를 찾을 수 없습니다",
                "<p>죄송합니다. 찾으시는 페이지의 주소가 잘못 입력되었거나 변경 혹은 삭제되었습니다.</p>",
                lang="ko",
            )
        ),
        "ko",
    )
    yield _lost(
        "a manual of workflows leads to the front of another company's manual",
        "flyteorg/flyte issue 6386: all documentation pages redirect to the docs home of union.ai",
        "/en/latest/user_guide/conditionals.html",
        "/docs/home",
        html(blocks("Docs", f"<h1>Welcome to the docs</h1>{story()}")),
    )
    yield gone(
        "a lost page leads to a search for its own words without a hit",
        "shops: 302 to /search?q= with the words of the address, no results, 200",
        {
            "/": home(),
            "/products/brass-argand-burner": redirect("/search?q=brass+argand+burner"),
            "/search?q=brass+argand+burner": html(
                market(
                    "Search: 0 results",
                    "<h1>Search results</h1><p>No results found for “brass argand burner”. Check the spelling or use a different word or phrase.</p>",
                )
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/products/brass-argand-burner",
    )
    yield gone(
        "a deleted album leads to the form to sign in, as any address does",
        "gone members' pages: 302 to /login for what does not exist",
        {
            "/": home(),
            "/robots.txt": ROBOTS,
            "/login": html(
                app(
                    "Sign in",
                    "<p>Sorry, that album was not found or was deleted.</p><h1>Sign in</h1><form><input name='email'><input type='password' name='password'></form>",
                )
            ),
            ELSE: redirect("/login"),
        },
        *_WAYS,
        "login",
        path="/albums/fog-2011",
    )
    yield gone(
        "a good out of the range leads to its group",
        "shops: 301 from a discontinued product to its category",
        {
            "/": home("fr"),
            "/lampes/lampe-tempete-n43.html": redirect("/lampes/", status=301),
            "/lampes/": html(
                market(
                    "Lampes",
                    "<h1>Lampes</h1><ul><li>Lampe à pétrole 29 €</li><li>Lanterne 41 €</li></ul>",
                    lang="fr",
                )
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/lampes/lampe-tempete-n43.html",
    )
    yield gone(
        "a thread of a board that moved leads to the front of the new one",
        "boards: after a move to another system, 301 of every thread to the front page",
        only(redirect("http://community-of-keepers.example:PORT/", status=301)),
        *_WAYS,
        path="/showthread.php?t=1843",
        others={
            "community-of-keepers.example": {
                "/": html(board("Community", f"<h1>Community</h1><p>Latest topics</p>{story()}")),
                ELSE: LOST,
            }
        },
    )
    yield gone(
        "a page of a project at a forge that closed leads to a farewell",
        "Google Code, Gna!, BerliOS: 301 of all projects to a page on the end of the service",
        only(redirect("http://farewell-of-a-forge.example:PORT/", status=301)),
        *_WAYS,
        path="/p/lamp/wiki/Trimming",
        others={
            "farewell-of-a-forge.example": only(
                html(
                    alone(
                        "Farewell",
                        "<h1>Our hosting for projects has closed</h1><p>Thank you for ten good years. The service was shut down in 2016 and its data was deleted.</p>",
                    )
                )
            )
        },
    )
    yield gone(
        "a page that leads to itself under a header to refresh, and then home",
        "old systems: Refresh: 0;url=/ for what is missing, 200",
        {
            "/": home("it"),
            "/robots.txt": ROBOTS,
            ELSE: html(
                alone(
                    "Pagina non trovata",
                    "<p>Pagina non trovata. Reindirizzamento...</p>",
                    lang="it",
                ),
                "Refresh: 0; url=/",
            ),
        },
        *_WAYS,
        path="/old/faro.htm",
    )
    yield gone(
        "a page that a script sends home",
        "sites: <script>location.replace('/')</script> for what is missing, 200",
        {
            "/": home("pl"),
            "/robots.txt": ROBOTS,
            ELSE: html(
                alone("", "<script>window.location.replace('/');</script>", lang="pl"),
            ),
        },
        *_WAYS,
        path="/stare/latarnia.html",
    )
    yield gone(
        "an article leads to a notice that it was retired from support",
        "knowledge bases: 302 to /retired, This article has been retired, 200",
        {
            "/": home(),
            "/kb/1843": redirect("/kb/retired"),
            "/kb/retired": html(
                office(
                    "Article retired",
                    "<h1>This article has been retired</h1><p>The product it was about is no longer supported, and its articles have been removed.</p>",
                )
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/kb/1843",
    )
    yield gone(
        "a course of a school leads to the list of courses with a word at its top",
        "course platforms: 302 to /courses?notfound=1, a flash message, 200",
        {
            "/": home("nl"),
            "/cursussen/lampen-1843": redirect("/cursussen?melding=niet-gevonden"),
            "/cursussen?melding=niet-gevonden": html(
                office(
                    "Cursussen",
                    "<div class='alert alert-warning'>De cursus die u zocht bestaat niet meer.</div><h1>Alle cursussen</h1><ul><li>Knopen</li><li>Zeilen</li></ul>",
                    lang="nl",
                )
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/cursussen/lampen-1843",
    )
    yield gone(
        "a dynamic link of a service that ended",
        "Firebase Dynamic Links: shut down on 25 August 2025, links answer 404",
        {
            "/robots.txt": ROBOTS,
            ELSE: html(
                alone(
                    "Dynamic Link Not Found",
                    "<h1>Dynamic Link Not Found</h1><p>If you are the developer of this app, ensure that your links are correctly configured.</p>",
                ),
                status=404,
            ),
        },
        path="/Lamp43",
    )
    yield gone(
        "a page on a person leads to a dead end of two redirects and a 404",
        "universities: 301 to the new directory, 302 to its missing page, 404",
        {
            "/": home(),
            "/people/ekeeper": redirect("/directory/ekeeper", status=301),
            "/directory/ekeeper": redirect("/directory/missing"),
            "/directory/missing": html(
                office("Not here", "<h1>This profile is not available</h1>"), status=404
            ),
            ELSE: LOST,
        },
        path="/people/ekeeper",
    )


def _by_visit(visit: Visit, _times: int) -> Reply:
    """Answer an old tile with its address in the words, as servers with a template do."""
    if visit.target == "/robots.txt":
        return ROBOTS
    return html(
        office(
            "Cannot find it",
            f"<h1>Sorry, we cannot find {visit.target}</h1><p>It may have been moved or deleted. Try the <a href='/'>home page</a>.</p>",
        )
    )


_ECHO = gone(
    "a county repeats the address that it cannot find",
    "servers with a template: the address within the words, 200",
    {"/": home(), ELSE: _by_visit},
    *_WAYS,
    path="/maps/tiles/1843.html",
)

CASES: list[Case] = [
    *(
        gone(name, source, only(reply), *_WAYS, path="/texts/lamps.html")
        for name, (source, reply) in _NAMES.items()
    ),
    *_taken(),
    *_led(),
    _ECHO,
]
