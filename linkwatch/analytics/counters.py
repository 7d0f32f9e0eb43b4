"""What the workers count, and where it is kept in Redis.

views:{subject}              all views of a subject
views:{subject}:{yyyyMMdd}   its views of one day (UTC), 400 days
uv:{subject}:{yyyyMMdd}      HyperLogLog of its visitors of that day, 400 days
trend                        sorted set of subjects by popularity
x:totals                     channel: after each batch the new totals, as JSON {subject: views}
Source: seed 002, 3. Redis Keys.
"""

from collections.abc import Iterable

from linkwatch.lib.redis import async_client

CHANNEL = "x:totals"


async def totals(subjects: Iterable[str]) -> dict[str, int]:
    """Return all views of each subject, 0 for those without any. Raises redis.RedisError."""
    wanted = list(subjects)
    if not wanted:
        return {}
    values = await async_client().mget([f"views:{subject}" for subject in wanted])
    return {subject: int(value or 0) for subject, value in zip(wanted, values, strict=True)}
