"""TLS: valid and invalid certificates."""

import asyncio
import socket

import pytest

from checker.engine.fetch import probe
from targets.state import Outcome
from tests.zoo import certificates
from tests.zoo.checks import SUCCESS, check, policy, resolves_to, summary
from tests.zoo.server import answer, raw, serve

pytestmark = pytest.mark.any_database


def test_a_page_over_tls_is_a_success(trusted):
    tls = certificates.server_context(trusted.server("good"))
    found, _ = check(answer(), tls=tls)

    assert summary(found) == SUCCESS
    assert found.evidence["attempts"][0]["tls_ms"] > 0


def test_the_name_is_sent_and_verified_while_the_address_is_pinned(trusted):
    tls = certificates.server_context(trusted.server("named", identity="site.test"))
    names = []
    tls.sni_callback = lambda _socket, name, _context: names.append(name)

    found, zoo = check(answer(), tls=tls, host="site.test.", resolver=resolves_to("127.0.0.1"))

    assert summary(found) == SUCCESS
    assert names == ["site.test"]
    assert zoo.visits[0].header("Host") == f"site.test.:{zoo.port}"


@pytest.mark.parametrize(
    ("case", "detail"),
    [
        ("expired", "certificate has expired"),
        ("wrong-host", "mismatch"),
        ("self-signed", "self-signed certificate"),
    ],
)
def test_row_16_bad_certificates_fail_or_warn_as_configured(trusted, tmp_path, case, detail):
    pem = {
        "expired": lambda: trusted.server("expired", days=-1),
        "wrong-host": lambda: trusted.server("other", identity="elsewhere.test"),
        "self-signed": lambda: certificates.self_signed(tmp_path),
    }[case]()
    tls = certificates.server_context(pem)

    found, zoo = check(answer(), tls=tls, retries=0)
    assert summary(found) == (Outcome.FAILURE, "tls", None)
    assert detail in found.error
    assert zoo.visits == []

    found, zoo = check(answer(), tls=tls, verify_tls="warn")
    assert summary(found) == SUCCESS
    assert found.flags == ("tls_error",)
    assert detail in found.evidence["tls_error"]
    assert len(zoo.visits) == 1

    found, _ = check(answer(), tls=tls, verify_tls="off")
    assert summary(found) == SUCCESS
    assert found.flags == (("certificate_expires",) if case == "expired" else ())


def test_row_16_a_server_without_tls_fails_on_https():
    async def run():
        server = await asyncio.start_server(greet, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            return await probe(f"https://127.0.0.1:{port}/", policy=policy(retries=0))

    async def greet(_reader, writer):
        writer.write(b"220 mail.test ESMTP\r\n")
        writer.close()

    assert asyncio.run(run()).reason == "tls"


def test_row_10_a_tls_handshake_that_hangs_is_a_time_out():
    async def run():
        async with asyncio.timeout(60):
            with socket.create_server(("127.0.0.1", 0)) as mute:
                url = f"https://127.0.0.1:{mute.getsockname()[1]}/"
                return await probe(url, policy=policy(timeout=0.2, retries=0))

    assert asyncio.run(run()).reason == "timeout"


def test_row_16_a_bad_certificate_of_a_redirect_is_flagged_too(tmp_path):
    tls = certificates.server_context(certificates.self_signed(tmp_path))

    async def run():
        async with serve(answer()) as plain:
            away = raw(f"HTTP/1.1 302 Found\r\nLocation: {plain.url()}\r\n\r\n".encode())
            async with serve(away, tls=tls) as zoo:
                return await probe(zoo.url(), policy=policy(verify_tls="warn"))

    found = asyncio.run(run())
    assert summary(found) == SUCCESS
    assert found.flags == ("tls_error",)
