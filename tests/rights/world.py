"""Users, with an object of each kind that belongs to one of them or to nobody."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q
from django.test import Client

from accounts import invitations, tokens
from accounts.actors import Actor
from accounts.models import ReferenceShare, Team, TeamMember
from accounts.rights import assign, grant
from accounts.roles import Role
from batches.models import Batch
from checker.models import CheckResult, ResultReport
from foundation import kept_secrets as secrets
from foundation.database.clock import database_now
from hosts.models import Favicon
from notify.kinds.mail import addresses
from notify.models import Channel
from shortener.models import ShortURL
from snippets.models import Snippet
from targets.models import PublicList, Reference, Repair, ReplacedReference, Target
from targets.scan_models import RepositoryScan
from tests.factories import ReferenceFactory, SnippetFactory, TargetFactory
from tests.notify.factories import ChannelFactory, DeliveryFactory, SubscriptionFactory
from tests.shortener.links import ShortURLFactory

KINDS = (
    ShortURL,
    Snippet,
    Reference,
    ReferenceShare,
    Channel,
    PublicList,
    Batch,
    RepositoryScan,
)  # for objects that have owners
PEOPLE = {
    "ada": Role.MEMBER,
    "grace": Role.MEMBER,
    "vera": Role.VIEWER,
    "olga": Role.OPERATOR,
    "robot": None,
}


# The meaning of names in paths, by a part of the path.
_MEANT = {
    "/snippets": ("pk", "snippet"),
    "/account/invitations": ("pk", "invitation"),
    "/account/people": ("pk", "person"),
    "/account/teams": ("pk", "team"),
    "/v1/teams": ("team_id", "team"),
    "/v1/channels": ("pk", "channel_id"),
    "/subscriptions/": ("pk", "subscription_id"),
    "/batches/": ("pk", "batch_id"),
    "/scans/": ("pk", "scan_id"),
    "/repairs/accepted": ("pk", "repair_id"),
    "/deliveries/": ("number", "delivery"),
    "/feeds/": ("token", "feed"),
    "/confirm/": ("token", "asking"),
}


@dataclass(frozen=True)
class Things:
    """Names in paths and bodies: the objects of one owner, and objects that belong to nobody."""

    parts: dict[str, str]  # by the name in paths
    mark: str  # in each of their texts

    @property
    def private(self) -> "Things":
        """The same objects, with a private snippet."""
        return replace(self, parts=self.parts | {"snippet": self.parts["private"]})

    def fill(self, text: str, *, like: str) -> str:
        """Return a text with the names of these objects, as in the path `like`."""
        parts = dict(self.parts)
        for beginning, (name, meant) in _MEANT.items():
            if beginning in like:
                parts[name] = parts[meant]
        for name, value in parts.items():
            text = text.replace("{" + name + "}", value)
        return text


class World:
    """All users and their objects, created anew for each test."""

    def __init__(self) -> None:
        self.users = {name: _user(name, role) for name, role in PEOPLE.items()}
        self._sessions: dict[str, str] = {}
        self.now = database_now()
        self.target = TargetFactory(url="http://target.example/page")
        result = CheckResult.objects.create(
            target=self.target,
            checked_at=self.now,
            outcome="failure",
            reason="http_404",
            status_code=404,
            latency_ms=1,
            attempts=1,
        )
        for name in ("ada", "olga", "robot"):
            ResultReport.objects.create(
                user=self.users[name],
                result_id=result.pk,
                checked_at=self.now,
                evidence={},
                created_at=self.now,
            )
        alias = {"hosts": ["host.example"]}
        put = Client(headers=self.cookie("olga")).put
        put("/v1/hosts/host.example", {}, "application/json")
        put("/v1/aliases/alias.example", alias, "application/json")
        icon = {"asked_at": self.now, "png": b"png", "digest": "0" * 16}
        Favicon.objects.create(host="host.example", **icon)
        invitation, secret = invitations.invite(
            role=Role.MEMBER, email="", by=Actor(self.users["olga"]), now=self.now
        )
        self._shared = {
            "pk": self.target.pk,
            "target_id": self.target.pk,
            "result_id": str(result.pk),
            "host": "host.example",
            "alias": "alias.example",
            "operation": "pause",
            "kind": "svg",
            "secret": secret,
            "invitation": str(invitation.pk),
            "person": str(self.users["ada"].pk),
            "user": str(self.users["ada"].pk),
            "username": "ada",
            "uidb36": "0",
            "number": "1",
        }
        self.of = {name: self._things(self.users[name]) for name in ("ada", "grace")}
        self.of[None] = self._things(None)

    def _things(self, owner: User | None) -> Things:
        mark = f"of-{owner or 'nobody'}"
        link = ShortURLFactory(key=mark, long_url=f"https://{mark}.example/", owner=owner)
        snippet = SnippetFactory(title=mark, content=mark, owner=owner)
        private = SnippetFactory(title=mark, content=mark, owner=owner, visibility="private")
        reference = ReferenceFactory(target=self.target, object_id=mark, owner=owner)
        team = Team.objects.create(name=mark, created_at=self.now)
        if owner is not None:
            TeamMember.objects.create(team=team, user=owner)
        own = {"team": str(team.pk)}
        own |= {"key": link.key, "snippet": snippet.pk, "private": private.pk}
        own["reference_id"] = reference.object_id
        own["name"] = f"list-{mark}"
        PublicList.objects.create(name=own["name"], owner=owner, created_at=self.now)
        own["share_id"] = "0"  # programs have none
        if owner is not None:
            share = ReferenceShare.objects.create(owner=owner, prefix=mark, created_at=self.now)
            own["share_id"] = str(share.pk)
        own["scan_id"] = RepositoryScan.objects.create(
            owner=owner,
            repository=mark,
            run=1,
            leased_until=self.now + timedelta(days=1),
            commit="0" * 40,
            committed_at=self.now,
            begun_at=self.now,
        ).pk
        own["repair_id"] = self._repair(owner, reference)
        own["batch_id"] = Batch.objects.create(
            owner=owner,
            created_at=self.now,
            fresh_since=self.now,
            gives_up_at=self.now + timedelta(hours=1),
            is_high=False,
            callback_url=f"https://{mark}.example/",
        ).pk
        own |= self._channel(owner, mark)
        return Things(parts=self._shared | own, mark=mark)

    def _repair(self, owner: User | None, reference: Reference) -> str:
        """Create an accepted repair, by which a reference followed the target."""
        new = TargetFactory(url=f"http://moved-{reference.pk}.example/")
        twin = ReferenceFactory(target=new, object_id=reference.object_id, owner=owner)
        repair = Repair.objects.create(
            old_target=self.target.pk,
            old_url=self.target.url,
            new_target=new.pk,
            new_url=new.url,
            accepted_by=owner,
            accepted_at=self.now,
        )
        ReplacedReference.objects.create(old=reference, new=twin, is_tied=True, repair=repair)
        return str(repair.pk)

    def _channel(self, owner: User | None, mark: str) -> dict[str, str]:
        """Create a channel with a subscription and a delivery; return their names in paths."""
        settings = {"address": f"{mark}@example.org"}
        channel = ChannelFactory(kind="mail", name=mark, owner=owner, settings=settings)
        subscription = SubscriptionFactory(channel=channel, reference_prefix=mark)
        mail = f"To: {mark}@example.org\nSubject: {mark}\n\n{mark}"
        delivery = DeliveryFactory(channel=channel, subject=mark, body=mail)
        feed = ChannelFactory(kind="feed", owner=owner, secret=secrets.encrypt("secret"))
        return {
            "channel_id": channel.pk,
            "subscription_id": subscription.pk,
            "delivery": str(delivery.pk),
            "token": addresses.unsubscribe_link(channel).rpartition("/")[2],
            "feed": f"{feed.pk}.secret",
            "asking": addresses.confirmation_link(channel, now=self.now).rpartition("/")[2],
        }

    def cookie(self, name: str | None) -> dict[str, str]:
        """Return the header of a signed-in user, or none for a stranger."""
        if name is None:
            return {}
        if name not in self._sessions:
            client = Client()
            client.force_login(self.users[name])
            self._sessions[name] = f"sessionid={client.cookies['sessionid'].value}"
        return {"cookie": self._sessions[name]}

    def token(self, name: str, **terms: Any) -> str:
        """Return the header of a new token."""
        return f"Token {tokens.create(self.users[name], lifetime=timedelta(days=1), **terms)}"

    def rows(self, *, but: str | None) -> list[Any]:
        """Return the rows of objects with owners, except this user's, and the row of the target."""
        others = Q() if but is None else ~Q(owner=self.users[but]) | Q(owner=None)
        found = [list(kind.objects.filter(others).order_by("pk").values_list()) for kind in KINDS]
        target = Target.objects.filter(pk=self.target.pk)
        return [*found, list(target.values_list("paused", "state", "instructions"))]


def _user(name: str, role: Role | None) -> User:
    user = User.objects.create_user(name, f"{name}@example.org", "correct horse")
    assign(user, role)
    if role is None:  # as `manage.py create_token` creates them
        grant(user, read_only=False)
    return User.objects.get(pk=user.pk)
