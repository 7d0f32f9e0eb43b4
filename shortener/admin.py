"""The admin of short links; it changes them only through shortener.services."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import DateTimeField, QuerySet, Value
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from accounts import teams
from accounts.actors import Actor, actor_of
from foundation.admin.pages import (
    BigTableAdmin,
    ReadOnlyAdmin,
    apply_to_each,
    column,
    is_confirmed,
    shorten,
    state_filter,
)
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.net.urls import ascii_url
from foundation.tags import normalize_tag
from shortener import services, visits
from shortener.destinations import short_url
from shortener.forms import LinkAdminForm, LinkEditForm, NewLinkForm
from shortener.models import (
    CleanupRun,
    EndedLink,
    LinkState,
    RetiredKey,
    ShortURL,
    ShortURLQuerySet,
)
from shortener.short_keys import looks_like_key
from targets.admin import STATE_COLORS, target_link

_UNFOLD_TONES = {"error": "danger"}  # tones to which unfold gives other names
_COLOURS = {state.value: _UNFOLD_TONES.get(state.tone, state.tone) for state in LinkState}


@admin.register(ShortURL)
class ShortURLAdmin(BigTableAdmin):
    """Short links."""

    list_display = (
        "key",
        "shown_url",
        "shown_state",
        "shown_target",
        "shown_tags",
        "owner",
        "expires_at",
        "created_at",
    )
    list_filter = (state_filter(LinkState), "target__state")
    ordering = ("-created_at", "-key")
    sortable_by = ()  # no other order has an index
    search_fields = ("key",)  # shows the search box; get_search_results searches
    search_help_text = "Key or tag"
    actions = ("disable", "enable", "revive")
    readonly_fields = (
        *("short_link", "url_link", "owner", "visits", "visits_left", "destination"),
        "created_at",
    )

    def get_form(
        self, request: HttpRequest, obj: ShortURL | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        if change:
            return super().get_form(request, obj, change=change, form=LinkAdminForm, **kwargs)
        form = super().get_form(request, obj, change=change, form=NewLinkForm, **kwargs)
        form.base_fields["long_url"].widget.attrs["autofocus"] = True
        return form

    def get_fields(self, request: HttpRequest, obj: ShortURL | None = None) -> Iterable[str]:
        if obj is None:
            return list(NewLinkForm.base_fields)
        left_out = {"long_url": not obj.retargetable, "team": obj.owner_id is None}
        fields = [name for name in LinkEditForm.base_fields if not left_out.get(name)]
        if not self.has_change_permission(request, obj):  # there is no form: columns are shown
            fields = [name for name in fields if name not in LinkEditForm.declared_fields]
            fields[fields.index("when_gone")] = "shown_when_gone"
            fields.append("shown_tags")
        return (*self.readonly_fields, *fields)

    def get_readonly_fields(
        self, request: HttpRequest, obj: ShortURL | None = None
    ) -> Iterable[str]:
        return self.readonly_fields if obj else ()

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the teams with which the user may share."""
        kwargs["queryset"] = teams.teams_to_share_with(actor_of(request))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_queryset(self, request: HttpRequest) -> ShortURLQuerySet:
        as_of = Value(database_now(), DateTimeField())  # read the clock once for all rows
        links = actor_of(request).reach(ShortURL.objects.with_details()).annotate(as_of=as_of)
        return links.order_by(*self.ordering)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[ShortURL], search_term: str
    ) -> tuple[QuerySet[ShortURL], bool]:
        """Find a link by its exact key, or links by tag; other searches have no index."""
        if not search_term:
            return queryset, False
        by_key = queryset.filter(pk=search_term.strip())
        if looks_like_key(search_term.strip()) and by_key.exists():
            return by_key, False
        return queryset.filter(tags__name=normalize_tag(search_term)), False

    @display(description="Destination URL")  # type: ignore[untyped-decorator]
    def shown_url(self, link: ShortURL) -> str:
        return shorten(ascii_url(link.long_url))

    @display(description="Destination URL")  # type: ignore[untyped-decorator]
    def url_link(self, link: ShortURL) -> SafeString:
        return _external_link(ascii_url(link.long_url))

    @display(description="Short URL")  # type: ignore[untyped-decorator]
    def short_link(self, link: ShortURL) -> SafeString:
        return _external_link(short_url(link.key))

    @display(description="State", label=_COLOURS)  # type: ignore[untyped-decorator]
    def shown_state(self, link: Any) -> tuple[str, str]:
        state = link.state(link.as_of)
        return state.value, state.label

    @display(description="Destination", label=STATE_COLORS)  # type: ignore[untyped-decorator]
    def shown_target(self, link: ShortURL) -> tuple[str, str] | None:
        return None if link.target is None else (link.target.state, link.target.get_state_display())

    @display(description="Destination")  # type: ignore[untyped-decorator]
    def destination(self, link: ShortURL) -> SafeString | None:
        target = link.target
        return None if target is None else target_link(target.id, target.get_state_display())

    @display(description="Tags")  # type: ignore[untyped-decorator]
    def shown_tags(self, link: ShortURL) -> str:
        return shorten(", ".join(link.tag_names))

    @display(description="If the destination is dead")  # type: ignore[untyped-decorator]
    def shown_when_gone(self, link: ShortURL) -> str:
        return link.chosen_when_gone.label

    @display(description="Visits")  # type: ignore[untyped-decorator]
    def visits(self, link: ShortURL) -> int:
        return visits.totals([link])[link.key]

    def save_model(self, request: HttpRequest, obj: ShortURL, form: Any, change: bool) -> None:
        """Create the link, or change the fields that were changed in the form."""
        now, by = database_now(), actor_of(request)
        if change:
            self._update(obj, form, now, by)
            return
        created = services.create([form.new_link()], now=now, by=by)[0]
        if isinstance(created, ApiError):
            raise Http404(created.message)  # taken a moment ago
        obj.pk = created.pk
        obj.refresh_from_db()

    def _update(self, link: ShortURL, form: LinkAdminForm, now: datetime, by: Actor) -> None:
        version = form.cleaned_data["version"]
        try:
            services.update(link.key, form.changes(), now=now, by=by, version=version)
        except ApiError as error:
            raise Http404(error.message) from None

    def delete_model(self, request: HttpRequest, obj: ShortURL) -> None:
        services.delete(obj.key, now=database_now(), by=actor_of(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[ShortURL]) -> None:
        delete = partial(_delete, actor_of(request))
        apply_to_each(self, request, queryset, delete, noun="Links", done="deleted", log=False)

    def get_deleted_objects(
        self, objs: Iterable[ShortURL], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Return the links that would be deleted; their keys are never used again."""
        links = list(objs)
        return (
            [f"{link} (its key can't be used again)" for link in links],
            {"links": len(links)},
            set(),
            [],
        )

    @action(description="Disable", permissions=["change"])  # type: ignore[untyped-decorator]
    def disable(self, request: HttpRequest, queryset: QuerySet[ShortURL]) -> HttpResponse | None:
        return self._operate(request, queryset, _disable, action="disable", label="Disable")

    @action(description="Enable", permissions=["change"])  # type: ignore[untyped-decorator]
    def enable(self, request: HttpRequest, queryset: QuerySet[ShortURL]) -> HttpResponse | None:
        return self._operate(request, queryset, _enable, action="enable", label="Enable")

    @action(description="Reactivate, removing expiry and visit limit", permissions=["change"])  # type: ignore[untyped-decorator]
    def revive(self, request: HttpRequest, queryset: QuerySet[ShortURL]) -> HttpResponse | None:
        return self._operate(request, queryset, _revive, action="revive", label="Reactivate")

    def _operate(
        self,
        request: HttpRequest,
        links: QuerySet[ShortURL],
        act: Callable[[Actor, ShortURL, datetime], None],
        *,
        action: str,
        label: str,
    ) -> HttpResponse | None:
        """Ask for confirmation, then act on each link."""
        if is_confirmed(request):
            done, by = f"{label.lower()}d", actor_of(request)
            apply_to_each(self, request, links, partial(act, by), noun="Links", done=done)
            return None
        rows = list(links)
        response: HttpResponse = self.confirmation_page(
            request,
            rows,
            action=action,
            button=f"{label} {len(rows)} link{'s' * (len(rows) != 1)}",
            sentence="Links that this doesn't apply to are left unchanged.",
        )
        return response


def _external_link(url: str) -> SafeString:
    return format_html(
        '<a class="text-link" href="{}" target="_blank" rel="noopener noreferrer">{}</a>', url, url
    )


def _disable(by: Actor, link: ShortURL, now: datetime) -> None:
    if link.disabled:
        raise ApiError("unchanged", "already disabled")
    services.update(link.key, {"disabled": True}, now=now, by=by)


def _enable(by: Actor, link: ShortURL, now: datetime) -> None:
    if not link.disabled:
        raise ApiError("unchanged", "not disabled")
    services.update(link.key, {"disabled": False}, now=now, by=by)


def _revive(by: Actor, link: ShortURL, now: datetime) -> None:
    services.revive(link.key, now=now, by=by)


def _delete(by: Actor, link: ShortURL, now: datetime) -> None:
    services.delete(link.key, now=now, by=by)


@admin.register(RetiredKey)
class RetiredKeyAdmin(ReadOnlyAdmin):
    """Keys of former links, which are never used again."""

    list_display = ("key", "reason", "retired_at")
    list_filter = ("reason",)
    ordering = ("pk",)
    sortable_by = ()
    search_fields = ("key__exact",)
    search_help_text = "The exact key"


@admin.register(EndedLink)
class EndedLinkAdmin(ReadOnlyAdmin):
    """Links that the reaper deleted, with their destinations and visits, for operators."""

    list_display = ("key", "shown_url", "owner", "visits", "expires_at", "ended_at")
    fields = ("key", "shown_url", "owner", "visits", "created_at", "expires_at", "ended_at")
    list_select_related = ("owner",)
    ordering = ("-ended_at",)
    sortable_by = ()
    search_fields = ("key__exact",)
    search_help_text = "The exact key"

    @display(description="Destination")  # type: ignore[untyped-decorator]
    def shown_url(self, ended: EndedLink) -> SafeString:
        return _external_link(ascii_url(ended.long_url))


@admin.register(CleanupRun)
class CleanupRunAdmin(ReadOnlyAdmin):
    """Runs of the reaper."""

    list_display = ("started_at", "finished_at", "deleted", "last_batch", "error")
    fields = (
        *("started_at", "heartbeat", "leased_until", "finished_at"),
        *("deleted", "last_batch", "error"),
    )
    readonly_fields = ("heartbeat",)
    ordering = ("-started_at", "-pk")
    sortable_by = ()

    heartbeat = column("beat_at", "Last heartbeat")
