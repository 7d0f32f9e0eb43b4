"""`/changes`: deaths, recoveries, flags, attention and outages, one by one or by document."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts.account_pages import ActorPage
from accounts.time_zones import reader_zone
from console.changes.forms import BY_DOCUMENT, KIND_LABELS, PERIOD_LABELS, ChangeFilterForm
from console.channels.views import ChannelPage
from console.replica_reads import read_list
from console.uplink_banner import uplink_context
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from notify import delivery_queue, services
from notify.models import Channel, ChannelKind
from outbox.event_kinds import EventKind
from targets.search.change_search import ChangeSearch, FoundChange
from targets.state import State
from targets.transition_texts import describe

CHANGES_PER_PAGE = 25
MAX_DOCUMENTS = 100
_MAX_REFERENCES = 3  # per target
_FEED_NAME = "Changes"
_EVENT_BADGES: Mapping[str, tuple[str, str]] = {  # tone and label
    EventKind.FLAG_RAISED: ("warning", "Flag"),
    EventKind.FLAG_CLEARED: ("", "Flag cleared"),
    EventKind.ATTENTION_NEEDED: ("inconclusive", "Needs attention"),
    EventKind.ATTENTION_ENDED: ("", "Resolved"),
    EventKind.NETWORK_DOWN: ("inconclusive", "Our outage"),
    EventKind.NETWORK_BACK: ("alive", "Back online"),
}
_STATE_BADGES = {State.DEAD: ("dead", "Dead"), State.ALIVE: ("alive", "Alive again")}
_REVIVED_BADGE = ("pending", "Revived")


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A row of the list of changes."""

    change: FoundChange
    badge: tuple[str, str]
    url: str
    why: str
    references: list[str]
    more_references: int  # how many are not in `references`


class ChangesPage(ActorPage):
    """Changes, newest first.

    Operators and viewers see all changes; other users see outages and the changes of targets with a
    reference that they may change. If a document is selected, they see the changes of targets with
    a visible reference that has this ID.
    """

    permission_required = ("targets.view_target", "outbox.view_event")

    def get(self, request: HttpRequest) -> HttpResponse:
        now, zone = database_now(), reader_zone(request)
        form = ChangeFilterForm(request.GET, now=now, zone=zone)
        is_valid, token = form.is_valid(), request.GET.get("page_token")
        search = ChangeSearch(
            by=self.actor,
            kind=form.cleaned_data.get("what", ""),
            since=form.period.since,
            until=form.period.until,
            document=form.cleaned_data.get("document", ""),
        )
        is_by_document = form.cleaned_data.get("view") == BY_DOCUMENT

        def find() -> list[Any]:
            if not is_valid:
                return []
            if is_by_document:
                return search.by_document(MAX_DOCUMENTS + 1)
            return [_row(change) for change in search.find(limit=CHANGES_PER_PAGE, token=token)]

        try:
            rows, age = read_list(request, find)
        except ApiError as error:
            raise Http404(error.message) from None
        filters = form.filters()
        context = {
            "now": now,
            "form": form,
            "zone": zone,
            "period": form.period,
            "period_choices": _choices(PERIOD_LABELS, "when", filters),
            "kind_choices": _choices(KIND_LABELS, "what", filters),
            "is_by_document": is_by_document,
            "other_view": _query(filters | {"view": "" if is_by_document else BY_DOCUMENT}),
            "documents": [
                (name, count, _query(filters | {"document": name, "view": ""}))
                for name, count in rows[:MAX_DOCUMENTS]
            ]
            if is_by_document
            else [],
            "has_more_documents": is_by_document and len(rows) > MAX_DOCUMENTS,
            "counted": search.counted if is_by_document and search.next_page_token else None,
            "has_changes": is_by_document and search.counted > 0,
            "rows": [] if is_by_document else rows,
            "document": filters.get("document", ""),
            "what": filters.get("what", ""),
            "without_document": _query(filters | {"document": ""}),
            "sees_all": self.actor.sees_all,
            "is_first": token is None,
            "query": _query(filters),
            "next_page_token": None if is_by_document else search.next_page_token,
            "age": age,
            **uplink_context(),
        }
        return render(request, "console/changes/list.html", context)


def _row(change: FoundChange) -> ChangeRow:
    ids: list[str] = []
    count = 0
    if change.target is not None:
        ids = list(dict.fromkeys(row.object_id for row in change.target.first_references))
        count = change.target.reference_count
    shown = ids[:_MAX_REFERENCES]
    url = "" if change.target is None else change.target.url
    return ChangeRow(
        change=change,
        badge=_badge(change),
        url=url or change.event.payload.get("url") or "",
        why=describe(change.event),
        references=shown,
        more_references=max(0, count - len(shown)),
    )


def _badge(change: FoundChange) -> tuple[str, str]:
    event = change.event
    if event.kind == EventKind.STATE:
        return _STATE_BADGES.get(State(event.to_state), _REVIVED_BADGE)
    return _EVENT_BADGES[event.kind]


def _choices(labels: Mapping[str, str], name: str, filters: dict[str, str]) -> list[dict[str, Any]]:
    """Return a link for each choice that keeps the other filters; `when` drops `since`."""
    rest = {key: value for key, value in filters.items() if name != "when" or key != "since"}
    return [
        {
            "label": label,
            "query": _query({**rest, name: value}),
            "is_current": filters.get(name, "") == value,
        }
        for value, label in labels.items()
    ]


def _query(filters: Mapping[str, str]) -> str:
    return urlencode({name: value for name, value in filters.items() if value})


class ChangesFeedView(ChannelPage):
    """POST creates the user's own feed of changes, whose URL is shown once.

    If the user already has this feed, POST redirects to it.
    """

    permission_required = (
        *("notify.view_channel", "notify.add_channel", "notify.add_subscription"),
        *("targets.view_target", "outbox.view_event"),
    )

    def get(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the page: people who had to sign in first arrive here."""
        return redirect("changes")

    def post(self, request: HttpRequest) -> HttpResponse:
        now = database_now()
        try:
            channel, secret = self._find_or_create(now)
        except ApiError as error:
            messages.warning(request, error.message)
            return redirect("changes")
        if secret is None:
            messages.info(
                request,
                "You already have this feed. If you lost its addresses, create new ones here.",
            )
            return redirect("channel", channel.id)
        shown = services.secret_fields(channel, secret)
        return self.show(channel, now=now, shown_once=shown)

    @transaction.atomic
    def _find_or_create(self, now: datetime) -> tuple[Channel, str | None]:
        """Return the feed, and its secret if the feed is new; otherwise None."""
        by = self.actor
        # The lock keeps two clicks from creating two feeds.
        User.objects.select_for_update().get(pk=cast("User", by.user).pk)
        feed = {"kind": ChannelKind.FEED, "name": _FEED_NAME}
        existing = Channel.objects.filter(owner=by.owner, **feed).first()
        if existing is not None:
            return existing, None
        draft = {**feed, "since": now - delivery_queue.MAX_AGE}
        events = ["dead", "alive", "flags", "attention"]
        if by.is_operator:
            events.append("network")
        return services.create_subscribed_channel(
            draft, {"what": events, "grouped": False}, now=now, by=by
        )
