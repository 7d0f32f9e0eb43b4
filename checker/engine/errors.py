"""Kinds of error that leave a fetch without an answer: each lower error becomes one of them."""

import errno
import os
import socket
import ssl
from enum import StrEnum

import httptools
import httpx

from foundation.net.guard import ForbiddenAddressError


class ErrorKind(StrEnum):
    """What went wrong; the values are the `reason` of a probe."""

    DNS = "dns"  # the name, or an address of it, does not exist
    DNS_TEMPORARY = "dns_temporary"  # the name service gave no answer
    CONNECT = "connect"  # refused, reset, closed without answer
    NO_ROUTE = "no_route"  # on our side: say, no IPv6 for a host that has nothing else
    PROXY = "proxy"  # EGRESS_PROXY: not reached, or it refuses
    TIMEOUT = "timeout"
    TLS = "tls"
    CLIENT_CERTIFICATE = "client_certificate"  # the server requires a client certificate
    HTTP2_ONLY = "http2_only"  # the server speaks no HTTP/1.1: it is asked by HTTP/2
    PROTOCOL = "protocol"  # what answered does not speak HTTP
    FORBIDDEN_ADDRESS = "forbidden_address"
    FORBIDDEN_REDIRECT = "forbidden_redirect"  # into a refused network
    LOCAL_REDIRECT = "local_redirect"  # to the visitor's own machine, by its very address
    BAD_REDIRECT = "bad_redirect"  # no Location, or none that can be read or fetched
    REDIRECT_LOOP = "redirect_loop"
    REDIRECT_LIMIT = "redirect_limit"
    BUSY_ELSEWHERE = "busy_elsewhere"  # a host on the way may not be asked just now
    STALLED = "stalled"  # on our side: time ran out while this process was held up itself
    INTERNAL = "internal"  # on our side: out of sockets, memory, ports; a firewall of our own


class FetchError(httpx.TransportError):
    """The one error that leaves the transport and the redirect loop."""

    def __init__(self, kind: ErrorKind, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail  # in the words of the lower layer; may quote the server


class KeptConnectionError(Exception):
    """A kept connection ended without an answer, which says nothing of the server."""


class ClientCertificateError(ssl.SSLError):
    """The server ended the handshake because it requires a client certificate."""


# Alerts about a certificate that a server sends are about its client's.
_ABOUT_OURS = (
    "alert certificate required",
    "alert bad certificate",
    "alert certificate unknown",
    "alert no certificate",
    "alert unsupported certificate",
)
# Anything else that getaddrinfo says (SERVFAIL, no server reached) may be over in a minute.
_NAME_IS_GONE = {socket.EAI_NONAME, socket.EAI_NODATA, socket.EAI_ADDRFAMILY}
_OURS = {
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOBUFS,
    errno.ENOMEM,
    errno.EADDRNOTAVAIL,  # no ephemeral port left
    errno.EACCES,  # what a local firewall rejects
    errno.EPERM,
}
_NO_ROUTE = {errno.ENETUNREACH, errno.ENETDOWN}


def as_fetch_error(error: BaseException) -> FetchError | None:
    """Return what a lower layer's error means, or None for one that nobody has thought of."""
    match error:
        case FetchError():
            return error
        case ForbiddenAddressError():
            return FetchError(ErrorKind.FORBIDDEN_ADDRESS, str(error))
        case httptools.HttpParserError() | httptools.HttpParserUpgrade():
            return FetchError(ErrorKind.PROTOCOL, str(error))
        case OSError():
            return FetchError(_kind_of_os_error(error), _words_of_os_error(error))
    return None


def _kind_of_os_error(error: OSError) -> ErrorKind:
    if isinstance(error, socket.gaierror):
        return ErrorKind.DNS if error.errno in _NAME_IS_GONE else ErrorKind.DNS_TEMPORARY
    if isinstance(error, ssl.SSLError):
        return _kind_of_tls_error(error)
    if isinstance(error, TimeoutError):
        return ErrorKind.TIMEOUT
    if error.errno in _NO_ROUTE:
        return ErrorKind.NO_ROUTE
    return ErrorKind.INTERNAL if error.errno in _OURS else ErrorKind.CONNECT


def _kind_of_tls_error(error: ssl.SSLError) -> ErrorKind:
    words = _words_of_tls_error(error)
    if isinstance(error, ClientCertificateError) or any(about in words for about in _ABOUT_OURS):
        return ErrorKind.CLIENT_CERTIFICATE
    return ErrorKind.HTTP2_ONLY if "no application protocol" in words else ErrorKind.TLS


def _words_of_tls_error(error: ssl.SSLError) -> str:
    """Return what OpenSSL says; of an error that Python has no name for it is in the text only."""
    words = (
        getattr(error, "reason", None)
        or str(error.args[-1] if error.args else "").partition("] ")[2]
    )
    return words.partition(" (_ssl")[0].replace("_", " ").lower()


def _words_of_os_error(error: OSError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    if isinstance(error, ssl.SSLError):
        return _words_of_tls_error(error)
    if error.errno and not isinstance(error, socket.gaierror):
        return os.strerror(error.errno)  # asyncio's own words hold addresses and brackets
    return error.strerror or str(error)
