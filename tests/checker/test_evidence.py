"""Evidence is bounded and printable, and includes certificates."""

import json
import ssl
from datetime import UTC, datetime, timedelta

import pytest
import trustme
from hypothesis import given
from hypothesis import strategies as st

from checker.engine.certificate import Certificate, read_certificate
from checker.engine.connection import MAX_BODY, FetchTrace
from checker.engine.errors import ErrorKind
from checker.engine.evidence import clean, describe, describe_attempt
from checker.engine.exchange import Exchange, Redirect
from checker.engine.verdict import Verdict
from foundation.net.inflate import MAX_TEXT, inflate
from targets.state import Outcome
from tests.zoo.checks import check, patiently
from tests.zoo.rows import GZIP_BOMB
from tests.zoo.server import Visit, answer, hanging, raw

pytestmark = pytest.mark.any_database

LIMIT = 16 * 1024  # bytes of JSON


def size(evidence) -> int:
    return len(json.dumps(evidence))


@pytest.mark.parametrize("filling", ["x", "%5c", "\\", '"', "\xff", "\x01", "\U0001f600"])
def test_the_worst_evidence_is_under_16_kib(filling):
    """Eleven attempts and a HEAD, each with an error, ten redirects, and every value too long."""
    long = filling * 10_000
    names = ("server", "content-type", "content-length", "location", "retry-after", "via", "other")
    sibling = Exchange(url=long, asked=long, status=200, error=ErrorKind.FORBIDDEN_REDIRECT)
    worst = Exchange(
        url=long,
        status=599,
        headers=dict.fromkeys(names, long),
        body=bytes(MAX_BODY),
        redirects=(Redirect(status=308, url=long),) * 10,
        error=ErrorKind.FORBIDDEN_REDIRECT,
        detail=long,
        tls_error=long,
        certificate=Certificate(issuer=long, expires_at=datetime.max.replace(tzinfo=UTC)),
        sibling=sibling,
    )
    ms = 123456.789
    address = "ffff:" * 7 + "ffff"
    trace = FetchTrace(address=address, dns_ms=ms, connect_ms=ms, tls_ms=ms, first_byte_ms=ms)
    attempt = describe_attempt(worst, method="HEAD", trace=trace, latency_ms=123456)
    verdict = Verdict(outcome=Outcome.FAILURE, mark=long)

    evidence = describe(worst, verdict=verdict, attempts=[attempt] * 12)

    assert size(evidence) < LIMIT
    assert "other" not in evidence["headers"]


@pytest.mark.parametrize("filling", ["x", "%5c", "\\", '"', "\xff", "\x01"])
def test_evidence_of_a_verbose_server_is_bounded_and_printable(filling):
    headers = "".join(f"{name}: {filling * 2000}\r\n" for name in ("Server", "Via", "X-Other"))

    async def behave(visit: Visit) -> None:
        hop = (visit.number - 1) % 11
        if hop == 10:
            await visit.send(b"HTTP/1.1 500 Oops\r\n", headers.encode("latin-1"), b"\r\n")
            return
        location = f"/?{hop}" + filling * 1000
        await visit.send(b"HTTP/1.1 302 Go\r\nLocation: ", location.encode(), b"\r\n\r\n")

    found, zoo = check(behave, retries=10, backoff=0.0)

    if filling != "\x01":  # it makes the header invalid, so the first redirect is lost
        assert (found.reason, found.attempts, len(zoo.visits)) == ("http_5xx", 11, 121)
    assert size(found.evidence) < LIMIT
    assert all(value.isprintable() for value in found.evidence["headers"].values())


@given(st.text(), st.integers(0, 50))
def test_clean_text_is_printable_and_fits(text, limit):
    cleaned = clean(text, limit=limit)

    assert cleaned.isprintable()
    assert len(json.dumps(cleaned)) - 2 <= limit


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("a\x00b\x1b[31mc\u202ed\u2028e\x7f\x9b", 100, "ab[31mcde"),
        ("abc", 3, "abc"),
        ("abcd", 3, "abc"),
        ('""""', 4, '""'),
        ("ééé", 12, "éé"),
        ("\U0001f600\U0001f600", 12, "\U0001f600"),
        ("\x00" * 1000 + "a", 10, ""),
    ],
)
def test_text_is_cut_where_its_json_would_be_too_long(text, limit, expected):
    assert clean(text, limit=limit) == expected


def der(pem: trustme.Blob) -> bytes:
    return ssl.PEM_cert_to_DER_cert(pem.bytes().decode())


@pytest.mark.parametrize("days", [-3, 1, 10_000])  # a UTCTime, or after 2049 a GeneralizedTime
def test_issuer_and_expiry_are_read_from_any_certificate(days):
    until = (datetime.now(UTC) + timedelta(days=days)).replace(microsecond=0)
    issued = trustme.CA(organization_name="Zoo \u00e9 Co").issue_cert(
        "a.test", not_before=datetime(2020, 1, 1, tzinfo=UTC), not_after=until
    )

    certificate = read_certificate(der(issued.cert_chain_pems[0]))

    assert certificate.expires_at == until
    assert certificate.issuer == "Zoo \u00e9 Co"


CERTIFICATE = der(trustme.CA().issue_cert("a.test").cert_chain_pems[0])


@given(st.integers(0, len(CERTIFICATE)), st.binary(max_size=8))
def test_no_damaged_certificate_crashes_the_reader(place, noise):
    read_certificate(CERTIFICATE[:place] + noise + CERTIFICATE[place + len(noise) :])


@given(st.binary(max_size=300))
def test_random_input_does_not_crash_the_reader(noise):
    read_certificate(noise)


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", " GZIP "])
def test_a_bomb_is_inflated_up_to_the_cap_only(encoding):
    assert inflate(GZIP_BOMB, encoding=encoding) == bytes(MAX_TEXT)


def test_both_kinds_of_deflate_are_decoded_and_other_data_is_unchanged():
    import zlib

    raw = zlib.compressobj(wbits=-15)
    assert inflate(zlib.compress(b"hello"), encoding="deflate") == b"hello"
    assert inflate(raw.compress(b"hello") + raw.flush(), encoding="deflate") == b"hello"
    assert inflate(b"plain", encoding="gzip") == b"plain"
    assert inflate(b"plain", encoding="") == inflate(b"plain", encoding="identity") == b"plain"
    assert inflate(b"plain", encoding="br") == inflate(b"plain", encoding="gzip, gzip") == b""
    assert len(inflate(bytes(2 * MAX_TEXT), encoding="")) == MAX_TEXT


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
IN_HEAD, AFTER_HEAD = b"1b\r\n<title>A shop</title><style\r\n", b"7\r\n</head>\r\n"
LONG_HEAD = b"<style>" + b"x" * MAX_BODY


@pytest.mark.parametrize(
    ("behaviour", "archiving"),
    [
        (answer(body=b"<title>A shop</title>"), "permitted"),
        (hanging(CHUNKED, IN_HEAD), None),
        (hanging(CHUNKED, IN_HEAD, AFTER_HEAD), "permitted"),
        (raw(CHUNKED, IN_HEAD), None),
        (raw(CHUNKED, IN_HEAD, AFTER_HEAD), "permitted"),
        (answer(body=LONG_HEAD + b"</style><meta name=robots content=noarchive>"), None),
        (answer(body=b"<meta name=robots content=noarchive>" + LONG_HEAD), "refused"),
    ],
    ids=["whole", "stall in head", "stall", "break in head", "break", "long", "refused"],
)
def test_only_a_page_whose_whole_head_was_read_permits_archiving(behaviour, archiving):
    @patiently
    def _(pace):
        found, _ = check(behaviour, timeout=0.5 * pace)
        assert found.evidence.get("archiving") == archiving
