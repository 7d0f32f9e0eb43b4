"""WebSockets: allowed origins, and the consumer of each path (ADR 44)."""

import asyncio
import contextlib
from typing import Any, cast

from channels.routing import URLRouter
from channels.sessions import CookieMiddleware, InstanceSessionWrapper, SessionMiddleware
from django.conf import settings
from django.urls import path, re_path

from analytics.consumers import LiveConsumer
from analytics.live_messages import is_own_origin
from console.dashboard.consumers import DashboardConsumer
from console.sockets import PageConsumer
from console.target_page.consumers import TargetConsumer
from foundation import request_id
from foundation.http.asgi import is_our_host, refuse_socket
from snippets.snippet_cache import private_among


class SessionReader(SessionMiddleware):  # type: ignore[misc]  # Channels has no types
    """Channels' session middleware without the save: no WebSocket changes a session.

    Channels checks whether to save before it sends each message, which then costs a third more.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a connection whose scope has a session."""
        wrapper = InstanceSessionWrapper(scope, send)
        await wrapper.resolve_session()
        await self.inner(wrapper.scope, receive, send)


def _with_session(consumer: type[PageConsumer]) -> Any:
    return CookieMiddleware(SessionReader(consumer.as_asgi(hidden=private_among)))


ROUTES = [
    path("ws/live/", LiveConsumer.as_asgi(hidden=private_among)),  # for anyone
    path("ws/dashboard/", _with_session(DashboardConsumer)),
    path("ws/target/", _with_session(TargetConsumer)),
]


async def serve_websocket(scope: Any, receive: Any, send: Any) -> None:
    """Serve a WebSocket, or refuse it with the error envelope.

    A page may connect to the host that served it. Channels' AllowedHostsOriginValidator compares
    origins with ALLOWED_HOSTS, which may be `*`, and refuses programs, which send no origin.
    """
    request_id.begin(scope["headers"])
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    origin = dict(scope["headers"]).get(b"origin")
    if len(hosts) != 1 or not is_our_host(hosts[0], tuple(settings.ALLOWED_HOSTS)):
        await refuse_socket(send, 400, "bad_request", "This server does not serve this host name.")
    elif origin is not None and not is_own_origin(
        origin.decode("latin-1"), hosts[0].decode("latin-1")
    ):
        await refuse_socket(
            send, 403, "permission_denied", "You are not allowed to open this connection."
        )
    else:
        with contextlib.suppress(asyncio.CancelledError):  # still open when the server stops
            await _router(scope, receive, send)


async def _refuse_unknown(scope: Any, receive: Any, send: Any) -> None:
    await refuse_socket(send, 404, "not_found", "There is nothing at this address.")


_router = URLRouter([*ROUTES, re_path("", cast("Any", _refuse_unknown))])
