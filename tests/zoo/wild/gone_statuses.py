"""Pages whose server says plainly that they are gone, also where it looks like a wall."""

# ruff: noqa: RUF001
from tests.zoo.wild.case import ELSE, Case, Truth, gone, html, of_truth, plain, redirect
from tests.zoo.wild.pages import HOME, bare, modern, site

_CLOUDFLARE = ("Server: cloudflare", "CF-RAY: 8f1a2b3c4d5e6f70-FRA", "cf-cache-status: DYNAMIC")
_WIDGET = (
    '<form><script src="https://js.hcaptcha.example/1/api.js"></script><div class="h-captcha">'
    "</div><label>Are you a robot? Please verify you are human to send us a message.</label></form>"
)


def _not_there(name: str, source: str, body: str, *headers: str, status: int = 404) -> Case:
    reply = html(body, *headers, status=status)
    return gone(name, source, {"/": HOME, ELSE: reply})


_STATUSES = [
    _not_there(
        "a 404 behind Cloudflare", "a site behind a CDN", bare("404", "nginx"), *_CLOUDFLARE
    ),
    _not_there(
        "a 404 behind DataDome",
        "DataDome marks what it lets through, too",
        bare("404 Not Found", ""),
        "x-datadome: protected",
        "x-dd-b: 1",
    ),
    _not_there(
        "a 404 behind Imperva",
        "Imperva's headers come with every answer",
        bare("404 Not Found", ""),
        "X-Iinfo: 10-1-1 NNNN CT(0 0 0) RT(1 0) q(0 0 0 0) r(0 0) U5",
        "X-CDN: Imperva",
    ),
    _not_there(
        "a 404 that names Akamai's reference",
        "a customer's own error page at Akamai",
        bare("Not Found", "<p>Reference&#32;&#35;18&#46;c52f655f&#46;1700000000&#46;1a2b</p>"),
        "Server: AkamaiGHost",
    ),
    _not_there(
        "a 404 page with a contact form behind a captcha",
        "contact forms with hCaptcha",
        modern("Page not found", f"<h1>Page not found</h1>{_WIDGET}"),
    ),
    _not_there(
        "a 410 page with the script of a bot detector",
        "detectors that run on all pages",
        modern(
            "Gone", "<h1>Gone</h1>", head='<script src="/cdn-cgi/challenge-platform/x.js"></script>'
        ),
        status=410,
    ),
    _not_there(
        "a dead site's 503 with a widget that asks about robots",
        "the issue: such a widget keeps nothing alive for ever",
        modern("Service unavailable", f"<h1>This service was discontinued</h1>{_WIDGET}"),
        status=503,
    ),
    _not_there(
        "no such app",
        "public form: Heroku",
        modern("Heroku | No such app", "<h1>There's nothing here, yet.</h1>"),
        "Server: Cowboy",
    ),
    _not_there(
        "no site at GitHub Pages",
        "public form: GitHub Pages",
        modern("Site not found · GitHub Pages", "<p>There isn't a GitHub Pages site here.</p>"),
        "Server: GitHub.com",
    ),
    gone(
        "no such bucket",
        "public form: Amazon S3",
        {
            ELSE: plain(
                '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchBucket</Code>'
                "<Message>The specified bucket does not exist</Message></Error>",
                "Server: AmazonS3",
                status=404,
                kind="application/xml",
            )
        },
    ),
    _not_there(
        "repository not found",
        "public form: a forge",
        modern("Repository not found", "<h1>Repository not found</h1>"),
    ),
    _not_there(
        "a blog that was removed",
        "public form: Blogger",
        modern("Blog not found", "<p>Sorry, the blog you were looking for does not exist.</p>"),
    ),
    _not_there(
        "there's nothing here",
        "public form: Tumblr",
        modern("Not found.", "<h1>There's nothing here.</h1><p>Whatever you were looking for…</p>"),
    ),
    gone(
        "no such deployment",
        "public form: Vercel",
        {ELSE: plain("The deployment could not be found.\n\nDEPLOYMENT_NOT_FOUND", status=404)},
    ),
    _not_there(
        "a blog its authors deleted",
        "public form: WordPress.com",
        modern("is no longer available", "<p>The authors have deleted this site.</p>"),
        status=410,
    ),
    gone(
        "redirected to a real 404",
        "canonical redirects before the lookup",
        site(redirect("/en/annual-report", status=301)),
    ),
    gone(
        "one page is forbidden, the site is not",
        "a page withdrawn by a rule of the server",
        site(html(bare("403 Forbidden", "<hr><center>nginx</center>"), status=403)),
    ),
    gone(
        "one page is forbidden at a CDN, the site is not",
        "a page withdrawn behind Cloudflare",
        site(html(bare("403 Forbidden", "nginx"), *_CLOUDFLARE, status=403)),
    ),
    gone(
        "a bad request for a document that was deleted",
        "document servers that answer 400 to an unknown id; the rest of the site is sound",
        site(plain('{"error": "unknown document id"}', status=400, kind="application/json")),
    ),
    gone(
        "a name that does not exist",
        "DNS",
        {ELSE: HOME},
        host="no-such-name.example",
        names={"no-such-name.example": ()},
    ),
    gone(
        "redirected to a name that does not exist",
        "a shortener whose target's domain is gone",
        {ELSE: redirect("http://no-such-target.example:PORT/")},
        names={"no-such-target.example": ()},
    ),
    gone("redirected to nowhere", "broken rules", {ELSE: redirect("")}),
    gone(
        "redirected in a circle",
        "broken rules",
        {"/a": redirect("/b"), ELSE: redirect("/a"), "/b": redirect("/a")},
    ),
    gone(
        "redirected for ever",
        "broken rules",
        {ELSE: lambda visit, _times: redirect(f"{visit.target}/x")},
    ),
    gone("redirected to a script", "broken rules", {ELSE: redirect("javascript:alert(1)")}),
]


def _down(name: str, source: str, body: str, *headers: str, status: int) -> Case:
    return of_truth(Truth.DOWN, name, source, {ELSE: html(body, *headers, status=status)})


_DOWN = [
    _down(
        "an application's critical error",
        "public form: WordPress",
        modern("WordPress › Error", "<p>There has been a critical error on this website.</p>"),
        status=500,
    ),
    _down(
        "a database that is away",
        "public form: WordPress",
        modern("Database Error", "<h1>Error establishing a database connection</h1>"),
        status=500,
    ),
    *(
        _down(
            f"Cloudflare says {status}",
            "public form: Cloudflare's pages for origins that fail",
            modern(f"river-museum.example | {status}: {words}", f"<h1>{words}</h1>"),
            *_CLOUDFLARE,
            status=status,
        )
        for status, words in (
            (521, "Web server is down"),
            (522, "Connection timed out"),
            (525, "SSL handshake failed"),
            (530, "Error 1016: Origin DNS error"),
        )
    ),
    _down("a bad gateway", "nginx", bare("502 Bad Gateway", "nginx"), status=502),
    _down(
        "over its bandwidth",
        "public form: cPanel",
        bare("Bandwidth Limit Exceeded", ""),
        status=509,
    ),
    _down(
        "an error that asks for patience",
        "Retry-After with 500",
        bare("500", ""),
        "Retry-After: 120",
        status=500,
    ),
    *(
        of_truth(
            Truth.DOWN, f"a certificate that is {tls}", "browsers refuse it", site(HOME), tls=tls
        )
        for tls in ("expired", "self_signed", "of_another_name")
    ),
]

CASES = [*_STATUSES, *_DOWN]
