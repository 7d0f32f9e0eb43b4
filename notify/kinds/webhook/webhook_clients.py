"""HTTP clients for webhooks: they connect through the guard or the egress proxy.

The clients keep connections open. ALLOW_NETWORKS applies only to channels of the deployment and of
operators, so members' channels use a separate client and never share their connections.
"""

from collections.abc import Mapping

import httpx

from foundation.net.client import Reply, guarded_client, send_request
from foundation.net.egress import egress_proxy, guard_of
from foundation.per_loop import PerLoop

MAX_RESPONSE_BYTES = 2048  # how much of a response is read
_BODY_TIMEOUT = 2.0  # seconds to read the body; short, because only the status matters


async def post(
    url: str, body: bytes, *, headers: Mapping[str, str], is_open: bool, within: float
) -> Reply:
    """Post once, without following redirects, within `within` seconds in total.

    With `is_open`, the URL may be in ALLOW_NETWORKS. Reads MAX_RESPONSE_BYTES of the response.
    Raises one of foundation.net.client.FAILURES.
    """
    client = (_open_client if is_open else _closed_client)()
    return await send_request(
        client,
        "POST",
        url,
        headers=headers,
        body=body,
        limit=MAX_RESPONSE_BYTES,
        within=within,
        body_seconds=_BODY_TIMEOUT,
    )


async def close() -> None:
    """Close the running loop's connections; `post` may be called again."""
    for client in (_open_client.pop(), _closed_client.pop()):
        if client is not None:
            await client.aclose()


def _new_client(*, is_open: bool) -> httpx.AsyncClient:
    return guarded_client(guard_of(is_open=is_open), proxy=egress_proxy())


_open_client = PerLoop(lambda: _new_client(is_open=True))
_closed_client = PerLoop(lambda: _new_client(is_open=False))
