"""Pages that are there and have little content, or show something above it."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, alive, html, plain
from tests.zoo.wild.year2026_ninth.frames import (
    LOST,
    ROBOTS,
    Seen,
    alone,
    app,
    blocks,
    board,
    docs,
    home,
    market,
    office,
    seen,
    story,
)

_LITTLE: dict[str, Seen] = {
    "a search that finds nothing is what was linked": seen(
        "library catalogs: a saved search, 0 results",
        office(
            "Search results: colza lamp",
            "<h1>Search results</h1><p>Your search - <b>colza lamp</b> - did not match any records. 0 results.</p><h2>Refine your search</h2><form><input name='q' value='colza lamp'></form>",
        ),
        "/search?q=colza+lamp",
    ),
    "a shelf in German that has no goods today": seen(
        "Shops: Zu dieser Auswahl wurden keine Artikel gefunden",
        market(
            "Restposten",
            f"<h1>Restposten</h1><p>Keine Produkte gefunden. Schauen Sie bald wieder vorbei!</p>{story('de')}",
            lang="de",
        ),
        "/collections/restposten",
        lang="de",
    ),
    "a calendar in French without an event this month": seen(
        "agendas: Aucun évènement à venir",
        blocks(
            "Agenda",
            "<h1>Agenda</h1><h2>Février 2026</h2><p>Aucun évènement à venir.</p><a href='/agenda/2026-03'>Mois suivant</a>",
            lang="fr",
        ),
        "/agenda/2026-02",
        lang="fr",
    ),
    "a list of jobs in Dutch without a job": seen(
        "werken bij: Er zijn op dit moment geen vacatures",
        blocks(
            "Werken bij",
            f"<h1>Werken bij</h1><p>Er zijn op dit moment geen vacatures. Open sollicitaties zijn welkom.</p>{story('nl')}",
            lang="nl",
        ),
        "/werken-bij",
        lang="nl",
    ),
    "a page that says yes": seen(
        "pages of one word",
        "<!doctype html><title>Is the lamp lit?</title><h1>YES</h1>",
        "/is-the-lamp-lit",
    ),
    "a page that says no": seen(
        "pages of one word",
        "<!doctype html><title>Is it fog?</title><h1>No</h1>",
        "/is-it-fog",
    ),
    "a page by hand of the last century, in Russian": seen(
        "personal pages: a line and a picture",
        "<html><head><title>Мой маяк</title></head><body bgcolor=white><h2>Мой маяк</h2><img src=mayak.gif><p>Страничка в разработке с 1998 года :)</p></body></html>",
        "/~smotritel/",
        lang="ru",
    ),
    "a page to come of a record, with its date": seen(
        "musicians: out on 1 May 2027, pre-save",
        alone(
            "Fog Horn Dub – out soon",
            "<h1>Fog Horn Dub</h1><p>Coming soon: the new album by Elias Keeper, out on 1 May 2027.</p><ol><li>Wick</li><li>Oil</li><li>Seal</li></ol><a href='/presave'>Pre-save</a>",
        ),
        "/fog-horn-dub",
    ),
    "an application's root with its data beside it": seen(
        "Next.js, Nuxt: data in the page, the root is empty",
        app(
            "The approach to pier 4",
            "",
            more='<meta property="og:title" content="The approach to pier 4"><meta property="og:description" content="How to enter the harbor by night.">\n',
            data='<script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"title":"The approach to pier 4","body":"Keep the red light to port until the second buoy."}},"page":"/charts/[id]","notFound":false,"errorPage":"/404"}</script>',
        ),
        "/charts/4",
    ),
    "an application in Korean with its messages in the page": seen(
        "next-intl: all messages in the page, among them that for what is not found",
        app(
            "등대 이야기",
            f"<article><h1>등대 이야기</h1>{story('ko', 2)}</article>",
            lang="ko",
            data='<script id="messages" type="application/json">{"NotFound":{"title":"페이지를 찾을 수 없습니다","back":"홈으로"},"Expired":"판매가 종료된 상품입니다"}</script>',
        ),
        "/ko/stories/1843",
        lang="ko",
    ),
    "a template of a view that fails is hidden within a page that works": seen(
        "Angular, Alpine: a hidden template for errors",
        blocks(
            "Lamps",
            f"<template id='err'><h1>Page not found</h1><p>The page you requested could not be found.</p></template><div hidden class='error'>404</div><h1>Lamps</h1>{story('en', 2)}",
        ),
        "/lights/lamps",
    ),
    "an image of a page lacks and its words say so": seen(
        "pages with broken images: alt=Image not found",
        blocks(
            "Plans of the tower",
            f"<h1>Plans of the tower</h1><img src='/i/plan.png' alt='Image not found'><p>[File not found: plan2.pdf]</p>{story('en', 2)}",
        ),
        "/plans",
    ),
    "a talk page below a form to sign in": seen(
        "sites with a form to sign in on each page",
        board(
            "Wicks and oil",
            f"<form action='/login' method='post'><input name='user'><input type='password' name='pass'><button>Log in</button></form><p>You are not logged in. Please log in to reply.</p><h1>Wicks and oil</h1><div class='post'>{story('en', 2)}</div>",
        ),
        "/t/wicks-and-oil/43",
    ),
    "a login of a service that is linked on purpose, in Czech": seen(
        "stránky přihlášení, na které se odkazuje",
        alone(
            "Přihlášení do knihovny",
            "<h1>Přihlášení</h1><form method='post'><label>Číslo průkazu <input name='cislo'></label><label>Heslo <input type='password' name='heslo'></label><button>Přihlásit</button></form><a href='/registrace'>Registrace</a>",
            lang="cs",
        ),
        "/prihlaseni",
        lang="cs",
    ),
    "a daily in Italian lies under a choice of cookies or payment": seen(
        "giornali: accetta i cookie o abbonati, sopra la pagina",
        blocks(
            "Il faro di notte",
            f"<div role='dialog'><h2>Accetta e continua oppure abbonati</h2><button>Accetta</button><button>Abbonati a 1,99 €</button></div><article><h1>Il faro di notte</h1>{story('it', 3)}</article>",
            lang="it",
        ),
        "/2026/03/01/il-faro-di-notte",
        lang="it",
    ),
    "a page in Danish tells of upkeep to come": seen(
        "driftsmeddelelser: planlagt vedligeholdelse",
        office(
            "Fyrtårne",
            f"<div class='alert'>Siden er nede på grund af vedligeholdelse søndag kl. 2-4.</div><h1>Fyrtårne</h1>{story('da', 2)}",
            lang="da",
        ),
        "/fyrtaarne",
        lang="da",
    ),
    "a page in Persian with little text": seen(
        "صفحه‌های کوتاه",
        blocks("فانوس", f"<h1>فانوس</h1>{story('fa')}", lang="fa"),
        "/fa/lights/43",
        lang="fa",
    ),
    "a notice that a service will end in a year, above a page that works": seen(
        "services: will be discontinued on 30 November 2027, with the page",
        blocks(
            "Tide tables",
            f"<p class='notice'>This service will be discontinued on 30 November 2027. Until then nothing changes.</p><h1>Tide tables</h1><table><tr><td>03:41</td><td>1.8 m</td></tr></table>{story()}",
        ),
        "/tides",
    ),
    "a page for visitors without scripts is whole above its plea": seen(
        "sites: Please enable JavaScript, in a noscript",
        app(
            "Lens of the first order",
            f"<noscript>You need to enable JavaScript to run this app.</noscript><article><h1>Lens of the first order</h1>{story('en', 2)}</article>",
        ),
        "/lens/1",
    ),
    "a manual of two lines": seen(
        "pkg.go.dev and others: a package without documentation",
        docs(
            "lamp package - lamp.example/lamp",
            "<h1>lamp</h1><p>There is no documentation for this package.</p><h2>Source Files</h2><ul><li>lamp.go</li></ul>",
        ),
        "/lamp.example/lamp",
    ),
    "a category of a wiki in Vietnamese without members": seen(
        "MediaWiki: Thể loại này hiện không có trang hay tập tin nào",
        blocks(
            "Thể loại:Hải đăng",
            "<h1>Thể loại:Hải đăng</h1><p>Các hải đăng của bờ biển phía nam.</p><p><i>Thể loại này hiện không có trang hay tập tin nào.</i></p>",
            lang="vi",
        ),
        "/wiki/Category:Lights",
        lang="vi",
    ),
    "a guest book in Thai, and nothing in it": seen(
        "สมุดเยี่ยม: ยังไม่มีข้อความ",
        blocks("สมุดเยี่ยม", f"<h1>สมุดเยี่ยม</h1><p>ยังไม่มีข้อความ</p>{story('th')}", lang="th"),
        "/guestbook",
        lang="th",
    ),
}


def _files() -> Iterator[Case]:
    """Yield files that contain words of errors or are nearly empty."""
    json = "application/json"
    files = {
        "an empty list of an interface": ("/api/lights?near=1843", plain("[]", kind=json)),
        "an answer of an interface whose field for errors is null": (
            "/api/lights/43",
            plain('{"error":null,"code":0,"data":{"id":43,"name":"Pier 4"}}', kind=json),
        ),
        "a state of health in two letters": ("/healthz", plain("ok")),
        "a list of what robots may not read": (
            "/robots-of-old.txt",
            plain("User-agent: *\nDisallow: /404.html\nDisallow: /not-found/\n"),
        ),
        "messages of a program in PO": (
            "/locale/pl/LC_MESSAGES/lamp.po",
            plain(
                'msgid "Page not found"\nmsgstr "Nie znaleziono strony"\n\nmsgid "This account has been suspended"\nmsgstr "To konto zostało zawieszone"\n'
            ),
        ),
        "a log of a server for a lesson": (
            "/lessons/access.log",
            plain(
                '10.0.0.1 - - [11/Nov/2025] "GET /old HTTP/1.1" 404 153\n10.0.0.1 - - [11/Nov/2025] "GET /gone HTTP/1.1" 410 0\n'
            ),
        ),
        "a feed with an item on a site that closed": (
            "/feed.xml",
            plain(
                '<?xml version="1.0"?><rss version="2.0"><channel><title>Closures</title><item><title>This site has been shut down</title><link>http://a.example/</link></item></channel></rss>',
                kind="application/rss+xml",
            ),
        ),
        "a list of sub-domains' fingerprints": (
            "/takeover/README.md",
            plain(
                "| Service | Fingerprint |\n|---|---|\n| Forge pages | There isn't a GitHub Pages site here. |\n| Blog | Do you want to register |\n",
                kind="text/markdown",
            ),
        ),
        "a calendar without an entry": (
            "/calendar.ics",
            plain("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n", kind="text/calendar"),
        ),
        "a picture in vectors that reads 404": (
            "/img/404.svg",
            plain(
                '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"><title>404</title><text y="15">404 Not Found</text></svg>',
                kind="image/svg+xml",
            ),
        ),
    }
    for name, (path, reply) in files.items():
        site = {"/": home(), "/robots.txt": ROBOTS, path: reply, ELSE: LOST}
        yield alive(f"a ninth file: {name}", "files that are what they are", site, path=path)


def _alike() -> Iterator[Case]:
    """Yield pages that are there at sites whose other addresses answer much alike."""
    page = html(blocks("Fog signals", f"<h1>Fog signals</h1>{story('en', 2)}"))
    yield alive(
        "a page of a site that answers what it lacks with its front page",
        "renevoorburg/robustify.js issue 4: a random address returns the home page",
        {"/fog-signals": page, "/robots.txt": ROBOTS, ELSE: home()},
        path="/fog-signals",
    )
    lost = html(blocks("Oops", "<h1>Oops!</h1><p>We can't find that page.</p>"))
    yield alive(
        "a page of a site that answers what it lacks with a soft error",
        "sites with soft errors: the pages that they have",
        {"/": home(), "/fog-signals": page, ELSE: lost},
        path="/fog-signals",
    )
    yield alive(
        "the front page of a site that answers everything with it",
        "renevoorburg/robustify.js issue 4: the request for the home page itself",
        {ELSE: home("es")},
        path="/",
    )
    yield alive(
        "a page of an error that one links to on purpose",
        "satellytes.com issue 685, rando-list issue 16: /404/ is a page of its own, 200",
        {
            "/": home(),
            "/design/examples/404": html(
                blocks(
                    "Example: a page for what is not found",
                    f"<h1>Example: a page for what is not found</h1><p>This is a sample of our pattern library. “Sorry, this page doesn't exist.”</p><h2>When to use it</h2>{story()}",
                )
            ),
            ELSE: LOST,
        },
        path="/design/examples/404",
    )


CASES: list[Case] = [
    *(alive(name, each.source, each.site, path=each.path) for name, each in _LITTLE.items()),
    *_files(),
    *_alike(),
]
