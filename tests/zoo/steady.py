"""Repeated checks of a page, each with the validators that the previous one stored, on a test
clock."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from checker.engine.conditional_requests import MIN_SUCCESSES, SEEN_WITHOUT_PAGE, Validators
from checker.engine.fetch import Probe, probe
from checker.engine.fetch_policy import FetchPolicy
from checker.engine.page_identity import Identity
from targets.state import Outcome
from tests.zoo.server import Behaviour, Visit

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ETAG = '"v1"'


@dataclass
class SteadyPage:
    """The part of a stored target that matters for conditional requests."""

    url: str
    policy: FetchPolicy
    condition: str = "evidence"
    period: timedelta = timedelta(days=1)
    now: datetime = START
    recent: str = "s" * (MIN_SUCCESSES - 1)
    flags: tuple[str, ...] = ()
    identity: Identity | None = None
    kept: dict | None = None
    is_conditional: bool = True
    found: list[Probe] = field(default_factory=list)

    async def check(self) -> Probe:
        kept = None
        is_steady = self.recent.endswith("s" * (MIN_SUCCESSES - 1))
        if self.is_conditional and is_steady and SEEN_WITHOUT_PAGE.issuperset(self.flags):
            kept = Validators.from_json(self.kept, due=self.now)
        found = await probe(
            self.url,
            policy=self.policy,
            condition=self.condition,
            known=self.identity,
            validators=kept,
        )
        self.found.append(found)
        self.recent += found.outcome.mark
        if found.outcome is not Outcome.INCONCLUSIVE:
            self.flags = found.flags
        self.identity = found.identity or self.identity
        due = self.now + self.period
        if found.validators is not None:
            self.kept = found.validators.as_json(now=self.now) | {"due": int(due.timestamp())}
        self.now = due
        return found


def revalidating(behaviour: Behaviour, etag: str = ETAG) -> Behaviour:
    """Return the server with an ETag on each 200, and a 304 for clients that send it."""

    async def behave(visit: Visit) -> None:
        send, has_begun = visit.send, False

        async def send_with_etag(*parts: bytes) -> None:
            nonlocal has_begun
            data = b"".join(parts)
            if not has_begun and data.startswith(b"HTTP/1.1 200"):
                if visit.header("If-None-Match") == etag:
                    await send(b"HTTP/1.1 304 Not Modified\r\n\r\n")
                    visit.writer.close()
                    raise ConnectionResetError
                line, _, rest = data.partition(b"\r\n")
                data = line + b"\r\nETag: " + etag.encode() + b"\r\n" + rest
            has_begun = True
            await send(data)

        visit.send = send_with_etag  # type: ignore[method-assign]
        await behaviour(visit)

    return behave
