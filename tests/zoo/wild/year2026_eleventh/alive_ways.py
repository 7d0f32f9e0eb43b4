"""Living pages behind a redirect or a bounce, and on hosts whose other answers are odd."""

# ruff: noqa: E501
from collections.abc import Iterator

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
from tests.zoo.wild.year2026_eleventh.frames import (
    LOST,
    ROBOTS,
    app,
    bare,
    blog,
    docs,
    forge,
    forum,
    home,
    office,
    prose,
)

_GATES = frozenset({SUCCESS, INCONCLUSIVE})


def _page(title: str, lang: str = "en") -> Reply:
    return html(blog(title, f"<article><h1>{title}</h1>{prose(lang, 2)}</article>", lang=lang))


# Within a site: the source, the status, the old address, the new one, its title, its language.
_MOVED: dict[str, tuple[str, int, str, str, str, str]] = {
    "a page of a manual drops its suffix": (
        "mondoohq/cnspec pull request 3648: GitLab dropped .html",
        301,
        "/ee/user/lamps/index.html",
        "/user/lamps/",
        "Lamps | Docs",
        "en",
    ),
    "a knowledge base becomes a manual": (
        "mondoohq/cnspec pull request 3648: Tailscale replaced /kb/<id>/ with /docs/",
        301,
        "/kb/1186/lamp-lists",
        "/docs/features/lamp-lists",
        "Lamp lists",
        "en",
    ),
    "a home in a wiki leads to the article by its title": (
        "MediaWiki: /w/index.php?curid= leads to the title",
        302,
        "/w/index.php?curid=18624",
        "/wiki/North_Rock_Light",
        "North Rock Light",
        "en",
    ),
    "a site picks the country of its reader": (
        "MDN, Microsoft Learn: an address without a locale gets one",
        302,
        "/docs/Web/Lamps",
        "/en-US/docs/Web/Lamps",
        "Lamps - Web APIs",
        "en",
    ),
    "an old blog in German keeps a plan of redirects": (
        "WordPress, Redirection: /?p=1862 führt zum Beitrag",
        301,
        "/?p=1862",
        "/2012/05/der-oelkeller/",
        "Der Ölkeller",
        "de",
    ),
    "a crate's documentation leads to its newest release": (
        "docs.rs: /latest/ leads to the version",
        302,
        "/lantern/latest/lantern/",
        "/lantern/1.8.62/lantern/",
        "lantern - Rust",
        "en",
    ),
    "a paper's file loses its suffix": (
        "arXiv: /pdf/….pdf leads to /pdf/…",
        301,
        "/pdf/2411.18620.pdf",
        "/pdf/2411.18620v1",
        "[2411.18620]",
        "en",
    ),
    "a story in Korean goes from a number to a path": (
        "언론사: 기사 번호 주소가 새 주소로 이동",
        301,
        "/news/articleView.html?idxno=18624",
        "/article/2024/18624",
        "북쪽 바위의 등대",
        "ko",
    ),
    "a shelf of a museum in French gets a new name": (
        "musées: une rubrique renommée, 308",
        308,
        "/collections/lanternes/vitres",
        "/collection/lanternes/vitres",
        "Vitres de lanternes",
        "fr",
    ),
    "a page in Chinese gets a safe address with a slash": (
        "国内博客: 结尾补斜杠, 301",
        301,
        "/posts/dengta",
        "/posts/dengta/",
        "灯塔",
        "zh",
    ),
}


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


# To another host: the source, the host, its answer to the address, the other host, the new address.
_AWAY: dict[str, tuple[str, str, str, int, str, str]] = {
    "a manual of a cloud went to a host of its own": (
        "mondoohq/cnspec pull request 3648: Google Cloud docs moved to docs.cloud.google.com",
        "cloud-lamps-elf.example",
        "/lamps/docs/wicks",
        301,
        "docs-cloud-lamps-elf.example",
        "/lamps/docs/wicks",
    ),
    "a paper's number leads to its article at the publisher's": (
        "doi.org: a 302 to the article's page",
        "doi-lamps-elf.example",
        "/10.9999/jlh.1911",
        302,
        "journal-of-lamps-elf.example",
        "/article/view/1911",
    ),
    "a video's short address leads to its page": (
        "youtu.be: a 303 to the video's page",
        "short-video-elf.example",
        "/nR0ck1862",
        303,
        "video-lamps-elf.example",
        "/watch?v=nR0ck1862",
    ),
    "a project that lost its domain moved to pages of its forge": (
        "foyer-rs/foyer issue 1120: the new document site is hosted by GitHub Pages",
        "foyer-lamps-elf.example",
        "/docs/overview",
        301,
        "foyer-pages-elf.example",
        "/foyer/docs/overview",
    ),
    "a writer took the essays from a platform to a host of her own": (
        "shanselman/firsttimersonly issue 115: the up-to-date location is on the author's own site",
        "essays-platform-elf.example",
        "/@keeper/first-timers-1862",
        301,
        "keeper-writes-elf.example",
        "/blog/first-timers",
    ),
}


def _elsewhere() -> Iterator[Case]:
    for name, (source, host, path, status, there, to) in _AWAY.items():
        yield alive(
            name,
            source,
            {"/": home(), path: redirect(f"http://{there}:PORT{to}", status=status), ELSE: LOST},
            host=host,
            path=path,
            others={there: {"/": home(), to: _page("Of lamps and wicks"), ELSE: LOST}},
        )


def _odd_hosts() -> Iterator[Case]:
    found = html(docs("Quickstart", f"<h1>Quickstart</h1>{prose('en', 2)}", name="Lamp Docs"))
    lost = html(
        app(
            "Page Not Found - Lamp Docs",
            "<h1>Page Not Found</h1><a href='/quickstart'>Quickstart</a>",
        )
    )
    yield alive(
        "a living page of documentation whose lost pages come with a 200",
        "mintlify/docs issue 3759: its other side",
        {"/": home(), "/robots.txt": ROBOTS, "/quickstart": found, ELSE: lost},
        path="/quickstart",
    )
    landing = html(app("The Lamp Club", "<h1>The Lamp Club</h1><p>Meet. Read. Trim.</p>"))
    yield alive(
        "a living page of a site whose fallback is its landing page",
        "ithozyaeva/itx pull request 255: known routes work without changes",
        {
            "/": landing,
            "/robots.txt": ROBOTS,
            "/mentors": html(app("Mentors", f"<h1>Mentors</h1>{prose()}")),
            ELSE: landing,
        },
        path="/mentors",
    )
    yield alive(
        "the front page of a site whose fallback is its landing page",
        "Team-Commonly/commonly pull request 1198: the other side, a home page that is also the fallback",
        {ELSE: landing},
        path="/",
    )
    yield alive(
        "a deep page of a host whose front page is the server's own welcome",
        "nginx: Welcome to nginx! at the root of hosts whose pages lie deeper",
        {
            "/": html(
                "<!DOCTYPE html><html><head><title>Welcome to nginx!</title></head><body><h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed and working. Further configuration is required.</p></body></html>"
            ),
            "/~keeper/log/1911.html": _page("The log of 1911"),
            ELSE: LOST,
        },
        path="/~keeper/log/1911.html",
    )
    yield alive(
        "a project's page of a host of pages whose root is empty",
        "GitHub Pages: a user's root is a 404, the project's page is there",
        {
            "/lantern/": html(docs("Lantern", f"<h1>Lantern</h1>{prose('en', 2)}", name="Lantern")),
            ELSE: html(
                bare(
                    "Site not found &middot; GitHub Pages",
                    "<h1>404</h1><p><strong>There isn't a GitHub Pages site here.</strong></p>",
                ),
                status=404,
            ),
        },
        path="/lantern/",
    )
    yield alive(
        "a page of a host whose rules for robots are forbidden",
        "hosts whose robots.txt answers 403",
        {
            "/": home(),
            "/robots.txt": plain("Forbidden", status=403),
            "/glossary/wick": _page("Wick"),
            ELSE: LOST,
        },
        path="/glossary/wick",
    )

    def tags(visit: Visit, _times: int) -> Reply:
        name = visit.target.rpartition("/")[2]
        if not visit.target.startswith("/tags/"):
            return LOST
        return html(
            forum(f"Tag: {name}", f"<h1>{name}</h1><p>There are no topics with this tag.</p>")
        )

    yield alive(
        "a tag with topics on a forum that has a page for every word",
        "Discourse: any tag has a page, most without topics",
        {
            "/": home(),
            "/robots.txt": ROBOTS,
            "/tags/oil": html(
                forum(
                    "Tag: oil", f"<h1>oil</h1><ul><li>Whale oil</li><li>Rape oil</li></ul>{prose()}"
                )
            ),
            ELSE: tags,
        },
        path="/tags/oil",
    )

    def wiki(visit: Visit, _times: int) -> Reply:
        name = visit.target.rpartition("/")[2]
        return html(
            office(
                name,
                f"<h1>{name}</h1><p>This page does not exist yet. You can create it.</p>",
                name="Lamp Wiki",
            )
        )

    yield alive(
        "an article of a wiki that answers any title with a 200",
        "wikis: a title without an article gets an invitation, 200",
        {
            "/": home(),
            "/robots.txt": ROBOTS,
            "/wiki/Fresnel": html(
                office("Fresnel", f"<h1>Fresnel</h1>{prose('en', 2)}", name="Lamp Wiki")
            ),
            ELSE: wiki,
        },
        path="/wiki/Fresnel",
    )
    yield alive(
        "a living repository of a forge that hides what one may not see",
        "Forgejo: others are a 404 that speaks of permission",
        {
            "/": home(),
            "/robots.txt": ROBOTS,
            "/keepers/clock": html(
                forge("keepers/clock", f"<div class='markup'><h1>clock</h1>{prose()}</div>")
            ),
            ELSE: html(
                forge(
                    "Page Not Found",
                    "<p>The page you are trying to reach does not exist or you are not authorized to view it.</p>",
                ),
                status=404,
            ),
        },
        path="/keepers/clock",
    )
    yield alive(
        "an article of a journal on a host that sends lost articles to its search",
        "publishers: an unknown article leads to a search; this one is there",
        {
            "/": home(),
            "/robots.txt": ROBOTS,
            "/doi/full/10.9999/jlh.1911": _page("Broken Panes"),
            "/search": html(office("Search", "<h1>Search</h1><p>No results.</p>")),
            ELSE: redirect("/search"),
        },
        path="/doi/full/10.9999/jlh.1911",
    )
    yield alive(
        "a page that its server calls partly trustworthy",
        "proxies: 203 Non-Authoritative Information with the page",
        {
            "/": home(),
            "/lamp": html(blog("Lamp", f"<h1>Lamp</h1>{prose()}"), status=203),
            ELSE: LOST,
        },
        path="/lamp",
    )


def _bounces() -> Iterator[Case]:
    page = _page("Opening hours of the tower")
    yield alive(
        "an address that first sets a cookie and comes back",
        "publishers: a 302 to the same page with cookieSet=1",
        {
            "/": home(),
            "/robots.txt": ROBOTS,
            "/hours": cookie_gate(
                page, redirect("/hours?cookieSet=1", "Set-Cookie: seen=1862; Path=/")
            ),
            "/hours?cookieSet=1": page,
            ELSE: LOST,
        },
        path="/hours",
        outcomes=_GATES,
    )
    yield alive(
        "an old page in Spanish that sends its reader on by a refresh",
        "páginas antiguas: meta refresh a la nueva dirección",
        {
            "/": home("es"),
            "/robots.txt": ROBOTS,
            "/faro.htm": html(
                '<html><head><title>Nueva dirección</title><meta http-equiv="refresh" content="0; url=/faros/norte/"></head><body>Esta página se ha mudado: <a href="/faros/norte/">Faro del Norte</a></body></html>'
            ),
            "/faros/norte/": _page("Faro del Norte", "es"),
            ELSE: LOST,
        },
        path="/faro.htm",
    )


CASES: list[Case] = [*_moved(), *_elsewhere(), *_odd_hosts(), *_bounces()]
