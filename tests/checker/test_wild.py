"""The verdicts of checks on real pages, compared with the truth.

`python -m tests.zoo.wild --bad` lists each page with a wrong verdict, and the verdict.
"""

import asyncio
import ssl
from collections import Counter
from dataclasses import replace

import pytest

from checker.engine.fetch import Probe
from targets.state import Outcome
from tests.zoo.server import answer, serve
from tests.zoo.wild import tls
from tests.zoo.wild.case import Truth, gone, of_truth, only, plain
from tests.zoo.wild.survey import CASES, Judgement, Sighting, survey

pytestmark = pytest.mark.any_database

# The numbers of wrong verdicts. Lower them after adding a rule; never raise one.
TODAY = {
    Judgement.FALSE_DEATH: 0,  # goal: 0
    Judgement.PASSES: 0,  # goal: 10 of 213
    Judgement.FLAGGED: 0,  # goal: 3 of 205
    Judgement.KEPT: 0,  # goal: 0
    Judgement.MISTAKEN: 0,  # goal: 0
}
# Pages that people can see die no more often with CHECK_SOFT_404.
SEEN_BY_PEOPLE = (Truth.ALIVE, Truth.RESTRICTED, Truth.SLOW, Truth.WALL, Truth.OURS)


def judged(sightings) -> Counter[Judgement]:
    return Counter(sighting.judgement for sighting in sightings)


def listed(sightings, judgement) -> str:
    return "\n".join(str(each.case) for each in sightings if each.judgement is judgement)


@pytest.fixture(scope="module")
def sightings() -> list[Sighting]:
    return asyncio.run(survey())


@pytest.mark.slow
@pytest.mark.parametrize("judgement", list(TODAY))
def test_no_more_pages_are_misjudged_than_before(sightings, judgement):
    assert judged(sightings)[judgement] <= TODAY[judgement], listed(sightings, judgement)


@pytest.mark.slow
def test_no_live_page_dies_because_of_neighbour_requests(sightings):
    beside = asyncio.run(survey(check_soft_404=True))

    dead = judged(beside)[Judgement.FALSE_DEATH]
    assert dead <= TODAY[Judgement.FALSE_DEATH], listed(beside, Judgement.FALSE_DEATH)


@pytest.mark.slow
def test_no_page_of_the_wild_crashes_a_check(sightings):
    assert [each.case.name for each in sightings if each.found.reason == "internal"] == []


def test_the_wild_has_enough_cases_of_each_kind():
    count = Counter(case.truth for case in CASES)

    assert count[Truth.GONE] >= 75
    assert count[Truth.ALIVE] >= 75
    assert count[Truth.WALL] >= 30
    assert count[Truth.OURS] >= 20


def test_each_page_has_its_own_name_and_source():
    names = Counter(case.name for case in CASES)

    assert [name for name, times in names.items() if times > 1] == []
    assert all(case.source for case in CASES)


SUCCESS = Probe(
    outcome=Outcome.SUCCESS,
    reason=None,
    status_code=200,
    latency_ms=1,
    error=None,
    attempts=1,
    final_url=None,
)
FAILURE = replace(SUCCESS, outcome=Outcome.FAILURE, reason="http_404", status_code=404)
UNSURE = replace(SUCCESS, outcome=Outcome.INCONCLUSIVE, reason="blocked", status_code=403)
PARKED = replace(SUCCESS, flags=("parked",))
SITE = only(plain("hello"))
FOR_SALE = gone("for sale", "a test", SITE, "parked")
WITHDRAWN = gone("withdrawn", "a test", SITE)


def page(truth: Truth, *flags: str):
    return of_truth(truth, "a page", "a test", SITE, flags=frozenset(flags))


@pytest.mark.parametrize(
    ("case", "found", "judgement"),
    [
        (WITHDRAWN, FAILURE, Judgement.GOOD),
        (WITHDRAWN, SUCCESS, Judgement.PASSES),
        (WITHDRAWN, PARKED, Judgement.PASSES),
        (WITHDRAWN, UNSURE, Judgement.KEPT),
        (FOR_SALE, FAILURE, Judgement.GOOD),
        (FOR_SALE, PARKED, Judgement.GOOD),
        (FOR_SALE, SUCCESS, Judgement.PASSES),
        (FOR_SALE, replace(SUCCESS, flags=("login",)), Judgement.PASSES),
        (page(Truth.ALIVE), SUCCESS, Judgement.GOOD),
        (page(Truth.ALIVE), PARKED, Judgement.FLAGGED),
        (page(Truth.ALIVE, "parked"), PARKED, Judgement.GOOD),
        (page(Truth.ALIVE), replace(SUCCESS, flags=("tls_error",)), Judgement.GOOD),
        (page(Truth.ALIVE), FAILURE, Judgement.FALSE_DEATH),
        (page(Truth.ALIVE), UNSURE, Judgement.MISTAKEN),
        (page(Truth.WALL), UNSURE, Judgement.GOOD),
        (page(Truth.WALL), FAILURE, Judgement.FALSE_DEATH),
        (page(Truth.WALL), SUCCESS, Judgement.MISTAKEN),
        (page(Truth.OURS), FAILURE, Judgement.FALSE_DEATH),
        (page(Truth.DOWN), FAILURE, Judgement.GOOD),
        (page(Truth.DOWN), UNSURE, Judgement.GOOD),
    ],
    ids=str,
)
def test_the_report_compares_checks_with_the_truth(case, found, judgement):
    assert Sighting(case, found).judgement is judgement


def test_two_pages_cannot_share_a_host():
    twice = [replace(WITHDRAWN, host="one.example"), replace(FOR_SALE, host="one.example")]

    with pytest.raises(ValueError, match=r"two sites at one\.example"):
        asyncio.run(survey(twice))


def test_a_site_with_gaps_is_not_a_site():
    with pytest.raises(ValueError, match="does not answer everything"):
        asyncio.run(survey([replace(WITHDRAWN, site={"/": plain("hello")})]))


def test_a_page_with_a_history_is_requested_twice():
    """The stored data of the first answer is passed on; the second answer counts."""
    case = replace(FOR_SALE, site=only(plain("", status=410)), earlier=only(plain("hello")))

    [sighting] = asyncio.run(survey([case]))

    assert sighting.found.reason == "http_410"


# Problems with TLS servers that checks cannot talk to today, but browsers can.


@pytest.fixture(scope="module")
def secure(tmp_path_factory):
    return tls.contexts(tmp_path_factory.mktemp("wild"), ["secure.example"])


async def shake_hands(port: int, roots) -> ssl.SSLObject:
    """Connect with every cipher of OpenSSL, and send a request; raises ssl.SSLError."""
    client = ssl.create_default_context(cafile=roots)
    client.set_ciphers("ALL")
    client.verify_flags &= ~ssl.VERIFY_X509_STRICT  # Python 3.13's own, no browser's
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port, ssl=client, server_hostname="secure.example"
    )
    try:
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        await reader.readuntil(b"hello")
        return writer.get_extra_info("ssl_object")
    finally:
        writer.transport.abort()


@pytest.mark.parametrize(
    ("kind", "cipher"),
    [
        ("rsa_key_exchange", "AES128-GCM-SHA256"),
        ("sha1_ciphers", "ECDHE-RSA-AES128-SHA"),
        ("expires_soon", "TLS_AES_256_GCM_SHA384"),
        ("lax_chain", "TLS_AES_256_GCM_SHA384"),
    ],
)
def test_a_browser_connects_to_these(secure, kind, cipher):
    roots, contexts = secure

    async def run():
        async with serve(answer(), tls=contexts[kind]) as zoo:
            return await shake_hands(zoo.port, roots)

    assert asyncio.run(run()).cipher()[0] == cipher


@pytest.mark.parametrize(
    ("kind", "alert"),
    [
        ("client_certificate_1_2", "HANDSHAKE_FAILURE"),
        ("client_certificate_1_3", "CERTIFICATE_REQUIRED"),
    ],
)
def test_servers_that_require_a_certificate_send_an_alert(secure, kind, alert):
    roots, contexts = secure

    async def run():
        async with tls.demanding(contexts[kind]) as port:
            await shake_hands(port, roots)

    with pytest.raises(ssl.SSLError, match=alert):
        asyncio.run(run())
