"""Base classes of the admin's pages: they stay fast however many rows there are."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import QuerySet, TextChoices
from django.forms import BaseInlineFormSet
from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import PaginationInlineFormSet

from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.models import IdempotencyKey

_UNUSED_SCRIPTS = ("urlify.js", "prepopulate.js", "xregexp.js", "xregexp.min.js")
NEWEST = 20  # rows of an inline
_NAMED = 10  # rows that a question lists
_SHOWN_TEXT = 64  # characters of a URL or an error in a list


def shorten(text: str) -> str:
    """Return the beginning of `text`, as far as a column has room."""
    return text if len(text) <= _SHOWN_TEXT else f"{text[: _SHOWN_TEXT - 1]}…"


def link(address: str, text: str) -> SafeString:
    """Return a link as the admin shows them; the text is escaped."""
    return format_html('<a class="text-link" href="{}">{}</a>', address, text)


def list_link(model: str, text: str, *, q: str) -> SafeString:
    """Return a link to the list of `model` (such as targets_target), searched for `q`."""
    address = reverse(f"admin:{model}_changelist", query={"q": q})
    return link(address, text)


def as_json(value: object) -> SafeString:
    """Return JSON for people to read; whatever is in it is text."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return format_html('<pre class="lw-json" tabindex="0">{}</pre>', text)


def is_confirmed(request: HttpRequest) -> bool:
    """Return whether an action was asked about by `ask`, and the answer was yes."""
    return "confirmed" in request.POST


def _may_be(key: Any, text: str) -> bool:
    """Return whether a primary key may have this value."""
    try:
        key.run_validators(key.to_python(text))
    except ValidationError:
        return False
    return "\0" not in text


class BoundedPaginator(Paginator[Any]):
    """Pages of the first `limit` rows: neither counting nor the last page reads a whole table."""

    limit = 10_000
    template_name = "linkwatch/pagination.html"

    @cached_property
    def count(self) -> int:
        rows = cast("QuerySet[Any]", self.object_list)
        return rows.order_by()[: self.limit].count()


class BigTableAdmin(ModelAdmin):  # type: ignore[misc] # unfold has no types
    """Lists of a table that may have many millions of rows."""

    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_disable_select_all = True  # an action is for the rows one sees
    list_per_page = 50

    @property
    def media(self) -> forms.Media:
        """The scripts of Django's pages, without those for fields that fill in others."""
        media = super().media
        scripts = [path for path in media._js if not path.endswith(_UNUSED_SCRIPTS)]
        return forms.Media(js=scripts, css=media._css)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Let the theme offer to show all only where a search or a filter leaves some out."""
        changelist = super().get_changelist_instance(request)
        if not (changelist.query or changelist.has_active_filters):
            changelist.full_result_count = changelist.result_count
        return changelist

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        """Do what was chosen. Raises Http404 where a chosen row can't be one."""
        key = self.opts.pk
        if not all(_may_be(key, text) for text in request.POST.getlist(ACTION_CHECKBOX_NAME)):
            raise Http404
        return super().response_action(request, queryset)

    def ask(
        self,
        request: HttpRequest,
        rows: Iterable[Any],
        *,
        action: str,
        button: str,
        sentence: str,
    ) -> TemplateResponse:
        """Ask whether the action is to be done to these rows; a yes sends it again, confirmed."""
        rows = list(rows)
        context = {
            **self.admin_site.each_context(request),
            "title": button,
            "opts": self.opts,
            "action": action,
            "button": button,
            "sentence": sentence,
            "names": [str(row) for row in rows[:_NAMED]],
            "left_out": max(0, len(rows) - _NAMED),
            "ids": [row.pk for row in rows],
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "linkwatch/admin_ask.html", context)


def state_filter(states: type[TextChoices]) -> type[admin.SimpleListFilter]:
    """Return the filter of a list by these states, which the model's `in_state` finds at a time."""

    class StateFilter(admin.SimpleListFilter):
        title = parameter_name = "state"

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return [(state.value, str(state.label).capitalize()) for state in states]

        def queryset(self, request: HttpRequest, queryset: Any) -> Any:
            value = self.value()
            if value not in states.values:
                return queryset
            return queryset.in_state(states(value), database_now())

    return StateFilter


def do_to_each(
    admin: BigTableAdmin,
    request: HttpRequest,
    rows: QuerySet[Any],
    act: Callable[[Any, datetime], object],
    *,
    noun: str,
    done: str,
    reasons: Mapping[str, str] | None = None,
    log: bool = True,
) -> None:
    """Do it to each row by itself; tell how many it was done to, and why not to others.

    `act` gets the row and the database's time, and raises ApiError where it can't be done;
    `reasons` has other words for some of their codes. `log`: note it in the row's history.
    """
    refused: Counter[str] = Counter()
    count = 0
    for row in rows.order_by("pk"):
        try:
            act(row, database_now())
        except ApiError as error:
            refused[(reasons or {}).get(error.code, error.message)] += 1
            continue
        count += 1
        if log:
            admin.log_change(request, row, done.capitalize())
    if count:
        admin.message_user(request, f"{noun} {done}: {count}.", messages.SUCCESS)
    for reason, number in refused.items():
        admin.message_user(request, f"{noun} refused: {number} ({reason}).", messages.WARNING)


class HistoryAdmin(BigTableAdmin):
    """Rows that only Linkwatch writes: to be looked at."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        """Not from pages of its own; but a user's rows do not hold up the user's deletion."""
        match = request.resolver_match
        own_page = f"{self.opts.app_label}_{self.opts.model_name}_"
        if match is None or (match.url_name or "").startswith(own_page):
            return False
        return bool(super().has_delete_permission(request, obj))


class _NewestFormSet(PaginationInlineFormSet):  # type: ignore[misc]
    """The first rows in the inline's order; it takes no input."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._queryset: QuerySet[Any] = BaseInlineFormSet.get_queryset(self)[:NEWEST]

    def initial_form_count(self) -> int:
        return len(self._queryset)

    def total_form_count(self) -> int:
        return len(self._queryset)


class NewestInline(TabularInline):  # type: ignore[misc]
    """The newest of an object's rows, on a tab of the object's page."""

    formset = _NewestFormSet
    tab = True
    hide_title = True
    extra = 0
    can_delete = False
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, obj: object) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False


@admin.register(IdempotencyKey)
class IdempotencyKeyAdmin(HistoryAdmin):
    """The first answers that repeated creates get; not shown: some have tokens of leases.

    For operators only: keys and paths are those of all users.
    """

    exclude = ("body",)
    list_display = ("key", "path", "principal", "created_at")
    list_select_related = ("principal",)
    search_fields = ("key__exact",)
    search_help_text = "A whole key"
    ordering = ("-pk",)
    sortable_by = ()

    def has_view_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)
