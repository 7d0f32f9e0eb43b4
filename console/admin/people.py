"""Users, groups, tokens and tasks in the admin."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django_q.models import Failure, OrmQ, Schedule, Success, Task
from knox.models import AuthToken
from unfold.admin import ModelAdmin
from unfold.decorators import display
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminSelectWidget

from accounts import audit_log, deletion, rights, tokens
from accounts.actors import actor_of
from accounts.models import Invitation, Trace
from accounts.roles import CHOICES, Role
from accounts.tokens import PREFIX_LENGTH
from foundation import scopes
from foundation.admin.pages import BigTableAdmin, ReadOnlyAdmin, column, shorten
from foundation.database.clock import database_now
from foundation.token_bounds import TokenBounds

_MAX_SHOWN_OBJECTS = 100
_AUDITED_KINDS = (
    *("target", "reference", "reference share", "host", "alias", "short link", "snippet", "batch"),
    *("token", "invitation", "account", "team", "channel", "subscription", "public list"),
    *("saves", "user"),
)
_KIND_LABELS = {"saves": "Page saving", "user": "Consent to page saving"}

admin.site.index_title = "Overview"
admin.site.unregister([User, Group, AuthToken, Failure, OrmQ, Schedule, Success])
# allauth's models: not to be changed by hand.
admin.site.unregister([Authenticator, EmailAddress, SocialAccount, SocialApp, SocialToken])
_search = admin.site.search  # type: ignore[attr-defined] # added by unfold


def search(request: HttpRequest) -> HttpResponse:
    """Return the results of a search; without a query, the first page (unfold returns nothing)."""
    response: HttpResponse = (_search if "s" in request.GET else admin.site.index)(request)
    return response


admin.site.search = search  # type: ignore[attr-defined]


class RoleForm(forms.ModelForm[User]):
    """A user, with a role instead of individual permissions."""

    role = forms.ChoiceField(
        choices=[("", "None: a service user with its own permissions"), *CHOICES],
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text="Members can watch and shorten links and share snippets. Viewers can see "
        "all targets, checks, hosts, channels and short links, and public snippets, but can't "
        "change them. Operators can do everything.",
    )

    def clean(self) -> dict[str, Any]:
        """Refuse to remove the last operator, because only operators can create operators."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        stays_operator = cleaned.get("is_active", True) and cleaned.get("role") == Role.OPERATOR
        if self.instance.pk and not stays_operator and rights.is_last_operator(self.instance):
            raise forms.ValidationError(rights.LAST_OPERATOR)
        return cleaned


class UserChangeRoleForm(RoleForm, UserChangeForm):  # type: ignore[misc]
    """The form to change a user, with the role."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].initial = rights.role_of(self.instance) or ""


class UserCreationRoleForm(RoleForm, UserCreationForm):  # type: ignore[misc]
    """The form to create a user, with the role."""


def _log(
    request: HttpRequest, action: str, kind: str, subjects: list[str], fields: Collection[str] = ()
) -> None:
    audit_log.write(actor_of(request), action, kind, subjects, now=database_now(), fields=fields)


class AuditedDeletions(ModelAdmin):  # type: ignore[misc] # unfold has no types
    """Writes deletions to the audit log, as the action `verb` on objects of this `kind`."""

    kind: str
    verb = "delete"
    changed_fields: tuple[str, ...] = ()  # if a deletion only changes an object of `kind`

    def subject(self, row: Any) -> str:
        """Return the name of the object in the audit log."""
        return str(row.pk)

    @transaction.atomic
    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        _log(request, self.verb, self.kind, [self.subject(obj)], self.changed_fields)
        super().delete_model(request, obj)

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        subjects = list(dict.fromkeys(self.subject(row) for row in queryset))
        _log(request, self.verb, self.kind, subjects, self.changed_fields)
        super().delete_queryset(request, queryset)


@admin.register(User)
class UserAdmin(AuditedDeletions, DjangoUserAdmin, BigTableAdmin):  # type: ignore[type-arg,misc]
    """The users, and their roles."""

    kind = "account"
    form = UserChangeRoleForm
    add_form = UserCreationRoleForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "email", "role", "is_active", "last_login")
    list_filter = ("groups", "is_active")
    filter_horizontal = ()
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "password", "role", "is_active")}),
        ("Person", {"fields": ("email", "first_name", "last_name")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("username", "role", "password1", "password2")}),)

    @display(description="Role")  # type: ignore[untyped-decorator]
    def role(self, user: User) -> str:
        role = rights.role_of(user)
        return role.label if role else ""

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        users: QuerySet[User] = super().get_queryset(request).prefetch_related("groups")
        return users

    def get_deleted_objects(self, objs: Iterable[User], request: HttpRequest) -> Any:
        """Show what would be deleted with these accounts, or why they can't be deleted."""
        users = list(objs)
        if reasons := list(_reasons_against_deletion(users)):
            return list(map(str, users)), {}, set(), reasons
        return super().get_deleted_objects(users, request)

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Let only superusers assign roles: others could promote themselves."""
        form = super().get_form(request, *args, **kwargs)
        form.base_fields["role"].disabled = not request.user.is_superuser
        return form

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if obj.is_active:
            deletion.withdraw(obj.pk)
        role = Role(form.cleaned_data["role"]) if form.cleaned_data.get("role") else None
        if "role" in form.changed_data:
            rights.assign(obj, role)

    @transaction.atomic
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        return super().user_change_password(request, id, form_url)

    def log_addition(self, request: HttpRequest, obj: User, message: Any) -> Any:
        _log(request, "create", "account", [obj.get_username()])
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: User, message: Any) -> Any:
        """Log which fields were changed, including the password: `message` has their labels."""
        labels = [name for part in message for name in part.get("changed", {}).get("fields", [])]
        if labels:
            fields = [label.lower() for label in labels]
            _log(request, "change", "account", [obj.get_username()], fields)
        return super().log_change(request, obj, message)

    def subject(self, row: User) -> str:
        return row.get_username()


def _reasons_against_deletion(users: Collection[User]) -> Iterator[str]:
    """Yield a sentence if no operator would remain, and one for each kind of object that these
    accounts own."""
    operators = rights.active_operators()
    if not operators.exclude(pk__in=[user.pk for user in users]).exists():
        yield "There would be no operators left."
    subject, noun = ("account owns", "account") if len(users) == 1 else ("accounts own", "accounts")
    for count, name in deletion.count_owned(users):
        yield (
            f"The {subject} {count:,} {name}. Instead of deleting the {noun}, clear the"
            " “Active” checkbox."
        )


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, BigTableAdmin):  # type: ignore[misc]
    """Groups: permissions that several users share, such as those of viewers."""


class DeletableAdmin(ReadOnlyAdmin):
    """Rows that only Linkwatch writes, and that users with the permission may delete."""

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return bool(BigTableAdmin.has_delete_permission(self, request, obj))


@admin.register(AuthToken)
class TokenAdmin(AuditedDeletions, DeletableAdmin):
    """API tokens, which can be revoked here.

    They are created at /account/tokens or with `manage.py create_token`.
    """

    kind, verb = "token", "revoke"
    list_display = ("token", "user", "name", "scope", "bounds", "created", "expiry", "last_used")
    fields = list_display
    list_select_related = ("user", "terms")
    ordering = ("-created",)
    search_fields = ("user__username",)
    search_help_text = "A username"
    sortable_by = ()

    def subject(self, row: Any) -> str:
        return tokens.audit_name(row)

    @display(description="Token starts with")  # type: ignore[untyped-decorator]
    def token(self, token: Any) -> str:
        return f"{token.token_key[:PREFIX_LENGTH]}…"

    @display(description="Name")  # type: ignore[untyped-decorator]
    def name(self, token: Any) -> str:
        return token.terms.name if hasattr(token, "terms") else ""

    @display(description="Scope")  # type: ignore[untyped-decorator]
    def scope(self, token: Any) -> str:
        return token.terms.scope if hasattr(token, "terms") else scopes.WRITE

    @display(description="Limited to")  # type: ignore[untyped-decorator]
    def bounds(self, token: Any) -> TokenBounds | None:
        return token.terms.bound_to if hasattr(token, "terms") else None

    @display(description="Last used")  # type: ignore[untyped-decorator]
    def last_used(self, token: Any) -> datetime | None:
        return token.terms.last_used_at if hasattr(token, "terms") else None


@admin.register(Authenticator)
class SecondStepAdmin(AuditedDeletions, DeletableAdmin):
    """Authenticator apps and recovery codes: delete both for a user who has lost them."""

    kind, verb, changed_fields = "account", "change", ("second step",)
    list_display = ("user", "type", "created_at", "last_used_at")
    fields = list_display
    list_select_related = ("user",)
    ordering = ("-created_at", "-id")
    search_fields = ("user__username",)
    search_help_text = "A username"
    sortable_by = ()

    def subject(self, row: Authenticator) -> str:
        return str(row.user.get_username())


@admin.register(Invitation)
class InvitationAdmin(AuditedDeletions, DeletableAdmin):
    """Invitations; operators create them at /account/invitations."""

    kind, verb = "invitation", "withdraw"
    list_display = ("email", "role", "invited_by", "created_at", "expires_at", "accepted_by")
    fields = list_display
    list_select_related = ("invited_by", "accepted_by")
    ordering = ("-created_at", "-id")
    sortable_by = ()


class AuditKindFilter(admin.SimpleListFilter):
    """Filters audit entries by kind."""

    title = parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind, _KIND_LABELS.get(kind, kind.capitalize())) for kind in _AUDITED_KINDS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Trace]) -> QuerySet[Trace]:
        return queryset.filter(kind=self.value()) if self.value() else queryset


@admin.register(Trace)
class AuditEntryAdmin(ReadOnlyAdmin):
    """The audit log; entries are deleted after TRACES_RETENTION."""

    list_display = ("time", "username", "token", "shown_action", "shown_object", "subject")
    fields = (*list_display, "shown_fields", "object_names")
    help_texts: ClassVar[Mapping[str, str]] = {
        "username": "Kept when the account is deleted.",
        "token": "Blank if the change was made in the browser, without a token.",
        "subject": "Blank if there were several objects.",
    }
    list_filter = (AuditKindFilter,)
    search_fields = ("user_name__exact",)
    search_help_text = "A username"
    ordering = ("-at", "-pk")
    sortable_by = ()

    time = column("at", "Time")
    username = column("user_name", "Username")

    @display(description="Action")  # type: ignore[untyped-decorator]
    def shown_action(self, entry: Trace) -> str:
        return entry.past_tense

    @display(description="Object")  # type: ignore[untyped-decorator]
    def shown_object(self, entry: Trace) -> str:
        return entry.object

    @display(description="Fields")  # type: ignore[untyped-decorator]
    def shown_fields(self, entry: Trace) -> str:
        return ", ".join(entry.shown_fields)

    @display(description="Objects")  # type: ignore[untyped-decorator]
    def object_names(self, entry: Trace) -> str:
        """Return the first _MAX_SHOWN_OBJECTS objects of an entry about several objects."""
        return ", ".join(entry.subjects[:_MAX_SHOWN_OBJECTS])


class TaskAdmin(DeletableAdmin):
    """Background tasks."""

    list_display: tuple[str, ...] = ("name", "function", "started", "seconds", "shown_result")
    fields = ("name", "function", "started", "stopped", "attempt_count", "shown_result")
    ordering = ("-started",)
    search_fields = ("func",)
    sortable_by = ()

    function = column("func", "Function")

    @display(description="Seconds")  # type: ignore[untyped-decorator]
    def seconds(self, task: Task) -> float:
        return round(float(task.time_taken()), 3)

    @display(description="Result")  # type: ignore[untyped-decorator]
    def shown_result(self, task: Task) -> str:
        return str(task.result)


@admin.register(Success)
class SuccessAdmin(TaskAdmin):
    """Successful tasks; only about the newest hundred are kept."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        tasks: QuerySet[Any] = super().get_queryset(request).filter(success=True)
        return tasks


@admin.register(Failure)
class FailureAdmin(TaskAdmin):
    """Failed tasks; scheduled tasks run again at their next scheduled time."""

    list_display = ("name", "function", "started", "short_result")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        tasks: QuerySet[Any] = super().get_queryset(request).filter(success=False)
        return tasks

    @display(description="Result")  # type: ignore[untyped-decorator]
    def short_result(self, task: Task) -> str:
        return shorten(str(task.result).strip().rpartition("\n")[2])


@admin.register(OrmQ)
class QueueAdmin(DeletableAdmin):
    """Waiting and running tasks. A worker may take a task once the time `lock` has passed."""

    list_display = ("name", "func", "locked_until")
    fields = list_display
    ordering = ("pk",)
    sortable_by = ()

    locked_until = column("lock", "Locked until")

    @display(description="Task")  # type: ignore[untyped-decorator]
    def name(self, entry: OrmQ) -> str:
        return str(entry.name())

    @display(description="Function")  # type: ignore[untyped-decorator]
    def func(self, entry: OrmQ) -> str:
        return str(entry.func())


@admin.register(Schedule)
class ScheduleAdmin(ReadOnlyAdmin):
    """Schedules, which are written each time Linkwatch starts."""

    list_display = ("name", "function", "period", "next_run")
    fields = list_display
    ordering = ("name",)
    sortable_by = ()

    function = column("func", "Function")

    @display(description="Interval")  # type: ignore[untyped-decorator]
    def period(self, schedule: Schedule) -> str:
        if schedule.schedule_type == Schedule.MINUTES:
            return f"{schedule.minutes} min"
        return str(schedule.get_schedule_type_display())
