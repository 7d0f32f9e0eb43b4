"""Pages that are there, behind right redirects and gates, and files that are what they are."""

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
from tests.zoo.wild.year2026_eighth.frames import LOST, bare, guide, home, press, stall, tale

_GATES = frozenset({SUCCESS, INCONCLUSIVE})

# Within a site: where such are known from, the old address, the new one, the title and language.
_MOVED: dict[str, tuple[str, str, str, str, str]] = {
    "a manual's page loses its suffix": (
        "static sites: cleanUrls, 308 from .html",
        "/guide/grafting.html",
        "/guide/grafting",
        "Grafting",
        "en",
    ),
    "a package's name becomes its normal form": (
        "PyPI: /project/Orchard.Pruner/ to /project/orchard-pruner/",
        "/project/Orchard.Pruner/",
        "/project/orchard-pruner/",
        "orchard-pruner · PyPI",
        "en",
    ),
    "documentation of the latest version gets its number": (
        "docs.rs: /pruner/latest to /pruner/1.8.0",
        "/pruner/latest/pruner/",
        "/pruner/1.8.0/pruner/",
        "pruner - Rust",
        "en",
    ),
    "a repository was renamed by its owner": (
        "GitHub: 301 to the new owner's name",
        "/keeper/pruner",
        "/orchard-trust/pruner",
        "orchard-trust/pruner: Cut twigs by rule",
        "en",
    ),
    "a preprint gets its version": (
        "preprint servers: /abs/id to /abs/idv2",
        "/content/10.5555/2026.03.01.1871",
        "/content/10.5555/2026.03.01.1871v2",
        "On the vigour of seedlings",
        "en",
    ),
    "an item of a library gets its permanent address": (
        "OPACs: a session's address to a permalink",
        "/cgi-bin/opac?record=1871",
        "/permalink/record/1871",
        "谷の林檎図譜",
        "ja",
    ),
    "a page of a town in German got speaking words": (
        "CMS of towns: /seite/1871 to words",
        "/seite/1871",
        "/leben-in-obsthausen/streuobst",
        "Streuobst in Obsthausen",
        "de",
    ),
    "an article of a wiki goes by its right name": (
        "wikis: moved pages, 301 by a rule of the server",
        "/wiki/Elma_kanseri",
        "/wiki/Nectria_kanseri",
        "Nectria kanseri – Bahçe vikisi",
        "tr",
    ),
}


def _moved() -> Iterator[Case]:
    for name, (source, old, new, title, lang) in _MOVED.items():
        page = html(press(title, f"<h1>{title}</h1>{tale(lang, 2)}", lang=lang))
        yield alive(
            name,
            source,
            {"/": home(lang), old: redirect(new, status=301), new: page, ELSE: LOST},
            path=old,
        )


def _along(host: str) -> Callable[[Visit, int], Reply]:
    """Return what sends every path to the same path at `host`."""
    return lambda visit, _times: redirect(f"http://{host}:PORT{visit.target}", status=301)


def _elsewhere() -> Iterator[Case]:
    """Yield pages that live at another host now; what is unknown is unknown there, too."""
    page = html(guide("Pruning rules", f"<h1>Pruning rules</h1>{tale('en', 2)}"))
    there: Site = {"/": home(), "/rules/pruning": page, ELSE: LOST}
    yield alive(
        "a guide's old name sends every page to the same page at the new name",
        "renamed projects: 301 with the path kept",
        {ELSE: _along("docs.pruner-as-it-is-called-now.example")},
        path="/rules/pruning",
        others={"docs.pruner-as-it-is-called-now.example": there},
    )
    yield alive(
        "a site without www sends to the site with it",
        "sites: 301 from the apex to www, path kept",
        {ELSE: _along("www.orchard-with-three-letters.example")},
        path="/rules/pruning",
        host="orchard-with-three-letters.example",
        others={"www.orchard-with-three-letters.example": there},
    )
    yield alive(
        "a handle leads to the record that it names",
        "hdl.handle.net: 302 to the item; unknown handles are a 404",
        {
            "/": home("en", "Handle.Net"),
            "/20.500.99999/42": redirect("http://repository-of-pomona.example:PORT/items/42"),
            ELSE: html(
                bare(
                    "Error: Handle Not Found",
                    "<h1>Handle Not Found</h1><p>The requested handle cannot be found.</p>",
                ),
                status=404,
            ),
        },
        path="/20.500.99999/42",
        others={
            "repository-of-pomona.example": {
                "/": home(),
                "/items/42": html(
                    press("The Pomona, volume 2", f"<h1>The Pomona, volume 2</h1>{tale('en', 2)}")
                ),
                ELSE: LOST,
            }
        },
    )
    yield alive(
        "a short link of a service leads to the story",
        "bit.ly: 301; unknown links are a 404",
        {
            "/": home("en", "Short links"),
            "/3OrchRd": redirect(
                "http://the-pomona-daily.example:PORT/2026/frost?utm_source=short", status=301
            ),
            ELSE: html(
                bare(
                    "Link not found",
                    "<h1>Something's wrong here...</h1><p>This is a 404 error, which means you've clicked on a bad link or entered an invalid URL.</p>",
                ),
                status=404,
            ),
        },
        path="/3OrchRd",
        others={
            "the-pomona-daily.example": {
                "/": home(),
                "/2026/frost?utm_source=short": html(
                    press("Frost in May", f"<h1>Frost in May</h1>{tale('en', 2)}")
                ),
                ELSE: LOST,
            }
        },
    )
    yield alive(
        "a permanent name of a vocabulary leads to its page",
        "w3id.org: 303 to the documentation; unknown names are a 404",
        {
            "/": home("en", "w3id.org"),
            "/orchard/terms": redirect("http://terms-of-pomona.example:PORT/1.0/", status=303),
            ELSE: LOST,
        },
        path="/orchard/terms",
        others={
            "terms-of-pomona.example": {
                "/": home(),
                "/1.0/": html(guide("Pomona terms 1.0", f"<h1>Pomona terms</h1>{tale('en', 2)}")),
                ELSE: LOST,
            }
        },
    )
    yield alive(
        "an agency's page in French went to the portal of all",
        "portails de l'État: 301 page par page",
        {
            "/": redirect("http://www.portail-de-pomone.example:PORT/", status=301),
            "/fiches/greffe": redirect(
                "http://www.portail-de-pomone.example:PORT/jardin/greffer-un-pommier", status=301
            ),
            ELSE: LOST,
        },
        path="/fiches/greffe",
        others={
            "www.portail-de-pomone.example": {
                "/": home("fr"),
                "/jardin/greffer-un-pommier": html(
                    press(
                        "Greffer un pommier",
                        f"<h1>Greffer un pommier</h1>{tale('fr', 2)}",
                        lang="fr",
                    )
                ),
                ELSE: LOST,
            }
        },
    )


def _gates() -> Iterator[Case]:
    """Yield pages behind a gate for consent, age or place; behind it they are there."""
    story = html(press("Frost in May", f"<h1>Frost in May</h1>{tale('en', 2)}"))
    yield alive(
        "a portal asks for consent on another host",
        "Yahoo: 302 to consent.…/collectConsent?sessionId=",
        {
            "/": home(),
            "/news/frost-in-may.html": cookie_gate(
                story,
                redirect(
                    "http://consent.portal-of-news.example:PORT/collectConsent?sessionId=1871"
                ),
            ),
            ELSE: LOST,
        },
        path="/news/frost-in-may.html",
        others={
            "consent.portal-of-news.example": {
                "/collectConsent?sessionId=1871": html(
                    bare(
                        "Your privacy choices",
                        "<h1>Your privacy choices</h1><p>We and our 242 partners store and access information on your device.</p><form method='post'><button name='agree' value='agree'>Accept all</button><button name='reject' value='reject'>Reject all</button></form>",
                    )
                ),
                ELSE: LOST,
            }
        },
        outcomes=_GATES,
    )
    yield alive(
        "a cider maker asks for one's age before the page",
        "makers of drinks: 302 to /age-gate?return=",
        {
            "/": redirect("/age-gate?return=%2F"),
            "/cider/1871": cookie_gate(
                html(stall("Cider 1871", f"<h1>Cider 1871</h1>{tale()}")),
                redirect("/age-gate?return=%2Fcider%2F1871"),
            ),
            "/age-gate?return=%2Fcider%2F1871": html(
                bare(
                    "Are you of legal drinking age?",
                    "<h1>Are you of legal drinking age?</h1><form method='post'><button>Yes</button><button>No</button></form>",
                )
            ),
            "/age-gate?return=%2F": html(
                bare(
                    "Are you of legal drinking age?",
                    "<h1>Are you of legal drinking age?</h1><form method='post'><button>Yes</button><button>No</button></form>",
                )
            ),
            ELSE: LOST,
        },
        path="/cider/1871",
        outcomes=_GATES,
    )
    yield alive(
        "a paper in German shows its page under a layer of consent",
        "consentmanager: a layer above the page, 200",
        {
            "/": home("de"),
            "/garten/frost": html(
                press(
                    "Frost im Mai",
                    f"<div id='cmpbox' role='dialog'><h2>Wir brauchen Ihre Zustimmung</h2><p>Mit Werbung weiterlesen oder Abo abschließen.</p><button>Akzeptieren</button></div><article><h1>Frost im Mai</h1>{tale('de', 2)}</article>",
                    lang="de",
                )
            ),
            ELSE: LOST,
        },
        path="/garten/frost",
    )
    yield alive(
        "a page sets a language and returns",
        "sites in two tongues: 302 to /en/… by Accept-Language",
        {
            "/": redirect("/en/"),
            "/en/": home(),
            "/varieties/codlin": redirect("/en/varieties/codlin"),
            "/en/varieties/codlin": html(press("Codlin", f"<h1>Codlin</h1>{tale('en', 2)}")),
            ELSE: LOST,
        },
        path="/varieties/codlin",
    )


def _files() -> Iterator[Case]:
    json = "application/json; charset=utf-8"
    files = {
        "sentences of a program in JSON": (
            "locales of programs: en.json, raw",
            "/orchard/app/main/locales/en.json",
            plain(
                '{\n  "notFound": {\n    "title": "Page not found",\n    "text": "The page you are looking for does not exist."\n  },\n  "expired": "This domain is for sale"\n}\n'
            ),
        ),
        "a template for a page of errors, raw": (
            "forges: raw/404.html as text",
            "/orchard/site/main/404.html",
            plain(
                "---\nlayout: default\npermalink: /404.html\n---\n<h1>404</h1>\n<p><strong>Page not found :(</strong></p>\n<p>The requested page could not be found.</p>\n"
            ),
        ),
        "a schema with an answer for what is not found": (
            "OpenAPI: openapi.json with 404 and 410",
            "/api/openapi.json",
            plain(
                '{"openapi":"3.1.0","info":{"title":"Trees","version":"1"},"paths":{"/trees/{id}":{"get":{"responses":{"200":{"description":"A tree"},"404":{"description":"Not Found"},"410":{"description":"Gone"}}}}}}',
                kind=json,
            ),
        ),
        "an answer without an error but with a word for one": (
            "APIs: {status:success,errors:[]}",
            "/api/trees/1871",
            plain('{"status":"success","data":{"id":1871,"name":"Codlin"},"errors":[]}', kind=json),
        ),
        "a licence in plain text": (
            "projects: LICENSE.txt",
            "/pruner/LICENSE.txt",
            plain(
                'Permission is hereby granted, free of charge, to any person obtaining a copy of this software. THE SOFTWARE IS PROVIDED "AS IS".\n'
            ),
        ),
        "a vocabulary in Turtle": (
            "vocabularies: text/turtle",
            "/terms/1.0/terms.ttl",
            plain(
                '@prefix o: <http://terms.example/> .\no:Gone a o:Status ; o:label "gone"@en .\n',
                kind="text/turtle",
            ),
        ),
        "a table of links and their statuses": (
            "link checkers: CSV reports",
            "/reports/2026-03.csv",
            plain(
                "url,status,note\nhttp://a.example/,404,Not Found\nhttp://b.example/,200,ok\n",
                kind="text/csv",
            ),
        ),
        "a page of Japanese in an old charset": (
            "sites of Japan: Shift_JIS",
            "/kaju/ringo.html",
            html(
                "<html><head><meta http-equiv='Content-Type' content='text/html; charset=Shift_JIS'><title>林檎の歴史</title></head><body><h1>林檎の歴史</h1><p>明治四年に苗木が渡来し、谷に植えられた。</p></body></html>",
                charset="shift_jis",
                said=None,
            ),
        ),
        "a book for readers of books": (
            "libraries: application/epub+zip",
            "/ebooks/1871.epub",
            Reply(
                headers=("Content-Type: application/epub+zip",),
                body=b"PK\x03\x04\x0a\x00\x00\x00\x00\x00"
                + b"mimetypeapplication/epub+zip"
                + b"\x00" * 64,
            ),
        ),
    }
    for name, (source, path, reply) in files.items():
        yield alive(
            f"an eighth file: {name}", source, {"/": home(), path: reply, ELSE: LOST}, path=path
        )


CASES: list[Case] = [*_moved(), *_elsewhere(), *_gates(), *_files()]
