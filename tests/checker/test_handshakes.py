"""TLS as servers use it in practice: ciphers, chains, client certificates."""

import asyncio
import ssl
from datetime import UTC, datetime, timedelta

import pytest
import uvloop
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import AuthorityInformationAccessOID, NameOID
from hypothesis import given
from hypothesis import strategies as st

from checker.engine.certificate import leads_to_issuer
from checker.engine.fetch import probe
from checker.engine.tls import tls_context
from targets.state import Outcome
from tests.zoo.checks import check, policy, resolves_to
from tests.zoo.server import answer
from tests.zoo.wild import tls

pytestmark = pytest.mark.any_database

HOST = "secure.example"
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    return tls.contexts(tmp_path_factory.mktemp("handshakes"), [HOST])


@pytest.fixture
def contexts(servers, monkeypatch):
    roots, contexts = servers
    monkeypatch.setenv("SSL_CERT_FILE", str(roots))
    tls_context.cache_clear()
    yield contexts
    tls_context.cache_clear()


def checked(behaviour, context, **changes):
    resolver = resolves_to("127.0.0.1")
    return check(behaviour, tls=context, host=HOST, resolver=resolver, **changes)


async def ask(port: int, **changes):
    fetching = policy(resolver=resolves_to("127.0.0.1"), retries=0, **changes)
    return await probe(f"https://{HOST}:{port}/", policy=fetching)


@pytest.mark.parametrize("kind", ["rsa_key_exchange", "sha1_ciphers", "tls_1_2", "lax_chain"])
def test_a_server_that_browsers_connect_to_is_reached(contexts, kind):
    found, _ = checked(answer(), contexts[kind])

    assert (found.outcome, found.flags) == (Outcome.SUCCESS, ())


def test_tls_flags_and_ciphers_are_the_same_in_every_python():
    context = tls_context(verify=True)
    names = {cipher["name"] for cipher in context.get_ciphers()}

    assert context.verify_flags == ssl.VERIFY_X509_TRUSTED_FIRST
    assert {"AES128-SHA", "AES256-GCM-SHA384", "ECDHE-RSA-AES128-SHA"} <= names
    assert not [name for name in names if "NULL" in name or "RC4" in name or "3DES" in name]


def test_a_missing_intermediate_that_could_be_fetched_raises_a_flag(contexts):
    found, zoo = checked(answer(), contexts["no_intermediate"])

    assert (found.outcome, found.flags) == (Outcome.SUCCESS, ("incomplete_chain",))
    assert len(zoo.visits) == 1


@pytest.mark.parametrize("kind", ["self_signed", "of_another_name", "expired"])
def test_no_request_is_sent_if_the_certificate_has_another_fault(contexts, kind):
    found, zoo = checked(answer(), contexts[kind], retries=0)

    assert (found.outcome, found.reason) == (Outcome.FAILURE, "tls")
    assert zoo.visits == []


@pytest.mark.parametrize("loop", [None, uvloop.new_event_loop])
@pytest.mark.parametrize("kind", tls.DEMANDING)
def test_a_server_that_requires_a_client_certificate_is_restricted(contexts, kind, loop):
    async def run():
        async with tls.demanding(contexts[kind]) as port:
            return await ask(port)

    with asyncio.Runner(loop_factory=loop) as runner:
        found = runner.run(run())

    assert (found.outcome, found.flags) == (Outcome.SUCCESS, ("restricted",))
    assert found.evidence["rule"] == "certificate wanted"


def test_a_server_without_a_cipher_in_common_is_a_failure(tmp_path):
    context = tls.contexts(tmp_path, [HOST])[1]["tls_1_2"]  # its own, because it is changed
    context.set_ciphers("DHE-RSA-AES256-SHA256")

    async def run():
        async with tls.demanding(context) as port:
            return await ask(port)

    assert asyncio.run(run()).reason == "tls"


def test_the_literal_condition_counts_a_required_certificate_as_a_failure(contexts):
    async def run():
        async with tls.demanding(contexts["client_certificate_1_3"]) as port:
            fetching = policy(resolver=resolves_to("127.0.0.1"), retries=0)
            url = f"https://{HOST}:{port}/"
            return await probe(url, policy=fetching, condition="status-200")

    found = asyncio.run(run())

    assert (found.outcome, found.reason) == (Outcome.FAILURE, "tls")
    assert found.error.startswith("The TLS connection failed")


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "<h1>400 Bad Request</h1>No required SSL certificate was sent"),
        (403, "403 - Forbidden: Client certificate required."),
        (403, "Reason: Cannot perform Post-Handshake Authentication."),
    ],
)
def test_a_page_that_requires_a_certificate_is_restricted(status, words):
    found, zoo = check(answer(status, body=words.encode()))

    assert (found.outcome, found.flags) == (Outcome.SUCCESS, ("restricted",))
    assert len(zoo.visits) == 1


# Reading certificates that name their issuer.


def certificate(*names: x509.GeneralName, subject="server", issuer="issuer", where=True) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    built = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, subject)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(NOW - timedelta(days=1))
        .not_valid_after(NOW + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    )
    if names:
        built = built.add_extension(x509.SubjectAlternativeName(names), critical=False)
    if where:
        url = x509.UniformResourceIdentifier("http://issuer.example/i.der")
        place = x509.AccessDescription(AuthorityInformationAccessOID.CA_ISSUERS, url)
        built = built.add_extension(x509.AuthorityInformationAccess([place]), critical=False)
    return built.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


def leads(der: bytes, host: str = "a.example", *, after: timedelta = timedelta()) -> bool:
    return leads_to_issuer(der, host=host, now=NOW + after)


def test_the_issuer_of_a_certificate_is_found_by_name_date_and_address():
    import ipaddress

    der = certificate(
        x509.DNSName("A.example"),
        x509.DNSName("*.b.example"),
        x509.IPAddress(ipaddress.ip_address("192.0.2.7")),
    )

    assert leads(der)
    assert leads(der, "a.example.")
    assert leads(der, "x.b.example")
    assert leads(der, "192.0.2.7")
    for other in ("b.example", "x.y.b.example", "192.0.2.8", "c.example"):
        assert not leads(der, other)
    assert not leads(der, after=timedelta(days=2))
    assert not leads(der, after=timedelta(days=-2))


def test_an_incomplete_certificate_names_no_issuer():
    name = x509.DNSName("a.example")

    assert not leads(certificate(name, where=False))
    assert not leads(certificate())
    assert not leads(certificate(name, subject="same", issuer="same"))
    assert not leads(certificate(x509.DNSName("*.example")), "example")
    assert not leads(certificate(x509.DNSName("*")), "example")


@given(st.binary(max_size=300))
def test_random_input_finds_no_issuer(noise):
    assert not leads(noise)


@given(st.integers(0, 400), st.integers(0, 255))
def test_a_broken_certificate_crashes_nothing(place, byte):
    der = bytearray(WHOLE)
    der[place % len(der)] = byte
    leads(bytes(der))


WHOLE = certificate(x509.DNSName("a.example"))
