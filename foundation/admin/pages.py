"""Base classes for admin pages, which stay fast with any number of rows."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar, cast

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
from unfold.decorators import display
from unfold.forms import PaginationInlineFormSet

from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.models import IdempotencyKey

_UNUSED_SCRIPTS = ("urlify.js", "prepopulate.js", "xregexp.js", "xregexp.min.js")
MAX_INLINE_ROWS = 20  # rows of an inline
_MAX_LISTED = 10  # rows listed in a confirmation
_MAX_TEXT = 64  # characters of a URL or an error in a list


def shorten(text: str) -> str:
    """Return `text`, truncated to fit into a column."""
    return text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…"


def link(url: str, text: str) -> SafeString:
    """Return a link in the admin's style; the text is escaped."""
    return format_html('<a class="text-link" href="{}">{}</a>', url, text)


def list_link(model: str, text: str, *, q: str) -> SafeString:
    """Return a link to the list of `model` (such as targets_target), searched for `q`."""
    url = reverse(f"admin:{model}_changelist", query={"q": q})
    return link(url, text)


def as_json(value: object) -> SafeString:
    """Return readable JSON, escaped."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return format_html('<pre class="lw-json" tabindex="0">{}</pre>', text)


def is_confirmed(request: HttpRequest) -> bool:
    """Return whether the user confirmed the action on the page that `confirmation_page` returns."""
    return "confirmed" in request.POST


def _is_valid_pk(field: Any, text: str) -> bool:
    """Return whether `text` may be a value of `field`, a primary key."""
    try:
        field.run_validators(field.to_python(text))
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
    """Admin of a table that may have many millions of rows."""

    change_form_template = "linkwatch/admin_change_form.html"
    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_disable_select_all = True  # actions apply to the visible rows
    list_per_page = 50
    help_texts: ClassVar[Mapping[str, str]] = {}  # override those of the model's fields

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        if self.help_texts:
            kwargs["help_texts"] = self.help_texts
        return super().get_form(request, obj, change=change, **kwargs)

    @property
    def media(self) -> forms.Media:
        """The scripts and style sheets of a page, without the scripts for prepopulated fields."""
        media = super().media
        scripts = [path for path in media._js if not path.endswith(_UNUSED_SCRIPTS)]
        return forms.Media(js=scripts, css=media._css)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Return the list; it links to all rows only if a search or filter hides some."""
        changelist = super().get_changelist_instance(request)
        if not (changelist.query or changelist.has_active_filters):
            changelist.full_result_count = changelist.result_count
        return changelist

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        """Perform the chosen action. Raises Http404 for invalid primary keys."""
        keys = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if not all(_is_valid_pk(self.opts.pk, key) for key in keys):
            raise Http404
        return super().response_action(request, queryset)

    def confirmation_page(
        self,
        request: HttpRequest,
        rows: Iterable[Any],
        *,
        action: str,
        button: str,
        sentence: str,
    ) -> TemplateResponse:
        """Return a page that asks to confirm an action on these rows, and then sends it again."""
        rows = list(rows)
        context = {
            **self.admin_site.each_context(request),
            "title": button,
            "opts": self.opts,
            "action": action,
            "button": button,
            "sentence": sentence,
            "names": [str(row) for row in rows[:_MAX_LISTED]],
            "left_out": max(0, len(rows) - _MAX_LISTED),
            "ids": [row.pk for row in rows],
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "linkwatch/admin_ask.html", context)


def column(field: str, label: str) -> Callable[[Any, Any], Any]:
    """Return a column of the admin that shows this field, with a label other than its name."""

    def shown(_: Any, row: Any) -> Any:
        return getattr(row, field)

    decorated: Callable[[Any, Any], Any] = display(description=label)(shown)
    return decorated


def state_filter(states: type[TextChoices]) -> type[admin.SimpleListFilter]:
    """Return a list filter for these states, which uses the queryset's method `in_state`."""

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


def apply_to_each(
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
    """Perform an action on each row; show how many succeeded, and why the others failed.

    `act` gets the row and the database's time, and raises ApiError on failure. `reasons` overrides
    the messages of some error codes. With `log`, writes the action to the row's history.
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
        text = with_reason(f"{noun} not changed: {number}", reason)
        admin.message_user(request, text, messages.WARNING)


def with_reason(text: str, reason: str) -> str:
    """Return `text` with a reason: a phrase is put in parentheses, a sentence follows."""
    return f"{text}. {reason}" if reason.endswith(".") else f"{text} ({reason})."


class ReadOnlyAdmin(BigTableAdmin):
    """Admin of read-only rows, which only Linkwatch writes."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        """Return False on the rows' own pages, and the user's permission elsewhere.

        Otherwise, the rows would prevent the deletion of their user.
        """
        match = request.resolver_match
        own_pages = f"{self.opts.app_label}_{self.opts.model_name}_"
        if match is None or (match.url_name or "").startswith(own_pages):
            return False
        return bool(super().has_delete_permission(request, obj))


class _NewestFormSet(PaginationInlineFormSet):  # type: ignore[misc]
    """A read-only formset of the first MAX_INLINE_ROWS rows in the inline's order."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._queryset: QuerySet[Any] = BaseInlineFormSet.get_queryset(self)[:MAX_INLINE_ROWS]

    def initial_form_count(self) -> int:
        return len(self._queryset)

    def total_form_count(self) -> int:
        return len(self._queryset)


class NewestInline(TabularInline):  # type: ignore[misc]
    """The MAX_INLINE_ROWS newest rows of an object, on a tab of the object's page."""

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
class IdempotencyKeyAdmin(ReadOnlyAdmin):
    """Idempotency-Keys without their stored responses, some of which contain lease tokens.

    For operators only, because the keys and paths are those of all users.
    """

    exclude = ("body",)
    list_display = ("key", "path", "principal", "created_at")
    list_select_related = ("principal",)
    search_fields = ("key__exact",)
    search_help_text = "The exact key"
    ordering = ("-pk",)
    sortable_by = ()

    def has_view_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)
