"""Actors: a user, perhaps with a token, or the deployment itself; and ownership of objects."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from knox.models import AuthToken
from rest_framework.request import Request

from accounts import rights, sharing
from accounts.authentication import sender_of_read
from accounts.roles import Role
from accounts.sharing import Shared, SharedReferences
from foundation.http.errors import ApiError
from foundation.token_bounds import TokenBounds

Rows = TypeVar("Rows", bound=QuerySet[Any])

ROLES_THAT_SEE_ALL = frozenset({Role.OPERATOR, Role.VIEWER})


@dataclass(frozen=True)
class Actor:
    """A user, perhaps with a token, or the deployment itself.

    Model permissions decide which kinds of objects an actor may change.
    """

    user: User | None = None  # None: the deployment itself, such as the reaper or a command
    token: str = ""  # the token's name or first characters; empty in a session
    token_digest: str = ""
    bounds: TokenBounds | None = None  # the URLs that the token may look up; None: any URL

    @cached_property
    def role(self) -> Role | None:
        """The user's role; None for a service user and for the deployment."""
        return None if self.user is None else rights.role_of(self.user)

    @cached_property
    def teams(self) -> frozenset[int]:
        """The user's teams; a service user and the deployment have none."""
        return frozenset() if self.owner is None else rights.teams_of(self.owner)

    @cached_property
    def shared(self) -> SharedReferences:
        """The references that are shared with the user; none for the deployment.

        An actor that sees everything also sees references in teams that it has left.
        """
        if self.user is None:
            return SharedReferences()
        references = rights.shared_with(self.user)
        return replace(references, prefixes_in_former_teams=()) if self.sees_all else references

    @property
    def owner(self) -> User | None:
        """The owner of what this actor creates: the user, or None without a role."""
        return None if self.role is None else self.user

    @property
    def sees_all(self) -> bool:
        """Whether the actor sees everyone's objects."""
        return self.user is None or self.role in ROLES_THAT_SEE_ALL

    @property
    def spender(self) -> str:
        """The name of the allowance of URLs that this actor spends.

        A user has one allowance, and a second one that all the user's bound tokens share.
        """
        kind = "user" if self.bounds is None else "bound"  # a bound token may be public
        return f"{kind}:{self.user and self.user.pk}"

    @property
    def is_operator(self) -> bool:
        """Whether the actor is an operator, or the deployment itself."""
        return self.user is None or self.role is Role.OPERATOR

    @property
    def sees_only_public(self) -> bool:
        """Whether lookups hide targets that only ALLOW_NETWORKS, `accept` or secret headers made
        visible: from members, and from bound tokens, which may be public."""
        return self.role is Role.MEMBER or self.bounds is not None

    @property
    def checks_only_public(self) -> bool:
        """Whether batches hide such targets, and are checked and call back without ALLOW_NETWORKS:
        for everyone but operators, and for bound tokens."""
        return not self.is_operator or self.bounds is not None

    @property
    def may_receive(self) -> bool:
        """Whether messages are delivered to this actor: owners need a role and an active account.

        `owner_may_receive` does the same for database rows.
        """
        return self.user is None or (self.user.is_active and self.role is not None)

    def reach(self, rows: Rows, *, owner: str = "owner", to_change: bool = False) -> Rows:
        """Return the rows that the actor may see, or change; `owner` is the path to a row's owner.

        Operators, viewers and the deployment see all rows; members see their own; service users see
        rows without an owner. In models derived from Shared, only the team's members see a team's
        rows, and everyone may see those with `for_everyone`. References, which have
        `shared_by_prefix`, are shared by the ReferenceShares of their owners.
        """
        if self.sees_all:
            return rows
        path = owner.removesuffix("owner")
        model: Any = rows.model
        for name in path.split("__")[:-1]:
            model = model._meta.get_field(name).related_model
        if column := getattr(model, "shared_by_prefix", ""):
            shared = self.shared.changeable if to_change else self.shared.visible
            return rows.filter(
                sharing.owned_or_shared(
                    self.owner,
                    self.shared.prefixes_in_former_teams,
                    shared,
                    column=f"{path}{column}",
                )
            )
        if not issubclass(model, Shared):
            return rows.filter(**{owner: self.owner})
        own_rows = sharing.owned_or_in_team(owner=self.owner, teams=self.teams, path=path)
        if to_change or not sharing.any_shared_with_everyone(model):
            return rows.filter(own_rows)  # a range of an index, for an actor without teams
        return rows.filter(own_rows | Q(**{f"{path}for_everyone": True}))

    def may_change(self, thing: Shared) -> bool:
        """Return whether the actor may change this object; `reach` does the same for many."""
        return self.sees_all or self.holds(thing)

    def holds(self, thing: Shared) -> bool:
        """Return whether the actor is in this object's team or, if it has no team, owns it."""
        if thing.team_id is not None:
            return thing.team_id in self.teams
        return thing.owner_id == (None if self.owner is None else self.owner.pk)

    def reaches(self, owner_id: int | None) -> bool:
        """Return whether the actor may see a row of this owner, as `reach` does for many rows."""
        if self.sees_all:
            return True
        return owner_id == (None if self.owner is None else self.owner.pk)

    def held_references(self, owner_id: int) -> Q:
        """Return a condition for the references of this owner.

        If the owner is the actor, references shared with the actor's teams count too, and those in
        teams that the actor has left do not.
        """
        if self.owner is None or owner_id != self.owner.pk:
            return Q(owner=owner_id)
        shared = self.shared
        return sharing.owned_or_shared(
            self.owner, shared.prefixes_in_former_teams, shared.changeable, column="object_id"
        )

    def reaches_reference(
        self, owner_id: int | None, object_id: str, *, to_change: bool = False
    ) -> bool:
        """Return whether the actor may see, or change, a reference, as `reach` does for many."""
        if self.sees_all:
            return True
        own_id, shared = None if self.owner is None else self.owner.pk, self.shared
        if owner_id == own_id and not object_id.startswith(shared.prefixes_in_former_teams):
            return True
        prefixes = shared.changeable if to_change else shared.visible
        return owner_id is not None and object_id.startswith(prefixes.get(owner_id, ()))

    def check_may_look_up(self, canonical_url: str) -> None:
        """Raise ApiError `outside_token_bounds` for a URL outside the token's bounds."""
        if self.bounds is not None and not self.bounds.include(canonical_url):
            sentence = f"This token is limited to {self.bounds}."
            raise ApiError("outside_token_bounds", sentence, status=403)


class _Stranger(Actor):
    """A visitor who has not signed in, with the rights that a setting gives to everyone."""

    sees_all = False
    is_operator = False
    may_receive = False


DEPLOYMENT = Actor()
STRANGER = _Stranger()


def owner_may_receive(owner: str, *, roles: Collection[Role] = tuple(Role)) -> Q:
    """Return the condition that the owner in this field has one of these roles and may sign in.

    Rows without an owner are the deployment's, and meet it. `Actor.may_receive` does the same for
    one actor.
    """
    has_role = Q(groups__name__in=roles)
    if Role.OPERATOR in roles:
        has_role |= Q(is_superuser=True)
    people = User.objects.filter(has_role, pk=OuterRef(owner), is_active=True)
    return Q(**{owner: None}) | Q(Exists(people))


def actor_of(request: HttpRequest | Request) -> Actor:
    """Return the sender of this request. Raises TypeError for an anonymous request."""
    token: Any = getattr(request, "auth", None)
    user = request.user
    if not isinstance(user, User):
        raise TypeError("An anonymous request has no actor.")
    return _actor(user, token if isinstance(token, AuthToken) else None)


def sender_of(headers: Iterable[tuple[bytes, bytes]], *, package: str) -> Actor | None:
    """Return the sender of a GET with these headers to a route of this package; None if anonymous.

    For requests that are handled before they reach Django. Queries the database.
    """
    user, token = sender_of_read(headers, package=package)
    return _actor(user, token) if user.pk else None


def _actor(user: User, token: Any) -> Actor:
    if token is None:
        return Actor(user)
    terms = getattr(token, "terms", None)
    return Actor(
        user,
        token=str((terms and terms.name) or token.token_key),
        token_digest=token.digest,
        bounds=terms and terms.bound_to,
    )
