"""Counters of a short link per hour, and of the dimensions of its visits.

hours:{subject}:{yyyyMMdd}       hash: views of each hour (UTC), 0 to 23; expires with the day
dimensions:{subject}:{yyyyMM}    hash: views of the month: `n`, `device:phone`, `country:CH`,
                                 `referrer:direct`, `referrer:other`; for 41 days
referrers:{subject}:{yyyyMM}     sorted set: up to MAX_HOSTS hosts, by views; for 41 days

The script of `analytics.counters` adds the entries that it acknowledges. The count of a host that
is dropped moves to `referrer:other`, so that referrers always add up to `n`. Counting by
month bounds the memory that a link takes: at most about 13 kB a month, three months at a time.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import redis

from analytics.visit_dimensions import DIRECT, MAX_HOSTS, OTHER
from foundation.valkey.scripts import ALSO_WHEN_FULL, Script

KEPT_DAYS = 8  # days with counts per hour; views of older days are counted by day only
DAY_LIFE = 2 * 86_400  # seconds that the keys of a day last once the database has it
_MONTH_LIFE = 41 * 86_400  # a month, KEPT_DAYS and a margin
HOURS = 24

DimensionCounts = dict[str, dict[str, int]]  # by dimension: its values with their views

ADD = f"""
-- Adds `times` entries of one shape to the sums of hours, fields and hosts.
local function sum_up(sums, entry, times)
  local each, _, hour, fields, hosts = unpack(entry)
  sums.hours[hour] = (sums.hours[hour] or 0) + each * times
  for name, n in pairs(fields) do sums.fields[name] = (sums.fields[name] or 0) + n * times end
  for name, n in pairs(hosts) do sums.hosts[name] = (sums.hosts[name] or 0) + n * times end
end

-- Adds to the hosts and keeps the most frequent; returns how many views then belong to no host.
local function add_hosts(add, key, hosts)
  local rest, found = 0, false
  for host, n in pairs(hosts) do
    if add('ZINCRBY', key, n, host) then found = true else rest = rest + n end
  end
  local spare = found and redis.call('ZCARD', key) - {MAX_HOSTS} or 0
  if spare > 0 then
    local popped = redis.call('ZPOPMIN', key, spare)
    for i = 2, #popped, 2 do rest = rest + popped[i] end
  end
  if found then redis.call('EXPIRE', key, {_MONTH_LIFE}) end
  return rest
end

local function add_details(add, subject, day, month, n, sums)
  local key = 'hours:' .. subject .. ':' .. day
  for hour, of_hour in pairs(sums.hours) do
    add('HINCRBY', key, hour, of_hour)
  end
  add('PERSIST', key)
  local rest = add_hosts(add, 'referrers:' .. subject .. ':' .. month, sums.hosts)
  local fields = sums.fields
  if rest > 0 then fields['referrer:other'] = (fields['referrer:other'] or 0) + rest end
  key = 'dimensions:' .. subject .. ':' .. month
  local names, sets = {{'n'}}, {{'n', n}}
  for name in pairs(fields) do names[#names + 1] = name end
  local found = add('HMGET', key, unpack(names))
  if not found then return end
  for i, name in ipairs(names) do
    sets[2 * i - 1] = name
    sets[2 * i] = (tonumber(found[i] or 0) or 0) + (fields[name] or n)
  end
  redis.call('HSET', key, unpack(sets))
  if not found[1] then redis.call('EXPIRE', key, {_MONTH_LIFE}) end
end
"""

_READ = Script("""
-- ARGV: subjects, each with a day and a month. Returns for each, atomically: the views of the day,
-- its hours, the dimensions of the month and its referrers, each as names and counts.
local function read(...)
  local reply = redis.pcall(...)
  return type(reply) == 'table' and reply.err and {} or reply
end
local found = {}
for i = 1, #ARGV, 3 do
  local subject, day, month = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local views = read('GET', 'views:' .. subject .. ':' .. day)
  found[#found + 1] = {
    tonumber(type(views) == 'string' and views or 0) or 0,
    read('HGETALL', 'hours:' .. subject .. ':' .. day),
    read('HGETALL', 'dimensions:' .. subject .. ':' .. month),
    read('ZRANGE', 'referrers:' .. subject .. ':' .. month, 0, -1, 'WITHSCORES')}
end
return found
""")

_RESTORE_MONTHS = Script(f"""
-- ARGV: JSON list of months: name, n, fields, hosts. A month with at least as many views stays.
for _, month in ipairs(cjson.decode(ARGV[1])) do
  local key, hosts = 'dimensions:' .. month[1], 'referrers:' .. month[1]
  local present = redis.pcall('HGET', key, 'n')
  if type(present) ~= 'table' and (tonumber(present or 0) or 0) < month[2] then
    redis.call('DEL', key, hosts)
    redis.call('HSET', key, 'n', month[2])
    for name, n in pairs(month[3]) do redis.call('HSET', key, name, n) end
    for name, n in pairs(month[4]) do redis.call('ZADD', hosts, n, name) end
    redis.call('EXPIRE', key, {_MONTH_LIFE})
    redis.call('EXPIRE', hosts, {_MONTH_LIFE})
  end
end
""")

_RESTORE_HOURS = Script(
    ALSO_WHEN_FULL,
    f"""
-- ARGV: JSON list of days: name, views of each hour. A greater count stays.
for _, day in ipairs(cjson.decode(ARGV[1])) do
  local key = 'hours:' .. day[1]
  for hour, n in ipairs(day[2]) do
    local present = redis.pcall('HGET', key, hour - 1)
    if type(present) ~= 'table' and n > (tonumber(present or 0) or 0) then
      redis.call('HSET', key, hour - 1, n)
    end
  end
  redis.call('EXPIRE', key, {DAY_LIFE})
end
""",
)


@dataclass(frozen=True, slots=True)
class Details:
    """The counts of one subject in Redis: of a day, and of its month."""

    views: int = 0  # of the day
    hours: list[int] = field(default_factory=lambda: [0] * HOURS)
    month_views: int = 0  # views of the month whose dimensions are known
    sources: DimensionCounts = field(default_factory=dict)


def day_text(day: date) -> str:
    """Return a day as written in keys."""
    return f"{day:%Y%m%d}"


def month_text(day: date) -> str:
    """Return the month of a day as written in keys."""
    return f"{day:%Y%m}"


def read(client: "redis.Redis", days: Sequence[tuple[str, date]]) -> list[Details]:
    """Return the counts of each subject on a day and in its month, all read at the same moment.

    Runs one script: call it for a few dozen days at once. Raises redis.RedisError.
    """
    args = [part for subject, day in days for part in (subject, day_text(day), month_text(day))]
    return [_details(*counts) for counts in _READ.call(client, [], *args)]


def _details(
    views: int, hours: list[bytes], dimensions: list[bytes], referrers: list[bytes]
) -> Details:
    hour_views = {int(hour): int(n) for hour, n in _pairs(hours)}
    counts = {name.decode(): int(n) for name, n in _pairs(dimensions)}
    n = counts.pop("n", 0)
    sources: DimensionCounts = {}
    for name, count in counts.items():
        dimension, _, value = name.partition(":")
        sources.setdefault(dimension, {})[value] = count
    if referrers:
        hosts = {host.decode(): int(float(score)) for host, score in _pairs(referrers)}
        sources["referrer"] = {**hosts, **sources.get("referrer", {})}
    return Details(views, [hour_views.get(hour, 0) for hour in range(HOURS)], n, sources)


def _pairs(flat: list[bytes]) -> Iterable[tuple[bytes, bytes]]:
    return zip(flat[::2], flat[1::2], strict=True)


def restore_hours(client: "redis.Redis", days: Iterable[tuple[str, date, Sequence[int]]]) -> None:
    """Restore the hourly counts of subjects' days; lower none of them. Raises redis.RedisError."""
    items = [(f"{subject}:{day_text(day)}", hours) for subject, day, hours in days]
    _RESTORE_HOURS.call(client, [], json.dumps(items))


def restore_months(
    client: "redis.Redis", months: Iterable[tuple[str, date, int, Mapping[str, Any]]]
) -> None:
    """Restore the dimensions of subjects' months, unless Redis has more.

    Each of `months` has the subject, the month, the number of views, and these views by
    dimension and value. Raises redis.RedisError.
    """
    items = []
    for subject, month, n, sources in months:
        fields = {
            f"{dimension}:{value}": count
            for dimension, values in sources.items()
            for value, count in values.items()
        }
        hosts = {}
        for host in sources.get("referrer", {}).keys() - {DIRECT, OTHER}:
            hosts[host] = fields.pop(f"referrer:{host}")
        items.append((f"{subject}:{month_text(month)}", n, fields, hosts))
    _RESTORE_MONTHS.call(client, [], json.dumps(items))


def recent_keys(subject: str, today: date) -> list[str]:
    """Return the keys of a subject's recent hours and of its months; older hours expire soon.

    A month is counted until KEPT_DAYS after its end and kept for _MONTH_LIFE, so the month before
    the last may have keys.
    """
    days = [today - timedelta(days=n) for n in range(KEPT_DAYS + 2)]
    last = today.replace(day=1) - timedelta(days=1)
    months = [month_text(day) for day in (today, last, last.replace(day=1) - timedelta(days=1))]
    return [f"hours:{subject}:{day_text(day)}" for day in days] + [
        f"{kind}:{subject}:{month}" for month in months for kind in ("dimensions", "referrers")
    ]
