"""Cancelling tasks."""

import asyncio

import pytest

from foundation.cancelling import cancel

pytestmark = pytest.mark.any_database


def test_tasks_that_swallow_a_cancellation_or_fail_on_it_also_end():
    async def stubborn():
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            await asyncio.sleep(3600)

    async def failing():
        try:
            await asyncio.sleep(3600)
        finally:
            raise ValueError

    async def work():
        tasks = [asyncio.create_task(one()) for one in (stubborn, failing)]
        await asyncio.sleep(0)
        async with asyncio.timeout(60):
            await cancel(*tasks)
        assert all(task.done() for task in tasks)

    asyncio.run(work())
