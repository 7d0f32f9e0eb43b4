"""Live pages that speak of what rules look for: errors, parking, robots, captchas, log-ins."""

# ruff: noqa: RUF001
from tests.zoo.wild.case import Case, Reply, alive, html, plain
from tests.zoo.wild.pages import PROSE, article, modern, old, prose, shop, site

_LOGIN_FORM = """<form class="login" method="post" action="/session"><input name="user">
<input type="password" name="password"><button>Sign in</button>
<a href="/forgot">Forgot your password?</a></form>"""
_RECAPTCHA = """<script src="https://www.google.example/recaptcha/api.js" async></script>"""
_JSD = """<script>(function(){var a=document.createElement('iframe');a.src='about:blank';
window.__CF$cv$params={r:'8f1a2b3c4d5e6f70',t:'MTcwMDAw'};var s='/cdn-cgi/challenge-platform/
scripts/jsd/main.js';})();</script>"""


def _about(title: str, *, lang: str = "en", lead: str = "", head: str = "") -> Reply:
    return html(article(title, lang=lang, lead=lead, head=head))


# An article's title and how it begins; none of them is what its words are about.
_ARTICLES = {
    "a history of error pages": _about(
        "Page not found: a history of HTTP errors",
        lead="“404 Not Found” is older than the graphical web. The page you are looking for does"
        " not exist, it says, and generations have learnt to shrug.",
    ),
    "a gallery of error pages": _about(
        "The 25 most beautiful “404 not found” pages of the year",
        lead="Page not found, but what a page! We collected the best.",
    ),
    "a manual about configuring error pages": _about(
        "How to set up custom error pages (404, 500) in nginx",
        lead="Use the error_page directive: <code>error_page 404 /404.html;</code>. Without it"
        " visitors see “404 Not Found”.",
    ),
    "a question about an error": _about(
        "Why do I get “404 not found” although the file exists?",
        lead="I have Apache 2.4 and the page does not exist according to it. What is wrong?",
    ),
    "a reference page on a status": _about(
        "404 Not Found - HTTP | Web reference",
        lead="The HTTP 404 Not Found client error response status code indicates that the server"
        " cannot find the requested resource.",
    ),
    "an encyclopaedia's article on a status": _about(
        "HTTP 404 – Encyclopaedia",
        lead="In computer network communications, HTTP 404, page not found, is an error message.",
    ),
    "a Korean article on the error": _about(
        "'페이지를 찾을 수 없습니다' 오류를 해결하는 7가지 방법",
        lang="ko",
        lead="인터넷을 쓰다 보면 페이지를 찾을 수 없습니다라는 문구를 만난다."
        " 원인과 해결 방법을 정리했다.",
    ),
    "a Japanese article on the error": _about(
        "「ページが見つかりません」と表示される原因と対処法を解説",
        lang="ja",
        lead="ウェブサイトを開いたときに表示される404エラーの原因を説明します。",
    ),
    "a Russian article on the error": _about(
        "Ошибка 404 «Страница не найдена»: что она значит и как её исправить",
        lang="ru",
        lead="Каждый видел надпись «страница не найдена». Разбираемся, откуда она берётся.",
    ),
    "a German article on the error": _about(
        "„Seite nicht gefunden“: Wie Museen mit toten Links umgehen",
        lang="de",
        lead="Diese Seite existiert nicht mehr – jeder kennt den Satz.",
    ),
    "a French article on the error": _about(
        "Erreur 404, page introuvable : pourquoi les liens meurent",
        lang="fr",
        lead="La page que vous cherchez n'existe pas : voilà ce que disent tant de liens.",
    ),
    "a car named 404": _about("Peugeot 404 – the car that would not die", lead="Built until 1991."),
    "a road named 404": _about(
        "Ontario Highway 404: road works until May", lead="Delays expected."
    ),
    "a room that was not found": _about(
        "Tomb not found: archaeologists give up the search at the river",
        lead="After three seasons nothing was found where the maps had shown it.",
    ),
    "a film called Gone": _about("Gone (2012) – cast and reviews", lead="A thriller."),
    "a study of link rot": _about(
        "How many links are dead? A study of 404s, soft 404s and parked domains",
        lead="Of the “dead” links 11 % were really dead; 3 % said “this domain is for sale”.",
    ),
    "an article on domain parking": _about(
        "Domain parking explained: what “this domain is for sale” pages earn",
        lead="Services such as Sedo Domain Parking, Bodis and ParkingCrew place related searches on"
        " unused domains. Buy this domain, they say.",
    ),
    "a registrar's own help page": _about(
        "What happens when my domain has expired?",
        lead="If your domain has expired, a parking page is shown: “This domain has expired.”",
    ),
    "a hoster's help page on suspended accounts": _about(
        "Why does my site say “Account Suspended”?",
        lead="This Account has been suspended: the page means that your host has turned it off.",
    ),
    "a manual on a server's first page": _about(
        "How to install nginx on Debian and see “Welcome to nginx!”",
        lead="Open your browser. If you see this page, the nginx web server is successfully"
        " installed.",
    ),
    "an article on captchas": _about(
        "Are you a robot? The strange history of the captcha",
        lead="Verify you are human, says the box. Just a moment... Attention Required!",
        head=_RECAPTCHA,
    ),
    "a bug thread on a bot wall": _about(
        "Cloudflare “Just a moment...” page breaks our link checker · Issue #738",
        lead="It gets 403 with _cf_chl_opt in the body, “Attention Required! | Cloudflare”."
        " Access denied, errors.edgesuite.net, px-captcha and captcha-delivery.com were seen, too.",
    ),
    "a book of photographs": _about(
        "Just a moment... Photographs by the river", lead="Open daily."
    ),
    "a film that was denied": _about("Access Denied (1997) – cast and reviews", lead="A comedy."),
    "a vote that failed": _about("Request rejected: the council says no to a second bridge"),
    "a guide to the entrance": _about("Security check: what to leave at the museum's door"),
    "a machine that is looked after": _about("Robot check: the yearly service of the organ robot"),
    "a warning to members": _about("Checking your browser: is it too old for our catalogue?"),
    "an article on robots": _about(
        "The robot that restored a fresco", lead="The robot moves a brush of four hairs."
    ),
    "an article on the access to archives": _about(
        "Access denied: how states close their archives", lead="Requests are blocked for decades."
    ),
    "a mill that works": _about("It works! New turbine at the old mill", lead="Tested in March."),
    "a festival to come": _about("Coming soon: Bridge Festival 2031", lead="Tickets from May."),
    "an account that was suspended in 1931": _about(
        "Account suspended: how the city stopped paying for its bridge", lead="In May 1931."
    ),
    "a comparison of hosts": _about(
        "Web hosting compared: Plesk, cPanel, nginx, Apache",
        lead="Web Server's Default Page and all.",
    ),
    "an obituary of a web service": _about(
        "This service was discontinued: twenty web sites that we miss",
        lead="No longer available, but not forgotten.",
    ),
}

_PAGES = {
    "a shop whose product is named 404": html(
        shop(
            "Error 404 T-Shirt, black | Nerdshop", "<h1>T-Shirt “404 Not Found”</h1><p>19.90 €</p>"
        )
    ),
    "a shop whose product is sold out": html(
        shop(
            "Brass compass, 1890 style",
            "<h1>Brass compass</h1><p>Currently unavailable.</p>" + prose("en", 1),
        )
    ),
    "a domain market's own page on selling": html(
        modern("Sell your domains – Market", f"<h1>Is your domain for sale?</h1>{prose('en', 2)}")
    ),
    "a house for sale": html(
        modern(
            "Millhouse for sale, 4 rooms, by the river", f"<h1>This house is for sale</h1>{prose()}"
        )
    ),
    "a car park": html(
        modern(
            "Parking – River Museum", f"<h1>Parking</h1><p>The domain has 80 places.</p>{prose()}"
        )
    ),
    "a page with a log-in form in its header": html(
        modern("Annual report 2019", f"<h1>Annual report</h1>{prose()}", top=_LOGIN_FORM)
    ),
    "a forum's thread that offers a log-in": html(
        modern(
            "Which brass band was it? – Riverside Forum",
            f"<h1>Which brass band was it?</h1>{prose()}<p>You must be logged in to reply.</p>",
            top=_LOGIN_FORM,
        )
    ),
    "a registrar's own front page": html(
        modern(
            "Domains, hosting and mail – Registrar",
            "<h1>Find your domain</h1><form><input name='domain'><button>Search</button></form>"
            f"<p>Buy a domain, park it, sell it. Related searches: .com, .org</p>{prose('en', 2)}",
        )
    ),
    "a directory with sponsored listings": html(
        modern("River cruises", f"<h1>River cruises</h1><p>Sponsored listings</p>{prose('en', 2)}")
    ),
    "a page with the script of a bot detector": html(
        modern("Annual report 2019", f"<h1>Annual report</h1>{prose()}", head=_JSD),
        "Server: cloudflare",
        "CF-RAY: 8f1a2b3c4d5e6f70-FRA",
        "x-datadome: protected",
    ),
    "a contact page with a captcha": html(
        modern(
            "Contact",
            '<h1>Contact us</h1><form><div class="g-recaptcha"></div>Are you a robot?</form>'
            + prose("en", 1),
            head=_RECAPTCHA,
        )
    ),
    "an archive's list that says nothing was found": html(
        modern("Search: oak blocks", f"<h1>Search</h1><p>3 hits. 0 not found.</p>{prose()}")
    ),
    "a page whose second section is called not found": html(
        modern(
            "Inventory 2019",
            f"<h1>Inventory 2019</h1>{prose()}<h2>Not found</h2><p>Two spoons.</p>{prose()}",
        )
    ),
    "a shell that a script fills": html(
        modern(
            "River Museum",
            '<div id="app"></div><noscript>You need to enable JavaScript to run'
            " this app.</noscript>",
        )
    ),
    "a shell with the texts of all its views": html(
        modern(
            "River Museum",
            '<div id="root"></div><script>window.i18n={"notFound":{"title":"Page not found","text":'
            '"The page you are looking for does not exist"},"login":"Sign in"}</script>',
        )
    ),
    "a page with a hidden template for errors": html(
        modern(
            "Annual report 2019",
            f"<template id='e'><h1>Page not found</h1></template><h1>Annual report</h1>{prose()}",
        )
    ),
    "a page whose title a script writes": html(
        modern(
            "Annual report 2019",
            "<script>if(!window.data)document.write('<title>404 Not Found</title>')</script>"
            f"<h1>Annual report</h1>{prose()}",
        )
    ),
    "a page with a drawing that has a title": html(
        modern(
            "Annual report 2019",
            "<svg><title>Page not found</title><path d='M0 0'/></svg>"
            f"<h1>Annual report</h1>{prose()}",
        )
    ),
    "a page with a cookie banner": html(
        modern(
            "Annual report 2019",
            "<div class=cookie>We value your privacy. Access to this page"
            f" needs your consent.</div><h1>Annual report</h1>{prose()}",
        )
    ),
    "a page behind a soft paywall": html(
        modern(
            "The bridge – The River Times",
            f"<h1>The bridge</h1>{prose('en', 1)}<div>Subscribe to continue. Already a"
            f" subscriber? Log in.</div>{_LOGIN_FORM}",
        )
    ),
    "a page made by hand in 1999": html(
        old("The bridge", f"<H1>The bridge</H1>{PROSE['en']}"), charset="iso-8859-1", said=None
    ),
    "a page under construction since 1999": html(
        old(
            "The bridge",
            f"<H1>The bridge</H1>{PROSE['en']}<P>This page is under construction. Coming soon: the"
            " ferry!</P>",
        ),
        charset="iso-8859-1",
    ),
    "a page without a title": html(modern("", f"<h1>Annual report</h1>{prose()}")),
    "a page whose title is a number": html(
        modern("404", f"<h1>Plate 404: The ferry</h1>{prose()}")
    ),
}

# A page about Plate 404 may be looked at twice; its title is just what error pages have.
_MAY_BE_SUSPECT = {"a page whose title is a number"}

_FILES: dict[str, Reply] = {
    "a text file about errors": plain("404 Not Found\n=============\nA page not found.\n"),
    "a feed of a blog on errors": plain(
        '<?xml version="1.0"?><rss version="2.0"><channel><title>Page not found</title></channel>'
        "</rss>",
        kind="application/rss+xml",
    ),
    "an API's answer": plain('{"error": null, "title": "not found: 0"}', kind="application/json"),
    "a PDF file": plain("%PDF-1.7\n<title>404 Not Found</title>\n%%EOF", kind="application/pdf"),
    "an SVG drawing": plain(
        "<svg xmlns='http://www.w3.org/2000/svg'><title>404</title></svg>", kind="image/svg+xml"
    ),
    "a calendar": plain("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", kind="text/calendar"),
    "an empty page": plain("", kind="text/html"),
    "a page in XHTML": plain(
        '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head>'
        f"<title>The bridge</title></head><body>{prose()}</body></html>",
        kind="application/xhtml+xml",
    ),
}

_SOURCE = "false alarms of word lists, from bug threads of link checkers"

CASES: list[Case] = [
    *(alive(name, _SOURCE, site(reply)) for name, reply in _ARTICLES.items()),
    *(
        alive(
            name,
            _SOURCE,
            site(reply),
            *(["same_for_all", "error_page"] if name in _MAY_BE_SUSPECT else []),
        )
        for name, reply in _PAGES.items()
    ),
    *(alive(name, "files that are no page", site(reply)) for name, reply in _FILES.items()),
]
