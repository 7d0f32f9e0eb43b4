"""Answers that are of a moment: outages with and without patience, and pages shown with a 404."""

from collections.abc import Iterator

from tests.zoo.wild.case import (
    FAILURE,
    INCONCLUSIVE,
    SUCCESS,
    Answer,
    Case,
    Reply,
    Truth,
    alive,
    gone,
    html,
    of_truth,
    only,
    plain,
)
from tests.zoo.wild.pages import ARTICLE, NGINX_404, bare, modern, prose, site
from tests.zoo.wild.year2026.forms import CLOUDFLARE, cloudflare_error, document_reply


def _down(name: str, source: str, reply: Reply) -> Case:
    return of_truth(Truth.DOWN, name, source, only(reply))


def _outages() -> Iterator[Case]:
    for status, retry in ((500, "120"), (502, "30"), (504, "60"), (521, "120")):
        yield _down(
            f"a {status} that asks to come back in {retry} s",
            "RFC 9110: Retry-After with any 5xx",
            html(bare(f"{status}", ""), f"Retry-After: {retry}", status=status),
        )
    for status, words, source in (
        (408, "Request Timeout", "HAProxy: 408 without Retry-After"),
        (425, "Too Early", "RFC 8470: early data behind a CDN"),
        (508, "Resource Limit Is Reached", "CloudLinux: limits of a shared account"),
        (509, "Bandwidth Limit Exceeded", "cPanel: a month's traffic is used up"),
        (529, "Site is overloaded", "Qualys, Anthropic and others: 529"),
        (520, "Web server is returning an unknown error", "Cloudflare 520"),
        (523, "Origin is unreachable", "Cloudflare 523"),
        (524, "A timeout occurred", "Cloudflare 524"),
        (526, "Invalid SSL certificate", "Cloudflare 526"),
    ):
        yield _down(
            f"in need of patience: {status} {words}",
            source,
            document_reply(f"{status} {words}", f"<h1>{status} {words}</h1>", status=status),
        )
    yield _down(
        "Cloudflare's tunnel has no other end",
        "Cloudflare error 1033 with 530",
        cloudflare_error(
            1033,
            "Cloudflare Tunnel error",
            "The host is configured as a Cloudflare Tunnel, and Cloudflare is currently unable to"
            " resolve it.",
            status=530,
        ),
    )
    yield _down(
        "Heroku's dyno crashed",
        "Heroku H10: error-pages/application-error.html",
        html(
            "<!DOCTYPE html><html><head><title>Application Error</title></head><body><iframe src="
            "'//www.herokucdn.com/error-pages/application-error.html'></iframe></body></html>",
            "Server: Cowboy",
            status=503,
        ),
    )


def _waits() -> Iterator[Case]:
    for status in (400, 403, 405, 420, 430):
        yield of_truth(
            Truth.WALL,
            f"a {status} that asks to come back in a minute",
            "limits by other statuses, with Retry-After",
            only(plain("slow down", "Retry-After: 60", status=status)),
        )
    yield of_truth(
        Truth.WALL,
        "a 429 with a used-up budget and no Retry-After",
        "RateLimit headers of APIs",
        only(
            plain(
                "slow down",
                "X-RateLimit-Limit: 60",
                "X-RateLimit-Remaining: 0",
                "X-RateLimit-Reset: 120",
                status=429,
            )
        ),
    )
    yield of_truth(
        Truth.WALL,
        "Cloudflare limits with a page",
        "Cloudflare error 1015",
        only(
            cloudflare_error(
                1015, "You are being rate limited", "The owner has banned you for now.", status=429
            )
        ),
    )


_STILL = frozenset({SUCCESS, INCONCLUSIVE})


def _still_shown() -> Iterator[Case]:
    """Yield pages that people read though the status says otherwise, as they did before."""
    source = "misconfigured rewrites: a 404 with the whole page (threads on WordPress and SPAs)"
    for status in (404, 500, 503):
        shown = Reply(status=status, headers=ARTICLE.headers, body=ARTICLE.body)
        yield alive(
            f"the same article as ever, with a {status}",
            source,
            site(shown),
            earlier=site(ARTICLE),
            outcomes=_STILL,
        )
    long_page = html(modern("Rules of the ferry", f"<h1>Rules of the ferry</h1>{prose('en', 6)}"))
    yield alive(
        "the same rules as ever, with a 404",
        source,
        site(Reply(status=404, headers=long_page.headers, body=long_page.body)),
        earlier=site(long_page),
        outcomes=_STILL,
    )
    yield gone(
        "the same article as ever, with a 410",
        "410 is a decision: Gone",
        site(Reply(status=410, headers=ARTICLE.headers, body=ARTICLE.body)),
        earlier=site(ARTICLE),
    )
    yield gone(
        "another text with a 404 than the article before",
        "pages that were deleted",
        site(NGINX_404),
        earlier=site(ARTICLE),
    )
    same = html(modern("River Museum", f"<h1>River Museum</h1>{prose('en', 1)}"))
    failing = Reply(status=404, headers=same.headers, body=same.body)
    yield gone(
        "one text for everything, now with a 404",
        "shells that learnt to say 404: the made-up neighbour has the same text",
        only(failing),
        earlier=only(same),
        outcomes=frozenset({FAILURE}),
    )


def _heads() -> Iterator[Case]:
    """Yield servers that treat HEAD and GET differently; people ask by GET."""

    def by_method(head: Reply, get: Reply) -> Answer:
        return lambda visit, _times: head if visit.request.startswith(b"HEAD ") else get

    for name, status in (
        ("405", 405),
        ("404", 404),
        ("403", 403),
        ("500", 500),
        ("501", 501),
        ("503", 503),
    ):
        yield alive(
            f"HEAD gets a {name}, GET the page",
            "servers that know no HEAD (threads of link checkers)",
            site(by_method(Reply(status=status), ARTICLE)),
            policy={"method": "HEAD"},
        )
    yield gone(
        "HEAD gets a 200, GET a 404",
        "front ends that answer HEAD by themselves",
        {"/": ARTICLE, "*": by_method(Reply(status=200), NGINX_404)},
    )
    yield of_truth(
        Truth.WALL,
        "HEAD is limited, and GET as well",
        "limits that count every method",
        only(by_method(Reply(status=429), plain("slow down", *CLOUDFLARE, status=429))),
    )


CASES: list[Case] = [*_outages(), *_waits(), *_still_shown(), *_heads()]
