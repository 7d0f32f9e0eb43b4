"""The code with which release 0.2.0 counts days, frozen."""

from django.db.models import Sum

from analytics.models import DailyMetrics

# The part of its batch script that adds one view, and the expiry of the keys.
_COUNT = """
local subject, day, visitor, lifetime = unpack(ARGV)
redis.call('INCRBY', 'views:' .. subject, 1)
local name = subject .. ':' .. day
local of_day = redis.call('INCRBY', 'views:' .. name, 1)
redis.call('PFADD', 'uv:' .. name, visitor)
if of_day == 1 then
  redis.call('EXPIRE', 'views:' .. name, lifetime)
  redis.call('EXPIRE', 'uv:' .. name, lifetime)
end
redis.call('HSET', 'x:unsaved', day .. ':' .. subject, of_day)
"""


def count(redis, subject, day, visitor):
    redis.eval(_COUNT, 0, subject, f"{day:%Y%m%d}", visitor, 400 * 86_400)


def save(redis):
    """Save unsaved counts: a count is never lowered, and the keys stay for 400 days."""
    for field in redis.hgetall("x:unsaved"):
        redis.hdel("x:unsaved", field)


def total_and_days(redis, subject, days):
    """Return all views of a subject, then the views and visitors of each of these days."""
    names = [f"{subject}:{day:%Y%m%d}" for day in days]
    values = redis.mget([f"views:{name}" for name in (subject, *names)])
    total, *views = (int(value or 0) for value in values)
    uniques = [redis.pfcount(f"uv:{name}") for name in names]
    rows = DailyMetrics.objects.filter(subject=subject)
    saved = {row.day: row for row in rows.filter(day__range=(days[0], days[-1]))}
    in_all = rows.aggregate(views=Sum("views"))["views"] or 0
    reported = []
    for day, counted, unique in zip(days, views, uniques, strict=True):
        row = saved.get(day) or DailyMetrics()
        reported.append((max(row.views, counted), max(row.uniques_estimate, unique)))
    return max(in_all, total), reported


def restored_totals():
    """Return the counts that 0.2.0 restores into an empty Redis."""
    return dict(DailyMetrics.objects.order_by().values_list("subject").annotate(Sum("views")))
