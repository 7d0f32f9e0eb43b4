"""Pages that are gone, and whose server shows another, sound page for whatever it does not find."""

from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, alive, gone, html, redirect
from tests.zoo.wild.pages import HOME, NGINX_404, modern, old, prose

_FLAGS = ("home_page", "same_for_all", "error_page", "same_for_all")
_SOURCE = "soft 404s by a made-up neighbour (Bar-Yossef and others 2004; Meneses and others 2012)"

# Where a server leads whatever it does not find; no address says that it is an error.
_TARGETS = {
    "the search": "/search",
    "the search for what was asked": "/search?q=annual+report",
    "the news": "/news/overview",
    "the map of the site": "/sitemap.html",
    "the catalogue": "/catalogue/all",
    "a page of welcome": "/welcome.html",
    "a page on the new site": "/about/our-new-website",
    "the archive of all years": "/archive/all-years",
    "a campaign": "/campaigns/spring-2026",
    "the portal": "/portal/start",
}


def _led_elsewhere() -> Iterator[Case]:
    for name, target in _TARGETS.items():
        page = html(modern("Discover the river", f"<h1>Discover the river</h1>{prose()}"))
        site = {"/": HOME, target: page, ELSE: redirect(target, status=301)}
        yield gone(f"every unknown address leads to {name}", _SOURCE, site, *_FLAGS)


def _shown_another() -> Iterator[Case]:
    welcome = html(modern("River Museum", f"<h1>Welcome to the river</h1>{prose('en', 2)}"))
    pages = {
        "the home page itself": {"/": HOME, ELSE: HOME},
        "a page with the home page's title": {"/": welcome, ELSE: html(modern("River Museum", ""))},
        "the home page of 1999": {
            ELSE: html(old("The River Museum", f"<H1>The River Museum</H1>{prose('en', 1)}"))
        },
    }
    for name, site in pages.items():
        yield gone(f"every unknown address shows {name}", _SOURCE, site, *_FLAGS)


def _live() -> Iterator[Case]:
    """Yield twins that are there: the same way, but only for this address."""
    page = html(modern("Discover the river", f"<h1>Discover the river</h1>{prose()}"))
    for name, target in (
        ("the archive of all years", "/archive/all-years"),
        ("a page on the new site", "/reports/2019-annual"),
        ("a document of the same name", "/documents/2019/annual-report.html"),
    ):
        yield alive(
            f"this address alone leads to {name}",
            "pages that were merged or renamed, on servers with real 404s",
            {
                "/": HOME,
                target: page,
                "/archive/2019/annual-report": redirect(target),
                ELSE: NGINX_404,
            },
        )


CASES: list[Case] = [*_led_elsewhere(), *_shown_another(), *_live()]
