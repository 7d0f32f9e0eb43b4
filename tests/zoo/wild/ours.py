"""Obstacles on our own side: nothing of them is the page's fault."""

import socket

from tests.zoo.wild.case import ELSE, Case, Truth, html, of_truth, redirect
from tests.zoo.wild.pages import ARTICLE, bare, modern, site

_HERE = "127.0.0.1"


def _ours(name: str, source: str, reply=ARTICLE, **more) -> Case:
    return of_truth(Truth.OURS, name, source, site(reply), **more)


def _resolving(name: str, source: str, *addresses: str, good: bool = False) -> Case:
    """Return a page whose name has these addresses; `good`: one of them is the page's."""
    host = f"{name.replace(' ', '-').lower()}.example"
    case = Truth.ALIVE if good else Truth.OURS
    return of_truth(case, name, source, site(ARTICLE), host=host, names={host: addresses})


def _failing(name: str, source: str, error: int) -> Case:
    host = f"{name.replace(' ', '-').lower()}.example"
    return _ours(name, source, host=host, names={host: socket.gaierror(error, name)})


_GUARD = "the network guard refuses it: our rule, not their fault"
_RESOLVER = "name services"

_NETWORK = [
    _resolving("an intranet address", _GUARD, "10.20.30.40"),
    _resolving("an address of this machine", _GUARD, "::1"),
    _resolving("a sinkhole", "a resolver that filters: 0.0.0.0 for what it blocks", "0.0.0.0"),
    _resolving("a link-local address", _GUARD, "169.254.10.20"),
    _resolving("an address behind NAT64 alone", _GUARD, "64:ff9b::c633:6407"),
    _resolving("a stray loopback beside a good address", _GUARD, "::1", _HERE, good=True),
    _resolving("a stray intranet beside a good address", _GUARD, _HERE, "10.20.30.40", good=True),
    _resolving("a stray NAT64 beside a good address", _GUARD, "64:ff9b::7f00:1", _HERE, good=True),
    _resolving("a stray link-local beside a good address", _GUARD, "fe80::1", _HERE, good=True),
    _failing("a name service that says try again", _RESOLVER, socket.EAI_AGAIN),
    _failing("a name service that fails", "FORMERR, REFUSED, SERVFAIL", socket.EAI_FAIL),
    _failing("a resolver without memory", _RESOLVER, socket.EAI_MEMORY),
    _ours("a port that may not be visited", _GUARD, port=25),
    _ours("redirected to an intranet address", _GUARD, redirect("http://10.20.30.40/page")),
    _ours("redirected to a cloud's metadata", _GUARD, redirect("http://169.254.169.254/latest/")),
    _ours(
        "redirected to an intranet name",
        _GUARD,
        redirect("http://wiki.intranet.example/page"),
        names={"wiki.intranet.example": ("192.168.7.7",)},
    ),
    _ours(
        "redirected to a port that may not be visited",
        _GUARD,
        redirect("http://mail.museum.example:25/"),
        names={"mail.museum.example": (_HERE,)},
    ),
    _ours(
        "redirected to a name that cannot be resolved now",
        _RESOLVER,
        redirect("http://flaky-name.example:PORT/page"),
        names={"flaky-name.example": socket.gaierror(socket.EAI_AGAIN, "try again")},
    ),
    _ours(
        "redirected to its own name on another loopback",
        "an answer that leads back to the asker's machine",
        redirect("http://back-home.example:PORT/"),
        names={"back-home.example": ("::1",)},
    ),
]


def _everywhere(name: str, source: str, body: str, *headers: str, status: int) -> Case:
    reply = html(body, *headers, status=status)
    return of_truth(Truth.OURS, name, source, {ELSE: reply})


_PROXIES = [
    _everywhere(
        "a proxy that wants to know us",
        "a proxy on the way",
        bare("407 Proxy Authentication Required", ""),
        'Proxy-Authenticate: Basic realm="proxy"',
        status=407,
    ),
    _everywhere(
        "a network that wants to know us",
        "captive portals, RFC 6585",
        bare(
            "511 Network Authentication Required", "<a href='http://login.net.example/'>Log in</a>"
        ),
        status=511,
    ),
    _everywhere(
        "Squid forbids",
        "Squid's ERR_ACCESS_DENIED",
        modern(
            "ERROR: The requested URL could not be retrieved",
            "<h1>ERROR</h1><h2>The requested URL could not be retrieved</h2><p>Access Denied."
            " Access control configuration prevents your request from being allowed at this"
            " time.</p>",
        ),
        "Server: squid/6.6",
        "X-Squid-Error: ERR_ACCESS_DENIED 0",
        status=403,
    ),
    _everywhere(
        "a firewall's page of categories",
        "FortiGuard",
        modern(
            "Web Page Blocked!",
            "<h1>Web Page Blocked!</h1><p>The page you have requested has been blocked because"
            " the URL is in a category that is banned. FortiGuard Intrusion Prevention - Access"
            " Blocked</p>",
        ),
        status=403,
    ),
    _everywhere(
        "a cloud proxy's page of policies",
        "Zscaler",
        modern(
            "Internet Security by Zscaler",
            "<h1>Website blocked</h1><p>Sorry, you don't have permission to visit this site. Your"
            " organization has selected Zscaler to protect you from internet threats.</p>",
        ),
        "Server: Zscaler/6.2",
        status=403,
    ),
    _everywhere(
        "a name service's page of policies",
        "Cisco Umbrella",
        modern("Site blocked", "<p>This site is blocked. Cisco Umbrella.</p>"),
        "Server: Cisco Umbrella",
        status=403,
    ),
]

_SLOW_NAMES = [
    _ours(
        "a name service that does not answer",
        _RESOLVER,
        host="mute-name.example",
        names={"mute-name.example": TimeoutError()},
        policy={"timeout": 0.3, "retries": 0},
    )
]

CASES = [*_NETWORK, *_PROXIES, *_SLOW_NAMES]
