"""Pages that are there, at the end of a right redirect, behind a gate, or in another form or charset."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import (
    ELSE,
    INCONCLUSIVE,
    SUCCESS,
    Case,
    Reply,
    alive,
    cookie_gate,
    html,
    only,
    plain,
    redirect,
)
from tests.zoo.wild.year2026_sixth.frames import (
    LOST,
    campus,
    daily,
    handbook,
    home,
    lone,
    shell,
    store,
    tale,
)

_SPARED = frozenset({SUCCESS, INCONCLUSIVE})

# Within a site: where such are known from, the old address, the new one, the title of the page.
_MOVED: dict[str, tuple[str, str, str, str]] = {
    "a handle of DSpace leads to its item": (
        "DSpace 7: /handle to /items",
        "/handle/1892/4242",
        "/items/42ab42ab-0000-4242-8888-424242424242",
        "The pears of the valley, 1892–1914",
    ),
    "a concept of Zenodo leads to its newest version": (
        "Zenodo: concept DOI to the latest record",
        "/records/4242",
        "/records/4249",
        "Pear phenology data set",
    ),
    "a crate's manual leads to its latest version": (
        "docs.rs: /crate to /crate/latest/crate/",
        "/graft",
        "/graft/latest/graft/",
        "graft - Rust",
    ),
    "a number of TYPO3 leads to a name": (
        "TYPO3: index.php?id= to the slug",
        "/index.php?id=424&L=0",
        "/veranstaltungen/birnentag",
        "Birnentag im September",
    ),
    "a number of WordPress leads to a name": (
        "WordPress: ?p= to the permalink",
        "/?p=4242",
        "/2019/04/frost-in-the-orchard/",
        "Frost in the orchard",
    ),
    "a product within a collection leads to the product": (
        "shops: canonical address of a product",
        "/collections/tools/products/grafting-knife",
        "/products/grafting-knife",
        "Grafting knife",
    ),
    "a record of Wikidata leads to its entity page": (
        "Wikidata: /entity to /wiki",
        "/entity/Q4242",
        "/wiki/Q4242",
        "pear - Wikidata",
    ),
    "a page of a manual loses its suffix": (
        "Sphinx: html to dirhtml",
        "/en/latest/grafting.html",
        "/en/latest/grafting/",
        "Grafting",
    ),
    "a page called 404 of a catalogue leads to its new name": (
        "museums: numbers of objects become slugs",
        "/objects/404",
        "/objects/404-cider-jug-with-missing-handle",
        "Cider jug with missing handle",
    ),
}


def _moved() -> Iterator[Case]:
    for name, (source, old, new, title) in _MOVED.items():
        page = html(campus(title, f"<article><h1>{title}</h1>{tale('en', 2)}</article>"))
        site = {"/": home(), old: redirect(new, status=301), new: page, ELSE: LOST}
        yield alive(name, source, site, path=old)


def _elsewhere() -> Iterator[Case]:
    """Yield pages that are at another host now, or behind a gate at one."""
    article = html(
        campus(
            "Scab resistance in perry pears",
            f"<article><h1>Scab resistance in perry pears</h1>{tale('en', 2)}</article>",
        )
    )
    yield alive(
        "an archival key leads through its resolver",
        "n2t.net: ARK, 302 to the holder",
        only(redirect("http://collections.valley-museum.example:PORT/ark:/12345/pear42")),
        path="/ark:/12345/pear42",
        others={
            "collections.valley-museum.example": {
                "/": home(),
                "/ark:/12345/pear42": article,
                ELSE: LOST,
            }
        },
    )
    yield alive(
        "a ticket leads to the forge where its project went",
        "projects that left Trac: 301 to the issue of the same number",
        {
            "/": home(),
            "/ticket/4242": redirect(
                "http://forge.press-project.example:PORT/press/issues/4242", status=301
            ),
            ELSE: LOST,
        },
        path="/ticket/4242",
        others={
            "forge.press-project.example": {
                "/": home(),
                "/press/issues/4242": html(
                    lone(
                        "#4242 - Press jams when the file is not found - press",
                        f"<nav><a href='/'>Explore</a></nav><h1>Press jams when the file is not found <span>#4242</span></h1><span class='label'>Closed</span>{tale()}",
                    )
                ),
                ELSE: LOST,
            }
        },
    )
    yield alive(
        "a link of a letter is counted on its way",
        "senders of newsletters: 302 over the counter of clicks",
        only(
            redirect(
                "http://www.scion-letter.example:PORT/spring-notes?utm_source=newsletter&utm_medium=email"
            )
        ),
        path="/ls/click?upn=u001.42abAB",
        others={
            "www.scion-letter.example": {
                "/": home(),
                "/spring-notes?utm_source=newsletter&utm_medium=email": article,
                ELSE: LOST,
            }
        },
    )
    yield alive(
        "a blog that went to its own name, each post to itself",
        "WordPress.com: mapped domains, 301 with the same path",
        only(redirect("http://www.frost-and-fruit.example:PORT/2015/05/01/blossom/", status=301)),
        path="/2015/05/01/blossom/",
        others={
            "www.frost-and-fruit.example": {
                "/": home(),
                "/2015/05/01/blossom/": article,
                ELSE: LOST,
            }
        },
    )
    yield alive(
        "a Czech portal asks for consent or payment at its own host",
        "StevenBlack/hosts issue 2639: cmp.seznam.cz/nastaveni-souhlasu",
        only(
            redirect(
                "http://cmp.portal-cz.example:PORT/nastaveni-souhlasu?service=novinky&return_url=x"
            )
        ),
        path="/clanek/domaci-mraz-znicil-urodu-424242",
        others={
            "cmp.portal-cz.example": only(
                html(
                    lone(
                        "Nastavení souhlasu s personalizací",
                        "<h1>Vyberte si, jak chcete používat naše služby</h1><button>Souhlasím</button><button>Předplatit bez reklam</button><script src='https://h.seznam.cz/js/cmp2/scmp-cw.js'></script>",
                        lang="cs",
                    )
                )
            )
        },
        outcomes=_SPARED,
    )
    yield alive(
        "a portal of mail and news asks for consent at its own host",
        "Global-Consent-Manager issue 47: guce, collectConsent",
        only(redirect("http://guce.portal-of-mail.example:PORT/consent?brandType=nonEu&gcrumb=42")),
        path="/news/frost-hits-pears-104242424.html",
        others={
            "guce.portal-of-mail.example": {
                "/consent?brandType=nonEu&gcrumb=42": redirect(
                    "/v2/collectConsent?sessionId=3_cc-session_42"
                ),
                ELSE: html(
                    lone(
                        "Yahoo is part of the Yahoo family of brands",
                        "<form class='consent-form' method='post'><h1>We value your privacy</h1><p>If you click 'Accept all', we and our partners will store information on your device.</p><button name='agree'>Accept all</button><button name='reject'>Reject all</button></form>",
                    )
                ),
            }
        },
        outcomes=_SPARED,
    )


def _gates() -> Iterator[Case]:
    """Yield pages under or behind a gate of their own site."""
    page = store(
        "Perry, dry", "<h1>Perry, dry</h1><p>7.2% vol., 75 cl.</p><p class='price'>9.80</p>"
    )
    yield alive(
        "a cidery lets in by a cookie after the birthday",
        "shops of alcohol: an age gate at the same address",
        {
            "/": home(),
            "/perry/dry": cookie_gate(
                html(page),
                html(
                    lone(
                        "Age verification",
                        "<h1>Are you of legal drinking age?</h1><form method='post'><input name='dd'><input name='mm'><input name='yyyy'><button>Enter</button></form>",
                    )
                ),
            ),
            ELSE: LOST,
        },
        path="/perry/dry",
        outcomes=_SPARED,
    )
    yield alive(
        "a shop asks above its page whether the country is right",
        "Shopify Markets: a dialogue on the country, over the page",
        {
            "/": home(),
            "/products/secateurs": html(
                store(
                    "Secateurs",
                    "<div role='dialog' aria-label='Country'><p>It looks like you are in the Netherlands. This store does not ship to your country.</p><button>Go to the EU store</button><button>Stay here</button></div><h1>Secateurs</h1><p>Forged steel.</p>",
                )
            ),
            ELSE: LOST,
        },
        path="/products/secateurs",
    )
    yield alive(
        "a daily in German lies under a choice of advertising or payment",
        "contentpass and others: Weiter mit Werbung",
        {
            "/": home("de"),
            "/lokales/frost-1.4242": html(
                daily(
                    "Frost vernichtet Birnenernte",
                    f"<div class='cmp-layer'><h2>Weiter mit Werbung</h2><p>Besuchen Sie uns wie gewohnt mit Werbung und Tracking oder nutzen Sie das Pur-Abo.</p><button>Akzeptieren</button></div><article><h1>Frost vernichtet Birnenernte</h1>{tale('de', 2)}</article>",
                    lang="de",
                )
            ),
            ELSE: LOST,
        },
        path="/lokales/frost-1.4242",
    )
    yield alive(
        "a network asks to open its app, over the post",
        "networks: an interstitial for the app",
        {
            "/": home(),
            "/p/42ab": html(
                campus(
                    "Pomona: first blossom today",
                    f"<div class='app-banner'><p>This page looks better in the app</p><a href='intent://p/42ab#Intent;end'>Open</a><button>Not now</button></div><article><h1>First blossom today</h1>{tale()}</article>",
                )
            ),
            ELSE: LOST,
        },
        path="/p/42ab",
    )


def _forms() -> Iterator[Case]:
    """Yield answers that are no pages of HTML, or pages of an old charset."""
    files: dict[str, tuple[str, str, Reply]] = {
        "a reference whose title is an error": (
            "Zotero and others: BibTeX",
            "/export/4242.bib",
            plain(
                "@article{keeper2019,\n  title = {Page not found: decay of links in pomology},\n  author = {Keeper, J.},\n  year = {2019}\n}\n",
                kind="application/x-bibtex; charset=utf-8",
            ),
        ),
        "a table of what a crawler saw": (
            "portals of open data: text/csv",
            "/download/link-check-2026.csv",
            plain(
                "url,status,title\nhttp://a.example/,404,Not Found\nhttp://b.example/,200,Welcome\n",
                "Content-Disposition: attachment; filename=link-check-2026.csv",
                kind="text/csv",
            ),
        ),
        "a list of what plays": (
            "radios: an M3U list",
            "/listen.m3u8",
            plain(
                "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXTINF:6.0,Offline\nseg42.ts\n",
                kind="application/vnd.apple.mpegurl",
            ),
        ),
        "a book to take away": (
            "Project Gutenberg: application/epub+zip",
            "/ebooks/4242.epub",
            Reply(
                headers=("Content-Type: application/epub+zip",),
                body=b"PK\x03\x04\x0a\x00\x00\x00\x00\x00mimetypeapplication/epub+zip"
                + b"\x00" * 400,
            ),
        ),
        "a record whose state is closed": (
            "interfaces of forges: an issue in JSON",
            "/api/v1/repos/keeper/graft/issues/42",
            plain(
                '{"id":42,"title":"404 page not found on /docs","state":"closed","body":"The page has been removed."}',
                kind="application/json;charset=utf-8",
            ),
        ),
        "a description of a search": (
            "OpenSearch: description document",
            "/opensearch.xml",
            plain(
                '<?xml version="1.0"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Pears</ShortName><Url type="text/html" template="http://$HOST/search?q={searchTerms}"/></OpenSearchDescription>',
                kind="application/opensearchdescription+xml",
            ),
        ),
        "an answer with nothing in it, as a probe has it": (
            "Google's generate_204",
            "/generate_204",
            Reply(status=204),
        ),
        "a list of files of a mirror": (
            "Apache: mod_autoindex, a folder with one empty folder",
            "/pub/orphaned/",
            html(
                "<!DOCTYPE HTML>\n<html><head><title>Index of /pub/orphaned</title></head><body><h1>Index of /pub/orphaned</h1><table><tr><th>Name</th><th>Last modified</th></tr><tr><td><a href='/pub/'>Parent Directory</a></td><td></td></tr><tr><td><a href='removed/'>removed/</a></td><td>2019-04-02 10:42</td></tr></table></body></html>",
                "Server: Apache",
            ),
        ),
        "a page of Thai in its old charset": (
            "sites of Thailand: TIS-620",
            "/orchard/pear.html",
            html(
                "<html><head><meta http-equiv='Content-Type' content='text/html; charset=tis-620'><title>สวนลูกแพร์</title></head><body><h1>สวนลูกแพร์</h1><p>สวนนี้ปลูกเมื่อ พ.ศ. 2435 โดยครูใหญ่ของโรงเรียน ต้นที่เก่าแก่ที่สุดยังออกผลทุกปี</p></body></html>",
                charset="tis-620",
                said=None,
            ),
        ),
        "a page of Latvian in its old charset": (
            "sites of Latvia: windows-1257",
            "/darzs/bumbieri.htm",
            html(
                "<html><head><meta http-equiv='Content-Type' content='text/html; charset=windows-1257'><title>Bumbieru dārzs</title></head><body><h1>Bumbieru dārzs</h1><p>Dārzu 1892. gadā iestādīja skolotājs, kurš pa dzelzceļu pasūtīja divpadsmit šķirņu stādus. Deviņas no tām ražo vēl šodien.</p></body></html>",
                charset="windows-1257",
            ),
        ),
    }
    for name, (source, path, reply) in files.items():
        yield alive(name, source, {"/": home(), path: reply, ELSE: LOST}, path=path)


def _odd() -> Iterator[Case]:
    hotel = html(
        campus(
            "Hotel Derlon",
            f"<h1>Hotel Derlon</h1>{tale('nl', 2)}<a href='/kamers'>Kamers</a>",
            lang="nl",
            name="Hotel",
        )
    )
    yield alive(
        "a home page that is shown at every address",
        "robustify.js issue 4: a hotel whose unknown addresses show its home page",
        only(hotel),
        path="/",
    )
    yield alive(
        "a front page that is one application and nothing else",
        "cryptgeon and others: a shell at the root",
        {"/": html(shell("Notes", "")), ELSE: LOST},
        path="/",
    )
    yield alive(
        "a record in an application that names it in its head",
        "Angular and React with a server that fills the head alone",
        {
            "/": html(shell("Pear register", "")),
            "/sorts/42": html(
                shell(
                    "Gute Graue – Pear register",
                    "",
                    head='<link rel="canonical" href="http://$HOST/sorts/42"><meta name="description" content="Old sort of pear, known since 1788.">',
                )
            ),
            ELSE: html(shell("Pear register", "")),
        },
        path="/sorts/42",
    )
    yield alive(
        "a handbook's page that is at two addresses",
        "Docusaurus: the version and the latest are the same page",
        {
            "/": html(handbook("Graft", f"<h1>Graft</h1>{tale()}")),
            "/docs/4.2/prune": html(
                handbook(
                    "prune",
                    f"<article><h1>prune</h1><p>Removes branches that are gone from the remote.</p>{tale()}</article>",
                )
            ),
            "/docs/prune": html(
                handbook(
                    "prune",
                    f"<article><h1>prune</h1><p>Removes branches that are gone from the remote.</p>{tale()}</article>",
                )
            ),
            ELSE: LOST,
        },
        path="/docs/4.2/prune",
    )


CASES: list[Case] = [*_moved(), *_elsewhere(), *_gates(), *_forms(), *_odd()]
