"""The admin of references, events, sinks and dead letters."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from accounts.actors import actor_of
from foundation.admin.pages import (
    BigTableAdmin,
    ReadOnlyAdmin,
    as_json,
    column,
    is_confirmed,
    link,
    shorten,
)
from foundation.net.urls import ascii_url
from outbox.events import visible_data
from outbox.models import Cursor, DeadLetter, Event
from targets.models import Reference
from targets.search.lookup import matching
from targets.state import State
from targets.transition_texts import describe

_Response = HttpResponse | None

STATE_COLORS = {
    State.PENDING.value: "info",
    State.ALIVE.value: "success",
    State.POTENTIALLY_DEAD.value: "warning",
    State.DEAD.value: "danger",
}
SEARCH_HELP = "URL, host, shop.*, reference ID or target ID"


def target_link(target_id: str | None, text: str) -> SafeString:
    """Return a link to a target's page; plain text once the target has been deleted."""
    text = ascii_url(text)
    if target_id is None:
        return format_html("{}", shorten(text))
    return link(reverse("admin:targets_target_change", args=[target_id]), shorten(text))


class TargetHistoryAdmin(ReadOnlyAdmin):
    """Rows that belong to targets, searchable by target or reference id."""

    search_fields = ("target__url",)  # shows the search box; get_search_results searches
    search_help_text = SEARCH_HELP
    list_select_related: tuple[str, ...] = ("target",)
    sortable_by = ()  # no other order has an index
    reference_column = ""  # the model's own column for it, if any

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        if not search_term:
            return queryset, False
        column = self.reference_column
        condition = matching(search_term, actor_of(request), via="target__", own_column=column)
        return queryset.filter(condition), False


@admin.register(Reference)
class ReferenceAdmin(TargetHistoryAdmin):
    """References to targets."""

    list_display = ("reference_id", "owner", "shown_target", "created_at")
    fields = ("reference_id", "owner", "shown_target", "created_at")
    list_select_related = ("target", "owner")
    ordering = ("-pk",)
    reference_column = "object_id"

    reference_id = column("object_id", "Reference ID")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Reference]:
        references: QuerySet[Reference] = super().get_queryset(request)
        return actor_of(request).reach(references)

    @display(description="Target")  # type: ignore[untyped-decorator]
    def shown_target(self, reference: Reference) -> SafeString:
        return target_link(reference.target_id, reference.target.url)


@admin.register(Event)
class EventAdmin(TargetHistoryAdmin):
    """Changes of state, and all other events."""

    list_display = ("time", "kind", "shown_target", "shown_from", "shown_to", "why", "position")
    fields = (
        ("time", "kind", "position"),
        ("from_state", "to_state"),
        "shown_target",
        "why",
        "shown_payload",
    )
    help_texts: ClassVar[Mapping[str, str]] = {
        "position": "The event's place in the feed, assigned after the commit."
    }
    list_filter = ("kind", "to_state")
    ordering = ("-pk",)  # a UUIDv7, so ordered by time

    time = column("at", "Time")

    def get_object(self, request: HttpRequest, *args: Any) -> Event | None:
        """Return an event with the part of its payload that the user may read."""
        event: Event | None = super().get_object(request, *args)
        if event is not None:
            event.payload = visible_data(event.payload, actor_of(request))
        return event

    @display(description="Target")  # type: ignore[untyped-decorator]
    def shown_target(self, event: Event) -> SafeString:
        return target_link(event.target_id, event.payload.get("url", ""))

    @display(description="From", label=STATE_COLORS)  # type: ignore[untyped-decorator]
    def shown_from(self, event: Event) -> tuple[str, str]:
        return event.from_state, event.get_from_state_display()

    @display(description="To", label=STATE_COLORS)  # type: ignore[untyped-decorator]
    def shown_to(self, event: Event) -> tuple[str, str]:
        return event.to_state, event.get_to_state_display()

    @display(description="Why")  # type: ignore[untyped-decorator]
    def why(self, event: Event) -> str:
        return describe(event)

    @display(description="Event")  # type: ignore[untyped-decorator]
    def shown_payload(self, event: Event) -> SafeString:
        return as_json(event.payload)


@admin.register(Cursor)
class SinkAdmin(ReadOnlyAdmin):
    """Sinks with their status; deleting a sink retires it."""

    list_display = (
        "name",
        "position",
        "unconfigured_since",
        "last_sent_at",
        "last_error",
        "last_error_at",
    )
    fields = (*list_display, "token", "leased_until")
    help_texts: ClassVar[Mapping[str, str]] = {
        "position": "The sink has accepted or refused all events up to this position.",
        "token": "Held by the relay that is feeding this sink, if any.",
        "unconfigured_since": "If set: no relay has been configured for this sink since then, and "
        "events that it has not received are kept.",
    }

    unconfigured_since = column("off_since", "Not configured since")

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return bool(BigTableAdmin.has_delete_permission(self, request, obj))


@admin.register(DeadLetter)
class DeadLetterAdmin(ReadOnlyAdmin):
    """Events that a sink refused, to be sent again or deleted."""

    list_display = ("time", "sink", "shown_target", "error", "send_again")
    fields = ("time", "sink", "transition", "shown_target", "error", "send_again")
    help_texts: ClassVar[Mapping[str, str]] = {
        "send_again": "If set, the relay will try once more."
    }
    list_filter = ("sink", "send_again")
    list_select_related = ("sink", "transition")
    ordering = ("-pk",)
    actions = ("send_again_soon",)

    time = column("at", "Time")

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return bool(BigTableAdmin.has_delete_permission(self, request, obj))

    def has_send_again_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("outbox.change_deadletter")

    @display(description="Target")  # type: ignore[untyped-decorator]
    def shown_target(self, letter: DeadLetter) -> SafeString:
        event = letter.transition
        return target_link(event.target_id, event.payload.get("url", ""))

    @action(  # type: ignore[untyped-decorator]
        description="Send again", permissions=["send_again"]
    )
    def send_again_soon(self, request: HttpRequest, queryset: QuerySet[DeadLetter]) -> _Response:
        """Ask for confirmation, then let the relay send: a web request never contacts a sink."""
        if not is_confirmed(request):
            letters = list(queryset)
            return self.confirmation_page(
                request,
                letters,
                action="send_again_soon",
                button=f"Send {len(letters)} event{'s' if letters[1:] else ''} again",
                sentence="The relay will try once more. The sink will get these events after "
                "newer ones about the same targets.",
            )
        count = queryset.update(send_again=True)
        self.message_user(request, f"Events to be sent again by the relay: {count}.")
        return None
