"""Living pages with scripts of walls or layers in them, in old encodings, and plain files."""

# ruff: noqa: E501
from tests.zoo.wild.case import ELSE, Case, Reply, alive, html, plain
from tests.zoo.wild.year2026_eleventh.frames import (
    LOST,
    ROBOTS,
    Seen,
    app,
    bare,
    blog,
    home,
    office,
    on,
    prose,
    shop,
)

_LAYERS: dict[str, Seen] = {
    "an article into which Cloudflare puts its script against robots": on(
        "Cloudflare: JavaScript Detections inject /cdn-cgi/challenge-platform/scripts/jsd/main.js into ordinary pages",
        "/articles/wicks",
        blog(
            "On wicks",
            f"<h1>On wicks</h1>{prose('en', 2)}<p>Write to <a href='/cdn-cgi/l/email-protection#18'>[email&#160;protected]</a></p><script>(function(){{function c(){{var b=a.contentDocument||a.contentWindow.document;if(b){{var d=b.createElement('script');d.innerHTML=\"window.__CF$cv$params={{r:'1862',t:'MTg2Mg=='}};var a=document.createElement('script');a.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js';\"}}}}}})();</script>",
        ),
        "Server: cloudflare",
        "CF-RAY: 1862abc-FRA",
    ),
    "a shop's lamp with the tag of a guard": on(
        "DataDome: js.datadome.co/tags.js on ordinary pages",
        "/p/storm-lantern",
        shop(
            "Storm lantern",
            f"<h1>Storm lantern</h1><p>42.00</p>{prose()}",
            more="<script>window.ddjskey='1862';window.ddoptions={ajaxListenerPath:true};</script><script src='https://js.datadome.example/tags.js' async></script>\n",
        ),
        "X-DataDome: protected",
    ),
    "an opening of a library with Imperva's script at its end": on(
        "Imperva: /_Incapsula_Resource?SWJIYLWA= is added to ordinary pages",
        "/library/hours",
        office(
            "Opening hours",
            f"<h1>Opening hours</h1>{prose()}<script src='/_Incapsula_Resource?SWJIYLWA=1862' async></script>",
        ),
        "X-CDN: Imperva",
        "X-Iinfo: 18-62-7",
    ),
    "a timetable of an airline with HUMAN's sensor": on(
        "HUMAN (PerimeterX): the sensor's snippet on ordinary pages",
        "/timetable/skye",
        office(
            "Timetable: Skye",
            f"<h1>Timetable: Skye</h1><table><tr><td>07:42</td><td>cancelled</td></tr><tr><td>18:06</td><td>on time</td></tr></table>{prose()}",
            more="<script>(function(){window._pxAppId='PX1862';var p=document.createElement('script');p.src='/PX1862/init.js';})();</script>\n",
        ),
    ),
    "a form to write to a keeper, with a box that says one is no robot": on(
        "Google reCAPTCHA on contact forms",
        "/contact-the-keeper/",
        blog(
            "Write to the keeper",
            f"<h1>Write to the keeper</h1>{prose()}<form method='post'><textarea name='m'></textarea><div class='g-recaptcha' data-sitekey='6L1862'></div><noscript>Please enable JavaScript to submit this form.</noscript><button>Send</button></form>",
            more="<script src='https://www.google.example/recaptcha/api.js' async defer></script>\n",
        ),
    ),
    "a report with the integration of a cloud's wall in its head": on(
        "AWS WAF: the JavaScript integration's challenge.js on ordinary pages",
        "/reports/oil-2024",
        office(
            "Oil in 2024",
            f"<h1>Oil in 2024</h1>{prose('en', 2)}",
            more="<script src='https://1862.edge.sdk.awswaf.example/1862/challenge.compact.js' defer></script>\n",
        ),
    ),
    "a story in Italian below a banner for consent": on(
        "OneTrust, Iubenda: a banner above a whole page",
        "/storie/guardiana",
        blog(
            "La guardiana",
            f"<div id='onetrust-banner-sdk'><h2>Rispettiamo la tua privacy</h2><p>Per continuare, accetta o rifiuta i cookie.</p><button>Rifiuta tutto</button></div><h1>La guardiana</h1>{prose('it', 2)}",
            lang="it",
        ),
        lang="it",
    ),
    "an essay below a plea to join a newsletter": on(
        "Substack: a dialog above a whole public post",
        "/p/the-oil-ledger",
        blog(
            "The oil ledger",
            f"<div class='dialog'><h2>Discover more from North Rock</h2><p>Subscribe to continue reading? No, thanks.</p></div><article><h1>The oil ledger</h1>{prose('en', 3)}</article>",
        ),
    ),
    "an application in Spanish with its texts for errors next to the page": on(
        "next-intl: all messages are sent with the page",
        "/es/guia/mechas",
        app(
            "Guía de mechas",
            f"<main><h1>Guía de mechas</h1>{prose('es', 2)}</main>",
            lang="es",
            data='<script id="__NEXT_DATA__" type="application/json">{"props":{"messages":{"NotFound":{"title":"404 - Página no encontrada","text":"La página que buscas no existe o fue eliminada."},"Login":"Inicia sesión para continuar"}},"page":"/[locale]/guia/[slug]"}</script>',
        ),
        lang="es",
    ),
    "a listing whose empty state is hidden": on(
        "shops: a hidden No products found beside the products",
        "/collections/wicks",
        shop(
            "Wicks",
            "<h1>Wicks</h1><ul><li>Flat wick 3.00</li><li>Round wick 4.00</li></ul><div hidden class='empty'><h2>Sorry, nothing found</h2><p>The page you are looking for does not exist.</p></div>",
        ),
    ),
    "a page whose comments ask visitors to sign in": on(
        "Disqus-like comments: You must be logged in to post a comment",
        "/2021/02/oil-cans/",
        blog(
            "Oil cans",
            f"<h1>Oil cans</h1>{prose('en', 2)}<div id='respond'><p class='must-log-in'>You must be <a href='/wp-login.php'>logged in</a> to post a comment.</p></div>",
        ),
    ),
    "a map in Czech with two lines of text": on(
        "mapové aplikace: stránka s mapou a titulkem",
        "/mapa/majaky",
        app(
            "Mapa majáků",
            "<div id='map' role='application'></div><p>© přispěvatelé OpenStreetMap</p>",
            lang="cs",
        ),
        lang="cs",
    ),
    "a page that gives an address and no more": on(
        "services that echo: a visitor's address",
        "/ip",
        "203.0.113.7\n",
    ),
    "a picture of the day with a caption in Norwegian": on(
        "bildesider: et bilde og en linje",
        "/bilde/142",
        bare(
            "Fyret i storm",
            "<img src='/b/142.jpg' alt='Fyret i storm'><p>Fyret i storm, 1911.</p>",
            lang="no",
        ),
        lang="no",
    ),
    "a paste of a log that is full of lost pages": on(
        "Pastebin-like: a log of a server as a paste",
        "/p/1862a7",
        bare(
            "access.log - paste",
            "<pre>10.0.0.7 GET /lamp.png 404 Not Found\n10.0.0.7 GET /old 410 Gone\n10.0.0.7 GET /admin 403 Forbidden\n10.0.0.7 GET / 200 OK</pre>",
        ),
    ),
}


def _encoded(title: str, body: str, charset: str, *, said: bool) -> Reply:
    meta = (
        "" if said else f'<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={charset}">'
    )
    page = f"<HTML><HEAD>{meta}<TITLE>{title}</TITLE></HEAD><BODY BGCOLOR=#FFFFFF><H1>{title}</H1>{body}<HR></BODY></HTML>"
    return html(page, charset=charset, said="" if said else None)


_FILES: dict[str, tuple[str, str, Reply]] = {
    "an eleventh file: a page of the last century in Japanese": (
        "personal pages in Shift_JIS, said by the page alone",
        "/~tomori/rekishi.htm",
        _encoded("灯台の歴史", prose("ja"), "shift_jis", said=False),
    ),
    "an eleventh file: a page of the last century in Russian": (
        "personal pages in windows-1251, said by the header",
        "/lib/mayak.html",
        _encoded("История маяка", prose("ru").replace("№", "N"), "windows-1251", said=True),
    ),
    "an eleventh file: a page of an old site in Chinese": (
        "sites in GBK, said by the page alone",
        "/html/2004/1862.html",
        _encoded("灯塔的历史", prose("zh"), "gbk", said=False),
    ),
    "an eleventh file: a page of an old site in Korean": (
        "sites in EUC-KR, said by the page alone",
        "/history/light.html",
        _encoded("등대의 역사", prose("ko"), "euc-kr", said=False),
    ),
    "an eleventh file: a citation in BibTeX": (
        "publishers, DBLP: a citation as a file",
        "/rec/journals/jlh/Keeper24.bib",
        plain(
            "@article{keeper24,\n  title = {Gone: Lost Pages of the Keepers' Log},\n  note = {Withdrawn from circulation},\n  year = {2024}\n}\n",
            kind="application/x-bibtex",
        ),
    ),
    "an eleventh file: a specification as plain text": (
        "rfc-editor.org: a specification as text",
        "/rfc/rfc1862.txt",
        plain(
            "Network Working Group\nRequest for Comments: 1862\nObsoleted by: 1911\n\n   410 Gone: the lamp is no longer available.\n   404 Not Found: there is no such lamp.\n"
        ),
    ),
    "an eleventh file: a patch by mail": (
        "code hosts: a change as a patch",
        "/keepers/lantern/commit/1862ab.patch",
        plain(
            "From 1862ab Mon Sep 17 00:00:00 2001\nSubject: [PATCH] Remove dead links\n\n-see http://oil.example (404)\n+see the archive\n"
        ),
    ),
    "an eleventh file: a portable document": (
        "reports as files",
        "/files/report-1911.pdf",
        Reply(
            headers=("Content-Type: application/pdf", "Accept-Ranges: bytes"),
            body=b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
        ),
    ),
    "an eleventh file: a table of lights": (
        "open data: a table",
        "/data/lights.csv",
        plain("name,status\nNorth Rock,extinguished\nSouth Rock,not found\n", kind="text/csv"),
    ),
    "an eleventh file: a feed with news of an end": (
        "feeds of blogs",
        "/feed.xml",
        plain(
            '<?xml version="1.0"?><rss version="2.0"><channel><title>North Rock</title><item><title>This site will shut down</title><link>http://$HOST/end</link></item><item><title>404</title></item></channel></rss>',
            kind="application/rss+xml",
        ),
    ),
    "an eleventh file: an archive of a release": (
        "releases: a compressed archive",
        "/releases/lantern-1.8.62.tar.gz",
        Reply(
            headers=("Content-Type: application/gzip",),
            body=b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + b"\x00" * 60,
        ),
    ),
    "an eleventh file: an answer of an interface about a light that is out": (
        "interfaces: a record with a field for its state",
        "/api/lights/7",
        plain(
            '{"id":7,"name":"North Rock","status":"closed","error":null,"deleted":false}',
            kind="application/json",
        ),
    ),
    "an eleventh file: a page as XML with a style": (
        "XHTML served as XML",
        "/xhtml/lamp",
        plain(
            '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>The lamp</title></head><body><p>It burns.</p></body></html>',
            kind="application/xhtml+xml",
        ),
    ),
}


def _file(name: str) -> Case:
    source, path, reply = _FILES[name]
    site = {"/": home(), "/robots.txt": ROBOTS, path: reply, ELSE: LOST}
    return alive(name, source, site, path=path)


CASES: list[Case] = [
    *(alive(name, each.source, each.site, path=each.path) for name, each in _LAYERS.items()),
    *map(_file, _FILES),
]
