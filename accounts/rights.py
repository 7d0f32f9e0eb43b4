"""Rights of users: Django's model permissions, given by roles, which are groups."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts import sharing
from accounts.roles import Role
from accounts.sharing import SharedReferences
from foundation.app import App

_VIEW = Q(codename__startswith="view_")


def our_apps() -> list[App]:
    """Return our apps that have models, lower layers first."""
    ours = (config for config in apps.get_app_configs() if isinstance(config, App))
    return [config for config in ours if any(config.get_models())]


# Rights on models that moved to `outbox` in 0.3.0. Users with the old right also have the new one;
# processes of 0.2.0 check the old one. Both are given until 0.4.0.
_MOVED = {"transition": "event", "sink": "cursor", "deadletter": "deadletter"}
RENAMED_RIGHTS = {
    f"targets.{verb}_{old}": f"outbox.{verb}_{new}"
    for old, new in _MOVED.items()
    for verb in ("add", "change", "delete", "view")
}


def grant(user: User, *, read_only: bool) -> None:
    """Give a saved user all rights on Linkwatch's models, or only the rights to view them.

    Excludes channels, because a channel of a service user belongs to the deployment and sees more
    than the service user may. Also excludes teams and shares, which are for people.
    """
    excluded = Q(content_type__app_label="notify")
    excluded |= Q(content_type__model__in=("team", "referenceshare"))
    user.user_permissions.add(*_permissions((_VIEW if read_only else Q()) & ~excluded))


def make_groups(**kwargs: Any) -> None:
    """Give the groups of all roles their rights. Runs after each `migrate`.

    Additional rights that an operator has given a group are kept.
    """
    _create_old_permissions()
    members = Q()
    for app in our_apps():
        members |= Q(content_type__app_label=app.label, codename__in=app.rights_of_members)
    account_permissions = Permission.objects.filter(content_type__app_label__in=("auth", "knox"))
    rights = {
        Role.MEMBER: _permissions(members),
        Role.VIEWER: _permissions(_VIEW),
        Role.OPERATOR: _permissions(Q()) | account_permissions,
    }
    for role, granted in rights.items():
        Group.objects.get_or_create(name=role)[0].permissions.add(*granted)


def _create_old_permissions() -> None:
    """Create the old rights of RENAMED_RIGHTS in databases that never had them."""
    for old in _MOVED:
        model, _ = ContentType.objects.get_or_create(app_label="targets", model=old)
        for verb in ("add", "change", "delete", "view"):
            Permission.objects.get_or_create(
                content_type=model, codename=f"{verb}_{old}", defaults={"name": f"Can {verb} {old}"}
            )


def _permissions(condition: Q) -> QuerySet[Permission]:
    labels = [app.label for app in our_apps()]
    return Permission.objects.filter(condition, content_type__app_label__in=labels)


@dataclass(frozen=True, slots=True)
class UserRights:
    """A user's groups, teams and rights (`app.codename`), both direct and through groups."""

    groups: set[str] = field(default_factory=set)
    teams: set[str] = field(default_factory=set)  # primary keys
    own: set[str] = field(default_factory=set)
    by_groups: set[str] = field(default_factory=set)


_RIGHTS_QUERY = """\
SELECT 'own', type.app_label || '.' || permission.codename
FROM auth_user_user_permissions granted
JOIN auth_permission permission ON permission.id = granted.permission_id
JOIN django_content_type type ON type.id = permission.content_type_id
WHERE granted.user_id = %(user)s
UNION ALL
SELECT 'by_groups', type.app_label || '.' || permission.codename
FROM auth_user_groups membership
JOIN auth_group_permissions granted ON granted.group_id = membership.group_id
JOIN auth_permission permission ON permission.id = granted.permission_id
JOIN django_content_type type ON type.id = permission.content_type_id
WHERE membership.user_id = %(user)s
UNION ALL
SELECT 'groups', auth_group.name
FROM auth_user_groups membership JOIN auth_group ON auth_group.id = membership.group_id
WHERE membership.user_id = %(user)s
UNION ALL
SELECT 'teams', CAST(team_id AS text) FROM accounts_teammember WHERE user_id = %(user)s
"""
_CACHES = ("_rights", "_shared", "_perm_cache", "_user_perm_cache", "_group_perm_cache")


def rights_of(user: User) -> UserRights:
    """Return the groups, teams and rights of any user, including superusers.

    Runs one query per user object.
    """
    rights: UserRights | None = getattr(user, "_rights", None)
    if rights is None:
        rights = UserRights()
        with connection.cursor() as cursor:
            cursor.execute(_RIGHTS_QUERY, {"user": user.pk})
            for kind, name in cursor.fetchall():
                getattr(rights, kind).update({name, RENAMED_RIGHTS.get(name, name)})
        user._rights = rights  # type: ignore[attr-defined]
    return rights


def role_of(user: User) -> Role | None:
    """Return the role of a user, the highest if there are several; None for a service user."""
    if user.is_superuser:
        return Role.OPERATOR
    if "groups" in getattr(user, "_prefetched_objects_cache", {}):
        names = {group.name for group in user.groups.all()}
    else:
        names = rights_of(user).groups
    return next((role for role in reversed(Role) if role in names), None)


def teams_of(user: User) -> frozenset[int]:
    """Return the keys of the teams that a user is in."""
    if "memberships" in getattr(user, "_prefetched_objects_cache", {}):
        return frozenset(row.team_id for row in user.memberships.all())
    return frozenset(map(int, rights_of(user).teams))


def shared_with(user: User) -> SharedReferences:
    """Return the references that are shared with a user. Runs one query per user object."""
    shared: SharedReferences | None = getattr(user, "_shared", None)
    if shared is None:
        teams = teams_of(user) if role_of(user) else frozenset()
        relevant = Q(for_everyone=True) | Q(team__in=teams) | Q(team__isnull=False, owner=user)
        shared = sharing.shared_with(sharing.ReferenceShare.objects.filter(relevant), user, teams)
        user._shared = shared  # type: ignore[attr-defined]
    return shared


def load_shared(users: Iterable[User]) -> None:
    """Load the references that are shared with these users, in one query.

    Prefetch the users' groups and memberships; otherwise, each user costs another query.
    """
    by_audience: dict[object, list[sharing.ReferenceShare]] = defaultdict(list)
    for share in sharing.ReferenceShare.objects.all():
        for audience in (
            ("owner", share.owner_id),
            ("team", share.team_id),
            ("all", share.for_everyone),
        ):
            by_audience[audience].append(share)
    for user in users:
        teams = teams_of(user) if role_of(user) else frozenset()
        audiences = [("owner", user.pk), ("all", True), *(("team", team) for team in teams)]
        shares = {
            share.pk: share for audience in audiences for share in by_audience.get(audience, ())
        }
        user._shared = sharing.shared_with(shares.values(), user, teams)  # type: ignore[attr-defined]


@transaction.atomic
def assign(user: User, role: Role | None) -> None:
    """Give a saved user this role, or none, in place of other roles and of the user's own rights.

    Rights from groups other than roles stay. Operators are superusers. Operators and viewers are
    staff: they may open the admin.
    """
    user.groups.remove(*Group.objects.filter(name__in=list(Role)))
    user.user_permissions.clear()
    if role is not None:
        user.groups.add(Group.objects.get(name=role))
    user.is_superuser = role is Role.OPERATOR
    user.is_staff = role in (Role.OPERATOR, Role.VIEWER)
    user.save(update_fields=["is_superuser", "is_staff"])
    forget(user)


def forget(user: User) -> None:
    """Discard the cached rights of this user."""
    for name in _CACHES:
        if hasattr(user, name):
            delattr(user, name)


LAST_OPERATOR = "This is the only operator. Make someone else an operator first."


def is_last_operator(user: User) -> bool:
    """Return whether this user is the only active operator."""
    operators = active_operators()
    others = operators.exclude(pk=user.pk)
    return operators.filter(pk=user.pk).exists() and not others.exists()


def active_operators() -> QuerySet[User]:
    """Return the active users whose role is operator."""
    operators = User.groups.through.objects.filter(user=OuterRef("pk"), group__name=Role.OPERATOR)
    return User.objects.filter(Q(is_superuser=True) | Q(Exists(operators)), is_active=True)


def may_write(user: User) -> bool:
    """Return whether the user has any right beyond viewing, directly or through a group."""
    return user.is_superuser or any(
        not right.partition(".")[2].startswith("view_") for right in user.get_all_permissions()
    )
