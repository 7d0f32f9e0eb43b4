"""The table of verdicts, row by row."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from checker.engine.errors import ErrorKind
from checker.engine.exchange import Exchange, Redirect
from checker.engine.verdict import (
    CONDITIONS,
    Verdict,
    by_evidence,
    by_status_200,
    fail_if_same_for_all,
    flag_if_moved,
    head_suffices,
    moved_to,
    should_retry,
)
from foundation.net.retry_after import parse_retry_after
from targets.state import Outcome

pytestmark = pytest.mark.any_database

URL = "https://example.com/"
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def answered(status: int, **more) -> Exchange:
    return Exchange(url=URL, status=status, **more)


def failed(error: ErrorKind, detail: str = "", **more) -> Exchange:
    return Exchange(url=URL, error=error, detail=detail, **more)


def decided(exchange: Exchange) -> tuple[Outcome, str | None, tuple[str, ...]]:
    verdict = by_evidence(exchange)
    assert (verdict.sentence is None) == (verdict.outcome is Outcome.SUCCESS)
    return verdict.outcome, verdict.reason, verdict.flags


@pytest.mark.parametrize("status", [200, 201, 202, 203, 204, 206, 226, 299, 300, 304])
def test_row_1_a_2xx_a_choice_and_a_304_are_successes(status):
    assert decided(answered(status)) == (Outcome.SUCCESS, None, ())


@pytest.mark.parametrize("status", [400, 403, 404, 405, 410, 418, 499, 600, 601, 305, 306])
def test_rows_3_and_5_other_answers_are_failures_with_their_status(status):
    assert decided(answered(status)) == (Outcome.FAILURE, f"http_{status}", ())


@pytest.mark.parametrize("status", [401, 402])
def test_row_4_a_restricted_page_exists(status):
    assert decided(answered(status)) == (Outcome.SUCCESS, None, ("restricted",))


def test_row_4_a_proxy_that_wants_a_login_reveals_nothing_about_the_page():
    assert decided(answered(407)) == (Outcome.INCONCLUSIVE, "proxy", ())


@pytest.mark.parametrize(
    "exchange",
    [
        answered(429),
        *(
            answered(status, headers={"retry-after": "60"})
            for status in (400, 403, 405, 406, 408, 429)
        ),
        answered(403, headers={"x-ratelimit-remaining": "0", "x-ratelimit-reset": "60"}),
    ],
)
def test_row_6_throttling_is_inconclusive_and_not_retried(exchange):
    assert decided(exchange) == (Outcome.INCONCLUSIVE, "throttled", ())
    assert not should_retry(exchange)


def test_row_7_a_page_taken_down_by_law_is_inconclusive():
    assert decided(answered(451)) == (Outcome.INCONCLUSIVE, "legal", ())


@pytest.mark.parametrize("status", [500, 502, 503, 504, 521, 599])
def test_row_8_a_5xx_is_a_failure_after_the_retries(status):
    assert decided(answered(status)) == (Outcome.FAILURE, "http_5xx", ())
    assert should_retry(answered(status))


def test_row_10_time_out_is_a_failure_after_the_retries():
    assert decided(failed(ErrorKind.TIMEOUT)) == (Outcome.FAILURE, "timeout", ())
    assert should_retry(failed(ErrorKind.TIMEOUT))


@pytest.mark.parametrize(
    "kind", [ErrorKind.REDIRECT_LOOP, ErrorKind.REDIRECT_LIMIT, ErrorKind.BAD_REDIRECT]
)
def test_row_11_redirects_that_lead_nowhere_are_failures(kind):
    exchange = failed(kind, status=302)

    assert decided(exchange) == (Outcome.FAILURE, kind.value, ())
    assert not should_retry(exchange)


@pytest.mark.parametrize(
    ("hops", "target"),
    [
        ([], None),
        ([301], "/1"),
        ([308, 301], "/2"),
        ([301, 302, 301], "/1"),
        ([302, 301], None),
        ([307], None),
    ],
)
def test_row_12_a_page_has_moved_to_the_end_of_its_permanent_redirects(hops, target):
    chain = tuple(Redirect(status=status, url=f"/{n}") for n, status in enumerate(hops, 1))

    assert moved_to(answered(200, redirects=chain)) == target


@pytest.mark.parametrize(
    ("hops", "flags", "is_moved"),
    [
        ([301, 308], (), True),
        ([301], ("restricted",), True),
        ([301, 302], (), False),  # the last redirect is not permanent
        ([302, 301], (), False),
        ([], (), False),
        ([301], ("home_page",), False),  # not a new address for anybody
        ([301], ("parked", "error_page"), False),
    ],
)
def test_a_page_behind_only_permanent_redirects_has_the_flag_moved(hops, flags, is_moved):
    chain = tuple(Redirect(status=status, url=f"/{n}") for n, status in enumerate(hops, 1))
    verdict = Verdict(outcome=Outcome.SUCCESS, flags=flags)
    page = answered(200, redirects=chain)

    assert ("moved" in flag_if_moved(verdict, page, accepted=()).flags) == is_moved
    assert flag_if_moved(verdict, page, accepted={"moved"}).flags == flags
    failed = Verdict(outcome=Outcome.FAILURE, flags=flags)
    assert flag_if_moved(failed, page, accepted=()).flags == flags


@pytest.mark.parametrize("kind", [ErrorKind.FORBIDDEN_REDIRECT, ErrorKind.FORBIDDEN_ADDRESS])
@pytest.mark.parametrize("condition", CONDITIONS.values(), ids=CONDITIONS)
def test_row_13_forbidden_addresses_are_our_rule_and_never_a_failure(kind, condition):
    verdict = condition(failed(kind))

    assert (verdict.outcome, verdict.reason) == (Outcome.INCONCLUSIVE, kind.value)
    assert verdict.never_counts
    assert not should_retry(failed(kind))


def test_row_14_an_unknown_name_is_a_failure_and_a_silent_name_server_is_not():
    assert decided(failed(ErrorKind.DNS)) == (Outcome.FAILURE, "dns", ())
    assert decided(failed(ErrorKind.DNS_TEMPORARY)) == (Outcome.INCONCLUSIVE, "dns_temporary", ())


def test_row_15_a_server_that_is_unreachable_is_a_failure_after_the_retries():
    assert decided(failed(ErrorKind.CONNECT)) == (Outcome.FAILURE, "connect", ())
    assert should_retry(failed(ErrorKind.CONNECT))


def test_row_16_a_bad_certificate_is_a_failure_with_the_detail():
    exchange = failed(ErrorKind.TLS, "certificate has expired")

    assert decided(exchange) == (Outcome.FAILURE, "tls", ())
    assert by_evidence(exchange).sentence == "The TLS connection failed: certificate has expired."


def test_row_16_a_permitted_bad_certificate_is_flagged():
    assert decided(answered(200, tls_error="expired")) == (Outcome.SUCCESS, None, ("tls_error",))
    assert decided(answered(401, tls_error="x"))[2] == ("tls_error", "restricted")
    assert decided(answered(404, tls_error="x")) == (Outcome.FAILURE, "http_404", ("tls_error",))


@pytest.mark.parametrize("exchange", [failed(ErrorKind.PROTOCOL), answered(101), answered(199)])
def test_row_17_what_is_not_http_is_a_failure(exchange):
    assert decided(exchange) == (Outcome.FAILURE, "protocol", ())


def test_running_out_of_our_own_resources_is_inconclusive():
    assert decided(failed(ErrorKind.INTERNAL)) == (Outcome.INCONCLUSIVE, "internal", ())


@pytest.mark.parametrize(
    "status", [200, 301, 400, 401, 403, 404, 408, 410, 425, 429, 451, 499, 508, 509, 600, 601]
)
def test_only_a_server_error_is_retried(status):
    assert not should_retry(answered(status))


@pytest.mark.parametrize("kind", sorted(set(ErrorKind) - {ErrorKind.CLIENT_CERTIFICATE}), ids=str)
def test_every_error_that_is_not_a_success_has_a_sentence(kind):
    sentence = by_evidence(failed(kind, "the detail")).sentence

    assert sentence
    # The guard's detail is always the same, and the sentence says it.
    assert ("the detail" in sentence) is (kind is not ErrorKind.FORBIDDEN_REDIRECT)


def test_status_200_is_the_literal_rule_of_the_specification():
    assert by_status_200(answered(200, redirects=(Redirect(status=302, url=URL),))).reason is None
    expected = {
        204: "http_204",
        401: "http_401",
        404: "http_404",
        429: "throttled",
        451: "legal",
        500: "http_5xx",
    }
    for status, reason in expected.items():
        verdict = by_status_200(answered(status))
        assert (verdict.outcome, verdict.reason) == (Outcome.FAILURE, reason)
        assert verdict.sentence.startswith(f"The server returned {status}")
    assert by_status_200(failed(ErrorKind.DNS_TEMPORARY)).outcome is Outcome.FAILURE


def test_conditions_are_known_by_name():
    assert CONDITIONS["evidence"] is by_evidence
    assert CONDITIONS["status-200"] is by_status_200


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        ("0", 1),
        ("9" * 20, 86_400),
        ("Sun, 01 Mar 2026 12:01:40 GMT", 100),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 1),
        ("Sun, 01 Mar 2099 11:00:00 GMT", 86_400),
        ("Sun Mar  1 12:01:40 2026", 100),  # the oldest form: GMT that is not named
        ("Sunday, 01-Mar-26 12:01:40 GMT", 100),
        ("Sun, 01 Mar 2026 13:01:40 +0100", 100),
        ("Sun, 01 Mar 2026 12:01:40 -0000", 100),
        ("-5", 1),
        ("-" + "9" * 5000, 1),
        ("9" * 5000, 86_400),
        ("1.5", 1.5),
        (" 30 ", 30),
        ("", None),
        ("soon", None),
        ("inf", None),
        ("1e9", None),
        ("Sun, 99 Mar 2026 12:01:40 GMT", None),
        ("Sun, 01 Mar 99999999999 12:01:40 GMT", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_a_date(value, seconds):
    assert parse_retry_after(value, now=NOW) == seconds


@pytest.mark.parametrize(
    ("exchange", "suffices"),
    [
        (answered(200), True),
        (answered(206), True),
        (answered(299), True),
        (answered(429), True),
        (answered(503, headers={"retry-after": "1"}, retry_after=1.0), True),
        (answered(503, headers={"retry-after": "soon"}), False),
        (failed(ErrorKind.FORBIDDEN_ADDRESS), True),
        (failed(ErrorKind.FORBIDDEN_REDIRECT, status=302), True),
        (answered(199), False),
        (answered(300), False),
        (answered(403), False),
        (answered(404), False),
        (answered(405), False),
        (answered(500), False),
        (answered(503), False),
        (failed(ErrorKind.TIMEOUT), False),
        (failed(ErrorKind.CONNECT), False),
        (failed(ErrorKind.REDIRECT_LOOP, status=302), False),
    ],
)
def test_row_2_a_head_decides_only_if_a_get_would_decide_the_same(exchange, suffices):
    assert head_suffices(exchange) is suffices


DEEP = "https://example.com/deep/page"
HOP = (Redirect(status=302, url=URL),)


@pytest.mark.parametrize(
    ("asked", "url", "suspect"),
    [
        (DEEP, URL, True),
        (DEEP, "https://example.com", True),
        (DEEP, "https://www.example.com/", True),
        (DEEP, "https://example.com:444/index.php", True),
        ("https://www.example.com/page", "http://example.com/home", True),
        ("https://example.com/?page=1", URL, False),
        ("https://example.com/index.html", URL, False),
        (DEEP, "https://example.com/?p=5", False),
        (DEEP, "https://example.com/other", False),
        (DEEP, "https://example.org/", True),
        ("https://example.com/go/page", "https://example.org/", False),
        ("https://example.com/deep/page.html", "https://example.com/deep/", True),
        ("https://example.com/deep/index.html", "https://example.com/deep/", False),
        ("https://example.com/deep/page/amp", "https://example.com/deep/page", False),
        (DEEP, "https://example.com/de/", True),
        (DEEP, "https://example.com/en-gb/index.html", True),
        ("https://example.com/?lang=de", "https://example.com/de/", False),
        ("https://example.com/?p=17", URL, True),
        ("https://example.com/list?id=17", "https://example.com/list", True),
        ("https://example.com/list?ref=17", "https://example.com/list", False),
        ("https://example.org/page", URL, False),
        ("http://[2606:4700::1]/page", "http://[2606:4700::2]/", False),
        ("http://[2606:4700::1]/page", "http://[2606:4700::1]:81/", True),
        (URL, "https://www.example.com/", False),
    ],
)
def test_row_19_only_a_deep_page_that_ends_at_a_home_or_above_itself_is_suspect(
    asked, url, suspect
):
    exchange = Exchange(asked=asked, url=url, status=200, redirects=HOP)
    flags = ("home_page",) if suspect else ()

    assert decided(exchange) == (Outcome.SUCCESS, None, flags)
    assert (by_evidence(exchange).mark or "").startswith("redirected to the " * suspect)
    assert decided(replace(exchange, redirects=())) == (Outcome.SUCCESS, None, ())


def page(words: str, status: int = 200, **more) -> Exchange:
    body = f"<title>{words}</title>".encode()
    return Exchange(asked=DEEP, url=DEEP, status=status, body=body, **more)


@pytest.mark.parametrize(
    ("sibling", "failure"),
    [
        (page("page not found b"), True),
        (page("page not found a"), True),
        (page("sorry, this file was deleted"), False),
        (page("welcome"), False),
        (page("page not found b", 404), False),
        (page("page not found b", 203), False),
        (page("page not found b", error=ErrorKind.TIMEOUT), False),
        (Exchange(asked=DEEP, url=URL, status=200, redirects=HOP), False),
    ],
)
def test_row_19_a_soft_404_is_proven_by_a_neighbour_with_the_same_answer(sibling, failure):
    verdict = by_evidence(replace(page("page not found b"), sibling=sibling))

    if failure:
        assert verdict.flags == ("same_for_all", "error_page")
        verdict = fail_if_same_for_all(verdict)
        assert (verdict.outcome, verdict.reason) == (Outcome.FAILURE, "soft_404")
        assert "title: page not found b" in verdict.sentence
    else:
        assert (verdict.outcome, verdict.flags) == (Outcome.SUCCESS, ("error_page",))
    assert verdict.mark == "title: page not found b"
    again = by_status_200(replace(page("page not found b"), sibling=sibling))
    assert again.outcome is Outcome.SUCCESS


def test_row_19_a_neighbour_with_another_status_proves_nothing():
    exchange = page("page not found", 203, sibling=page("page not found", 200))

    assert decided(exchange) == (Outcome.SUCCESS, None, ("error_page",))


def test_row_19_flags_keep_the_other_known_flags():
    assert decided(page("404", tls_error="expired"))[2] == ("tls_error", "error_page")


@pytest.mark.parametrize("status", [202, 401, 403, 405, 406, 429, 503])
def test_row_5_a_bot_wall_is_inconclusive_with_any_status_and_not_retried(status):
    exchange = answered(status, headers={"cf-mitigated": "challenge"})

    assert decided(exchange) == (Outcome.INCONCLUSIVE, "blocked", ())
    assert by_evidence(exchange).mark == "cloudflare: header cf-mitigated"
    assert "(Cloudflare)" in by_evidence(exchange).sentence
    assert not should_retry(exchange)


@pytest.mark.parametrize("status", [500, 502, 503, 504, 520, 522, 529, 599])
def test_a_5xx_with_retry_after_is_unavailable_and_counts_eventually(status):
    exchange = answered(status, headers={"retry-after": "60"}, retry_after=60.0)

    assert decided(exchange) == (Outcome.INCONCLUSIVE, "unavailable", ())
    assert not by_evidence(exchange).never_counts
    assert not should_retry(exchange)
    assert by_evidence(exchange).sentence.endswith(" and asked Linkwatch to try again in 1 minute.")


@pytest.mark.parametrize("status", [408, 425, 508, 509, 529])
def test_a_server_that_is_overloaded_by_its_status_is_unavailable(status):
    exchange = answered(status)

    assert decided(exchange) == (Outcome.INCONCLUSIVE, "unavailable", ())
    assert not by_evidence(exchange).never_counts
    assert not should_retry(exchange)
    assert not head_suffices(exchange)
    assert "asked" not in by_evidence(exchange).sentence


def test_a_proxy_that_asks_for_a_pause_is_still_a_proxy():
    assert by_evidence(answered(511, headers={"retry-after": "60"})).reason == "proxy"


@pytest.mark.parametrize(("status", "reason"), [(200, None), (404, "http_404"), (410, "http_410")])
def test_any_other_status_keeps_its_verdict_without_another_request(status, reason):
    exchange = answered(status, headers={"retry-after": "60"}, retry_after=60.0)

    assert by_evidence(exchange).reason == reason
    assert not should_retry(exchange)
    assert head_suffices(exchange)


def test_walls_legal_blocks_and_throttling_never_count():
    wall = answered(403, headers={"cf-mitigated": "challenge"})

    assert by_evidence(wall).never_counts
    assert by_evidence(answered(451)).never_counts
    assert by_evidence(answered(429)).never_counts
    assert not by_status_200(wall).never_counts


@pytest.mark.parametrize("kind", ErrorKind)
def test_our_own_faults_and_opting_out_never_count(kind):
    uncounted = {"no_route", "proxy", "internal", "forbidden_address", "forbidden_redirect"}
    uncounted |= {"busy_elsewhere", "http2_only", "robots"}

    assert by_evidence(failed(kind)).never_counts is (kind.value in uncounted)


@pytest.mark.parametrize("kind", ErrorKind)
def test_every_network_and_time_out_error_is_retried_and_no_other(kind):
    retried = {"dns", "dns_temporary", "connect", "no_route", "proxy", "timeout", "tls"}
    retried |= {"protocol", "stalled"}

    assert should_retry(failed(kind)) is (kind.value in retried)


@pytest.mark.parametrize(
    ("exchange", "sentence"),
    [
        (answered(404), "404 Not Found."),
        (answered(419), "419."),
        (answered(429), "429 Too Many Requests and asked Linkwatch to try again later."),
        (
            answered(429, retry_after=90.0),
            "429 Too Many Requests and asked Linkwatch to try again in 90 seconds.",
        ),
        (
            answered(429, retry_after=100.0),
            "429 Too Many Requests and asked Linkwatch to try again in about 2 minutes.",
        ),
        (
            answered(429, retry_after=3661.0),
            "429 Too Many Requests and asked Linkwatch to try again in about 1 hour.",
        ),
        (
            answered(429, retry_after=5401.0),
            "429 Too Many Requests and asked Linkwatch to try again in about 90 minutes.",
        ),
        (
            answered(429, retry_after=86_340.0),
            "429 Too Many Requests and asked Linkwatch to try again in about 1 day.",
        ),
        (
            answered(429, retry_after=86_400.0),
            "429 Too Many Requests and asked Linkwatch to try again in a day or more.",
        ),
        (answered(451), "451 Unavailable For Legal Reasons."),
    ],
)
def test_sentences_say_why_in_words(exchange, sentence):
    assert by_evidence(exchange).sentence == f"The server returned {sentence}"


def test_a_response_of_a_proxy_is_not_ascribed_to_the_server():
    sentence = "A proxy, not the page's server, returned 407 Proxy Authentication Required."
    assert by_evidence(answered(407)).sentence == sentence


def test_an_error_without_detail_is_one_sentence():
    assert (
        by_evidence(failed(ErrorKind.DNS)).sentence
        == "The host name does not resolve to an address."
    )


def test_status_200_does_not_count_our_own_faults():
    for kind in (ErrorKind.INTERNAL, ErrorKind.NO_ROUTE, ErrorKind.HTTP2_ONLY):
        assert by_status_200(failed(kind)).outcome is Outcome.INCONCLUSIVE
    assert by_status_200(answered(999)).outcome is Outcome.FAILURE


def test_row_12_a_redirect_to_itself_does_not_count_as_moved():
    chain = (Redirect(status=301, url="".join(list(DEEP))),)  # equal, but another string

    assert moved_to(Exchange(asked=DEEP, url=DEEP, status=200, redirects=chain)) is None
    assert moved_to(Exchange(asked=URL, url=DEEP, status=200, redirects=chain)) == DEEP
