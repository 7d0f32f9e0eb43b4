"""The admin's sidebar, and its first page with cards and all lists."""

from collections.abc import Iterable
from functools import reduce
from operator import getitem
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from console.dashboard import broadcast
from console.dashboard.summary import SUMMARY, Summary
from foundation.database.clock import database_now

# The sidebar's entries: (model or page, title, icon). Pages for everyday use are outside the admin.
# With the two entries that `navigation` adds, there are at most ten; the first page has all lists.
_SIDEBAR = (
    ("/targets", "Targets", "link"),
    ("/hosts", "Hosts", "dns"),
    ("/links", "Short links", "cut"),
    ("/snippets", "Snippets", "code"),
    ("auth.user", "Users", "person"),
    ("knox.authtoken", "API tokens", "key"),
    ("accounts.trace", "Audit log", "footprint"),
    ("outbox.cursor", "Sinks", "output"),
)
# Groups of (model, title) on the first page; a query after the model selects some of its rows.
_GROUPS = (
    (
        "Registry",
        (
            ("targets.target", "Targets"),
            ("checker.checkresult", "Check results"),
            ("checker.resultreport", "Reported results"),
            ("outbox.event", "Events"),
            ("targets.reference", "References"),
        ),
    ),
    (
        "Hosts",
        (
            ("hosts.host", "Hosts"),
            ("hosts.host?state=queued", "Queue"),
            ("hosts.host?state=busy", "Busy hosts"),
            ("hosts.alias", "Aliases"),
            ("hosts.alias?busy=yes", "Busy aliases"),
        ),
    ),
    (
        "Sharing",
        (
            ("snippets.snippet", "Snippets"),
            ("shortener.shorturl", "Short links"),
            ("shortener.retiredkey", "Retired keys"),
            ("shortener.endedlink", "Ended links"),
            ("shortener.cleanuprun", "Cleanups"),
            ("analytics.dailymetrics", "Views by day"),
        ),
    ),
    (
        "Events",
        (
            ("outbox.cursor", "Sinks"),
            ("outbox.deadletter", "Dead letters"),
        ),
    ),
    (
        "People and programs",
        (
            ("auth.user", "Users"),
            ("auth.group", "Groups"),
            ("accounts.invitation", "Invitations"),
            ("accounts.trace", "Audit log"),
            ("mfa.authenticator", "Two-factor authentication"),
            ("knox.authtoken", "API tokens"),
            ("lib.idempotencykey", "Idempotency keys"),
        ),
    ),
    (
        "Tasks",
        (
            ("django_q.schedule", "Schedules"),
            ("django_q.ormq", "Queued"),
            ("django_q.failure", "Failed"),
            ("django_q.success", "Succeeded"),
        ),
    ),
)


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the sidebar: the most-used pages that the user may see."""
    urls = _list_urls(request)
    items = [
        {"title": title, "icon": icon, "link": link} | ({} if model in urls else {"active": _never})
        for model, title, icon in _SIDEBAR
        if (link := urls.get(model, model)).startswith("/")
    ]
    first = [
        {"title": "Overview", "icon": "space_dashboard", "link": reverse("admin:index")},
        {
            "title": "Dashboard",
            "icon": "monitoring",
            "link": reverse("dashboard"),
            "active": _never,
        },
    ]
    return [{"items": [*first, *items]}]


def _never(request: HttpRequest) -> bool:
    """Return False: an entry whose page is outside the admin is never highlighted."""
    return False


def _list_urls(request: HttpRequest) -> dict[str, str]:
    """Return the URLs of the lists that the user may see, by model."""
    return {
        f"{app['app_label']}.{model['object_name'].lower()}": model["admin_url"]
        for app in _site().get_app_list(request)
        for model in app["models"]
        if model["admin_url"]
    }


def _groups(request: HttpRequest) -> list[dict[str, Any]]:
    """Return all lists that the user may see, in groups."""
    urls = _list_urls(request)
    groups = [{"title": title, "items": list(_items(items, urls))} for title, items in _GROUPS]
    return [group for group in groups if group["items"]]


def _items(items: Iterable[tuple[str, str]], urls: dict[str, str]) -> Iterable[dict[str, str]]:
    for name, title in items:
        model, separator, query = name.partition("?")
        if model in urls:
            yield {"title": title, "link": f"{urls[model]}{separator}{query}"}


def _site() -> Any:
    from django.contrib import admin  # imported late, because it loads the models

    return admin.site


def overview(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return `context` with the lists of the first page, and figures from the dashboard's cache."""
    context |= {"groups": _groups(request)}
    if not request.user.has_perm("targets.view_target"):
        return context
    broadcast.request_refresh()
    cached = SUMMARY.peek()
    figures = {}
    if cached is not None:
        figures = {
            "cards": _cards(cached.value),
            "counted_at": cached.value["counted_at"],
            "own_side": cached.value["network"],
        }
    return context | {"now": database_now(), "may_see_cards": True} | figures


# Each card: its title, the key of its figure, and the list that it links to.
_CARDS = (
    ("Alive", ("targets", "alive"), "/targets?state=alive"),
    ("Potentially dead", ("targets", "potentially_dead"), "/targets?state=potentially_dead"),
    ("Dead", ("targets", "dead"), "/targets?state=dead"),
    ("Pending", ("targets", "pending"), "/targets?state=pending"),
    ("Inconclusive", ("needs_attention",), "/targets?state=inconclusive"),
    ("Checks overdue", ("overdue",), "/admin/hosts/host/?state=queued"),
    ("Checks, last hour", ("last_hour", "checks"), "/admin/checker/checkresult/"),
    (
        "Failed, last hour",
        ("last_hour", "failures"),
        "/admin/checker/checkresult/?outcome__exact=failure",
    ),
    ("Events pending", ("events_pending",), "/admin/outbox/cursor/"),
)


def _cards(summary: Summary) -> list[dict[str, Any]]:
    return [
        {"title": title, "figure": reduce(getitem, path, summary["stats"]), "link": link}
        for title, path, link in _CARDS
    ]
