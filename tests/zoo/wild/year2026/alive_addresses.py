"""Live pages at addresses and behind redirects that look like errors, parking or the way home."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, alive, html, plain, redirect
from tests.zoo.wild.pages import ARTICLE, HOME, NGINX_404, article, modern, prose, site

# Addresses that have whole words of errors, sales and parking, but are what they say.
_PATHS = {
    "a manual of errors": ("/docs/errors/404", "Error 404 – Reference"),
    "a catalogue of error codes": ("/errors/E1014", "E1014: wrong type of argument"),
    "a page on parking": ("/parking", "Parking at the museum"),
    "a page on what was lost and not found": ("/lost-not-found", "Lost property"),
    "a comedy of errors": ("/plays/error/comedy-of-errors", "The Comedy of Errors"),
    "a list for sale": ("/for-sale/", "For sale: posters and prints"),
    "a record 404": ("/records/404", "Record 404: a brass band"),
    "a node 404": ("/node/404", "The ferry in winter"),
    "a page 404 of a book": ("/book/1931/page/404", "Page 404"),
    "a login's manual": ("/docs/login", "How to log in"),
    "a suspended roadway": ("/bridges/suspended", "Suspended roadways"),
}

# From where to where: the last step changes, or the way is shorter, but the page is the same.
_MOVES = {
    "a record in an application of a single page": ("/record/77", "/#/record/77"),
    "a record behind an exclamation mark": ("/record/77", "/#!/record/77"),
    "a page of comments": ("/2019/bridge/comment-page-2", "/2019/bridge/"),
    "a page of comments that is the article's own": (
        "/2019/bridge/comment-page-1/",
        "/2019/bridge",
    ),
    "an article whose first page is itself": ("/2019/bridge/page/1", "/2019/bridge"),
    "a printer's version": ("/2019/bridge/print", "/2019/bridge"),
    "a mobile version": ("/2019/bridge/amp", "/2019/bridge"),
    "a feed that became its page": ("/2019/bridge/feed", "/2019/bridge"),
    "a trailing index file": ("/2019/bridge/index.html", "/2019/bridge/"),
    "a trailing index file of PHP": ("/2019/bridge/index.php", "/2019/bridge/"),
    "an article's number that became its name": ("/?p=1931", "/2019/bridge"),
    "a number that became a name": ("/node/1841077", "/stories/bridge-of-1931"),
    "a name that was corrected": ("/stories/brigde-of-1931", "/stories/bridge-of-1931"),
    "a name in capitals": ("/Stories/Bridge.aspx", "/stories/bridge"),
    "a name that got its number": ("/stories/bridge", "/stories/bridge-1931-77"),
    "a version that is the latest": ("/docs/latest/bridge", "/docs/4.2/bridge"),
    "a version that is stable": ("/en/stable/usage.html", "/en/5.1/usage.html"),
    "a name in another language": ("/archiv/jahresbericht-2019", "/en/archive/annual-report-2019"),
    "a short code": ("/s/Qx7", "/exhibitions/1931/bridges"),
    "a thread's last post": ("/t/bridge/1931/last", "/t/bridge/1931/58"),
    "a post of a thread": ("/viewtopic.php?p=19310", "/viewtopic.php?t=77"),
    "a profile whose name changed": ("/u/anna", "/u/anna-quay"),
    "a repository that moved": ("/anna/bridge", "/museum/bridge"),
    "a branch that was renamed": ("/museum/bridge/tree/master", "/museum/bridge/tree/main"),
    "a wiki's redirect": ("/wiki/Bridge_1931", "/wiki/Bridge_of_1931"),
}


def _at_paths() -> Iterator[Case]:
    for name, (path, title) in _PATHS.items():
        page = html(article(title))
        yield alive(name, "false alarms of marks in addresses", site(page, path=path), path=path)


def _behind_moves() -> Iterator[Case]:
    for name, (path, target) in _MOVES.items():
        page = html(article("The bridge of 1931"))
        asked_for = target.split("#")[0]
        home = {} if asked_for == "/" else {"/": HOME}
        yield alive(
            f"moved: {name}",
            "canonical addresses of content systems, forums and forges",
            {**home, asked_for: page, path: redirect(target, status=301), ELSE: NGINX_404},
            path=path,
        )


_SHELL = html(
    modern(
        "River Records",
        "<div id='app'></div><noscript>Please enable JavaScript.</noscript>",
        head="<script type='module' src='/assets/index-4f1a.js'></script>",
    )
)
_GATE = (
    "<h1>{words}</h1><form method='post'><button name='yes'>{yes}</button>"
    "<a href='https://www.example.org/'>{no}</a></form>"
)


def _gates() -> Iterator[Case]:
    """Yield pages of consent, age and place before the page: people pass them."""
    source = "consent, age and geography gates: the page is behind a click"
    gates = {
        "a gate of age": ("Are you over 18?", "Yes, enter", "No"),
        "a gate of age in French": ("Avez-vous 18 ans ?", "Oui, entrer", "Non"),
        "a gate of consent in German": ("Ihre Privatsphäre", "Alle akzeptieren", "Ablehnen"),
        "a gate of places": ("Choose your country", "Continue to Germany", "Stay"),
    }
    for number, (name, (words, yes, no)) in enumerate(gates.items()):
        gate = html(modern(f"{words} – River Winery", _GATE.format(words=words, yes=yes, no=no)))
        if number % 2:
            site_of_gate = {"/gate?to=%2Farchive": gate, ELSE: redirect("/gate?to=%2Farchive")}
        else:
            site_of_gate = {ELSE: gate}
        yield alive(name, source, site_of_gate, "restricted", "login", "same_for_all")
    yield alive(
        "a gate of consent that lets pass by cookie",
        source,
        {
            "/consent": redirect("/archive/2019/annual-report", "Set-Cookie: ok=1; Path=/"),
            "/archive/2019/annual-report": lambda visit, _times: (
                ARTICLE if visit.header("Cookie") else redirect("/consent")
            ),
            ELSE: NGINX_404,
        },
    )


_FILES = {
    "a robots file": plain("User-agent: *\nDisallow: /404\nDisallow: /error\n"),
    "a log of requests": plain("GET /a 200\nGET /b 404 Not Found\nGET /c 200\n" * 20),
    "a list of words": plain("erratum\nerror\nesker\nfound\nfoundling\nnot found\nquay\nweir\n"),
    "a licence": plain("Permission is hereby granted, free of charge, to any person\n" * 4),
    "a record whose title is not found": plain(
        '{"id":77,"title":"Not Found","type":"Song","status":"published","year":1931}',
        kind="application/json",
    ),
    "a record whose count is 404": plain(
        '{"status":"ok","count":404,"results":[{"id":1}]}', kind="application/json"
    ),
    "a list of error codes": plain(
        '{"404":"Not Found","403":"Forbidden","500":"Server Error"}', kind="application/json"
    ),
    "a health check that says not found: none": plain(
        '{"status":"UP","notFound":0,"errors":[]}', kind="application/json"
    ),
    "a list of objects in XML": plain(
        '<?xml version="1.0"?><ListBucketResult><Name>museum</Name><Contents><Key>NoSuchKey.txt'
        "</Key></Contents></ListBucketResult>",
        kind="application/xml",
    ),
    "a stylesheet": plain(".not-found{display:none}.error-404{color:red}", kind="text/css"),
    "a script": plain("throw new Error('404 Not Found')", kind="text/javascript"),
    "a table of values": plain("code,words\n404,Not Found\n", kind="text/csv"),
    "a manual in Markdown": plain(
        "# 404 Not Found\n\nWhat to do when a client reports it:\n\n1. Ask for the address.\n2."
        " Look it up.\n",
        kind="text/markdown",
    ),
    "a manual in plain text": plain(
        "ERRORS\n\n404 Not Found - the id does not exist.\n403 Forbidden - log in first.\n\n"
        "EXAMPLES\n\nGET /records/77 returns the record of the brass band.\n"
    ),
}

CASES: list[Case] = [
    *_at_paths(),
    *_behind_moves(),
    *_gates(),
    *(
        alive(f"a file: {name}", "files that are no error, whatever they list", site(reply))
        for name, reply in _FILES.items()
    ),
    alive(
        "every address has the shell of one application",
        "applications of a single page at real addresses",
        {ELSE: _SHELL},
        "same_for_all",
        path="/record/77",
    ),
    alive(
        "a record has the title of its whole collection",
        "document servers that give every page the name of the collection",
        site(html(modern("River Records", f"<h1>Record 77</h1>{prose()}"))),
    ),
]
