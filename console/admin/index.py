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

# The sidebar's entries: (model or page, title, icon). Everyday pages are outside the admin. At most
# ten with the first page, which has all lists.
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
# Groups of (model, title) on the first page; a query selects a part of the model's rows.
_GROUPS = (
    (
        "Registry",
        (
            ("targets.target", "Targets"),
            ("checker.checkresult", "Check results"),
            ("checker.resultreport", "Reported results"),
            ("outbox.event", "Transitions"),
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
    """Return the sidebar, with the pages that are used most often."""
    seen = _seen(request)
    items = [
        {"title": title, "icon": icon, "link": link} | ({} if place in seen else {"active": _never})
        for place, title, icon in _SIDEBAR
        if (link := seen.get(place, place)).startswith("/")
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
    """For pages outside the admin."""
    return False


def _seen(request: HttpRequest) -> dict[str, str]:
    """Return the lists that the user may see, by model."""
    return {
        f"{app['app_label']}.{model['object_name'].lower()}": model["admin_url"]
        for app in _site().get_app_list(request)
        for model in app["models"]
        if model["admin_url"]
    }


def _groups(request: HttpRequest) -> list[dict[str, Any]]:
    """Return all lists that the user may see, in groups."""
    seen = _seen(request)
    groups = [{"title": title, "items": list(_items(items, seen))} for title, items in _GROUPS]
    return [group for group in groups if group["items"]]


def _items(items: Iterable[tuple[str, str]], seen: dict[str, str]) -> Iterable[dict[str, str]]:
    for address, title in items:
        model, mark, query = address.partition("?")
        if model in seen:
            yield {"title": title, "link": f"{seen[model]}{mark}{query}"}


def _site() -> Any:
    from django.contrib import admin  # loads the models

    return admin.site


def overview(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add the context of the first page; figures are the dashboard's stored ones."""
    context |= {"groups": _groups(request)}
    if not request.user.has_perm("targets.view_target"):
        return context
    broadcast.ask()
    copy = SUMMARY.peek()
    found = {}
    if copy is not None:
        found = {
            "cards": _cards(copy.value),
            "counted_at": copy.value["counted_at"],
            "own_side": copy.value["network"],
        }
    return context | {"now": database_now(), "may_see_cards": True} | found


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
