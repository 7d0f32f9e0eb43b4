"""Pages that are there behind a redirect, a host, a gate or a second try."""

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
from tests.zoo.wild.year2026_ninth.frames import (
    LOST,
    ROBOTS,
    alone,
    app,
    blocks,
    docs,
    home,
    market,
    story,
)

_GATES = frozenset({SUCCESS, INCONCLUSIVE})

# Within a site: where such are known from, the status, the old address, the new one, title, language.
_MOVED: dict[str, tuple[str, int, str, str, str, str]] = {
    "an address gets the slash at its end": (
        "Django, WordPress: APPEND_SLASH, 301",
        301,
        "/lights/pier-4",
        "/lights/pier-4/",
        "Pier 4",
        "en",
    ),
    "an address loses the slash at its end": (
        "Next.js: trailingSlash false, 308",
        308,
        "/lampen/dochte/",
        "/lampen/dochte",
        "Dochte",
        "de",
    ),
    "an address becomes small": (
        "IIS, nginx: rules for lower case, 301",
        301,
        "/Faros/Cabo-Mayor.aspx",
        "/faros/cabo-mayor.aspx",
        "Cabo Mayor",
        "es",
    ),
    "an address gets its index": (
        "static sites: /index.html to /, 301",
        301,
        "/phares/index.html",
        "/phares/",
        "Les phares",
        "fr",
    ),
    "an address of PHP gets words": (
        "WordPress: ?p= to the permalink, 301",
        301,
        "/index.php?p=1843",
        "/2019/11/fyrvaktarens-dagbok/",
        "Fyrvaktarens dagbok",
        "sv",
    ),
    "an article got a better title": (
        "papers: a new slug for the same number, 301",
        301,
        "/article/1843/old-lamp-lit",
        "/article/1843/lamp-lit-after-forty-years",
        "Lamp lit after forty years",
        "en",
    ),
    "a page of a portal gets its country and language": (
        "makers: 302 to /pl-pl/ by the visitor",
        302,
        "/support/lx-43",
        "/pl-pl/support/lx-43",
        "Pomoc: LX-43",
        "pl",
    ),
    "a manual's version becomes the newest": (
        "docs: /latest to /3.2, 302",
        302,
        "/docs/latest/wicks.html",
        "/docs/3.2/wicks.html",
        "Wicks — Lamp 3.2",
        "en",
    ),
    "the main branch of a project has another name": (
        "GitHub: blob/master to blob/main, 302",
        302,
        "/keeper/lamp/blob/master/README.md",
        "/keeper/lamp/blob/main/README.md",
        "README.md",
        "en",
    ),
    "an item goes by its handle": (
        "DSpace: /handle/ to /items/, 302",
        302,
        "/handle/1843/43",
        "/items/43aa1843-0000-4000-8000-000000001843",
        "Diário do faroleiro",
        "pt",
    ),
    "a tag was renamed": (
        "blogs of Turkey: etiket adı değişti, 301",
        301,
        "/etiket/lamba",
        "/etiket/fener",
        "Fener yazıları",
        "tr",
    ),
    "a page of numbers is seen through its session": (
        "old shops: a session's mark is added and taken away, 302",
        302,
        "/katalog.php?id=43",
        "/katalog.php?id=43&PHPSESSID=1843abcd",
        "Světla",
        "cs",
    ),
    "an address is written out in its own script": (
        "wikis in Greek: a Latin address leads to the Greek one, 301",
        301,
        "/wiki/Faros",
        "/wiki/%CE%A6%CE%AC%CF%81%CE%BF%CF%82",
        "Φάρος",
        "el",
    ),
}


def _moved() -> Iterator[Case]:
    for name, (source, status, old, new, title, lang) in _MOVED.items():
        page = html(blocks(title, f"<h1>{title}</h1>{story(lang, 2)}", lang=lang))
        site = {
            "/": home(lang),
            "/robots.txt": ROBOTS,
            old: redirect(new, status=status),
            new: page,
            ELSE: LOST,
        }
        yield alive(name, source, site, path=old)


def _along(host: str, *, scheme: str = "http", status: int = 301) -> Callable[[Visit, int], Reply]:
    """Return what sends every path to the same path at `host`."""
    port = ":TLSPORT" if scheme == "https" else ":PORT"
    return lambda visit, _times: redirect(f"{scheme}://{host}{port}{visit.target}", status=status)


def _elsewhere() -> Iterator[Case]:
    """Yield pages that live at another host now; what is unknown is unknown there, too."""
    title = "Keeping a lamp"
    page = html(docs(title, f"<h1>{title}</h1>{story('en', 2)}"))
    there: Site = {"/": home(), "/robots.txt": ROBOTS, "/keeping/lamp": page, ELSE: LOST}
    hosts = {
        "a site is read over a safe line only": (
            "sites: 301 from http to https",
            "lamp-by-a-safe-line.example",
            _along("lamp-by-a-safe-line-s.example", scheme="https"),
            "lamp-by-a-safe-line-s.example",
        ),
        "a site with three letters in front drops them": (
            "sites: 301 from www to the apex",
            "www.lamp-without-letters.example",
            _along("lamp-without-letters.example"),
            "lamp-without-letters.example",
        ),
        "a site for small screens leads to the one for all": (
            "papers: 301 from m. to www.",
            "m.lamp-for-all-screens.example",
            _along("www.lamp-for-all-screens.example"),
            "www.lamp-for-all-screens.example",
        ),
        "a project took another name and its pages with it": (
            "renamed projects: 308, path kept",
            "docs.lamp-of-old-name.example",
            _along("docs.wick-of-new-name.example", status=308),
            "docs.wick-of-new-name.example",
        ),
        "a ministry was merged and its pages with it": (
            "ministries: 307, path kept",
            "www.ministry-of-lamps.example",
            _along("www.ministry-of-the-sea.example", status=307),
            "www.ministry-of-the-sea.example",
        ),
    }
    for name, (source, host, answer, new) in hosts.items():
        yield alive(
            name, source, {ELSE: answer}, path="/keeping/lamp", host=host, others={new: there}
        )
    yield alive(
        "a document's identifier leads to its publisher over a hop",
        "doi.org: 302 to a publisher's resolver, 302 to the page; unknown ones are a 404",
        {
            "/": home("en", "Identifiers"),
            "/10.5555/lamp.43": redirect("http://link-of-a-press.example:PORT/10.5555/lamp.43"),
            ELSE: html(
                alone("DOI Not Found", "<h1>DOI Not Found</h1><p>This DOI cannot be found.</p>"),
                status=404,
            ),
        },
        path="/10.5555/lamp.43",
        others={
            "link-of-a-press.example": {
                "/": home("en", "The press"),
                "/10.5555/lamp.43": redirect("/article/lamp.43", status=302),
                "/article/lamp.43": page,
                ELSE: LOST,
            }
        },
    )
    yield alive(
        "a file of a release is fetched from a store under a signature",
        "GitHub releases: 302 to a signed address; unknown ones are a 404",
        {
            "/": home(),
            "/keeper/lamp/releases/download/v1.8/lamp.tar.gz": redirect(
                "http://assets-of-a-forge.example:PORT/1843/lamp.tar.gz?se=2026&sig=43"
            ),
            ELSE: LOST,
        },
        path="/keeper/lamp/releases/download/v1.8/lamp.tar.gz",
        others={
            "assets-of-a-forge.example": {
                "/1843/lamp.tar.gz?se=2026&sig=43": Reply(
                    headers=("Content-Type: application/octet-stream",),
                    body=b"\x1f\x8b\x08\x00" + b"\x18\x43" * 200,
                ),
                ELSE: plain("<Error><Code>AuthenticationFailed</Code></Error>", status=403),
            }
        },
    )
    yield alive(
        "a shop that moved house leads good by good to the new one",
        "relaunches of shops: 301 one by one, the rest to the front",
        {
            "/laterne-43.html": redirect(
                "http://new-shop-of-lamps.example:PORT/p/laterne-43", status=301
            ),
            ELSE: redirect("http://new-shop-of-lamps.example:PORT/", status=301),
        },
        path="/laterne-43.html",
        others={
            "new-shop-of-lamps.example": {
                "/": home("de", "Lampenladen"),
                "/p/laterne-43": html(
                    market(
                        "Laterne 43",
                        f"<h1>Laterne 43</h1><p>43 €</p><button>Kaufen</button>{story('de')}",
                        lang="de",
                    )
                ),
                ELSE: LOST,
            }
        },
    )
    yield alive(
        "an old page says where it went and takes one there",
        "old pages: meta refresh to the same text at its new address",
        {
            "/": home(),
            "/old/tides.html": html(
                alone(
                    "Moved",
                    "<p>This page has moved to <a href='/tides/'>a new address</a>. Please update your bookmarks.</p>",
                    more='<meta http-equiv="refresh" content="0; url=/tides/">\n',
                )
            ),
            "/tides/": html(blocks("Tides", f"<h1>Tides</h1>{story('en', 2)}")),
            ELSE: LOST,
        },
        path="/old/tides.html",
    )
    yield alive(
        "a link counted by a letter's sender leads to the story",
        "mail services: 302 from a click to the page",
        {
            "/": html(alone("", "")),
            "/ls/click?upn=u001.1843abcd": redirect("http://the-lamp-weekly.example:PORT/2026/fog"),
            ELSE: html(
                alone("Wrong Link", "<p>You have clicked on an invalid link.</p>"), status=404
            ),
        },
        path="/ls/click?upn=u001.1843abcd",
        others={
            "the-lamp-weekly.example": {
                "/": home(),
                "/2026/fog": html(blocks("Fog", f"<h1>Fog</h1>{story('en', 2)}")),
                ELSE: LOST,
            }
        },
    )


def _gate(name: str, source: str, path: str, door: str, page: Reply, gate: Reply) -> Case:
    """Return a page whose site sends whoever brings no cookie to `door` first."""
    site: Site = {
        "/": home(),
        "/robots.txt": ROBOTS,
        path: cookie_gate(page, redirect(door)),
        door: gate,
        ELSE: LOST,
    }
    return alive(name, source, site, path=path, outcomes=_GATES)


def _gates() -> Iterator[Case]:
    yield _gate(
        "a paper of Austria asks to consent or to pay first",
        "derstandard.at: 302 to /consent/tcf/",
        "/story/1843/nebel",
        "/consent/tcf/story/1843/nebel",
        html(blocks("Nebel", f"<h1>Nebel</h1>{story('de', 2)}", lang="de")),
        html(
            alone(
                "Zustimmung",
                "<h1>Willkommen</h1><p>Sie entscheiden darüber, wie Sie unsere Inhalte nutzen wollen.</p><button>Mit Werbung weiter</button><button>PUR-Abo</button>",
                lang="de",
            )
        ),
    )
    yield _gate(
        "a maker of gin asks for one's birthday in French",
        "marques d'alcool: 302 vers /age?next=",
        "/gins/phare-43",
        "/age?next=%2Fgins%2Fphare-43",
        html(market("Gin Phare 43", f"<h1>Gin Phare 43</h1>{story('fr')}", lang="fr")),
        html(
            alone(
                "Avez-vous l'âge légal ?",
                "<h1>Avez-vous l'âge légal ?</h1><form method='post'><input name='annee'><button>Entrer</button></form><p>L'abus d'alcool est dangereux pour la santé.</p>",
                lang="fr",
            )
        ),
    )
    yield _gate(
        "an office tries whether cookies are kept",
        "ASP.NET: 302 to ?AspxAutoDetectCookieSupport=1",
        "/records/43.aspx",
        "/records/43.aspx?AspxAutoDetectCookieSupport=1",
        html(blocks("Record 43", f"<h1>Record 43</h1>{story('en', 2)}")),
        html(blocks("Record 43", f"<h1>Record 43</h1>{story('en', 2)}")),
    )
    yield alive(
        "a page of a shop asks above itself whether one is in the right country",
        "shops: Are you in the right place?, above the page",
        {
            "/": home(),
            "/products/fog-bell": html(
                market(
                    "Fog bell",
                    f"<dialog open><h2>Are you in the right place?</h2><p>It looks like you are in Germany.</p><button>Go to Germany</button><button>Stay</button></dialog><h1>Fog bell</h1><p>$143</p>{story()}",
                )
            ),
            ELSE: LOST,
        },
        path="/products/fog-bell",
    )
    yield alive(
        "a picture's page in Korean lies under a plea to get the app",
        "networks: 앱에서 보기, over the page",
        {
            "/": home("ko"),
            "/p/1843": html(
                app(
                    "안개",
                    f"<div class='layer'><p>앱에서 더 편하게 보세요</p><button>앱에서 보기</button><a>괜찮아요, 웹으로 볼게요</a></div><article><h1>안개</h1>{story('ko', 2)}</article>",
                    lang="ko",
                )
            ),
            ELSE: LOST,
        },
        path="/p/1843",
    )


CASES: list[Case] = [*_moved(), *_elsewhere(), *_gates()]
