"""The sender: one event loop in the relay's process that sends waiting messages.

Serves channels concurrently, up to a limit for each kind, and sends the messages of a channel in
order: a slow receiver delays only its own channel. One transaction writes the results of many
channels: of each channel, after at most `channel_leases.BATCH_SIZE` messages or about a second.
After a crash, messages whose results were not written are sent again with the same ids.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from threading import Barrier, BrokenBarrierError, Event
from typing import TypeVar
from uuid import uuid4

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connections
from django.db.models.functions import Now

from foundation import loops, request_id, watchdog
from foundation.database.clock import DatabaseClock, database_now
from foundation.shutdown import stop_requested
from notify import callbacks, channel_leases, digest_queue, fanout
from notify.channel_leases import SendReport, Turn
from notify.kinds import kind_of
from notify.kinds.kind import ChannelKindBase, SendAttempt, SendOutcome
from notify.models import Channel, ChannelKind, Delivery
from outbox.models import Cursor

logger = logging.getLogger(__name__)

T = TypeVar("T")

POLL_INTERVAL = 3.0  # seconds between checks for messages queued by other processes
_SWEEP_INTERVAL = 5.0  # seconds until the next sweep after one that found nothing to do
_RENEWAL_INTERVAL = 5.0  # seconds between renewals of leases
_RETRY_DELAY = 1.0  # seconds to wait after an error
_THREADS = 2  # for database queries; a sweep may occupy one for a long time
_CHECK_INTERVAL = 0.2  # seconds between checks whether to stop, or whether all is sent
_MAX_ATTEMPT = 20.0  # seconds; kinds have their own, shorter limits
_MAX_SERVICE = 5.0  # seconds of sending after which a channel queues behind others
_MAX_UNRECORDED = 1.0  # seconds after which results are written, before further attempts

_running: set["Sender"] = set()


def wake() -> None:
    """Make the senders in this process check the queues now."""
    for sender in list(_running):
        sender.wake()


@contextmanager
def sending() -> Iterator[None]:
    """Send in a separate thread until the block ends or the process should stop."""
    stop = Event()
    sender = Sender(until=lambda: stop.is_set() or stop_requested())
    thread = loops.start(sender.run, name="sender")
    try:
        yield
    finally:
        stop.set()
        thread.join(settings.SHUTDOWN_GRACE.total_seconds())


def drain() -> Iterator[str]:
    """Send all messages that can be sent now; yield a sentence if some are left."""
    while _sweep():
        pass
    due = Channel.objects.receiving().filter(next_attempt_at__lte=Now())
    if due.exists():
        with sending():
            while due.exists():
                time.sleep(_CHECK_INTERVAL)
    receiving = Channel.objects.receiving()
    if left := Delivery.objects.waiting().filter(channel__in=receiving).count():
        subject = "1 message to a channel is" if left == 1 else f"{left:,} messages to channels are"
        yield f"{subject} waiting for another attempt."


class Sender:
    """Sends waiting messages until asked to stop. Any number may run: each leases its channels."""

    def __init__(self, *, until: Callable[[], bool] = stop_requested) -> None:
        self._until = until
        self._token = uuid4()
        self._clock = DatabaseClock()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="sender")

    def run(self) -> None:
        """Send until asked to stop."""
        loops.Loop(self._send_through_failures, until=self._until, uses_database=False).run()
        barrier = Barrier(_THREADS, timeout=_RETRY_DELAY)  # so that each thread runs `end` once

        def end() -> None:
            with suppress(DatabaseError, BrokenBarrierError):
                channel_leases.release(self._token)
                barrier.wait()
            connections.close_all()

        wait([self._threads.submit(end) for _ in range(_THREADS)], timeout=_RETRY_DELAY)

    def wake(self) -> None:
        """Make the sender check the queues now; callable from any thread."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._woken.set)

    def _send_through_failures(self) -> float:
        try:
            asyncio.run(self._send())
        except Exception:
            logger.exception("The sender has failed; restarting it")
            return _RETRY_DELAY
        return 0.0

    async def _send(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self._serving: dict[str, asyncio.Task[None]] = {}  # by channel
        self._busy: dict[str, set[str]] = {kind: set() for kind in ChannelKind.values}
        self._lease_ends: dict[str, float] = {}  # by channel, on the monotonic clock
        self._reports: list[tuple[SendReport, asyncio.Future[Turn | None]]] = []
        self._reported = asyncio.Event()
        self._kinds: set[ChannelKindBase] = set()  # in use
        steps = (self._claim, self._sweep, self._renew, self._record)
        tasks = [asyncio.create_task(self._repeat(step)) for step in steps]
        _running.add(self)
        try:
            while not self._until():
                watchdog.turn()
                await asyncio.sleep(_CHECK_INTERVAL)
            tasks[0].cancel()
            if serving := list(self._serving.values()):
                await asyncio.wait(serving, timeout=settings.SHUTDOWN_GRACE.total_seconds() * 0.8)
        finally:
            _running.discard(self)
            for task in (*tasks, *self._serving.values()):
                task.cancel()
            for kind in self._kinds:
                await kind.close()

    async def _repeat(self, step: Callable[[], Coroutine[None, None, None]]) -> None:
        """Call `step` repeatedly; each step includes its own pause."""
        while True:
            try:
                await step()
            except DatabaseError:
                logger.exception("The sender's database query failed; trying again")
                await asyncio.sleep(_RETRY_DELAY)
            except Exception:
                logger.exception("The sender has failed; trying again")
                await asyncio.sleep(_RETRY_DELAY)

    async def _in_database(self, work: Callable[[], T]) -> T:
        def work_connected() -> T:
            close_old_connections()
            return work()

        return await self._loop.run_in_executor(self._threads, work_connected)

    def _now(self) -> datetime:
        """Return the database's current time, extrapolated from the last claim."""
        return datetime.fromtimestamp(self._clock.now() / 1e9, UTC)

    async def _claim(self) -> None:
        """Lease channels with waiting messages, and serve each in its own task."""
        self._woken.clear()
        began_at = time.monotonic()
        busy = {kind: set(channels) for kind, channels in self._busy.items()}
        for channel in await self._in_database(partial(self._take, busy)):
            self._busy[channel.kind].add(channel.pk)
            self._lease_ends[channel.pk] = began_at + channel_leases.LEASE.total_seconds()
            task = asyncio.create_task(self._serve(channel), name=f"channel {channel.pk}")
            self._serving[channel.pk] = task
        with suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), POLL_INTERVAL)

    def _take(self, busy: Mapping[str, set[str]]) -> list[Channel]:
        """Lease channels of each kind up to its limit, so that slow kinds don't block others."""
        now = self._clock.measure()
        leased: list[Channel] = []
        for kind in channel_leases.due_kinds(now=now):
            serving = busy[kind]
            if limit := kind_of(kind).max_concurrent - len(serving):
                leased += channel_leases.claim(
                    self._token, kind=kind, limit=limit, busy=serving, now=now
                )
        return leased

    async def _serve(self, channel: Channel) -> None:
        """Send a channel's messages, turn by turn, until it has no next turn."""
        ends_at = time.monotonic() + _MAX_SERVICE
        try:
            report = SendReport(channel.pk)
            while turn := await self._next_turn(report):
                if turn.must_skip:  # in its own transaction, because it may take long or fail
                    skip = partial(channel_leases.skip, turn.channel, now=self._now())
                    await self._in_database(skip)
                    report = SendReport(channel.pk)
                else:
                    report = await self._send_some(turn)
                report.must_release = report.must_release or time.monotonic() > ends_at
        except Exception:
            logger.exception("Channel %s could not be served; trying again", channel.pk)
            await asyncio.sleep(_RETRY_DELAY)
        finally:
            del self._serving[channel.pk], self._lease_ends[channel.pk]
            self._busy[channel.kind].discard(channel.pk)
            self._woken.set()  # messages may have been queued in the meantime

    async def _send_some(self, turn: Turn) -> SendReport:
        channel, report = turn.channel, SendReport(turn.channel.pk)
        began_at = time.monotonic()
        for delivery in turn.deliveries:
            lease_end = self._lease_ends.get(channel.pk, 0.0)
            if self._until() or time.monotonic() + _MAX_ATTEMPT > lease_end:
                report.must_release = True
                break
            with request_id.use(str(delivery.message_id)):
                attempt = await self._attempt(channel, delivery)
            report.attempts.append((delivery, attempt, self._now()))
            if attempt.outcome in (SendOutcome.HELD, SendOutcome.GONE):
                break
            if time.monotonic() - began_at > _MAX_UNRECORDED:
                break
        report.unsent = turn.deliveries[len(report.attempts) :]
        return report

    async def _attempt(self, channel: Channel, delivery: Delivery) -> SendAttempt:
        """Make one attempt; a timeout or an unexpected error postpones the channel."""
        try:
            kind = kind_of(channel.kind)
            self._kinds.add(kind)
            async with asyncio.timeout(_MAX_ATTEMPT):
                return await kind.send(channel, delivery)
        except TimeoutError:
            return SendAttempt(outcome=SendOutcome.HELD, error="The attempt took too long.")
        except Exception as error:
            logger.exception("Sending through channel %s failed in an unexpected way", channel.pk)
            return SendAttempt(
                outcome=SendOutcome.HELD, error=f"The attempt failed: {type(error).__name__}."
            )

    async def _next_turn(self, report: SendReport) -> Turn | None:
        """Wait until the report is written; return the channel's next turn, or None."""
        future: asyncio.Future[Turn | None] = self._loop.create_future()
        self._reports.append((report, future))
        self._reported.set()
        return await future

    async def _record(self) -> None:
        """Write all pending reports and answer each with the next turn; keep them after errors."""
        await self._reported.wait()
        self._reported.clear()
        reports, self._reports = self._reports, []
        try:
            work = partial(
                channel_leases.record,
                [report for report, _ in reports],
                self._token,
                now=self._now(),
            )
            turns = await self._in_database(work)
        except BaseException:
            self._reports = reports + self._reports
            self._reported.set()
            raise
        for report, future in reports:
            if not future.done():
                future.set_result(turns.get(report.channel_id))

    async def _renew(self) -> None:
        """Renew the leases of served channels; without one, a task makes no further attempts."""
        await asyncio.sleep(_RENEWAL_INTERVAL)
        began_at, served = time.monotonic(), list(self._serving)
        if not served:
            return
        work = partial(channel_leases.renew, served, self._token, now=self._now())
        leased = await self._in_database(work)
        for channel_id in set(served) & self._serving.keys():
            seconds = channel_leases.LEASE.total_seconds() if channel_id in leased else 0.0
            self._lease_ends[channel_id] = began_at + seconds

    async def _sweep(self) -> None:
        """Do the work of `_sweep`; pause unless there may be more."""
        more = await self._in_database(_sweep)
        if more:
            self._woken.set()
        else:
            await asyncio.sleep(_SWEEP_INTERVAL)


def _sweep() -> bool:
    """Queue due digests and callbacks, and advance the channels that are behind.

    Returns whether there may be more to do.
    """
    now = database_now()
    closed = digest_queue.close_due(now=now) + callbacks.queue_due(now=now)
    until = Cursor.objects.filter(pk="notify").values_list("position", flat=True).first()
    is_behind = until is not None and fanout.catch_up(until=until, now=now)
    return closed > 0 or is_behind
