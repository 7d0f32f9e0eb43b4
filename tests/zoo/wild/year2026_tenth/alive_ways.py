"""Living pages behind a redirect or a gate, and on hosts whose other answers are odd."""

# ruff: noqa: E501, RUF001
from collections.abc import Callable, Iterator

from tests.zoo.server import Visit
from tests.zoo.wild.case import (
    ELSE,
    INCONCLUSIVE,
    SUCCESS,
    Case,
    Reply,
    Site,
    alive,
    cookie_gate,
    html,
    plain,
    redirect,
)
from tests.zoo.wild.year2026_tenth.frames import (
    LOST,
    ROBOTS,
    alone,
    app,
    home,
    manual,
    news,
    office,
    prose,
    store,
)

_GATES = frozenset({SUCCESS, INCONCLUSIVE})

# Within a site: the source, the status, the old address, the new one, its title, its language.
_MOVED: dict[str, tuple[str, int, str, str, str, str]] = {
    "the newest version of a manual gets its number": (
        "jj-vcs/jj issue 7077: /latest/ should redirect to the versioned doc site",
        302,
        "/jj/latest/brakes/",
        "/jj/v0.31.0/brakes/",
        "Brakes - v0.31.0",
        "en",
    ),
    "an old part of a manual gets its new name": (
        "python/pythondotorg issue 332: /tut to /tutorial",
        301,
        "/tut/brakes.html",
        "/tutorial/brakes.html",
        "Brakes &mdash; Tutorial",
        "en",
    ),
    "an address without a version gets the stable one": (
        "inex/IXP-Manager issue 913: a redirect to handle existing old links",
        301,
        "/usage/switches/",
        "/latest/usage/switches/",
        "Switches",
        "en",
    ),
    "a page of a town in German loses its suffix": (
        "TYPO3: .html fällt weg, 301",
        301,
        "/rathaus/strassenbahn.html",
        "/rathaus/strassenbahn",
        "Straßenbahn",
        "de",
    ),
    "a shop in Polish moves a product into words": (
        "PrestaShop: stary adres z identyfikatorem, 301",
        301,
        "/product.php?id_product=1904",
        "/hamulce/korba-hamulca",
        "Korba hamulca",
        "pl",
    ),
    "a station's page in Japanese gets its language": (
        "企業サイト: 302 で言語のパスへ",
        302,
        "/line/7",
        "/ja/line/7",
        "七号線",
        "ja",
    ),
    "an article in French gets the slug of its new title": (
        "quotidiens: nouvel intitulé, même identifiant, 301",
        301,
        "/article/1904-fin-de-la-ligne",
        "/article/1904-la-ligne-7-roule-encore",
        "La ligne 7 roule encore",
        "fr",
    ),
    "a repository moved to another owner": (
        "GitHub: 301 after a transfer",
        301,
        "/annbrake/brake",
        "/tramworks/brake",
        "tramworks/brake: hand brakes in C",
        "en",
    ),
    "a page in Arabic is written out in its own script": (
        "WordPress: رابط دائم بالعربية, 301",
        301,
        "/?p=1904",
        "/%D8%A7%D9%84%D8%AE%D8%B7-7/",
        "الخط السابع",
        "ar",
    ),
    "a law in Italian goes by its permanent name": (
        "Normattiva, EUR-Lex: URN, 302",
        302,
        "/uri-res/N2Ls?urn:nir:stato:legge:1904;7",
        "/atto/caricaDettaglioAtto?codice=1904G0007",
        "Legge 7 aprile 1904, n. 7",
        "it",
    ),
    "a category in Spanish whose parent changed": (
        "tiendas: categoría movida, 301",
        301,
        "/recambios/frenos/",
        "/tienda/recambios/frenos/",
        "Frenos",
        "es",
    ),
}


def _page(title: str, lang: str = "en") -> Reply:
    return html(news(title, f"<h1>{title}</h1>{prose(lang, 2)}", lang=lang))


def _moved() -> Iterator[Case]:
    for name, (source, status, old, new, title, lang) in _MOVED.items():
        site: Site = {
            "/": home(lang),
            "/robots.txt": ROBOTS,
            old: redirect(new, status=status),
            new: _page(title, lang),
            ELSE: LOST,
        }
        yield alive(name, source, site, path=old)


def _along(host: str, *, scheme: str = "http", status: int = 301) -> Callable[[Visit, int], Reply]:
    """Return what sends every path to the same path at `host`."""
    port = ":TLSPORT" if scheme == "https" else ":PORT"
    return lambda visit, _times: redirect(f"{scheme}://{host}{port}{visit.target}", status=status)


def _elsewhere() -> Iterator[Case]:
    """Yield pages that live at another host now; unknown paths are a 404 there."""
    there: Site = {
        "/": home(),
        "/robots.txt": ROBOTS,
        "/guide/sand": html(manual("Sand", f"<h1>Sand</h1>{prose('en', 2)}")),
        ELSE: LOST,
    }
    hosts = {
        "a weblog answers over TLS only": (
            "hosts: 301 from http to https on the same name's twin",
            "sand-weblog-ten.example",
            _along("sand-weblog-tls-ten.example", scheme="https"),
            "sand-weblog-tls-ten.example",
        ),
        "an apex leads to its www": (
            "hosts: 301 from the apex to www",
            "sand-without-www-ten.example",
            _along("www.sand-without-www-ten.example"),
            "www.sand-without-www-ten.example",
        ),
        "a weblog left its platform and kept its paths": (
            "weblogs that moved from a platform to their own name, 301",
            "sand.platform-of-blogs-ten.example",
            _along("sand-on-its-own-ten.example"),
            "sand-on-its-own-ten.example",
        ),
        "a renamed social network keeps its paths": (
            "renamed services: 302 from the old name to the new one, path kept",
            "sand-of-old-name-ten.example",
            _along("sand-of-new-name-ten.example", status=302),
            "sand-of-new-name-ten.example",
        ),
    }
    for name, (source, host, answer, new) in hosts.items():
        yield alive(
            name, source, {ELSE: answer}, path="/guide/sand", host=host, others={new: there}
        )
    yield alive(
        "a short link leads to a story without an account",
        "bit.ly and others: 301; unknown codes are a 404",
        {
            "/": home("en", "Short links"),
            "/4tRam7": redirect("http://sand-story-ten.example:PORT/2026/sand", status=301),
            ELSE: html(
                alone(
                    "Page not found", "<h1>Something's wrong here</h1><p>This is a 404 error.</p>"
                ),
                status=404,
            ),
        },
        path="/4tRam7",
        others={"sand-story-ten.example": {"/": home(), "/2026/sand": _page("Sand"), ELSE: LOST}},
    )
    yield alive(
        "a deposit's number leads over a resolver to its record",
        "doi.org to zenodo.org: 302, 302; unknown numbers are a 404",
        {
            "/": home("en", "Resolver"),
            "/10.5072/brake.1904": redirect("http://deposits-ten.example:PORT/doi/brake.1904"),
            ELSE: html(alone("DOI Not Found", "<h1>DOI Not Found</h1>"), status=404),
        },
        path="/10.5072/brake.1904",
        others={
            "deposits-ten.example": {
                "/": home("en", "Deposits"),
                "/doi/brake.1904": redirect("/records/1904"),
                "/records/1904": html(office("Brake data", f"<h1>Brake data</h1>{prose('en', 2)}")),
                ELSE: LOST,
            }
        },
    )
    yield alive(
        "an old page refreshes to its successor in the manual",
        "Sphinx: sphinx-reredirects, meta refresh in a small page",
        {
            "/": home(),
            "/robots.txt": ROBOTS,
            "/sander.html": html(
                '<html>\n  <head>\n    <meta http-equiv="refresh" content="0; url=guide/sander.html">\n  </head>\n</html>\n'
            ),
            "/guide/sander.html": html(manual("Sander", f"<h1>Sander</h1>{prose('en', 2)}")),
            ELSE: LOST,
        },
        path="/sander.html",
    )
    yield alive(
        "a paper's file lies in a store behind a signed address",
        "university repositories on S3: 302 to a signed address",
        {
            "/": home(),
            "/bitstream/1904/7/brakes.pdf": redirect(
                "http://store-of-files-ten.example:PORT/brakes.pdf?X-Amz-Signature=1904"
            ),
            ELSE: LOST,
        },
        path="/bitstream/1904/7/brakes.pdf",
        others={
            "store-of-files-ten.example": {
                "/brakes.pdf?X-Amz-Signature=1904": Reply(
                    headers=("Content-Type: application/pdf",),
                    body=b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + b"1 0 obj<<>>endobj\n" * 40,
                ),
                ELSE: plain("<Error><Code>AccessDenied</Code></Error>", status=403),
            }
        },
    )


def _odd_hosts() -> Iterator[Case]:
    """Yield living pages of hosts whose answers to other paths are not what one expects."""
    missing_de = html(
        office(
            "Seite nicht gefunden",
            "<h1>Diese Seite gibt es nicht</h1><p>Bitte nutzen Sie die Suche.</p>",
            lang="de",
        )
    )
    yield alive(
        "a living article of a site that answers missing pages with a 200",
        "sites with soft errors have living pages, too",
        {
            "/": home("de"),
            "/robots.txt": ROBOTS,
            "/werkstatt/bremse": _page("Die Handbremse", "de"),
            ELSE: missing_de,
        },
        path="/werkstatt/bremse",
    )
    yield alive(
        "a living page of a site that sends missing pages home",
        "renevoorburg/robustify.js issue 4: a random address gives the home page",
        {
            "/": home("nl"),
            "/robots.txt": ROBOTS,
            "/remise": _page("De remise", "nl"),
            ELSE: redirect("/"),
        },
        path="/remise",
    )
    yield alive(
        "the home page of a site that sends missing pages home",
        "renevoorburg/robustify.js issue 4: the home page itself looks like a soft 404",
        {"/": home(), "/robots.txt": ROBOTS, ELSE: redirect("/")},
        path="/",
    )
    yield alive(
        "a raw file of a host without a home page",
        "content hosts: the root is a 404, the files are there",
        {
            "/tramworks/brake/main/README.md": plain(
                "# brake\n\nHand brakes for open cars.\n\n## If you see `404 Not Found`\n\nTurn the handle twice.\n",
                kind="text/plain; charset=utf-8",
            ),
            ELSE: plain("404: Not Found", status=404),
        },
        path="/tramworks/brake/main/README.md",
    )
    yield alive(
        "a public page of a service whose home page wants one to sign in",
        "wikis and forms: the root redirects to /login, shared pages are public",
        {
            "/": redirect("/login"),
            "/login": html(
                alone(
                    "Sign in",
                    "<form method='post'><input name='u'><input type='password' name='p'></form>",
                )
            ),
            "/share/brakes-1904": html(app("Brakes", f"<h1>Brakes</h1>{prose('en', 2)}")),
            ELSE: redirect("/login"),
        },
        path="/share/brakes-1904",
    )
    yield alive(
        "a page of a host that forbids what it does not have",
        "S3 without ListBucket: missing keys are a 403",
        {
            "/index.html": _page("Line 7"),
            ELSE: plain(
                "<?xml version='1.0'?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>",
                status=403,
                kind="application/xml",
            ),
        },
        path="/index.html",
    )
    yield alive(
        "a product page in Turkish with one layout for everything",
        "shops with a large frame: product and missing pages share most of their markup",
        {
            "/": home("tr"),
            "/robots.txt": ROBOTS,
            "/urun/kum-kovasi": html(
                store(
                    "Kum kovası",
                    f"<h1>Kum kovası</h1><p>190 TL</p><button>Sepete ekle</button>{prose('tr')}",
                    lang="tr",
                )
            ),
            ELSE: html(
                store("Ürün bulunamadı", "<h1>Ürün bulunamadı</h1>", lang="tr"),
            ),
        },
        path="/urun/kum-kovasi",
    )
    yield alive(
        "an app sends one shell for all its pages",
        "single-page applications with a fallback: the same shell with a 200 at every path",
        {
            "/robots.txt": ROBOTS,
            ELSE: html(
                app(
                    "Tram planner",
                    "<noscript>You need to enable JavaScript to run this app.</noscript>",
                )
            ),
        },
        "same_for_all",
        path="/plan/7",
    )


def _gate(
    name: str, source: str, path: str, door: str, page: Reply, gate: Reply, lang: str
) -> Case:
    """Return a page whose site sends a client without a cookie to `door` first."""
    site: Site = {
        "/": home(lang),
        "/robots.txt": ROBOTS,
        path: cookie_gate(page, redirect(door)),
        door: gate,
        ELSE: LOST,
    }
    return alive(name, source, site, path=path, outcomes=_GATES)


def _gates() -> Iterator[Case]:
    yield _gate(
        "a German magazine asks for consent at its own address",
        "zeit.de and others: 302 to /zustimmung?url=",
        "/wissen/2026-04/bremsen",
        "/zustimmung?url=%2Fwissen%2F2026-04%2Fbremsen",
        _page("Bremsen", "de"),
        html(
            alone(
                "Zustimmung",
                "<h1>Weiter mit Werbung oder Pur</h1><button>Einverstanden</button><button>Pur für 7,90 €</button>",
                lang="de",
            )
        ),
        "de",
    )
    yield _gate(
        "a brewery in Czech asks for one's age",
        "pivovary: 302 na /vek?zpet=",
        "/piva/sedmicka",
        "/vek?zpet=%2Fpiva%2Fsedmicka",
        _page("Sedmička", "cs"),
        html(
            alone(
                "Je vám 18 let?",
                "<h1>Je vám 18 let?</h1><button>Ano</button><button>Ne</button>",
                lang="cs",
            )
        ),
        "cs",
    )


CASES: list[Case] = [*_moved(), *_elsewhere(), *_odd_hosts(), *_gates()]
