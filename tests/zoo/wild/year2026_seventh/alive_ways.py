"""Pages that are there, behind right redirects and gates, and files that are what they are."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import (
    ELSE,
    INCONCLUSIVE,
    SUCCESS,
    Answer,
    Case,
    Reply,
    Site,
    alive,
    cookie_gate,
    html,
    only,
    plain,
    redirect,
)
from tests.zoo.wild.year2026_seventh.frames import (
    LOST,
    alone,
    blog,
    counter,
    forum,
    home,
    manual,
    office,
    paper,
    story,
)

_SPARED = frozenset({SUCCESS, INCONCLUSIVE})

# Within a site: where such are known from, the old address, the new one, the title of the page.
_MOVED: dict[str, tuple[str, str, str, str]] = {
    "a manual's page goes from latest to stable": (
        "Read the Docs: /en/latest/ to /en/stable/",
        "/en/latest/reading.html",
        "/en/stable/reading.html",
        "Reading heights",
    ),
    "a manual's page gets its language": (
        "MDN, learn.microsoft.com: /docs to /en-us/docs",
        "/docs/gauges/float",
        "/en-us/docs/gauges/float",
        "Float gauges",
    ),
    "a paper's story gets its slug": (
        "papers: an id alone leads to id and title",
        "/article/1864042",
        "/article/1864042/mussels-close-the-well",
        "Mussels close the well",
    ),
    "an entry of a registry loses its version": (
        "pkg.go.dev and others: @latest to the page itself",
        "/example.org/tide@latest",
        "/example.org/tide",
        "tide package",
    ),
    "a product's address on a phone becomes its own": (
        "shops: /mobile/… to the address for all",
        "/mobile/product/1864",
        "/product/1864",
        "Hemp line, 12 mm",
    ),
    "an issue that became a discussion": (
        "GitHub: /issues/n to /discussions/n",
        "/keeper/gauge/issues/404",
        "/keeper/gauge/discussions/404",
        "Gauge shows no height after an update",
    ),
    "an article of a wiki leads to its new name": (
        "MediaWiki with a redirect of the server",
        "/wiki/Tide_guage",
        "/wiki/Tide_gauge",
        "Tide gauge",
    ),
    "an old address with a suffix of PHP leads to a path": (
        "relaunches: every page has its own 301",
        "/gauge.php?lang=en",
        "/en/gauge",
        "The gauge",
    ),
    "a gone-looking address leads to the page on a closure": (
        "offices: /closed leads to the notice",
        "/closed-beach-lane",
        "/notices/beach-lane-closed-until-may",
        "Beach Lane closed until May",
    ),
}


def _moved() -> Iterator[Case]:
    for name, (source, old, new, title) in _MOVED.items():
        page = html(office(title, f"<article><h1>{title}</h1>{story('en', 2)}</article>"))
        site = {"/": home(), old: redirect(new, status=301), new: page, ELSE: LOST}
        yield alive(name, source, site, path=old)


def _page_by_page(path: str, reply: Reply) -> Site:
    """Return a site that redirects that page alone and knows no others."""
    return {"/": home(), path: reply, ELSE: LOST}


def _path_by_path(origin: str, *, without: str = "") -> Answer:
    """Return what redirects every path, less its beginning, to the same one of another host."""
    return lambda visit, _times: redirect(
        f"{origin}{visit.target.removeprefix(without)}", status=301
    )


def _elsewhere() -> Iterator[Case]:
    article = html(
        office(
            "On stilling wells", f"<article><h1>On stilling wells</h1>{story('en', 2)}</article>"
        )
    )
    yield alive(
        "an identifier of an article leads to its publisher",
        "doi.org: 302 to the landing page",
        _page_by_page(
            "/10.5555/tide.1864",
            redirect("http://journals.of-the-mole.example:PORT/article/1864"),
        ),
        path="/10.5555/tide.1864",
        others={
            "journals.of-the-mole.example": {"/": home(), "/article/1864": article, ELSE: LOST}
        },
    )
    yield alive(
        "a project's pages went to a name of their own",
        "GitHub Pages: user.github.io/project to a custom domain, path by path",
        only(_path_by_path("http://www.gauge-project.example:PORT", without="/gauge")),
        path="/gauge/docs/wiring.html",
        others={
            "www.gauge-project.example": {
                "/": home(),
                "/docs/wiring.html": html(manual("Wiring", f"<h1>Wiring</h1>{story('en', 2)}")),
                ELSE: LOST,
            }
        },
    )
    yield alive(
        "a blog left its platform, post by post",
        "WordPress.com: site redirect",
        only(_path_by_path("http://tidewrack-blog.example:PORT")),
        path="/2015/06/a-gauge-in-the-fog/",
        others={
            "tidewrack-blog.example": {
                "/": home(),
                "/2015/06/a-gauge-in-the-fog/": html(
                    blog(
                        "A gauge in the fog – Tidewrack",
                        f"<h1>A gauge in the fog</h1>{story('en', 2)}",
                    )
                ),
                ELSE: LOST,
            }
        },
    )
    yield alive(
        "an agency was merged and its report has its place at the new one",
        "mergers of agencies: 301 page by page, in German",
        _page_by_page(
            "/veroeffentlichungen/pegel1998.html",
            redirect("http://www.amt-fuer-see.example:PORT/berichte/pegel-1998", status=301),
        ),
        path="/veroeffentlichungen/pegel1998.html",
        others={
            "www.amt-fuer-see.example": {
                "/": home("de"),
                "/berichte/pegel-1998": html(
                    office(
                        "Pegelbericht 1998",
                        f"<h1>Pegelbericht 1998</h1>{story('de', 2)}",
                        lang="de",
                    )
                ),
                ELSE: LOST,
            }
        },
    )
    yield alive(
        "a letter's link is counted on its way to a post",
        "Mailchimp: list-manage, 302",
        _page_by_page(
            "/track/click?u=1864&id=42&e=ab",
            redirect("http://post-of-the-letter.example:PORT/2026/03/tables/"),
        ),
        path="/track/click?u=1864&id=42&e=ab",
        others={
            "post-of-the-letter.example": {
                "/": home(),
                "/2026/03/tables/": html(
                    blog("Tables for March – Tidewrack", f"<h1>Tables for March</h1>{story()}")
                ),
                ELSE: LOST,
            }
        },
    )


def _gates() -> Iterator[Case]:
    yield alive(
        "a daily in German lies under a question of consent",
        "Sourcepoint: Mit Werbung weiterlesen, over the page",
        {
            "/": home("de"),
            "/hafen/pegel-1864": html(
                paper(
                    "Der Pegel steigt",
                    f"<div id='sp_message_container'><h2>Mit Werbung weiterlesen</h2><p>Wir verarbeiten Daten mit 186 Partnern.</p><button>Einwilligen und weiter</button></div><article><h1>Der Pegel steigt</h1>{story('de', 2)}</article>",
                    lang="de",
                )
            ),
            ELSE: LOST,
        },
        path="/hafen/pegel-1864",
    )
    yield alive(
        "a search company asks for consent on a host of its own",
        "Google: 302 to consent.…/m?continue=, 200",
        {
            "/": home(),
            "/maps/place/mole": redirect(
                "http://consent.search-company.example:PORT/m?continue=http://$HOST/maps/place/mole&gl=DE"
            ),
            ELSE: LOST,
        },
        path="/maps/place/mole",
        others={
            "consent.search-company.example": only(
                html(
                    alone(
                        "Bevor Sie fortfahren",
                        "<h1>Bevor Sie fortfahren</h1><p>Wir verwenden Cookies und Daten, um Dienste bereitzustellen.</p><form><button>Alle ablehnen</button><button>Alle akzeptieren</button></form>",
                        lang="de",
                    )
                )
            )
        },
        outcomes=_SPARED,
    )
    yield alive(
        "a shop of rum asks for the age by a cookie",
        "shops of spirits: an age gate, 200",
        {
            "/": home(),
            "/products/navy-rum": cookie_gate(
                html(counter("Navy rum", f"<h1>Navy rum</h1><p>54.5% vol.</p>{story()}")),
                html(
                    counter(
                        "Are you over 18?",
                        "<h1>Are you over 18?</h1><p>You must be of legal drinking age to enter this site.</p><form method='post'><button name='yes'>Yes</button><button name='no'>No</button></form>",
                    )
                ),
            ),
            ELSE: LOST,
        },
        path="/products/navy-rum",
        outcomes=_SPARED,
    )
    yield alive(
        "a publisher tries cookies and comes back",
        "Taylor & Francis, SAGE: ?cookieSet=1",
        {
            "/": home(),
            "/doi/full/10.5555/tide.42": redirect(
                "/doi/full/10.5555/tide.42?cookieSet=1", "Set-Cookie: MAID=1864; Path=/"
            ),
            "/doi/full/10.5555/tide.42?cookieSet=1": html(
                office("Floats and wells", f"<h1>Floats and wells</h1>{story('en', 2)}")
            ),
            ELSE: LOST,
        },
        path="/doi/full/10.5555/tide.42",
    )
    yield alive(
        "a shop adds the country to the address",
        "Shopify Markets: 302 to /en-de/",
        {
            "/": home(),
            "/products/rope-mat": redirect("/en-de/products/rope-mat"),
            "/en-de/products/rope-mat": html(
                counter("Rope mat", f"<h1>Rope mat</h1><p>€42.00</p>{story()}")
            ),
            ELSE: LOST,
        },
        path="/products/rope-mat",
    )
    yield alive(
        "a forum sends a stranger from a number to a name and a session",
        "phpBB with sid: 302 to the same topic",
        {
            "/": home(),
            "/viewtopic.php?t=42": redirect("/viewtopic.php?t=42&sid=1864abcd"),
            "/viewtopic.php?t=42&sid=1864abcd": html(
                forum(
                    "Float stuck - Slipway",
                    f"<h2>Float stuck</h2><div class='postbody'>{story()}</div>",
                )
            ),
            ELSE: LOST,
        },
        path="/viewtopic.php?t=42",
    )


def _files() -> Iterator[Case]:
    files = {
        "a table of status codes": (
            "IANA: http-status-codes-1.csv",
            "/assignments/http-status-codes/http-status-codes-1.csv",
            plain(
                'Value,Description,Reference\n403,Forbidden,"[RFC9110, Section 15.5.4]"\n404,Not Found,"[RFC9110, Section 15.5.5]"\n410,Gone,"[RFC9110, Section 15.5.11]"\n',
                kind="text/csv; charset=utf-8",
            ),
        ),
        "an answer that says that nothing is wrong": (
            'health checks: {"status":"ok","error":null}',
            "/healthz",
            plain('{"status":"ok","error":null,"not_found":0}', kind="application/json"),
        ),
        "a list of dead links in JSON": (
            "link checkers: a report",
            "/reports/links.json",
            plain(
                '{"checked":1864,"dead":[{"url":"http://old.example/","status":404,"message":"Not Found"},{"url":"http://gone.example/","status":410,"message":"Gone"}]}',
                kind="application/json",
            ),
        ),
        "a feed with an entry on errors": (
            "feeds of blogs",
            "/feed.xml",
            plain(
                '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Tidewrack</title><id>tag:tidewrack</id><updated>2026-03-01T00:00:00Z</updated><entry><title>404 Not Found</title><id>tag:1</id><updated>2026-03-01T00:00:00Z</updated><summary>On a lost page of the log.</summary></entry></feed>',
                kind="application/atom+xml",
            ),
        ),
        "a changelog in plain text": (
            "releases: CHANGES.txt",
            "/pub/tidegauge/CHANGES.txt",
            plain(
                "3.2 (2026-03-01)\n  * Return 404 Not Found for unknown stations, not 500.\n  * Remove the page for errors that no longer exists.\n\n3.1 (2025-11-04)\n  * Domain names may expire while we wait.\n"
            ),
        ),
        "a document for printing": (
            "offices: application/pdf",
            "/downloads/tables-2026.pdf",
            Reply(
                headers=("Content-Type: application/pdf",),
                body=b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
            ),
        ),
        "a drawing of a page for errors": (
            "packs of icons: 404.svg",
            "/icons/404.svg",
            plain(
                '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 42 42"><title>404 not found</title><text x="4" y="24">404</text></svg>',
                kind="image/svg+xml",
            ),
        ),
        "a page of Korean in an old charset": (
            "sites of Korea: euc-kr",
            "/tide/mole.html",
            html(
                "<html><head><meta http-equiv='Content-Type' content='text/html; charset=euc-kr'><title>방파제 검조소</title></head><body><h1>방파제 검조소</h1><p>검조소는 1864년에 세워졌으며 지금은 자료관으로 쓰인다.</p></body></html>",
                charset="euc-kr",
                said=None,
            ),
        ),
        "a page of Russian in an old charset": (
            "sites of Russia: windows-1251",
            "/port/mol.htm",
            html(
                "<html><head><title>Старый мол</title></head><body><h1>Старый мол</h1><p>Футшток на молу снят в 1904 году и не найден до сих пор. Его место отмечает доска.</p></body></html>",
                charset="windows-1251",
            ),
        ),
        "an answer for machines that a linked thing has": (
            "Wikidata: Special:EntityData",
            "/wiki/Special:EntityData/Q1864.json",
            plain(
                '{"entities":{"Q1864":{"type":"item","labels":{"en":{"language":"en","value":"tide gauge that no longer exists"}}}}}',
                kind="application/json; charset=UTF-8",
            ),
        ),
        "a key of a release": (
            "releases: a detached signature",
            "/pub/tidegauge/tidegauge-3.2.tar.gz.asc",
            plain(
                "-----BEGIN PGP SIGNATURE-----\n\niHUEABYKAB0WIQQx\n=1864\n-----END PGP SIGNATURE-----\n",
                kind="application/pgp-signature",
            ),
        ),
    }
    for name, (source, path, reply) in files.items():
        yield alive(
            f"a seventh file: {name}", source, {"/": home(), path: reply, ELSE: LOST}, path=path
        )


def _same() -> Iterator[Case]:
    """Yield sites whose other addresses are no measure of the page."""
    yield alive(
        "a front page of a hotel that swallows every address",
        "small sites: a rewrite of everything to index.php, asked for at its front page",
        only(
            html(
                office(
                    "Hotel am Molenkopf", f"<h1>Hotel am Molenkopf</h1>{story('de', 2)}", lang="de"
                )
            )
        ),
        path="/",
    )
    yield alive(
        "a station of many with pages alike but for their heights",
        "networks of gauges: pages from one template",
        {
            "/": home(),
            **{
                f"/stations/{number}": html(
                    office(
                        f"Station {number}",
                        f"<h1>Station {number}</h1><p>Height now: {number % 7}.{number % 10} m. No warning.</p>",
                    )
                )
                for number in (1862, 1863, 1864, 1865)
            },
            ELSE: LOST,
        },
        path="/stations/1864",
    )
    yield alive(
        "a reader of a log whose sheets share their title",
        "digital libraries: each sheet is titled as the book",
        {
            "/": home(),
            "/log/1864/page/404": html(
                office(
                    "Log of the gauge, 1864",
                    f"<h1>Log of the gauge, 1864</h1><p>Sheet 404 of 730</p>{story()}",
                )
            ),
            "/log/1864": html(office("Log of the gauge, 1864", "<h1>Log of the gauge, 1864</h1>")),
            ELSE: LOST,
        },
        path="/log/1864/page/404",
    )


CASES: list[Case] = [*_moved(), *_elsewhere(), *_gates(), *_files(), *_same()]
