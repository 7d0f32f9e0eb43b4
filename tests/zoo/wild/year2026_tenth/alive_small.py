"""Living pages with little in them, with layers above them, or as plain files."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import ELSE, Case, Reply, alive, html, plain
from tests.zoo.wild.year2026_tenth.frames import (
    LOST,
    ROBOTS,
    Seen,
    alone,
    app,
    board,
    home,
    news,
    office,
    prose,
    seen,
    store,
)

_LITTLE: dict[str, Seen] = {
    "a page of a tag in Portuguese without a post": seen(
        "blogues: etiqueta sem artigos",
        news(
            "Etiqueta: travões",
            "<h1>Etiqueta: travões</h1><p>Ainda não há artigos com esta etiqueta.</p>",
            lang="pt",
        ),
        "/etiqueta/travoes/",
        lang="pt",
    ),
    "a calendar in Hungarian with no event to come": seen(
        "naptárak: Nincs közelgő esemény",
        office(
            "Eseménynaptár",
            "<h1>Eseménynaptár</h1><p>Nincs közelgő esemény.</p><a href='/naptar/2026-05'>Következő hónap</a>",
            lang="hu",
        ),
        "/naptar/2026-04",
        lang="hu",
    ),
    "a list of vacancies in Finnish that is empty": seen(
        "rekrytointisivut: Ei avoimia työpaikkoja",
        office(
            "Avoimet työpaikat",
            f"<h1>Avoimet työpaikat</h1><p>Tällä hetkellä ei ole avoimia työpaikkoja.</p>{prose('fi')}",
            lang="fi",
        ),
        "/avoimet-tyopaikat",
        lang="fi",
    ),
    "a saved search in Czech without a result": seen(
        "katalogy knihoven: Nebyly nalezeny žádné záznamy",
        office(
            "Výsledky vyhledávání: průvodčí",
            "<h1>Výsledky vyhledávání</h1><p>Na dotaz „průvodčí 1904“ nebyly nalezeny žádné záznamy.</p><form><input name='q' value='průvodčí 1904'></form>",
            lang="cs",
        ),
        "/hledani?q=pruvodci+1904",
        lang="cs",
    ),
    "a shop's basket with nothing in it": seen(
        "shops: Your cart is currently empty.",
        store(
            "Cart",
            "<h1>Cart</h1><p class='cart-empty'>Your cart is currently empty.</p><a href='/c/'>Return to shop</a>",
        ),
        "/cart/",
    ),
    "a page that answers one question with a word": seen(
        "single-serving sites",
        "<!doctype html><html lang=en><title>Is line 7 running?</title><body><h1>No.</h1></body></html>",
        "/is-line-7-running",
    ),
    "a personal page in Spanish that is being built, with its texts": seen(
        "páginas personales: en construcción",
        news(
            "La página de Ana",
            f"<h1>La página de Ana</h1><p>Sección en construcción. Mientras tanto:</p>{prose('es', 2)}<ul><li><a href='/fotos'>Fotos</a></li></ul>",
            lang="es",
        ),
        "/ana/",
        lang="es",
    ),
    "a teaser for a museum's opening, with its date": seen(
        "coming-soon pages with a date and an address",
        alone(
            "Tram museum – opening in May 2027",
            "<h1>Opening in May 2027</h1><p>The museum of line 7 opens in the old depot. Sign up for news.</p><form><input type='email'></form>",
        ),
        "/museum",
    ),
    "an article in German under a choice of consent": seen(
        "Zeitungen: Weiter mit Werbung oder Pur-Abo, als Ebene über dem Text",
        news(
            "Sand im Getriebe",
            f"<div class='consent-layer'><h2>Willkommen!</h2><p>Weiterlesen mit Werbung oder mit dem Pur-Abo.</p><button>Akzeptieren</button></div><article><h1>Sand im Getriebe</h1>{prose('de', 3)}</article>",
            lang="de",
        ),
        "/wirtschaft/sand-im-getriebe-1904.html",
        lang="de",
    ),
    "an article with a plea against blockers of advertising": seen(
        "papers: Please disable your ad blocker, hidden until a script runs",
        news(
            "Six open cars",
            f"<div class='adblock' style='display:none'><h2>Please disable your ad blocker</h2><p>Access to this page is restricted.</p></div><article><h1>Six open cars</h1>{prose('en', 3)}</article>",
        ),
        "/six-open-cars",
    ),
    "an app whose dictionary of sentences is in the page": seen(
        "i18n payloads: errors among other sentences of a page that works",
        app(
            "Stops near me",
            f"<main><h1>Stops near me</h1>{prose()}</main>",
            data='<script>window.__I18N__={"error.404.title":"Page not found","error.deleted":"This stop has been deleted","auth.required":"Please log in"}</script>',
        ),
        "/stops/near",
    ),
    "a thread that shows a deleted post among others": seen(
        "forums: This post has been deleted, within a thread",
        board(
            "Which oil for the axle?",
            f"<h1>Which oil for the axle?</h1><div class='post'>{prose()}</div><div class='post deleted'>This message has been deleted by its author.</div><div class='post'><p>The account of this user is suspended.</p></div>",
        ),
        "/threads/which-oil.7/",
    ),
    "a page of a video whose comments are turned off": seen(
        "video sites: Comments are turned off",
        app(
            "A ride on line 7",
            f"<h1>A ride on line 7</h1><video src='/v/7.mp4'></video><p>1,904 views</p>{prose()}<p>Comments are turned off. Live chat is no longer available.</p>",
        ),
        "/watch?v=L1ne7ride00",
    ),
    "the form to sign in of a library in Polish, linked as such": seen(
        "strony logowania, do których prowadzą odnośniki",
        alone(
            "Logowanie – Biblioteka",
            "<h1>Zaloguj się do konta czytelnika</h1><form method='post'><input name='karta'><input type='password' name='pin'><button>Zaloguj</button></form><a href='/zapisy'>Zapisz się</a>",
            lang="pl",
        ),
        "/logowanie",
        lang="pl",
    ),
    "a status page that has seen errors": seen(
        "Statuspage: Resolved - elevated 404 errors",
        app(
            "Tram API Status",
            "<h1>All Systems Operational</h1><h2>Past Incidents</h2><h3>Elevated 404 errors on stop pages</h3><p>Resolved. Investigating: pages could not be found.</p>",
        ),
        "/history",
    ),
    "a page of a poet with four lines": seen(
        "pages with a poem",
        "<!doctype html><html lang=en><meta charset=utf-8><title>Depot</title><p>The line is closed,<br>the sand is gone,<br>nobody rings,<br>the rails go on.</p></html>",
        "/poems/depot",
    ),
}

# Files and answers to programs.
_FILES: dict[str, tuple[str, str, Reply]] = {
    "an interface answers an empty list": (
        "JSON interfaces: an empty list within an object",
        "/api/v2/stops?near=nowhere",
        plain('{"stops":[]}', kind="application/json"),
    ),
    "an interface answers a page without items": (
        "JSON interfaces: total 0",
        "/api/v2/alerts?line=7",
        plain('{"items":[],"total":0,"error":null}', kind="application/json"),
    ),
    "a file of contacts for security": (
        "RFC 9116: security.txt",
        "/.well-known/security.txt",
        plain("Contact: mailto:security@tram.example\nExpires: 2027-04-07T00:00:00.000Z\n"),
    ),
    "a feed without an entry": (
        "RSS 2.0 without items",
        "/feed/brakes.xml",
        plain(
            '<?xml version="1.0"?><rss version="2.0"><channel><title>Brakes</title><link>http://$HOST/</link><description>Nothing new</description></channel></rss>',
            kind="application/rss+xml",
        ),
    ),
    "a table that counts missing pages": (
        "CSV exports of link checkers",
        "/data/broken-links-2025.csv",
        plain(
            "url,status,note\nhttp://a.example/,404,Not Found\nhttp://b.example/,200,Page not found (soft)\n",
            kind="text/csv",
        ),
    ),
    "a log of a build whose tests fail": (
        "build servers: raw logs",
        "/builds/1904/log.txt",
        plain("+ make test\nE   FileNotFoundError: stops.csv\n404 != 200\nBuild failed.\n"),
    ),
    "a listing of a folder with two files": (
        "Apache: Index of",
        "/pub/tram/",
        html(
            "<html><head><title>Index of /pub/tram</title></head><body><h1>Index of /pub/tram</h1><ul><li><a href='/pub/'> Parent Directory</a></li><li><a href='404.html'> 404.html</a></li><li><a href='timetable.txt'> timetable.txt</a></li></ul></body></html>",
            "Server: Apache/2.4.62 (Debian)",
        ),
    ),
}


def _file(name: str) -> Case:
    source, path, reply = _FILES[name]
    site = {"/": home(), "/robots.txt": ROBOTS, path: reply, ELSE: LOST}
    return alive(name, source, site, path=path)


CASES: list[Case] = [
    *(alive(name, each.source, each.site, path=each.path) for name, each in _LITTLE.items()),
    *map(_file, _FILES),
]
