"""The visits on a link's page: a chart and the sources of visits."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings

from analytics import view_metrics, visit_metrics
from analytics.stream import short_subject
from analytics.visit_dimensions import DIRECT, OTHER
from analytics.visit_metrics import Interval, Point, Value
from console.charts import ColumnChart, column_chart, sparkline
from foundation.net.countries import UNKNOWN
from foundation.templatetags.numbers import number
from shortener.models import ShortURL

SPARK_DAYS = 14
VALUES_SHOWN = 8  # in each list; the others are collapsed
_FORMATS = {Interval.HOUR: "%Y-%m-%d %H:00 UTC", Interval.DAY: "%Y-%m-%d", Interval.MONTH: "%Y-%m"}
_SPANS = {
    Interval.HOUR: "since yesterday",
    Interval.DAY: "in the last 30 days",
    Interval.MONTH: "in the last 12 months",
}
_NAMES = {
    DIRECT: "Direct or unknown",
    OTHER: "Other",
    UNKNOWN: "Unknown",
    "phone": "Phones",
    "tablet": "Tablets",
    "desktop": "Desktops",
    "bot": "Bots",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A link that selects a scale of the chart."""

    value: str
    label: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class VisitRow:
    """A value in a list. `share`: percent of all visits; `length`: percent of the longest bar."""

    name: str
    views: int
    share: float
    length: float
    is_code: bool  # a host or a country code, not a translated label


@dataclass(frozen=True, slots=True)
class Listing:
    """The values of one dimension, most frequent first."""

    title: str
    rows: list[VisitRow]
    more: list[VisitRow]  # collapsed


@dataclass(frozen=True, slots=True)
class VisitReport:
    """The contents of `templates/console/links/visits.html`."""

    by: Interval
    choices: list[Choice]
    span: str
    views: int  # in `span`
    chart: ColumnChart | None  # None without visits
    listings: list[Listing]
    since: date  # first day of the first month in the listings
    source_views: int  # visits counted in the listings
    has_countries: bool
    is_complete: bool  # False while Redis is unavailable

    @property
    def label(self) -> str:
        """The text alternative of the chart."""
        visits = f"{number(self.views)} visit{'s'[: self.views != 1]} {self.span}"
        bars = f"one bar per {self.by}; the table below shows the same data."
        return f"Visits by {self.by}: {visits}, {bars}"


def visit_report(link: ShortURL, *, by: str | None, now: datetime) -> VisitReport:
    """Return the report of a link's visits, by day if `by` is unknown."""
    scale = next((each for each in Interval if each == by), Interval.DAY)
    subject, today = short_subject(link.key), now.date()
    first = visit_metrics.default_first_day(scale, last=today)
    days = view_metrics.for_subject(subject, first=first, last=today, now=now)
    metrics = visit_metrics.for_link(subject, days, by=scale, now=now)
    views = sum(point.views for point in metrics.series)
    sources = metrics.sources
    listings = [
        _listing("Referrers", sources.referrers, sources.views),
        _listing("Devices", sources.devices, sources.views),
    ]
    if settings.GEOIP_FILE:
        listings.append(_listing("Countries", sources.countries, sources.views))
    return VisitReport(
        by=scale,
        choices=[Choice(each.value, f"{each.capitalize()}s", each is scale) for each in Interval],
        span=_SPANS[scale],
        views=views,
        chart=_chart(metrics.series, scale) if views else None,
        listings=[listing for listing in listings if listing.rows],
        since=sources.first,
        source_views=sources.views,
        has_countries=bool(settings.GEOIP_FILE),
        is_complete=days.is_complete,
    )


@dataclass(frozen=True, slots=True)
class Sparkline:
    """The visits of a link in the last SPARK_DAYS, for a row of a list."""

    views: int
    path: str  # empty without visits

    @property
    def label(self) -> str:
        """The text alternative."""
        return f"{number(self.views)} visit{'s'[: self.views != 1]} in the last {SPARK_DAYS} days"


def sparklines(links: Sequence[ShortURL], *, today: date) -> dict[str, Sparkline]:
    """Return the sparkline of each of these links, by key."""
    days = [today - timedelta(days=ago) for ago in reversed(range(SPARK_DAYS))]
    by_subject = view_metrics.by_day([short_subject(link.key) for link in links], days)
    by_key = {link.key: by_subject[short_subject(link.key)] for link in links}
    return {
        key: Sparkline(sum(views), sparkline(views, height=18, width=4, gap=1))
        for key, views in by_key.items()
    }


def _chart(series: Sequence[Point], by: Interval) -> ColumnChart:
    counts = [(f"{point.at:{_FORMATS[by]}}", {"visits": point.views}) for point in series]
    return column_chart(counts, {"visits": ""})


def _listing(title: str, values: Sequence[Value], total: int) -> Listing:
    maximum = max((value.views for value in values), default=1)
    rows = [
        VisitRow(
            _NAMES.get(value.name, value.name),
            value.views,
            100 * value.views / total,
            100 * value.views / maximum,
            value.name not in _NAMES,
        )
        for value in values
    ]
    return Listing(title, rows[:VALUES_SHOWN], rows[VALUES_SHOWN:])
