"""Users, groups, tokens and tasks, in the admin's theme and as fast as all else in it."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet
from django.http import HttpRequest
from django_q.models import Failure, OrmQ, Schedule, Success, Task
from knox.models import AuthToken
from unfold.decorators import display
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from foundation.admin.pages import BigTableAdmin, HistoryAdmin, shorten

admin.site.index_title = "Overview"
admin.site.unregister([User, Group, AuthToken, Failure, OrmQ, Schedule, Success])


@admin.register(User)
class UserAdmin(DjangoUserAdmin, BigTableAdmin):  # type: ignore[type-arg,misc]
    """Who may sign in, and what they may do."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "email", "is_staff", "is_superuser", "is_active", "last_login")


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, BigTableAdmin):  # type: ignore[misc]
    """Rights that several users share. Viewers see everything and change nothing."""


class DeletableAdmin(HistoryAdmin):
    """Rows that only Linkwatch writes, and that operators may delete."""

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return bool(BigTableAdmin.has_delete_permission(self, request, obj))


@admin.register(AuthToken)
class TokenAdmin(DeletableAdmin):
    """Tokens of the API: to be revoked here; `manage.py create_token` makes them."""

    list_display = ("token", "user", "created", "expiry")
    fields = list_display
    list_select_related = ("user",)
    ordering = ("-created",)
    search_fields = ("user__username",)
    search_help_text = "A user's name"
    sortable_by = ()

    @display(description="Token begins with")  # type: ignore[untyped-decorator]
    def token(self, token: Any) -> str:
        return f"{token.token_key}…"


class TaskAdmin(DeletableAdmin):
    """What the background tasks did."""

    list_display: tuple[str, ...] = ("name", "func", "started", "seconds", "shown_result")
    fields = ("name", "func", "started", "stopped", "attempt_count", "shown_result")
    ordering = ("-started",)
    search_fields = ("func",)
    sortable_by = ()

    @display(description="Seconds")  # type: ignore[untyped-decorator]
    def seconds(self, task: Task) -> float:
        return round(float(task.time_taken()), 3)

    @display(description="Result")  # type: ignore[untyped-decorator]
    def shown_result(self, task: Task) -> str:
        return str(task.result)


@admin.register(Success)
class SuccessAdmin(TaskAdmin):
    """Tasks that were done; the newest hundred are kept."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found: QuerySet[Any] = super().get_queryset(request).filter(success=True)
        return found


@admin.register(Failure)
class FailureAdmin(TaskAdmin):
    """Tasks that failed; a schedule starts its own again by itself."""

    list_display = ("name", "func", "started", "short_result")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found: QuerySet[Any] = super().get_queryset(request).filter(success=False)
        return found

    @display(description="Result")  # type: ignore[untyped-decorator]
    def short_result(self, task: Task) -> str:
        return shorten(str(task.result).strip().rpartition("\n")[2])


@admin.register(OrmQ)
class QueueAdmin(DeletableAdmin):
    """Tasks that wait, or run: the lock ends when another worker may take it."""

    list_display = ("name", "func", "lock")
    fields = list_display
    ordering = ("pk",)
    sortable_by = ()

    @display(description="Task")  # type: ignore[untyped-decorator]
    def name(self, entry: OrmQ) -> str:
        return str(entry.name())

    @display(description="Function")  # type: ignore[untyped-decorator]
    def func(self, entry: OrmQ) -> str:
        return str(entry.func())


@admin.register(Schedule)
class ScheduleAdmin(HistoryAdmin):
    """What runs by itself, as each start of Linkwatch writes it anew."""

    list_display = ("name", "func", "period", "next_run")
    fields = list_display
    ordering = ("name",)
    sortable_by = ()

    @display(description="Every")  # type: ignore[untyped-decorator]
    def period(self, schedule: Schedule) -> str:
        if schedule.schedule_type == Schedule.MINUTES:
            return f"{schedule.minutes} min"
        return str(schedule.get_schedule_type_display())
