"""Errors of a fetch, by kind; expected errors of lower layers are mapped to one kind each."""

import errno
import os
import socket
import ssl
from enum import StrEnum

import httptools
import httpx

from foundation.net.guard import ForbiddenAddressError


class ErrorKind(StrEnum):
    """What went wrong.

    The values are also the `reason` of a probe, except `client_certificate`, which is a success.
    """

    DNS = "dns"  # the name does not exist or has no address
    DNS_TEMPORARY = "dns_temporary"  # the name service gave no usable response
    CONNECT = "connect"  # refused, unreachable, reset, or closed without a response
    NO_ROUTE = "no_route"  # on our side: for example, no IPv6 for a host with only IPv6
    PROXY = "proxy"  # EGRESS_PROXY is unavailable or refuses the request
    TIMEOUT = "timeout"
    TLS = "tls"
    CLIENT_CERTIFICATE = "client_certificate"  # the server requires a client certificate
    HTTP2_ONLY = "http2_only"  # the server does not speak HTTP/1.1, so HTTP/2 is tried
    PROTOCOL = "protocol"  # the response is not valid HTTP
    OPTED_OUT = "robots"  # the site's robots.txt closes the page to Linkwatch
    FORBIDDEN_ADDRESS = "forbidden_address"
    FORBIDDEN_REDIRECT = "forbidden_redirect"  # to a forbidden address or port
    LOCAL_REDIRECT = "local_redirect"  # to the visitor's own machine or local network
    BAD_REDIRECT = "bad_redirect"  # no usable Location
    REDIRECT_LOOP = "redirect_loop"
    REDIRECT_LIMIT = "redirect_limit"
    BUSY_ELSEWHERE = "busy_elsewhere"  # a host on the way must not be contacted now
    STALLED = "stalled"  # on our side: a timeout while this process was blocked
    INTERNAL = "internal"  # on our side: out of sockets, memory or ports, or a local firewall


class FetchError(httpx.TransportError):
    """A failed fetch; `as_fetch_error` maps errors of lower layers to it."""

    def __init__(self, kind: ErrorKind, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail  # in the words of the lower layer; may quote the server


class KeptConnectionError(Exception):
    """A request on a kept connection failed, which is no evidence about the server."""


class ClientCertificateError(ssl.SSLError):
    """The server ended the handshake because it requires a client certificate."""


# Certificate alerts that a server sends are about the client's certificate.
_CERT_ALERTS = (
    "alert certificate required",
    "alert bad certificate",
    "alert certificate unknown",
    "alert no certificate",
    "alert unsupported certificate",
)
# Other errors of getaddrinfo (such as SERVFAIL) may be temporary.
_NO_SUCH_NAME = {socket.EAI_NONAME, socket.EAI_NODATA, socket.EAI_ADDRFAMILY}
_LOCAL_ERRNOS = {
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOBUFS,
    errno.ENOMEM,
    errno.EADDRNOTAVAIL,  # no ephemeral port left
    errno.EACCES,  # rejected by a local firewall
    errno.EPERM,
}
_NO_ROUTE_ERRNOS = {errno.ENETUNREACH, errno.ENETDOWN}


def as_fetch_error(error: BaseException) -> FetchError | None:
    """Return the FetchError for a lower layer's error, or None for an unexpected one."""
    match error:
        case FetchError():
            return error
        case ForbiddenAddressError():
            return FetchError(ErrorKind.FORBIDDEN_ADDRESS, str(error))
        case httptools.HttpParserError() | httptools.HttpParserUpgrade():
            return FetchError(ErrorKind.PROTOCOL, str(error))
        case OSError():
            return FetchError(_kind_of_os_error(error), _os_error_text(error))
    return None


def _kind_of_os_error(error: OSError) -> ErrorKind:
    if isinstance(error, socket.gaierror):
        return ErrorKind.DNS if error.errno in _NO_SUCH_NAME else ErrorKind.DNS_TEMPORARY
    if isinstance(error, ssl.SSLError):
        return _kind_of_tls_error(error)
    if isinstance(error, TimeoutError):
        return ErrorKind.TIMEOUT
    if error.errno in _NO_ROUTE_ERRNOS:
        return ErrorKind.NO_ROUTE
    return ErrorKind.INTERNAL if error.errno in _LOCAL_ERRNOS else ErrorKind.CONNECT


def _kind_of_tls_error(error: ssl.SSLError) -> ErrorKind:
    text = _tls_error_text(error)
    if isinstance(error, ClientCertificateError) or any(alert in text for alert in _CERT_ALERTS):
        return ErrorKind.CLIENT_CERTIFICATE
    return ErrorKind.HTTP2_ONLY if "no application protocol" in text else ErrorKind.TLS


def _tls_error_text(error: ssl.SSLError) -> str:
    """Return OpenSSL's reason in lower case, from the error's text if Python has no name for it."""
    text = (
        getattr(error, "reason", None)
        or str(error.args[-1] if error.args else "").partition("] ")[2]
    )
    return text.partition(" (_ssl")[0].replace("_", " ").lower()


def _os_error_text(error: OSError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    if isinstance(error, ssl.SSLError):
        return _tls_error_text(error)
    if error.errno and not isinstance(error, socket.gaierror):
        return os.strerror(error.errno)  # asyncio's messages contain addresses and brackets
    return error.strerror or str(error)
