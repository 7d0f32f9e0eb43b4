"""Pools of connections: one for each server, closed when nobody uses it any more."""

import asyncio
from types import SimpleNamespace

import httpcore

from notify import outbound


def test_each_server_has_a_pool_that_is_closed_once_nobody_uses_it(monkeypatch):
    now = 1000.0
    monkeypatch.setattr(outbound, "time", SimpleNamespace(monotonic=lambda: now))
    closed = []

    class Pool(httpcore.AsyncConnectionPool):
        async def aclose(self):
            closed.append(self)

    async def use():
        nonlocal now
        pools = outbound._PerServer(Pool)
        old, kept = await pools.of("a.example"), await pools.of("b.example")
        assert old is not kept
        now += outbound._IDLE * 1.5
        assert await pools.of("b.example") is kept
        now += outbound._IDLE * 1.5
        assert await pools.of("c.example")
        assert closed == [old]
        assert await pools.of("b.example") is kept
        await pools.close()
        assert len(closed) == 3

    asyncio.run(use())
