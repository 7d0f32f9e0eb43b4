"""Certificates of a test authority."""

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme


@dataclass(frozen=True)
class Authority:
    """A certificate authority with a folder for its files; clients that trust it use `root`."""

    folder: Path
    ca: trustme.CA

    @property
    def root(self) -> Path:
        return self.folder / "root.pem"

    @classmethod
    def found(cls, folder: Path) -> "Authority":
        authority = cls(folder, trustme.CA())
        authority.ca.cert_pem.write_to_path(str(authority.root))
        return authority

    def server(self, name: str, *, identity: str = "127.0.0.1", days: int = 2) -> Path:
        """Return a server's PEM file with key and certificate, which has expired if `days` is
        negative."""
        now = datetime.now(UTC)
        certificate = self.ca.issue_cert(
            identity,
            not_before=now - timedelta(days=5),
            not_after=now + timedelta(days=days),
        )
        pem = self.folder / f"{name}.pem"
        certificate.private_key_and_cert_chain_pem.write_to_path(str(pem))
        return pem

    def incomplete(self, name: str, *, identity: str = "127.0.0.1") -> Path:
        """Return the PEM file of a server that omits the intermediate certificate."""
        certificate = self.ca.create_child_ca().issue_cert(identity)
        pem = self.folder / f"{name}.pem"
        leaf = certificate.cert_chain_pems[0]
        pem.write_bytes(certificate.private_key_pem.bytes() + leaf.bytes())
        return pem


def self_signed(folder: Path) -> Path:
    lone = trustme.CA()
    pem = folder / "lone.pem"
    pem.write_bytes(lone.private_key_pem.bytes() + lone.cert_pem.bytes())
    return pem


def server_context(pem: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    return context
