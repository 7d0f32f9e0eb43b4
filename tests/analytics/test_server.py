"""The web server's end, as WebSocket clients see it."""

import asyncio

import pytest
import uvicorn

from linkwatch.server import Server, Socket
from tests.acceptance.processes import PATIENCE, free_port
from tests.analytics.sockets import close_code, live

pytestmark = pytest.mark.any_database


async def busy_with_something_else(scope, receive, send):
    """An application that says nothing when the server stops."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


def test_a_client_that_nobody_has_said_goodbye_to_is_told_that_the_server_goes_away():
    async def scenario():
        port = free_port()
        config = uvicorn.Config(
            busy_with_something_else, port=port, ws=Socket, lifespan="off", log_config=None
        )
        server = Server(config)
        serving = asyncio.create_task(server.serve())
        while not server.started:  # noqa: ASYNC110 (there is no event for it)
            await asyncio.sleep(0.01)
        async with live(f"127.0.0.1:{port}") as client:
            server.should_exit = True
            assert await close_code(client) == 1001
        await serving

    async def within_bounds():
        async with asyncio.timeout(PATIENCE):
            await scenario()

    asyncio.run(within_bounds())
