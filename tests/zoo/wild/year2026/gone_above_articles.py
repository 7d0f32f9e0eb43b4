"""Pages that say that they are not there, and go on with other articles below, with a 200."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import Case, gone, html
from tests.zoo.wild.pages import modern, prose, swallowing
from tests.zoo.wild.year2026.foreign_texts import NOT_FOUND
from tests.zoo.wild.year2026.forms import document

_SAYS_SO = ("error_page", "same_for_all")
_SOURCE = "themes of news sites and shops: recent and popular articles below the words of a 404"


def _others(words: str, text: str, *, level: int) -> str:
    """Return a list of other articles, as news sites have it below everything."""
    teasers = "".join(
        f"<article><h{level + 1}><a href='/a/{n}'>{text[:40]}…</a></h{level + 1}><p>{text} {text}"
        "</p></article>"
        for n in range(4)
    )
    return f"<section><h{level}>{words}</h{level}>{teasers}</section>"


def _in_languages() -> Iterator[Case]:
    """Yield one page for each language, in turn of three makes."""
    for number, (lang, title, words, text) in enumerate(NOT_FOUND):
        below = _others(words, text, level=2)
        if number % 3 == 0:
            page = modern(f"{title} – Museum", f"<h1>{title}</h1>{below}", lang=lang)
            make = "a heading"
        elif number % 3 == 1:
            loose = "".join(f"<p>{text} {text}</p>" for _ in range(4))
            page = modern(title, f"<div class='error'>{title}</div>{loose}", lang=lang)
            make = "the whole title"
        else:
            page = modern(
                "Museum", f"<h2>404 – {title}</h2>{_others(words, text, level=3)}", lang=lang
            )
            make = "a second heading"
        name = f"not there in {lang}, by {make}, above other articles"
        yield gone(name, _SOURCE, swallowing(html(page)), *_SAYS_SO)


# Without a heading of the others; or the words are part of a longer heading.
_MAKES = {
    "not there, in words between logo and news": modern(
        "River News",
        f"<h1>We can&#8217;t seem to find the page you&#8217;re looking for</h1><h2>Latest</h2>"
        f"{prose('en', 5)}",
    ),
    "not there, and straight apostrophes": modern(
        "Something's missing | River News",
        "<h1>Oops!</h1><h2>We can't seem to find the page you're looking for.</h2><p>Here are some"
        f" helpful links instead:</p><h2>Latest</h2>{prose('en', 4)}",
    ),
    "not there, by Google's front end": document(
        "Error 404 (Not Found)!!1",
        "<a href=//www.google.com/><span id=logo aria-label=Google></span></a><p><b>404.</b>"
        " <ins>That’s an error.</ins><p>The requested URL <code>/archive</code> was not found on"
        " this server. <ins>That’s all we know.</ins>",
    ),
    "not there, and others are quoted below": modern(
        "Page not found – River News",
        f"<h1>Sorry, page not found</h1><h2>You may like</h2><blockquote>{prose('en', 4)}"
        "</blockquote>",
    ),
    "not there, after an id": modern(
        "River Records",
        f"<h1>Record 1931-77 does not exist</h1><h2>Recent records</h2>{prose('en', 3)}",
    ),
    "not there, after a quoted id": modern(
        "River Wiki",
        "<h1>The topic “Brass_band_1931” does not exist</h1><h2>Recent changes</h2>"
        f"{prose('en', 3)}",
    ),
    "not there, and its bug is unknown": modern(
        "Invalid Bug ID",
        f"<div id='error_msg'>Bug #193177 does not exist.</div>{prose('en', 1)}",
    ),
    "not there, with a long menu of sections": modern(
        "404",
        "<h1>404</h1><p>Not found</p><nav>"
        + "".join(f"<h3>Section {n}</h3><p>News, pictures and talks.</p>" for n in range(12))
        + "</nav>",
    ),
    "not there, with a shop window of forty goods": modern(
        "Article not found",
        "<h1>Article not found</h1><h2>Bestsellers</h2>"
        + "".join(
            f"<li><h4>Compass no. {n}</h4><p>Brass, boxed, tested.</p></li>" for n in range(40)
        ),
    ),
}


CASES: list[Case] = [
    *_in_languages(),
    *(gone(name, _SOURCE, swallowing(html(text)), *_SAYS_SO) for name, text in _MAKES.items()),
]
