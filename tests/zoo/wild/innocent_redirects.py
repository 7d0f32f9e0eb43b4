"""Live pages behind redirects, in old charsets, and pages that changed but not their owner."""

from collections.abc import Iterator

from tests.zoo.wild.case import (
    ELSE,
    Case,
    alive,
    cookie_gate,
    html,
    only,
    redirect,
)
from tests.zoo.wild.pages import (
    ARTICLE,
    HOME,
    NGINX_404,
    PATH,
    PROSE,
    article,
    modern,
    old,
    prose,
    shop,
    site,
)

_WWW = "www.canonical.example"


def _canonical() -> Iterator[Case]:
    """Yield redirects to the same page under another address."""
    for name, path, target, status in (
        ("a language is chosen", "/article", "/en/article", 302),
        ("a language and country are chosen", "/article", "/de-ch/article", 307),
        ("a slash is added", "/archive", "/archive/", 301),
        ("a slash is taken away", "/archive/", "/archive", 301),
        ("capitals are made small", "/Archive/Bridge.html", "/archive/bridge.html", 301),
        (
            "a file name of ten years ago",
            "/bridge.asp?id=17",
            "/collections/bridges/the-bridge",
            301,
        ),
        ("an id becomes a title", "/node/1931", "/the-bridge-of-1931", 301),
        ("a date is taken out of the address", "/2019/03/the-bridge/", "/the-bridge/", 301),
        ("the index of a folder", "/archive/index.html", "/archive/", 301),
        ("the default page of a folder", "/archive/2019/Default.aspx", "/archive/2019/", 301),
        ("the first page of a list", "/blog/page/1", "/blog/", 301),
        ("a format that is chosen", "/report.html", "/report", 301),
        ("a page named error", "/errors-in-maps", "/glossary/error", 301),
        ("a page whose number is 404", "/plates/0404", "/plates/404", 301),
        ("a page about logging in to the past", "/p/77", "/essays/login-to-the-past", 302),
        ("a mobile page", "/article", "/m/article", 302),
        ("a query that is kept", "/search?q=oak", "/search/?q=oak&page=1", 302),
        ("a session id in the address", "/article", "/article;jsessionid=0A1B2C", 302),
        ("a download at a signed address", "/report.pdf", "/files/report.pdf?token=ab12", 302),
    ):
        reply = redirect(target, status=status)
        source = "redirects to the same page: link checkers' bug threads"
        yield alive(name, source, site(reply, path=path) | {target: ARTICLE}, path=path)
    yield alive(
        "a script that shows one page whatever is asked for",
        "applications of a single page: every address is answered with the same shell",
        only(html(modern("River Museum", '<div id="app"></div><script src="/app.js"></script>'))),
    )
    yield alive(
        "the index file is the home page",
        "canonical home pages",
        {"/index.html": redirect("/", status=301), "/": HOME, ELSE: NGINX_404},
        path="/index.html",
    )
    yield alive(
        "a home page that chooses a language",
        "canonical home pages",
        {"/": redirect("/en/"), "/en/": HOME, ELSE: NGINX_404},
        path="/",
    )
    yield alive(
        "a home page that moved to its www",
        "canonical hosts",
        {ELSE: redirect(f"http://{_WWW}:PORT/", status=301)},
        path="/",
        host="canonical.example",
        others={_WWW: {"/": HOME, ELSE: NGINX_404}},
    )
    yield alive(
        "a home page whose brand has a new domain",
        "a company renamed: its home page leads to its home page",
        {ELSE: redirect("http://www.river-group.example:PORT/", status=301)},
        "changed_owner",
        path="/",
        others={"www.river-group.example": {"/": HOME, ELSE: NGINX_404}},
    )


def _other_hosts() -> Iterator[Case]:
    for name, host, target in (
        ("a page that moved with its whole site", "newmuseum.example", PATH),
        (
            "a short link",
            "www.long-museum.example",
            "/exhibitions/1931/the-bridge?utm_source=short",
        ),
        ("a short link to a home page", "www.home-museum.example", "/"),
        ("a resolver of identifiers", "journals.publisher.example", "/doi/full/10.1000/182"),
        ("a file at another host", "cdn.files.example", "/0a1b/report.pdf"),
        (
            "a page in the archive of the web",
            "web.archive.example",
            "/web/2019/http://museum.example/",
        ),
    ):
        paths = {
            "a page that moved with its whole site": PATH,
            "a resolver of identifiers": "/10.1000/182",
        }
        path = paths.get(name, "/3xYz")
        there = redirect(f"http://{host}:PORT{target}", status=301)
        yield alive(
            name,
            "redirects to other hosts that are what they are for",
            {"/": HOME, path: there, ELSE: NGINX_404},
            path=path,
            others={host: {target: ARTICLE, "/": HOME, ELSE: NGINX_404}},
        )
    yield alive(
        "http becomes https",
        "canonical scheme",
        {
            PATH: redirect(f"https://secure.example:TLSPORT{PATH}", status=308),
            ELSE: redirect("https://secure.example:TLSPORT/elsewhere", status=308),
        },
        host="plain.example",
        others={"secure.example": site(ARTICLE)},
    )
    yield alive(
        "a way over the page of consent, and back",
        "consent pages of news sites and search engines",
        site(cookie_gate(ARTICLE, redirect("http://consent.news.example:PORT/collect"))),
        host="www.news.example",
        others={
            "consent.news.example": {
                ELSE: redirect(
                    f"http://www.news.example:PORT{PATH}", "Set-Cookie: ok=1; Domain=news.example"
                )
            }
        },
    )
    yield alive(
        "a page of consent instead of the page",
        "consent pages: the page is behind it for everybody who clicks",
        {"/": HOME, ELSE: redirect("http://consent.media.example:PORT/m?continue=%2Farticle")},
        "restricted",
        host="www.media.example",
        others={
            "consent.media.example": {
                ELSE: html(
                    modern(
                        "Before you continue",
                        "<h1>Before you continue</h1><p>We use cookies.</p><form><button>Accept all"
                        "</button><button>Reject all</button></form><a href='/signin'>Sign in</a>",
                    )
                )
            }
        },
    )
    yield alive(
        "a silent single sign-on that lets guests pass",
        "universities' sites that ask the log-in whether anybody is signed in",
        site(cookie_gate(ARTICLE, redirect("http://sso.college.example:PORT/login?gateway=true"))),
        host="www.college.example",
        others={
            "sso.college.example": {
                ELSE: redirect(
                    f"http://www.college.example:PORT{PATH}",
                    "Set-Cookie: guest=1; Domain=college.example",
                )
            }
        },
    )
    yield alive(
        "a log-in page that was asked for",
        "the log-in page itself is a page",
        site(
            html(modern("Sign in", "<h1>Sign in</h1><form><input type='password'></form>")),
            path="/login",
        ),
        "restricted",
        path="/login",
    )
    yield alive(
        "a home page that is a log-in",
        "an intranet's front door, asked for as such",
        {
            "/": redirect("/login"),
            ELSE: html(modern("Log in", "<form><input type='password'></form>")),
        },
        "login",
        "restricted",
        path="/",
    )
    for name, head in (
        ("a page that reloads itself", '<meta http-equiv="refresh" content="300">'),
        (
            "a page that reloads itself by name",
            f'<meta http-equiv="refresh" content="60;url={PATH}">',
        ),
        (
            "a slide show that goes on later",
            '<meta http-equiv="refresh" content="30; url=/slide/2">',
        ),
        (
            "a page that refreshes where there are no scripts",
            '<noscript><meta http-equiv="refresh" content="0; url=/no-js"></noscript>',
        ),
    ):
        page = html(modern("Departures", f"<h1>Departures</h1>{prose()}", head=head))
        yield alive(name, "pages that refresh themselves", site(page) | {"/no-js": ARTICLE})
    yield alive(
        "a refresh to the same article in a language",
        "multilingual sites without a server's help",
        {
            PATH: html('<meta http-equiv="refresh" content="0; url=/en/annual-report">'),
            "/en/annual-report": ARTICLE,
            ELSE: NGINX_404,
        },
    )


_TEXTS = {
    "windows-1251": ("Мост", "ru"),
    "koi8-r": ("Мост через реку", "ru"),
    "shift_jis": ("橋の歴史", "ja"),
    "euc-jp": ("橋と渡し船", "ja"),
    "iso-2022-jp": ("橋", "ja"),
    "euc-kr": ("다리의 역사", "ko"),
    "gb18030": ("大桥", "zh"),
    "iso-8859-2": ("Most", "cs"),
    "windows-1250": ("Most", "pl"),
    "iso-8859-9": ("Köprü", "tr"),
    "iso-8859-7": ("Γέφυρα", "el"),
    "windows-1256": ("الجسر", "ar"),
    "utf-16": ("Die Brücke", "de"),
    "utf-8-sig": ("A híd", "hu"),
}


def _charsets() -> Iterator[Case]:
    source = "sites older than UTF-8"
    for number, (charset, (title, lang)) in enumerate(_TEXTS.items()):
        text = old(title, f"<H1>{title}</H1>{PROSE[lang]}", charset=charset)
        page = html(text.replace("“", '"'), charset=charset, said=None if number % 2 else charset)
        yield alive(f"an article in {charset}", source, site(page))
    for name, said in (
        ("the header's charset is wrong, the page's own is right", "utf-8"),
        ("the header names a charset that does not exist", "utf8mb4_unicode_ci"),
        ("the header names the charset twice", "utf-8, text/html; charset=windows-1251"),
    ):
        text = old("Мост", f"<H1>Мост</H1>{PROSE['ru']}", charset="windows-1251")
        yield alive(name, source, site(html(text, charset="windows-1251", said=said)))


def _same_owner() -> Iterator[Case]:
    """Yield pages that changed, of the same people."""
    before = html(article("Annual report 2019 of the River Museum"))
    source = "sites change: a redesign is no new owner"
    changes = {
        "a site with a new design": html(
            shop(
                "River Museum | Annual report 2019", f"<h1>Annual report 2019</h1>{prose('en', 3)}"
            )
        ),
        "a site with a new title": html(
            modern(
                "Museum: Report for 2019",
                f"<article><h1>Annual report 2019</h1>{prose()}</article>",
            )
        ),
        "a report that was rewritten": html(
            article("Annual report 2019 of the River Museum", lead="Second, corrected edition.")
            .replace("goat", "dog")
            .replace("1931", "1932")
        ),
        "a front page with the news of another day": html(
            modern("River Museum", f"<h1>Closed on Monday</h1>{prose('en', 1)}")
        ),
        "a page that answers in another language": html(
            article("Jahresbericht 2019 des Flussmuseums", lang="de")
        ),
    }
    for name, after in changes.items():
        front = name == "a front page with the news of another day"
        earlier = html(modern("River Museum", f"<h1>Welcome</h1>{prose()}")) if front else before
        yield alive(
            name,
            source,
            {PATH: after, "/": after if front else HOME, ELSE: NGINX_404},
            path="/" if front else PATH,
            earlier={ELSE: earlier},
        )
    yield alive(
        "a site that moved to a new domain with all its pages",
        source,
        {
            PATH: redirect(f"http://river-and-sea.example:PORT{PATH}", status=301),
            ELSE: redirect("http://river-and-sea.example:PORT/elsewhere", status=301),
        },
        others={"river-and-sea.example": site(before)},
        earlier={ELSE: before},
    )


CASES = [*_canonical(), *_other_hosts(), *_charsets(), *_same_owner()]
