"""Counters of views in Redis: workers count, `analytics.view_history` restores, all processes read.

views:{subject}, views:{subject}:{yyyyMMdd}  all views of a subject; its views on one day (UTC)
uv:{subject}:{yyyyMMdd}  HyperLogLog of its visitors on that day
trend, trend:base        its popularity, see analytics.trend
x:unsaved                hash of daily counts that analytics.view_history has yet to save
x:restored               exists if the counters were restored since Redis was last empty;
                         without it, they are unknown
x:gone                   sorted set of recently deleted subjects, whose late views are not counted
hours:…, dimensions:…    of short links only, see analytics.visit_counters
x:latency                hash: the time from an event's arrival until it is counted
x:totals                 channel: after each batch with views, the new totals: {subject: views}

The keys of a day expire `visit_counters.DAY_LIFE` after it was saved; those of an unsaved day never
expire. Later views are counted once the day is restored from the database (ExpiredDaysError).
Source: docs/requirements.md#snippets-keys.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, cast

import redis
from django.conf import settings

from analytics import trend, visit_counters
from analytics.stream import STREAM, WAITING, short_subject
from analytics.stream_batches import ViewBatch
from analytics.visit_counters import DAY_LIFE, day_text
from foundation.valkey import metrics, scripts
from foundation.valkey.clients import async_client, client
from foundation.valkey.resp import Argument
from foundation.valkey.scripts import ALSO_WHEN_FULL, Script

CHANNEL = "x:totals"
RESTORED = "x:restored"
UNSAVED = "x:unsaved"
GONE = "x:gone"
LATENCY = "x:latency"  # fields: last_ms (of the last batch's oldest event), sum_ms, events
# Seconds after the start of a day during which its keys can't expire, even if the producer's clock
# was an hour ahead.
_MIN_KEY_LIFE = 47 * 3600
_EPOCH = date(1970, 1, 1).toordinal()
_DELETION_GRACE = 3600  # seconds after a deletion during which late views are not counted


class CountsLostError(Exception):
    """Redis has lost the counts: a worker must restore them from the database."""


class ExpiredDaysError(Exception):
    """A batch has views of days whose keys may have expired: restore them from the database."""

    def __init__(self, days: Sequence[tuple[str, date]]) -> None:
        super().__init__(f"{len(days)} days may have expired")
        self.days = days


async def atotals(subjects: Iterable[str]) -> dict[str, int]:
    """Return the total views of each subject, 0 if it has none; for coroutines.

    Raises CountsLostError, and redis.RedisError, at once if Redis was just found unavailable.
    """
    listed = list(subjects)
    if not listed:
        return {}
    with scripts.BREAKER.around_call():
        values = await async_client().mget([RESTORED, *_views_keys(listed)])
    return _by_subject(listed, values)


def totals(subjects: Sequence[str]) -> dict[str, int]:
    """Like `atotals`, for threads."""
    if not subjects:
        return {}
    with scripts.BREAKER.around_call():
        values = cast("list[Any]", client().mget([RESTORED, *_views_keys(subjects)]))
    return _by_subject(subjects, values)


def _views_keys(subjects: Iterable[str]) -> list[str]:
    return [f"views:{subject}" for subject in subjects]


def _by_subject(subjects: Sequence[str], values: Sequence[Any]) -> dict[str, int]:
    is_restored, *views = values
    if is_restored is None:
        raise CountsLostError
    return {subject: int(value or 0) for subject, value in zip(subjects, views, strict=True)}


def views_by_day(subjects: Sequence[str], days: Sequence[date]) -> dict[str, list[int]]:
    """Return the views of each subject on each of these days, 0 if unknown.

    Raises redis.RedisError, as `atotals` does.
    """
    if not subjects:
        return {}
    names = [f"views:{subject}:{day_text(day)}" for subject in subjects for day in days]
    with scripts.BREAKER.around_call():
        values = [int(value or 0) for value in cast("list[Any]", client().mget(names))]
    count = len(days)
    return {
        subject: values[index * count : (index + 1) * count]
        for index, subject in enumerate(subjects)
    }


def by_day(subject: str, days: Sequence[date]) -> tuple[int, dict[date, tuple[int, int]]]:
    """Return the total views of a subject, and the views and unique visitors of each of these days.

    Unknown numbers are 0. Raises redis.RedisError, as `atotals` does.
    """
    names = [f"{subject}:{day_text(day)}" for day in days]
    with scripts.BREAKER.around_call(), client().pipeline(transaction=False) as pipe:
        pipe.mget(_views_keys([subject, *names]))
        for name in names:
            pipe.pfcount(f"uv:{name}")
        values, *uniques = pipe.execute()
    total, *views = (int(value or 0) for value in values)
    return total, dict(zip(days, zip(views, uniques, strict=True), strict=True))


def uniques(client: "redis.Redis", subject_days: Sequence[tuple[str, str]]) -> list[int]:
    """Return the unique visitors of each pair of a subject and a day (`yyyyMMdd`); 0 if unknown.

    Raises redis.RedisError.
    """
    with client.pipeline(transaction=False) as pipe:
        for subject, day in subject_days:
            pipe.pfcount(f"uv:{subject}:{day}")
        numbers = pipe.execute(raise_on_error=False)
    return [number if isinstance(number, int) else 0 for number in numbers]


_RAISE = Script(
    ALSO_WHEN_FULL,
    """
    -- ARGV: lifetime of days (s, 0 for totals), then name and count of each. A greater count stays.
    for i = 2, #ARGV, 2 do
      local key = 'views:' .. ARGV[i]
      local present = redis.pcall('GET', key)
      if type(present) ~= 'table' and (tonumber(present or -1) or 0) < tonumber(ARGV[i + 1]) then
        redis.call('SET', key, ARGV[i + 1])
        if ARGV[1] ~= '0' then redis.call('EXPIRE', key, ARGV[1]) end
      end
    end
    """,
)


def raise_totals(client: "redis.Redis", views: Sequence[tuple[str, int]]) -> None:
    """Raise the total views of each subject; never lower them. Raises redis.RedisError."""
    _RAISE.call(client, [], 0, *(part for pair in views for part in pair))


def raise_days(client: "redis.Redis", views: Sequence[tuple[str, date, int]]) -> None:
    """Raise the views of subjects on a day; never lower them.

    A raised count expires after DAY_LIFE. Raises redis.RedisError.
    """
    pairs = [(f"{subject}:{day_text(day)}", count) for subject, day, count in views]
    _RAISE.call(client, [], DAY_LIFE, *(part for pair in pairs for part in pair))


_MARK_SAVED = Script(
    """
    -- KEYS: unsaved. ARGV: lifetime (s), then field and saved count of each. A field that has grown
    -- since then stays, and so does its day.
    for i = 2, #ARGV, 2 do
      local count = redis.call('HGET', KEYS[1], ARGV[i])
      local is_saved = not count or count == ARGV[i + 1]
      if count and is_saved then redis.call('HDEL', KEYS[1], ARGV[i]) end
      local day, subject = string.match(ARGV[i], '^(%d+):(.*)$')
      if day and is_saved then
        for _, kind in ipairs({'views:', 'uv:', 'hours:'}) do
          local key = kind .. subject .. ':' .. day
          local left = redis.call('TTL', key)
          if left == -1 or left > tonumber(ARGV[1]) then redis.call('EXPIRE', key, ARGV[1]) end
        end
      end
    end
    """
)


def mark_saved(client: "redis.Redis", saved: Mapping[bytes, bytes]) -> None:
    """Remove these fields from UNSAVED unless they have grown; let days without a field expire.

    Raises redis.RedisError.
    """
    counts = (part for pair in saved.items() for part in pair)
    _MARK_SAVED.call(client, [UNSAVED], DAY_LIFE, *counts)


def fields_of_days(client: "redis.Redis") -> Iterator[bytes]:
    """Yield the UNSAVED field of each day that has a key, saved or not.

    Scans all keys. Raises redis.RedisError.
    """
    for key in client.scan_iter("views:*:????????", count=1000, _type="string"):
        subject, _, day = key.decode().removeprefix("views:").rpartition(":")
        if f"{subject}:" != short_subject("") and day.isdigit():  # else the total of a link
            yield f"{day}:{subject}".encode()


def have_counts(client: "redis.Redis", days: Sequence[tuple[str, date]]) -> list[bool]:
    """Return for each subject and day whether Redis has a count. Raises redis.RedisError."""
    with client.pipeline(transaction=False) as pipe:
        for subject, day in days:
            pipe.exists(f"views:{subject}:{day_text(day)}")
        return [bool(exists) for exists in pipe.execute()]


def forget(client: "redis.Redis", subjects: Sequence[str]) -> None:
    """Delete the totals, scores and details of deleted subjects; mark their history for deletion.

    Their daily counts expire later. One call handles many subjects, which costs less than an event
    for each. Raises redis.RedisError.
    """
    today = datetime.now(UTC).date()
    with client.pipeline(transaction=False) as pipe:
        pipe.unlink(*_views_keys(subjects))
        pipe.unlink(
            *(name for subject in subjects for name in visit_counters.recent_keys(subject, today))
        )
        pipe.zrem(trend.KEY, *subjects)
        pipe.hset(UNSAVED, mapping={f"gone:{subject}": 1 for subject in subjects})
        pipe.execute()


def parse_day(text: str) -> date:
    """Return the day that `day_text` wrote."""
    return datetime.strptime(text, "%Y%m%d").replace(tzinfo=UTC).date()


_COUNT = Script(
    visit_counters.ADD,
    """
-- Counts only what its own XACK acknowledges: repeated deliveries add nothing.
-- KEYS: stream, restored, unsaved, counts, latency, trend, trend's base, gone, waiting.
-- ARGV: group, batch, _MIN_KEY_LIFE, channel, half-life (s), _DELETION_GRACE.
-- Returns how many views and other events it counted and how many additions failed; {-1} if the
-- counts are lost; or -2 and the indexes of the views whose days may have expired.
local stream, restored, unsaved, counts, latency, trend, base, gone, waiting = unpack(KEYS)
local group, batch = ARGV[1], cjson.decode(ARGV[2])
if redis.call('EXISTS', restored) == 0 then return {-1} end
local call, pcall = redis.call, redis.pcall
local counted, failed, totals, changed = 0, 0, {}, {}
local time, deletions = call('TIME'), call('EXISTS', gone) == 1

-- Checked before anything is acknowledged: adding to an expired day would restart it at 0.
local oldest, ended = math.ceil((time[1] - ARGV[3]) / 86400), {-2}
for i, view in ipairs(batch.views) do
  if view[8] < oldest and call('EXISTS', 'views:' .. view[1] .. ':' .. view[2]) == 0
    and not (deletions and call('ZSCORE', gone, view[1])) then ended[#ended + 1] = i - 1 end
end
if #ended > 1 then return ended end
""",
    ALSO_WHEN_FULL,
    """

-- Acknowledges entries of `each` views each; returns how many views were acknowledged.
local function acknowledge(ids, each)
  local n = call('XACK', stream, group, unpack(ids)) * each
  counted = counted + n
  return n
end

-- Redis rolls nothing back: a key of the wrong type must not prevent the other counts.
local function add(...)
  local reply = pcall(...)
  if type(reply) == 'table' and reply.err then
    failed = failed + 1
    return nil
  end
  return reply
end

local landmark, scale = add('HMGET', base, 'at', 'half_life'), nil
if landmark and not landmark[1] then
  landmark = {batch.at, ARGV[5]}
  add('HSET', base, 'at', batch.at, 'half_life', ARGV[5])
end
if landmark then scale = 2 ^ ((batch.at - landmark[1]) / landmark[2]) end

local function add_views(subject, day, n, weight, visitors)
  local total = add('INCRBY', 'views:' .. subject, n)
  if total then totals[subject] = total end
  local name = subject .. ':' .. day
  local of_day = add('INCRBY', 'views:' .. name, n)
  if of_day then
    changed[#changed + 1] = day .. ':' .. subject
    changed[#changed + 1] = of_day
  end
  for i = 1, #visitors, 1000 do  -- unpack is limited to a few thousand
    add('PFADD', 'uv:' .. name, unpack(visitors, i, math.min(i + 999, #visitors)))
  end
  if of_day ~= n then  -- the day may have been saved, so that its keys would expire
    add('PERSIST', 'views:' .. name)
    add('PERSIST', 'uv:' .. name)
  end
  if scale then add('ZINCRBY', trend, weight * scale, subject) end
end

local viewed = 0
for _, view in ipairs(batch.views) do
  local subject, day, all, entries, weight, visitors, month = unpack(view)
  local n, sums = 0, {hours = {}, fields = {}, hosts = {}}
  for _, entry in ipairs(entries) do
    local more = acknowledge(entry[2], entry[1])
    n = n + more
    if month ~= '' and more > 0 then sum_up(sums, entry, more / entry[1]) end
  end
  viewed = viewed + n
  if n > 0 and not (deletions and call('ZSCORE', gone, subject)) then
    -- If only some views are acknowledged, the trend counts them in proportion.
    add_views(subject, day, n, weight * n / all, visitors)
    if month ~= '' then add_details(add, subject, day, month, n, sums) end
  end
end
if #changed > 0 then add('HSET', unsaved, unpack(changed)) end
if viewed > 0 then add('HINCRBY', counts, 'events_view', viewed) end
for _, other in ipairs(batch.others) do
  local n = acknowledge(other[2], 1)
  if n > 0 then add('HINCRBY', counts, 'events_' .. other[1], n) end
end

for _, delete in ipairs(batch.deletes) do
  local subject, n = delete[1], acknowledge(delete[2], 1)
  if n > 0 then
    add('ZADD', gone, time[1], subject)
    add('ZREMRANGEBYSCORE', gone, '-inf', time[1] - ARGV[6])
    add('EXPIRE', gone, ARGV[6])
    call('DEL', 'views:' .. subject, unpack(delete[3]))
    add('ZREM', trend, subject)
    add('HSET', unsaved, 'gone:' .. subject, 1)
    add('HINCRBY', counts, 'events_delete', n)
    totals[subject] = nil
  end
end

if counted > 0 then
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  add('HSET', latency, 'last_ms', now - batch.oldest)
  add('HINCRBY', latency, 'sum_ms', math.floor(counted * math.max(0, now - batch.arrived)))
  add('HINCRBY', latency, 'events', counted)
  add('DECRBY', waiting, counted)
end
if failed > 0 then add('HINCRBY', counts, 'adds_failed', failed) end
if next(totals) then call('PUBLISH', ARGV[4], cjson.encode(totals)) end
return {counted, failed}
""",
)


def count(client: "redis.Redis", batch: ViewBatch) -> tuple[int, int]:
    """Acknowledge and count a batch in one script; the cost is linear in its entries and visitors.

    Returns how many views and other events this call counted, not those that another call has
    counted, and how many additions failed, such as those to a key of the wrong type. Raises
    CountsLostError, ExpiredDaysError, redis.RedisError.
    """
    keys = [STREAM, RESTORED, UNSAVED, metrics.KEY, LATENCY, trend.KEY, trend.BASE, GONE, WAITING]
    args: list[Argument] = [
        settings.STREAM_GROUP,
        batch.as_json(),
        _MIN_KEY_LIFE,
        CHANNEL,
        settings.TREND_HALF_LIFE.total_seconds(),
        _DELETION_GRACE,
    ]
    counted, *rest = _COUNT.call(client, keys, *args)
    if counted == -2:
        views = list(batch.views)
        days = [(views[i][0].decode(), date.fromordinal(_EPOCH + views[i][1])) for i in rest]
        raise ExpiredDaysError(days)
    if counted < 0:
        raise CountsLostError
    return counted, rest[0]
