"""The admin of snippets; it changes them only through snippets.services."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from unfold.decorators import display

from accounts import teams
from accounts.actors import actor_of
from foundation.admin.pages import BigTableAdmin, shorten, state_filter
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.tags import normalize_tag
from snippets import services
from snippets.forms import NewSnippetForm, SnippetEditForm
from snippets.models import Snippet, SnippetQuerySet, SnippetState
from snippets.snippet_cache import find

_COLOURS = {SnippetState.LIVE.value: "success", SnippetState.EXPIRED.value: "warning"}


@admin.register(Snippet)
class SnippetAdmin(BigTableAdmin):
    """Snippets."""

    list_display = (
        "shown_title",
        "language",
        "shown_tags",
        "size",
        "shown_state",
        "visibility",
        "expires_at",
        "created_at",
    )
    list_filter = (state_filter(SnippetState),)
    ordering = ("-created_at", "-id")
    sortable_by = ()  # no other order has an index
    search_fields = ("pk",)  # shows the search box; get_search_results searches
    search_help_text = "ID or tag"
    readonly_fields = ("id", "owner", "size", "views_left", "created_at", "updated_at")

    def get_fields(self, request: HttpRequest, obj: Snippet | None = None) -> list[str]:
        if obj is None:
            return list(NewSnippetForm.base_fields)
        names = [*SnippetEditForm.base_fields, *self.readonly_fields]
        if obj.is_sealed:
            names.remove("content")
        if obj.owner_id is None:
            names.remove("team")
        if self.has_change_permission(request, obj):
            return names
        return ["shown_tags" if name == "tags" else name for name in names]  # there is no form

    def get_form(
        self, request: HttpRequest, obj: Snippet | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        form = SnippetEditForm if change else NewSnippetForm
        return super().get_form(request, obj, change=change, form=form, **kwargs)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the teams with which the user may share."""
        kwargs["queryset"] = teams.teams_to_share_with(actor_of(request))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_queryset(self, request: HttpRequest) -> SnippetQuerySet:
        listed = Snippet.objects.listed_to(actor_of(request))
        return listed.for_lists().with_state(database_now()).order_by(*self.ordering)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Snippet], search_term: str
    ) -> tuple[QuerySet[Snippet], bool]:
        """Find a snippet by its id, or snippets by tag; other searches have no index."""
        if not search_term:
            return queryset, False
        if find(search_term.strip()) is not None:
            return queryset.filter(pk=search_term.strip()), False
        return queryset.filter(tags__name=normalize_tag(search_term)), False

    @display(description="Snippet")  # type: ignore[untyped-decorator]
    def shown_title(self, snippet: Snippet) -> str:
        return shorten(str(snippet))

    @display(description="Tags")  # type: ignore[untyped-decorator]
    def shown_tags(self, snippet: Snippet) -> str:
        return shorten(", ".join(snippet.tag_names))

    @display(  # type: ignore[untyped-decorator]
        description="State", label=_COLOURS
    )
    def shown_state(self, snippet: Snippet) -> str:
        return (SnippetState.EXPIRED if snippet.is_past else SnippetState.LIVE).value

    def save_model(self, request: HttpRequest, obj: Snippet, form: Any, change: bool) -> None:
        """Create the snippet, or update only the fields changed in the form."""
        now, by = database_now(), actor_of(request)
        if not change:
            obj.pk = services.create(form.new_fields(), now=now, by=by).pk
            return
        try:
            services.update(obj.pk, form.changes(), now=now, by=by)
        except ApiError as error:
            raise Http404(error.message) from None

    def delete_model(self, request: HttpRequest, obj: Snippet) -> None:
        self.delete_queryset(request, Snippet.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Snippet]) -> None:
        ids = list(queryset.values_list("pk", flat=True))
        services.delete_all(ids, now=database_now(), by=actor_of(request))

    def get_deleted_objects(
        self, objs: Iterable[Snippet], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Return the snippets that would be deleted; their tags are deleted with them."""
        snippets = list(objs)
        return [str(snippet) for snippet in snippets], {"snippets": len(snippets)}, set(), []
