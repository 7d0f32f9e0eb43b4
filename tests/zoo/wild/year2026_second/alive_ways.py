"""Live pages behind redirects, and live answers that are no pages: feeds, records, files."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import (
    ELSE,
    Case,
    Reply,
    alive,
    cookie_gate,
    html,
    in_turn,
    only,
    plain,
    redirect,
)
from tests.zoo.wild.pages import HOME, NGINX_404, PATH, modern, shop, site
from tests.zoo.wild.year2026_second.makes import forum, manual, post, shell, text, wordpress

_POST = html(post("The keeper's last winter", text("en", 3)))

# From where to where on one site, and with which status.
_WAYS: dict[str, tuple[str, str, str, int]] = {
    "a language is added to the address": (
        "frameworks that put a language first: 307",
        "/guide/lamps",
        "/en/guide/lamps",
        307,
    ),
    "a language and a region are added": ("shops with markets", "/p/lamp", "/de-at/p/lamp", 302),
    "a date is taken out of the address": (
        "WordPress: another form of permalinks",
        "/2019/04/04/the-keepers-last-winter/",
        "/the-keepers-last-winter/",
        301,
    ),
    "a category is changed in the address": (
        "WordPress, Drupal: Redirect module",
        "/uncategorized/the-keepers-last-winter",
        "/coast/the-keepers-last-winter",
        301,
    ),
    "a slug was changed with its title": (
        "news sites: the id counts, not the words",
        "/keeper-found-dead-100404",
        "/the-keepers-last-winter-100404",
        301,
    ),
    "a product got its variant": (
        "Shopify: ?variant=",
        "/products/lamp",
        "/products/lamp?variant=404",
        302,
    ),
    "a topic got its slug": (
        "Discourse: /t/id to /t/slug/id",
        "/t/404",
        "/t/the-keepers-winter/404",
        301,
    ),
    "a question got its slug": (
        "boards of questions",
        "/q/404",
        "/questions/404/how-to-trim-a-wick",
        302,
    ),
    "a slash was added": ("static hosts: folders", "/guide/lamps", "/guide/lamps/", 308),
    "a slash was taken away": (
        "Next.js: trailing slashes, 308",
        "/guide/lamps/",
        "/guide/lamps",
        308,
    ),
    "a suffix was taken away": (
        "Cloudflare Pages, Vercel: clean addresses",
        "/guide/lamps.html",
        "/guide/lamps",
        308,
    ),
    "a permalink of a wiki": (
        "MediaWiki: Special:Permalink",
        "/w/index.php?curid=404",
        "/wiki/Lamp",
        301,
    ),
    "capitals became small letters": (
        "IIS: rules of rewriting",
        "/Guide/Lamps",
        "/guide/lamps",
        301,
    ),
    "an old script became a path": (
        "forums and shops that were rewritten",
        "/product.php?id=404",
        "/lamps/brass-lamp",
        301,
    ),
    "a latest release became its number": (
        "forges: releases/latest",
        "/keeper/site/releases/latest",
        "/keeper/site/releases/tag/v4.0.4",
        302,
    ),
    "a permanent identifier became its page": (
        "Handle servers of universities: DSpace 7",
        "/handle/10404/77",
        "/items/5c1f2a0e-77aa-4c04-9d44-0b0d404a1e10",
        302,
    ),
    "a status number of a network": (
        "Mastodon: web addresses",
        "/web/statuses/110404",
        "/@keeper/110404",
        302,
    ),
    "a campaign's parameters were removed": (
        "trackers that clean up behind themselves",
        "/guide/lamps?utm_source=mail",
        "/guide/lamps",
        302,
    ),
    "a printable page became its page": (
        "MediaWiki, news sites",
        "/guide/lamps?print=1",
        "/guide/lamps",
        301,
    ),
    "a document's revision was added": (
        "document servers, wikis of companies",
        "/display/ops/Lamps",
        "/spaces/ops/pages/404/Lamps",
        302,
    ),
}


def _ways() -> Iterator[Case]:
    for name, (source, path, target, status) in _WAYS.items():
        yield alive(
            f"on the way, {name}",
            source,
            site(redirect(target, status=status), path=path) | {target: _POST},
            path=path,
        )


def _to_others() -> Iterator[Case]:
    """Yield pages that moved to another host, each to its own address there."""
    yield alive(
        "a blog left its host, post by post",
        "Blogger, Medium and others: a custom domain was taken",
        {ELSE: redirect("http://keeper-second.example:PORT/the-keepers-last-winter", status=301)},
        others={"keeper-second.example": site(_POST, path="/the-keepers-last-winter")},
    )
    yield alive(
        "a newspaper was merged into another one",
        "newspapers that were bought: each article to its like",
        {
            "/": redirect("http://coast-times.example:PORT/"),
            ELSE: redirect("http://coast-times.example:PORT/skerry" + PATH, status=301),
        },
        others={"coast-times.example": site(_POST, path="/skerry" + PATH)},
    )
    yield alive(
        "a file at a store of objects with a signature",
        "releases of forges: 302 to a signed address that lasts five minutes",
        {
            "/": HOME,
            "/releases/lamp.zip": redirect(
                "http://objects.skerry-store.example:PORT/lamp.zip?X-Expires=300&X-Signature=404"
            ),
            ELSE: NGINX_404,
        },
        path="/releases/lamp.zip",
        others={
            "objects.skerry-store.example": {
                "/lamp.zip?X-Expires=300&X-Signature=404": Reply(
                    headers=(
                        "Content-Type: application/zip",
                        "Content-Disposition: attachment; filename=lamp.zip",
                    ),
                    body=b"PK\x03\x04" + bytes(200),
                ),
                ELSE: plain(
                    "<Error><Code>AccessDenied</Code></Error>", status=403, kind="application/xml"
                ),
            }
        },
    )
    yield alive(
        "a picture whose network of delivery adds the date",
        "CDNs of pictures: 302 to a dated, sized address",
        {
            "/": HOME,
            "/img/lamp.jpg": redirect(
                "http://i2.skerry-cdn.example:PORT/2026/05/03/lamp-1200.webp"
            ),
            ELSE: NGINX_404,
        },
        path="/img/lamp.jpg",
        others={
            "i2.skerry-cdn.example": only(
                Reply(headers=("Content-Type: image/webp",), body=b"RIFF\x10\x00\x00\x00WEBPVP8 ")
            )
        },
    )
    yield alive(
        "a shop asks which country, and comes back",
        "shops: a cookie for the market, then the product",
        {
            "/": HOME,
            "/p/lamp": cookie_gate(
                html(shop("Brass lamp", "<h1>Brass lamp</h1><p>120 €</p>")),
                redirect("/set-market?to=/p/lamp"),
            ),
            "/set-market?to=/p/lamp": redirect("/p/lamp", "Set-Cookie: market=eu; Path=/"),
            ELSE: NGINX_404,
        },
        path="/p/lamp",
    )
    yield alive(
        "a short link of a newspaper's own",
        "newspapers' shorteners: 301 to the article",
        {
            ELSE: redirect(
                "http://www.coast-herald.example:PORT/2026/may/03/the-keepers-last-winter",
                status=301,
            )
        },
        path="/4k0z4",
        others={
            "www.coast-herald.example": site(_POST, path="/2026/may/03/the-keepers-last-winter")
        },
    )
    yield alive(
        "a deep link of an app that falls back to its page",
        "apps' link services (Branch, AppsFlyer)",
        {
            ELSE: redirect(
                "http://listen.skerry-app.example:PORT/track/404?fallback=web", status=307
            )
        },
        path="/a/xY404",
        others={
            "listen.skerry-app.example": site(
                html(
                    shell(
                        "Storm Warning – a track",
                        {"id": 404},
                        content="<h1>Storm Warning</h1><p>The Keepers, 3:04</p>",
                    )
                ),
                path="/track/404?fallback=web",
            )
        },
    )


_JSON = "application/json"
_FILES: dict[str, tuple[str, Reply]] = {
    "a record of an API whose status is closed": (
        "APIs of issue trackers",
        plain(
            '{"id":404,"state":"closed","title":"Returns 404 Not'
            ' Found","error":null,"labels":["bug"]}',
            kind=_JSON,
        ),
    ),
    "a record of an API with an empty list": (
        "APIs of searches: no hits are an answer",
        plain('{"total":0,"items":[],"message":null,"page":1}', kind=_JSON),
    ),
    "a description of an API": (
        "OpenAPI documents, which list every error",
        plain(
            '{"openapi":"3.1.0","info":{"title":"Lamps","version":"4"},"paths":{"/lamps/{'
            'id}":{"get":{"responses":{"200":{"description":"ok"},"404":{"description":"L'
            'amp not found"},"403":{"description":"Access denied"}}}}}}',
            kind=_JSON,
        ),
    ),
    "a map of words for a site": (
        "files of translations",
        plain(
            '{"notFound":{"title":"Page not found","text":"This page does not'
            ' exist"},"login":"Sign in","blocked":"Access denied"}',
            kind=_JSON,
        ),
    ),
    "a post of a network as ActivityPub": (
        "Mastodon: application/activity+json",
        plain(
            '{"@context":"https://www.w3.org/ns/activitystreams","type":"Note","content":'
            '"<p>404 lighthouses visited.</p>"}',
            kind="application/activity+json",
        ),
    ),
    "a collection on the map": (
        "GeoJSON of portals of open data",
        plain(
            '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"p'
            'roperties":{"name":"Skerry","status":"not found in survey 1931"}}]}',
            kind="application/geo+json",
        ),
    ),
    "a feed of incidents": (
        "status pages: Atom",
        plain(
            '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Skerry'
            " Status - Incident History</title><entry><title>Service"
            " unavailable</title><content>Resolved: 503 errors</content></entry></feed>",
            kind="application/atom+xml",
        ),
    ),
    "a feed without entries": (
        "podcasts and blogs between seasons: RSS",
        plain(
            '<?xml version="1.0"?><rss version="2.0"><channel><title>Error 404, the'
            " podcast</title><link>http://$HOST/</link></channel></rss>",
            kind="application/rss+xml",
        ),
    ),
    "a map of a site": (
        "sitemaps that list the page for errors",
        plain(
            '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/'
            '0.9"><url><loc>http://$HOST/404</loc></url><url><loc>http://$HOST/not-found-'
            "album</loc></url></urlset>",
            kind="application/xml",
        ),
    ),
    "a calendar's file": (
        "iCalendar of associations",
        plain(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:Harbour"
            " closed\r\nDTSTART:20260630\r\nSTATUS:CANCELLED\r\nEND:VEVENT\r\nEND:VCALEND"
            "AR\r\n",
            kind="text/calendar",
        ),
    ),
    "a key of a person": (
        "OpenPGP keys as text",
        plain(
            "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZ404\n=a404\n-----END PGP PUBLIC"
            " KEY BLOCK-----\n"
        ),
    ),
    "a contact for security": (
        "RFC 9116: security.txt",
        plain(
            "Contact: mailto:security@museum.example\nExpires:"
            " 2027-01-01T00:00:00.000Z\nPreferred-Languages: en, sv\n"
        ),
    ),
    "a line of plain text that is its whole content": (
        "services that tell one's own address",
        plain("198.51.100.44\n"),
    ),
    "a verdict of a service in one word": ("health checks: plain text", plain("OK")),
    "a poem in plain text called Gone": (
        "sites of texts",
        plain(
            "GONE\n\nThe lamp is gone, the keeper too,\nthe page he wrote on not"
            " found.\nThe sea forbids what it once knew\nand turns the stones around.\n"
        ),
    ),
    "a log of a build that failed": (
        "continuous integration: raw logs",
        plain(
            "step 4/7: fetch\nerror: 404 Not Found: lamp-4.0.3.tgz\nretry 1 of 3\nfetched"
            " lamp-4.0.4.tgz\nstep 5/7: build\nok\n" * 3
        ),
    ),
    "a diff that removes a page for errors": (
        "forges: .diff",
        plain(
            "--- a/404.html\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-<title>404 Not"
            " Found</title>\n-<h1>Page not found</h1>\n"
        ),
    ),
    "a document of a museum": (
        "PDF",
        Reply(
            headers=("Content-Type: application/pdf",),
            body=b"%PDF-1.7\n1 0 obj<</Title(404 Not Found: a catalogue)>>endobj\n%%EOF\n",
        ),
    ),
    "a drawing that says 404": (
        "pictures as SVG",
        plain(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><title>404 Not"
            " Found</title><text>Page not found</text></svg>",
            kind="image/svg+xml",
        ),
    ),
    "a single dot of a picture": (
        "counters of readers",
        Reply(
            headers=("Content-Type: image/gif",),
            body=b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;",
        ),
    ),
    "an empty answer with 204": ("counters, endpoints of reports", Reply(status=204)),
    "a part of a film": (
        "players' lists: HLS",
        plain(
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:4.04,\nseg404.ts\n#EXT-X-ENDLIST\n",
            kind="application/vnd.apple.mpegurl",
        ),
    ),
}


def _more() -> Iterator[Case]:
    yield alive(
        "a page after one 502 of its load balancer",
        "deployments that restart one of two servers",
        {
            "/": HOME,
            PATH: in_turn(html("<h1>502 Bad Gateway</h1>", status=502), _POST),
            ELSE: NGINX_404,
        },
    )
    yield alive(
        "a page that everybody reads and members may write to",
        "wikis and boards with a log-in in their menu",
        site(
            html(
                forum(
                    "Which wick burns longest?", "Cotton, four strands.", "Please log in to reply."
                )
            )
        ),
    )
    yield alive(
        "a page with a log-in for the shop's customers beside it",
        "shops for businesses: prices after log-in",
        site(
            html(
                shop(
                    "Brass lamp, 10 pieces",
                    "<h1>Brass lamp, 10 pieces</h1><p>Log in to see prices.</p><form"
                    " action='/login'><input name='user'><input type='password'"
                    " name='pw'><button>Log in</button></form><h2>Data</h2><p>Height 40 cm,"
                    " weight 4.04 kg, EAN 4040404040404.</p>",
                )
            )
        ),
    )
    yield alive(
        "a page in Japanese in an old charset that is about its own move",
        "personal sites: 移転しました, and the page is still here",
        site(
            html(
                modern(
                    "灯台の記録",
                    "<h1>灯台の記録</h1><p>掲示板は閉鎖しました。記録はこのまま残します。</p>"
                    + text("ja", 3),
                    lang="ja",
                    charset="shift_jis",
                ),
                charset="shift_jis",
            )
        ),
    )
    yield alive(
        "a folder's list of files",
        "Apache: Index of",
        site(
            html(
                "<html><head><title>Index of /archive/2019</title></head><body><h1>Index of"
                " /archive/2019</h1><pre><a href='404.html'>404.html</a> 2019-04-04 4.0K\n<a"
                " href='error.log'>error.log</a> 2019-04-05 31K\n</pre><address>Apache/2.4.66"
                " Server</address></body></html>"
            ),
            path="/archive/2019/",
        ),
        path="/archive/2019/",
    )
    yield alive(
        "an old version's page with a notice",
        "documentation: this version is no longer maintained",
        site(
            html(
                manual(
                    "Lamps, version 2",
                    "<div class='theme-doc-version-banner'>This is documentation for Lamps 2,"
                    " which is no longer actively maintained.</div><h2>Trimming</h2>"
                    + text("en", 2),
                )
            )
        ),
    )
    yield alive(
        "a blog's post with a warning that it is old",
        "blogs: this post is older than two years",
        site(
            html(
                wordpress(
                    "Trimming wicks",
                    "<p>This article is outdated. The product is no longer"
                    " available.</p><h1>Trimming wicks</h1>" + text("en", 3),
                )
            )
        ),
    )


CASES: list[Case] = [
    *_ways(),
    *_to_others(),
    *(alive(f"an answer: {name}", source, site(reply)) for name, (source, reply) in _FILES.items()),
    *_more(),
]
