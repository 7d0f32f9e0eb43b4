"""TLS as servers in the wild have it: chains, ciphers, certificates that are asked for."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import AuthorityInformationAccessOID, NameOID

Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


@dataclass(frozen=True)
class Issuer:
    """A certificate and its key. A lax one leaves out what strict checks of a chain ask for."""

    name: str
    certificate: x509.Certificate
    key: Key
    lax: bool = False

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @classmethod
    def root(cls, name: str, *, lax: bool = False) -> "Issuer":
        key = ec.generate_private_key(ec.SECP256R1())
        return cls(name, _signed(name, key, issuer=None, key_of_issuer=key, lax=lax), key, lax)

    def intermediate(self, name: str) -> "Issuer":
        key = ec.generate_private_key(ec.SECP256R1())
        return Issuer(name, _signed(name, key, issuer=self, key_of_issuer=self.key), key)

    def server(self, hosts: Iterable[str], *, key: Key | None = None, days: int = 90) -> bytes:
        """Return key and certificate of a server in PEM, for that many days; negative: over."""
        key = key or ec.generate_private_key(ec.SECP256R1())
        certificate = _builder("server", key, issuer_name=self.name, days=days).add_extension(
            x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts]), critical=False
        )
        if not self.lax:
            where = x509.AccessDescription(
                AuthorityInformationAccessOID.CA_ISSUERS,
                x509.UniformResourceIdentifier("http://issuer.example/intermediate.der"),
            )
            certificate = certificate.add_extension(
                x509.AuthorityInformationAccess([where]), critical=False
            ).add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()),
                critical=False,
            )
        signed = certificate.sign(self.key, hashes.SHA256())
        return _pem(key) + signed.public_bytes(serialization.Encoding.PEM)


def _builder(name: str, key: Key, *, issuer_name: str, days: int) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer_name)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=30))
        .not_valid_after(now + timedelta(days=days))
    )


def _signed(
    name: str, key: Key, *, issuer: Issuer | None, key_of_issuer: Key, lax: bool = False
) -> x509.Certificate:
    """Return the certificate of an authority."""
    builder = _builder(name, key, issuer_name=issuer.name if issuer else name, days=365)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), not lax)
    if not lax:
        may = dict.fromkeys(
            (
                "content_commitment",
                "key_encipherment",
                "data_encipherment",
                "key_agreement",
                "encipher_only",
                "decipher_only",
            ),
            False,
        )
        usage = x509.KeyUsage(digital_signature=True, key_cert_sign=True, crl_sign=True, **may)
        builder = (
            builder.add_extension(usage, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(key_of_issuer.public_key()),
                False,
            )
        )
    return builder.sign(key_of_issuer, hashes.SHA256())


def _pem(key: Key) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


ALERT = "h2_alert"  # no context: a server that ends every handshake so
# A fatal alert, 120: no application protocol in common. Sources: RFC 5246, RFC 7301.
NO_APPLICATION_PROTOCOL = b"\x15\x03\x03\x00\x02\x02\x78"
KINDS = (
    "good",
    "tls_1_2",
    "rsa_key_exchange",
    "sha1_ciphers",
    "lax_chain",
    "no_intermediate",
    "expires_soon",
    "client_certificate_1_2",
    "client_certificate_1_3",
    "expired",
    "self_signed",
    "of_another_name",
)


# asyncio's own server breaks off without the alert that servers of the wild send.
DEMANDING = ("client_certificate_1_2", "client_certificate_1_3")


@contextlib.asynccontextmanager
async def demanding(context: ssl.SSLContext) -> AsyncIterator[int]:
    """Serve handshakes that end in an alert unless a certificate is shown; yields the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        serving = asyncio.create_task(_accept(listener, context))
        try:
            yield listener.getsockname()[1]
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)


async def _accept(listener: socket.socket, context: ssl.SSLContext) -> None:
    while True:
        accepted, _ = await asyncio.get_running_loop().sock_accept(listener)
        await asyncio.to_thread(_shake_hands, accepted, context)


def _shake_hands(accepted: socket.socket, context: ssl.SSLContext) -> None:
    accepted.settimeout(10)
    secure = context.wrap_socket(accepted, server_side=True, do_handshake_on_connect=False)
    with secure, contextlib.suppress(OSError):
        with contextlib.suppress(ssl.SSLError):
            secure.do_handshake()
        # Until the client is gone: a reset would take the alert away from it.
        socket.socket.shutdown(secure, socket.SHUT_WR)
        while socket.socket.recv(secure, 4096):
            pass


def contexts(folder: Path, hosts: Iterable[str]) -> tuple[Path, dict[str, ssl.SSLContext]]:
    """Return the file with the roots to trust, and servers' contexts by kind, for `hosts`."""
    hosts = sorted(hosts)
    root, lax = Issuer.root("Zoo Root"), Issuer.root("Zoo Lax Root", lax=True)
    between = root.intermediate("Zoo Intermediate")
    unknown = Issuer.root("Nobody", lax=True)  # whose certificates lead nowhere
    roots = folder / "roots.pem"
    roots.write_bytes(root.pem + lax.pem)
    good = between.server(hosts) + between.pem
    rsa_key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    files = {
        **dict.fromkeys(KINDS, good),
        "rsa_key_exchange": between.server(hosts, key=rsa_key) + between.pem,
        "sha1_ciphers": between.server(hosts, key=rsa_key) + between.pem,
        "lax_chain": lax.server(hosts),
        "no_intermediate": between.server(hosts),
        "expires_soon": between.server(hosts, days=5) + between.pem,
        "expired": between.server(hosts, days=-2) + between.pem,
        "self_signed": unknown.server(hosts),
        "of_another_name": between.server(["elsewhere.example"]) + between.pem,
    }
    return roots, {
        kind: _context(folder / f"{kind}.pem", pem, kind=kind) for kind, pem in files.items()
    }


def _context(path: Path, pem: bytes, *, kind: str) -> ssl.SSLContext:
    path.write_bytes(pem)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    if kind in ("tls_1_2", "rsa_key_exchange", "sha1_ciphers", "client_certificate_1_2"):
        context.maximum_version = ssl.TLSVersion.TLSv1_2
    if kind == "rsa_key_exchange":
        context.set_ciphers("AES128-GCM-SHA256")
    if kind == "sha1_ciphers":
        context.set_ciphers("ECDHE-RSA-AES128-SHA")
    if kind.startswith("client_certificate"):
        context.verify_mode = ssl.CERT_REQUIRED
    return context
