"""The two paths of a request, on a test's own server, and their answers."""

import asyncio
import re
from collections.abc import Mapping

import uvicorn
import uvloop

from foundation.valkey import metrics, resp
from foundation.valkey.clients import client
from linkwatch import asgi
from linkwatch.server.web_server import Http, Server, WebSocket
from tests.acceptance.processes import PATIENCE
from tests.ports import free_port

LAST = b"HEAD /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


class Usual(Http):
    """The server without its short path."""

    def _is_plain(self, headers):
        return False


def get(path, *lines, method="GET", version="1.1", host="localhost"):
    hosts = [] if host is None else [f"Host: {host}"]
    head = [f"{method} {path} HTTP/{version}", *hosts, *lines, "", ""]
    return "\r\n".join(head).encode()


def serve(protocol, scenario, **options):
    """Return the result of `scenario(port)` while a server runs the application."""

    async def together():
        config = uvicorn.Config(
            asgi.application,
            port=free_port(),
            http=protocol,
            ws=WebSocket,
            lifespan="off",
            log_config=None,
            server_header=False,
            proxy_headers=False,
            **options,
        )
        server = Server(config)
        serving = asyncio.create_task(server.serve())
        try:
            async with asyncio.timeout(PATIENCE):
                while not server.started:  # noqa: ASYNC110 (there is no event for it)
                    await asyncio.sleep(0.01)
                return await scenario(config.port)
        finally:
            server.should_exit = True
            await serving
            await resp.close_all()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(together())


# Values that differ in every answer: dates, seconds until the end of a day, CSRF secrets, and ids
# of requests.
CHANGING = re.compile(
    rb'date: [^\r]*\r\n|set-cookie: [^\r]*\r\n|;t=86[34]\d\d(?=\r)|"[0-9A-Za-z]{64}"'
    rb"|x-request-id: [^\r]*\r\n|\b[0-9a-f]{32}\b"
)


async def exchange(port, *pieces, secrets: Mapping[bytes, bytes] | None = None):
    """Return all answers to these pieces over one connection, without values that differ."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for piece in pieces:
            for name, secret in (secrets or {}).items():
                piece = piece.replace(name, secret)
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        return CHANGING.sub(b"", await reader.read())
    except ConnectionError:
        return b"reset"
    finally:
        writer.close()


def counted():
    """Return and reset the answers by class and status, the cache hits and the limit's windows.

    Later counts of `metrics` cover later requests only.
    """
    metrics.flush(client())
    totals = metrics.totals(client())
    counts = {name: sum(numbers) for name, (numbers, _) in metrics.responses(totals).items()}
    windows = {key: client().zcard(key) for key in client().keys("rl:*")}
    client().delete(metrics.KEY, "short:unknown", *windows)
    return counts, totals["cache_hits"], windows
