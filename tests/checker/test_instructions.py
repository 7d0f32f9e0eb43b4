"""Operators' instructions for pages: what is accepted, expected and sent, and to whom."""

import asyncio
import json

import pytest

from checker.engine.connection import MAX_BODY
from checker.engine.errors import ErrorKind
from checker.engine.fetch import probe
from checker.engine.instructions import NO_INSTRUCTIONS, read_instructions
from targets.state import Outcome
from tests.zoo import certificates
from tests.zoo.checks import check, fails_with, patiently, policy, summary
from tests.zoo.rows import by_target, redirect
from tests.zoo.server import answer, hanging, in_turn, raw, serve

pytestmark = pytest.mark.any_database

ACCEPTED = ("accepted",)
SECRET = "Bearer s3cret"


def said(url="http://127.0.0.1/", *, host_json=None, **own):
    return read_instructions(url, host_json=host_json, target_json=own or None)


def expecting(**expect):
    return said(expect=expect)


# Accept


@pytest.mark.parametrize("accept", [[410], ["http_410"], ["dns", 410]])
def test_a_status_that_is_accepted_is_a_success_with_a_flag(accept):
    found, _ = check(answer(410), instructions=said(accept=accept))

    assert summary(found) == (Outcome.SUCCESS, None, 410)
    assert (found.flags, found.error) == (ACCEPTED, None)
    assert (found.evidence["rule"], found.evidence["mark"]) == ("accepted", "http_410")


def test_a_status_that_is_not_accepted_keeps_its_verdict():
    found, _ = check(answer(404), instructions=said(accept=[403, "dns"]))

    assert summary(found) == (Outcome.FAILURE, "http_404", 404)


def test_a_reason_without_an_answer_may_be_accepted():
    silent = fails_with(ConnectionRefusedError("Connection refused"))
    found, _ = check(answer(), resolver=silent, retries=0, instructions=said(accept=["connect"]))

    assert summary(found) == (Outcome.SUCCESS, None, None)


def test_a_wall_that_is_accepted_is_a_success():
    wall = answer(403, "cf-mitigated: challenge")
    found, _ = check(wall, instructions=said(accept=["blocked"]))

    assert (found.outcome, found.flags) == (Outcome.SUCCESS, ACCEPTED)


def test_errors_on_our_own_side_are_never_accepted():
    def broken(_exchange):
        raise RuntimeError

    found, _ = check(
        answer(),
        condition="broken",
        conditions={"broken": broken},
        instructions=said(accept=[200, "condition_error"]),
    )

    assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, "condition_error")


def test_a_flag_that_is_accepted_is_left_out():
    page = answer(body=b"<title>Page not found</title>")
    plain, _ = check(page)
    found, _ = check(page, instructions=said(accept=["error_page"]))

    assert plain.flags == ("error_page",)
    assert (found.outcome, found.flags) == (Outcome.SUCCESS, ())


def test_an_accepted_flag_causes_no_failure_even_if_it_is_a_failing_one():
    page = answer(body=b"<title>Page not found</title>")
    plain, _ = check(page, failing_flags={"error_page"})
    found, _ = check(page, failing_flags={"error_page"}, instructions=said(accept=["error_page"]))

    assert (plain.outcome, plain.reason) == (Outcome.FAILURE, "flag_error_page")
    assert found.outcome is Outcome.SUCCESS


def test_a_redirect_that_was_refused_is_not_an_answer_with_its_status():
    found, _ = check(redirect(302, "file:///etc/passwd"), instructions=said(accept=[302]))

    assert found.outcome is not Outcome.SUCCESS


# Expect


def test_a_status_that_is_expected_is_fine_and_any_other_is_not():
    gone, _ = check(answer(410), instructions=expecting(status=410))
    back, _ = check(answer(200), instructions=expecting(status=410))

    assert (gone.outcome, gone.flags) == (Outcome.SUCCESS, ACCEPTED)
    assert summary(back) == (Outcome.FAILURE, "expected_status", 200)
    assert back.error == "The server returned 200 OK, but the expected status is 410."


def test_an_accepted_status_is_equivalent_to_the_expected_one():
    found, _ = check(answer(201), instructions=said(accept=[201], expect={"status": 200}))

    assert found.outcome is Outcome.SUCCESS


def test_an_expected_status_makes_no_inconclusive_check_a_failure():
    found, _ = check(answer(429), instructions=expecting(status=200))

    assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, "throttled")


@pytest.mark.parametrize(
    "body",
    [
        "Grüße & mehr".encode(),
        "Grüße & mehr".encode("latin-1"),
        b"<p>Gr&#252;&#223;e &amp; mehr</p>",
        "<p>Grüße\n\t &amp;  mehr</p>".encode(),
    ],
)
def test_a_page_with_the_expected_text_is_a_success_in_any_charset(body):
    found, _ = check(answer(body=body), instructions=expecting(text="Grüße &\n mehr"))

    assert summary(found) == (Outcome.SUCCESS, None, 200)
    assert found.flags == ()


def test_a_page_without_the_expected_text_is_a_failure():
    found, _ = check(
        answer(body=b"This domain is for sale"), instructions=expecting(text="Opening")
    )

    assert summary(found) == (Outcome.FAILURE, "expected_text", 200)
    assert found.error == "The page does not contain the expected text “Opening”."


@pytest.mark.parametrize(
    "behaviour",
    [
        answer(body=b"x" * (MAX_BODY + 1)),
        answer(200, "Content-Encoding: br", body=b"\x0b\x02\x80ok\x03"),
    ],
    ids=["longer than what is read", "in an encoding that is not read"],
)
def test_no_partly_read_page_fails_for_a_missing_text(behaviour):
    found, _ = check(behaviour, instructions=expecting(text="at the bottom"))

    assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, "expected_text_unseen")
    assert found.never_counts


FRAMINGS = {
    "length": (b"Content-Length: 100", b"the beginning"),
    "chunked": (b"Transfer-Encoding: chunked", b"d\r\nthe beginning\r\n"),
    "close": (b"Server: a", b"the beginning"),
}


@pytest.mark.parametrize("ends", [raw, hanging])
@pytest.mark.parametrize("framing", FRAMINGS)
def test_no_page_that_was_cut_off_fails_for_a_missing_text(framing, ends):
    header, body = FRAMINGS[framing]
    behaviour = ends(b"HTTP/1.1 200 OK\r\n", header, b"\r\n\r\n", body)
    is_complete = (framing, ends) == ("close", raw)

    @patiently
    def _(pace):
        found, _ = check(
            behaviour, instructions=expecting(text="at the bottom"), timeout=0.5 * pace
        )
        assert found.reason == ("expected_text" if is_complete else "expected_text_unseen")


def test_a_page_that_was_cut_off_does_not_fail_after_a_refresh_without_an_answer():
    page = b"<meta http-equiv=refresh content='0;url=/next'>"
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    site = by_target({"/": raw(head, b"%x\r\n" % len(page), page)}, other=raw())
    found, zoo = check(site, instructions=expecting(text="at the bottom"))

    assert zoo.targets == ["/", "/next"]
    assert found.reason == "expected_text_unseen"


# The host's instructions and the target's own


def test_a_targets_own_instructions_override_its_hosts():
    host = {"accept": [403], "timeout": "20s", "expect": {"text": "Welcome"}}
    found = said(host_json=host, accept=[], timeout="30s")

    assert (found.accept, found.timeout, found.text) == (frozenset(), 30.0, "Welcome")


def test_without_instructions_there_is_nothing_to_apply():
    assert said() is NO_INSTRUCTIONS


# Headers


def sent(zoo, name="Authorization"):
    return [visit.header(name) for visit in zoo.visits]


def run(site, elsewhere=None, *, tls=None, path="/", own=True, **changes):
    """Check a server whose headers are secret; return the probe and the visits of both servers."""

    async def checks():
        async with (
            serve(elsewhere or answer()) as other,
            serve(lambda visit: site(other)(visit), tls=tls) as zoo,
        ):
            instructions_of = {"headers": {"authorization": SECRET, "User-Agent": "Mine/1"}}
            kept = {"target_json": instructions_of, "host_json": None}
            if not own:
                kept = {"target_json": None, "host_json": instructions_of}
            reported = read_instructions(zoo.url(path), **kept)
            found = await probe(zoo.url(path), policy=policy(instructions=reported, **changes))
            return found, zoo, other

    return asyncio.run(checks())


def test_headers_replace_ours_and_are_not_logged():
    found, zoo, _ = run(lambda _other: answer())

    assert sent(zoo) == [SECRET]
    assert sent(zoo, "User-Agent") == ["Mine/1"]
    assert zoo.visits[0].request.lower().count(b"user-agent") == 1
    assert "s3cret" not in json.dumps(found.evidence) + repr(found)


def test_headers_are_kept_on_a_redirect_within_the_same_server():
    found, zoo, _ = run(
        lambda _other: by_target({"/": redirect(302, "/in"), "/in": answer()}),
    )

    assert found.outcome is Outcome.SUCCESS
    assert sent(zoo) == [SECRET, SECRET]


def test_headers_are_not_sent_to_other_origins_or_after_returning_from_one():
    def site(other):
        return by_target({"/": redirect(302, other.url("/")), "/back": answer()})

    async def lead_back(visit):
        await redirect(302, back[0])(visit)

    back = []

    async def checks():
        async with serve(lead_back) as other, serve(lambda visit: site(other)(visit)) as zoo:
            back.append(zoo.url("/back"))
            reported = said(zoo.url("/"), headers={"Authorization": SECRET})
            return await probe(zoo.url("/"), policy=policy(instructions=reported)), zoo, other

    found, zoo, other = asyncio.run(checks())

    assert found.outcome is Outcome.SUCCESS
    assert zoo.targets == ["/", "/back"]
    assert sent(zoo) == [SECRET, None]
    assert sent(other) == [None]


def test_headers_of_a_host_are_sent_only_to_https_on_the_default_port():
    _, zoo, _ = run(lambda _other: answer(), own=False)
    reported = said("https://a.example/x", host_json={"headers": {"Cookie": "a=1"}})

    assert sent(zoo) == [None]
    assert reported.headers_for(["https://a.example/x"]) == ((b"Cookie", b"a=1"),)
    for url in ("http://a.example/x", "https://a.example:8443/x", "https://b.a.example/x"):
        assert reported.headers_for([url]) == ()


def test_headers_are_sent_over_tls_that_was_verified(trusted):
    tls = certificates.server_context(trusted.server("good"))
    _, zoo, _ = run(lambda _other: answer(), tls=tls)

    assert sent(zoo) == [SECRET]


@pytest.mark.parametrize("verify", ["warn", "off"])
def test_headers_are_not_sent_over_tls_that_was_not_verified(trusted, verify):
    tls = certificates.server_context(trusted.server("expired", days=-1))
    found, zoo, _ = run(lambda _other: answer(), tls=tls, verify_tls=verify)

    assert found.outcome is Outcome.SUCCESS
    assert sent(zoo) == [None]


def test_the_made_up_neighbour_is_requested_without_secret_headers():
    page = answer(body=b"<title>Page not found</title>")
    _, zoo, _ = run(lambda _other: page, path="/a", ask_neighbours=True)

    assert sent(zoo) == [SECRET, None]


def test_a_retry_has_the_headers_too():
    turns = in_turn(answer(503), answer(200))
    _, zoo, _ = run(lambda _other: turns)

    assert sent(zoo) == [SECRET, SECRET]


def test_our_own_missing_route_is_not_accepted():
    found, _ = check(
        answer(),
        resolver=fails_with(OSError(101, "Network is unreachable")),
        retries=0,
        instructions=said(accept=[ErrorKind.NO_ROUTE.value]),
    )

    assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, "no_route")
