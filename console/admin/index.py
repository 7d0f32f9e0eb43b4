"""The admin's frame: its sidebar, and the cards of its first page."""

from collections.abc import Iterable
from functools import reduce
from operator import getitem
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from console.dashboard import broadcast
from console.dashboard.summary import SUMMARY, Summary
from foundation.database.clock import database_now

# Groups of (model, title, icon); a query makes a list of its own of a part of the model's.
_GROUPS = (
    (
        "Registry",
        (
            ("targets.target", "Targets", "link"),
            ("checker.checkresult", "Check results", "fact_check"),
            ("targets.transition", "Transitions", "timeline"),
            ("targets.reference", "References", "attach_file"),
        ),
    ),
    (
        "Hosts",
        (
            ("hosts.host", "Hosts", "dns"),
            ("hosts.host?state=queued", "Queue", "schedule"),
            ("hosts.host?state=busy", "Busy hosts", "hourglass_top"),
            ("hosts.alias", "Aliases", "alt_route"),
            ("hosts.alias?busy=yes", "Busy aliases", "hourglass_bottom"),
        ),
    ),
    (
        "Sharing",
        (
            ("snippets.snippet", "Snippets", "code"),
            ("shortener.shorturl", "Short links", "cut"),
            ("shortener.retiredkey", "Retired keys", "block"),
            ("shortener.cleanuprun", "Cleanups", "mop"),
            ("analytics.dailymetrics", "Views by day", "bar_chart"),
        ),
    ),
    (
        "Events",
        (
            ("targets.sink", "Sinks", "output"),
            ("targets.deadletter", "Dead letters", "drafts"),
        ),
    ),
    (
        "People and programs",
        (
            ("auth.user", "Users", "person"),
            ("auth.group", "Groups", "group"),
            ("accounts.invitation", "Invitations", "mail"),
            ("accounts.trace", "Traces", "footprint"),
            ("mfa.authenticator", "Second steps", "phonelink_lock"),
            ("knox.authtoken", "API tokens", "key"),
            ("lib.idempotencykey", "Idempotency keys", "fingerprint"),
        ),
    ),
    (
        "Tasks",
        (
            ("django_q.schedule", "Schedules", "event_repeat"),
            ("django_q.ormq", "Queued", "pending_actions"),
            ("django_q.failure", "Failed", "error"),
            ("django_q.success", "Done", "task_alt"),
        ),
    ),
)


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the sidebar: what the user may see, in the groups that operators think in."""
    seen = {
        f"{app['app_label']}.{model['object_name'].lower()}": model["admin_url"]
        for app in _site().get_app_list(request)
        for model in app["models"]
        if model["admin_url"]
    }
    first = {
        "items": [
            {"title": "Overview", "icon": "space_dashboard", "link": reverse("admin:index")},
            {
                "title": "Dashboard",
                "icon": "monitoring",
                "link": reverse("dashboard"),
                "active": lambda request: False,  # it is no page of the admin
            },
        ]
    }
    groups = [{"title": title, "items": list(_items(items, seen))} for title, items in _GROUPS]
    return [first, *(group for group in groups if group["items"])]


def _items(items: Iterable[tuple[str, str, str]], seen: dict[str, str]) -> Iterable[dict[str, str]]:
    for address, title, icon in items:
        model, mark, query = address.partition("?")
        if model in seen:
            yield {"title": title, "icon": icon, "link": f"{seen[model]}{mark}{query}"}


def _site() -> Any:
    from django.contrib import admin  # loads the models

    return admin.site


def cards(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add what the first page shows, as it is kept for the dashboard: nothing is counted here."""
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


# Each card: its title, where its figure is in the counts, and the list that it leads to.
_CARDS = (
    ("Alive", ("targets", "alive"), "targets_target", "state__exact=alive"),
    (
        "Potentially dead",
        ("targets", "potentially_dead"),
        "targets_target",
        "state__exact=potentially_dead",
    ),
    ("Dead", ("targets", "dead"), "targets_target", "state__exact=dead"),
    ("Pending", ("targets", "pending"), "targets_target", "state__exact=pending"),
    ("Need attention", ("needs_attention",), "targets_target", "needs_attention=yes"),
    ("Checks overdue", ("overdue",), "hosts_host", "state=queued"),
    ("Checks, last hour", ("last_hour", "checks"), "checker_checkresult", ""),
    (
        "Failed, last hour",
        ("last_hour", "failures"),
        "checker_checkresult",
        "outcome__exact=failure",
    ),
    ("Events pending", ("events_pending",), "targets_sink", ""),
)


def _cards(summary: Summary) -> list[dict[str, Any]]:
    return [
        {
            "title": title,
            "figure": reduce(getitem, path, summary["stats"]),
            "link": f"{reverse(f'admin:{name}_changelist')}?{query}".rstrip("?"),
        }
        for title, path, name, query in _CARDS
    ]
