"""The TLS settings of checks."""

import functools
import ssl
from typing import Literal

import httpx

from checker.engine.errors import ClientCertificateError

VerifyTLS = Literal["on", "off", "warn"]
_OP_LEGACY_SERVER_CONNECT = 0x4  # ssl has it since Python 3.12
# Ciphers that browsers still offer below TLS 1.3; Python excludes RSA key exchange and SHA-1 MACs.
_CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20:ECDHE+AES:RSA+AESGCM:RSA+AES:!aNULL:!eNULL:!aDSS:!AESCCM"


class _Handshake(ssl.SSLObject):
    """Distinguishes servers that require client certificates from those without a common cipher."""

    def do_handshake(self) -> None:
        try:
            super().do_handshake()
        except ssl.SSLError as error:
            # Up to TLS 1.2, both send the same alert; the former after agreeing on a cipher.
            if error.reason == "SSLV3_ALERT_HANDSHAKE_FAILURE" and self.cipher() is not None:
                raise ClientCertificateError(*error.args) from error
            raise


@functools.cache
def tls_context(*, verify: bool, http2: bool = False) -> ssl.SSLContext:
    """Return the shared TLS context for HTTP/2, or for HTTP/1.1.

    The trusted roots are those of SSL_CERT_FILE, SSL_CERT_DIR or certifi.
    """
    context = httpx.create_ssl_context(verify=verify)
    context.set_alpn_protocols(["h2" if http2 else "http/1.1"])
    context.set_ciphers(_CIPHERS)
    # The same in all versions of Python: some defaults of 3.13 are stricter, others laxer.
    context.verify_flags = ssl.VERIFY_X509_TRUSTED_FIRST
    context.sslobject_class = _Handshake
    # Browsers still talk to servers without RFC 5746, which OpenSSL 3 refuses by default.
    context.options |= _OP_LEGACY_SERVER_CONNECT
    return context
