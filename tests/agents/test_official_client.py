"""The protocol's official client, over HTTP, against one of our web processes."""

import asyncio

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from agents.protocol import STATELESS_VERSION
from targets.models import Reference
from tests.agents.asking import bearer
from tests.factories import DeadTargetFactory, ReferenceFactory
from tests.snippets.servers import web
from tests.targets.people import make_people

pytestmark = [pytest.mark.acceptance, pytest.mark.django_db(transaction=True)]
DEAD = "http://dead.example/page"


@pytest.mark.parametrize(
    ("mode", "version"), [("auto", STATELESS_VERSION), ("legacy", "2025-11-25")]
)
def test_an_agent_checks_finds_and_watches_urls(tmp_path, mode, version):
    people = make_people()
    target = DeadTargetFactory(
        url=DEAD, pinned=False, last_reason="http_404", last_status_code=404, recent="f"
    )
    ReferenceFactory(target=target, object_id="README.md", owner=people["member"])

    async def use(port):
        http = httpx2.AsyncClient(headers=bearer_headers, timeout=60)
        transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
        async with http, Client(transport, mode=mode) as client:
            assert client.protocol_version == version
            assert client.server_info.name == "linkwatch"
            listed = [tool.name for tool in (await client.list_tools()).tools]
            assert listed == ["check_urls", "find_dead", "watch"]
            checked = await client.call_tool("check_urls", {"urls": [DEAD], "wait": "1s"})
            assert checked.structured_content["results"][0]["summary"] == "Page gone"
            dead = await client.call_tool("find_dead", {"limit": 10})
            assert [one["url"] for one in dead.structured_content["results"]] == [DEAD]
            many = [f"http://new.example/{'x' * 1900}{number}" for number in range(50)]
            watched = await client.call_tool("watch", {"urls": many})  # over 64 KiB
            assert all(one["watched"] for one in watched.structured_content["results"])
            wrong = await client.call_tool("check_urls", {"urls": []})
            assert wrong.is_error
            with pytest.raises(MCPError, match="There is no such tool"):
                await client.call_tool("delete_all", {})

    bearer_headers = bearer(people["member"])
    with web(tmp_path) as port:
        asyncio.run(use(port))
    assert Reference.objects.filter(object_id="watch").count() == 50


def test_a_client_without_a_token_gets_the_reason_for_the_refusal(tmp_path):
    async def use(port):
        http = httpx2.AsyncClient()
        transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
        async with http, Client(transport):
            pass

    with web(tmp_path) as port, pytest.raises(Exception) as caught:
        asyncio.run(use(port))
    assert "Authentication credentials were not provided" in repr(caught.value)
