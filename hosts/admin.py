"""Slots and hosts for operators to look at; only `reservations` changes leases and ready times."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from hosts.models import Host, Slot


class _ReadOnlyAdmin(ModelAdmin):  # type: ignore[misc]  # unfold has no types
    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False


@admin.register(Slot)
class SlotAdmin(_ReadOnlyAdmin):
    """Who is busy, and since when everything else waits; the delay may be edited."""

    list_display = (
        "key",
        "is_alias",
        "leased_host",
        "leased_for",
        "leased_until",
        "check_ready_at",
        "fetch_ready_at",
        "not_before",
        "delay",
    )
    list_filter = ("is_alias", "leased_for", ("delay", admin.EmptyFieldListFilter))
    search_fields = ("key__startswith", "leased_host__startswith")
    ordering = ("pk",)
    fields = (
        "key",
        "is_alias",
        "delay",
        "not_before",
        ("leased_host", "leased_for"),
        ("leased_until", "lease_due"),
        ("check_ready_at", "fetch_ready_at"),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Slot | None = None) -> list[str]:
        # The token stays out: who knows it may release the host.
        names = (field.name for field in Slot._meta.fields)
        return [name for name in names if name not in ("delay", "token")]

    def save_model(self, request: HttpRequest, obj: Slot, form: object, change: bool) -> None:
        """Write the delay alone: the rest of the row may have moved since the form was read."""
        obj.save(update_fields=["delay"])


@admin.register(Host)
class HostAdmin(_ReadOnlyAdmin):
    """When each host is due, and the slot it waits for."""

    list_display = ("name", "alias", "check_at", "fetch_at", "busy_host", "busy_until")
    list_filter = (
        ("check_at", admin.EmptyFieldListFilter),
        ("fetch_at", admin.EmptyFieldListFilter),
        "slot__is_alias",
    )
    list_select_related = ("slot",)
    search_fields = ("name__startswith",)
    ordering = ("pk",)
    fields = ("name", "alias", "check_at", "fetch_at", "busy_host", "busy_until")

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Host]:
        return Host.objects.select_related("slot")

    @admin.display(ordering="slot__key")
    def alias(self, host: Host) -> str | None:
        return host.slot.alias

    @admin.display(description="slot leased by")
    def busy_host(self, host: Host) -> str:
        return host.slot.leased_host

    @admin.display(description="until")
    def busy_until(self, host: Host) -> object:
        return host.slot.leased_until
