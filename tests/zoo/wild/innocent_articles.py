"""Live articles whose titles say what parked, closed or lost pages say of themselves."""

from tests.zoo.wild.case import Case, alive, html
from tests.zoo.wild.pages import article, modern, prose, site

_SOURCE = "false alarms of word lists: headlines of registrars', hosts' and search engines' blogs"


def _short(title: str, text: str) -> str:
    """Return the page of an episode, a talk or a question: a headline and little more."""
    return modern(f"{title} - River Podcast", f"<h1>{title}</h1><p>{text}</p>{prose('en', 1)}")


# Headline and beginning; the first six have a whole article below, the others next to nothing.
_LONG = {
    "an article on premium domains": (
        "Why premium domains are for sale",
        "Short names are dear. Their owners wait for whoever needs them.",
    ),
    "an article on domains that lapse": (
        "When domains expire",
        "A domain has expired on the day after its last one, and then the race begins.",
    ),
    "an article on suspended sites": (
        "Why your site is suspended",
        "A host turns a site off for four reasons. The bill is the first of them.",
    ),
    "an article on pages that are lost": (
        "Why pages are not found",
        "An address is a promise that somebody has to keep.",
    ),
    "an article on maintenance": (
        "How a site is under construction for ten years",
        "The yellow sign with the digging man stood on every second page of 1998.",
    ),
    "a German article on domains for sale": (
        "Warum Domains zu verkaufen sind",
        "Kurze Namen sind teuer. Ihre Besitzer warten.",
    ),
}
_SHORT = {
    "a talk on premium domains": (
        "Why premium domains are for sale",
        "Anna asks a broker who buys names, and what became of those that nobody wanted.",
    ),
    "a question about a suspended account": (
        "Why was my account suspended?",
        "Three answers, the best of them: ask whoever sends you the bill.",
    ),
    "a lesson on pages that are lost": (
        "What if a page is not found?",
        "Lesson 7: an address that leads nowhere, and what a server says then.",
    ),
    "a French talk on domains for sale": (
        "Pourquoi les noms de domaine sont en vente",
        "Une heure avec un courtier.",
    ),
}

CASES: list[Case] = [
    *(
        alive(name, _SOURCE, site(html(article(title, lead=lead))))
        for name, (title, lead) in _LONG.items()
    ),
    *(alive(name, _SOURCE, site(html(_short(*told)))) for name, told in _SHORT.items()),
]
