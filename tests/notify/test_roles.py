"""Roles count at delivery: after any change of role, owners get only messages that their role may
see.

Each sequence of roles has its own owner with a channel of each kind, and real receivers.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from random import Random
from threading import Thread

import pytest
from aiosmtpd.controller import Controller
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from accounts.actors import DEPLOYMENT, Actor
from accounts.rights import assign
from accounts.roles import Role
from foundation import kept_secrets as secrets
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.net.egress import network_guard
from linkwatch.environment import mail_settings
from notify import fanout, redelivery, sending
from notify.kinds import kind_of
from notify.kinds.webhook import webhook_clients
from notify.models import Channel, Gathering, When
from outbox.models import Cursor, Event
from targets.state import State
from tests.accounts.conftest import provider  # noqa: F401 (a fixture)
from tests.accounts.provider import sign_in
from tests.notify.conftest import channel, death, subscription
from tests.ports import free_port

pytestmark = pytest.mark.django_db(transaction=True)

INACTIVE = "inactive"
STATES = (Role.MEMBER, Role.VIEWER, Role.OPERATOR, None, INACTIVE)
KINDS = ("webhook", "mail", "apprise", "feed")
HIDDEN = "reference-of-somebody-else"
SECRET = "s" * 43
_HOST = re.compile(r"\b(?:own|else)-(?:now|later)-\d\b")


class _Inbox:
    """Received messages by the number of their channel, over HTTP and SMTP."""

    def __init__(self):
        self.texts = defaultdict(list)
        self.web = ""  # host and port

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        number = int(envelope.rcpt_tos[0].partition("@")[0])
        self.texts[number].append(envelope.original_content.decode())
        return "250 OK"

    def taken(self, number):
        """Return the texts that a channel received since the last call."""
        return self.texts.pop(number, [])


class _Receiver(ThreadingHTTPServer):
    request_queue_size = 512  # all channels connect at once; a full queue resets connections


@pytest.fixture
def inbox(settings, monkeypatch):
    """Run receivers of webhooks, of apprise and of mail."""
    inbox = _Inbox()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            inbox.texts[int(self.path.strip("/"))].append(body)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args):
            pass

    web = _Receiver(("127.0.0.1", 0), Handler)
    thread = Thread(target=web.serve_forever)
    thread.start()
    mail = Controller(inbox, hostname="127.0.0.1", port=free_port())
    mail.start()
    inbox.web = f"127.0.0.1:{web.server_port}"
    for name, value in mail_settings(f"smtp://127.0.0.1:{mail.port}").items():
        setattr(settings, name, value)
    settings.EMAIL_URL = "smtp://…"
    settings.RATE_LIMIT = (100_000, timedelta(minutes=1))
    # Receivers listen on loopback, which members may reach here, too.
    monkeypatch.setattr(webhook_clients, "guard_of", lambda *, is_open: network_guard())
    yield inbox
    web.shutdown()
    thread.join()
    web.server_close()
    mail.stop()


@dataclass
class Case:
    """A sequence of roles, its owner's channel of one kind, and the messages expected so far."""

    kind: str
    path: tuple[object, ...]
    number: int
    owner: User
    channel: Channel
    gathered: dict[str, bool] = field(default_factory=dict)  # by host: whether for all
    waiting: dict[str, bool] = field(default_factory=dict)
    shown: dict[str, bool] = field(default_factory=dict)  # of a feed
    pending: set[int] = field(default_factory=set)  # stages not yet read for this channel
    disabled: bool = False

    def read_outbox(self, view, stage):
        """Read the outbox for the channel: the owner's role at this time decides which messages it
        gets."""
        self.pending.add(stage)
        if view == "nothing" or self.disabled:
            return
        for one in sorted(self.pending):
            for owner in ("own", "else") if view == "all" else ("own",):
                self.waiting[f"{owner}-now-{one}"] = view == "all"
                self.gathered[f"{owner}-later-{one}"] = view == "all"
        self.pending.clear()

    def deliver(self, view, role):
        """Return the hosts whose messages arrive now."""
        if view == "nothing" or self.disabled:
            return set()
        wide = view == "all"
        due = {host for host in self.gathered if wide or host.startswith("own")}
        self.waiting |= dict.fromkeys(due, wide)
        self.gathered.clear()
        arrives = {host for host, for_all in self.waiting.items() if wide or not for_all}
        if self.kind == "apprise" and role is not Role.OPERATOR:
            self.disabled = bool(arrives)
            return set()
        self.shown |= self.waiting
        self.waiting.clear()
        return arrives

    def shows(self, view):
        """Return the hosts that a feed shows now."""
        return {host for host, for_all in self.shown.items() if view == "all" or not for_all}


def view_of(state):
    if state in (None, INACTIVE):
        return "nothing"
    return "own" if state is Role.MEMBER else "all"


def become(owner, state):
    owner = User.objects.get(pk=owner.pk)
    owner.is_active = state != INACTIVE
    owner.save()
    if state != INACTIVE:  # a closed account keeps its role
        assign(owner, state)


def paths():
    """Return all changes of roles and back, and some longer sequences."""
    there_and_back = [(one, other, one) for one, other in product(STATES, STATES)]
    longer = Random(24).sample(list(product(STATES, repeat=4)), 10)
    return there_and_back + longer


def make_case(kind, path, number, inbox, *, owner=None):
    owner = owner or User.objects.create_user(f"user{number}")
    settings = {
        "webhook": {"url": f"http://{inbox.web}/{number}"},
        "mail": {"address": f"{number}@example.org"},
        "feed": {},
    }
    if kind == "apprise":
        url = f"json://{inbox.web}/{number}"
        settings[kind] = kind_of(kind).clean({"url": url}, by=DEPLOYMENT)
    secret = SECRET if kind == "feed" else secrets.new_webhook_secret()
    made = channel(kind=kind, owner=owner, settings=settings[kind], secret=secrets.encrypt(secret))
    subscription(made, "dead")
    subscription(made, "alive", when=When.HOURLY)
    return Case(kind, path, number, owner, made)


def happen(stage, owners):
    """Write four events: for each subscription, one with references of the owners, one without."""
    now = database_now()
    own = {"references": [HIDDEN, *(f"ref-{pk}." for pk in owners)], "owners": [None, *owners]}
    later = {"from_state": State.DEAD, "to_state": State.ALIVE}
    death(f"own-now-{stage}", at=now, **own)
    death(f"else-now-{stage}", at=now, references=[HIDDEN], owners=[None])
    death(f"own-later-{stage}", at=now, **own, **later)
    death(f"else-later-{stage}", at=now, references=[HIDDEN], owners=[None], **later)


def fan_out():
    """Pass all events to all channels, two hours ago, so that an hourly digest is due."""
    newest, now = Event.objects.newest_position(), database_now()
    Cursor.objects.update_or_create(pk="notify", defaults={"position": newest})
    while fanout.catch_up(until=newest, now=now - timedelta(hours=2)):
        pass


def hosts_in(texts):
    return {host for text in texts for host in _HOST.findall(text)}


def feed_of(case, secret=SECRET):
    answer = APIClient().get(f"/feeds/{case.channel.pk}.{secret}.json")
    return answer.status_code, answer.content.decode(), answer.headers


def check_feed(case, view):
    status, text, headers = feed_of(case)
    if view == "nothing":
        assert (status, text, headers) == feed_of(case, "t" * 43), "it differs from an unknown one"
        assert status == 404
        return
    assert status == 200
    assert hosts_in([text]) == case.shows(view), (case.path, view)
    check_text(case, view, text)


def check_text(case, view, text):
    assert view != "nothing"
    if view == "own":
        assert HIDDEN not in text
        assert set(re.findall(r"\bref-\d+\.", text)) <= {f"ref-{case.owner.pk}."}


def test_after_each_change_of_role_each_kind_delivers_only_visible_events(inbox, loopback_allowed):
    cases = [
        make_case(kind, path, number, inbox)
        for number, (kind, path) in enumerate(product(KINDS, paths()), start=1)
    ]
    owners = [case.owner.pk for case in cases]
    for stage in range(4):
        under_way = [case for case in cases if stage < len(case.path)]
        for case in under_way:
            become(case.owner, case.path[stage])
        happen(stage, owners)
        fan_out()
        for case in under_way:
            case.read_outbox(view_of(case.path[stage]), stage)
        if stage == 0:
            continue  # events for the first role wait while the role changes
        list(sending.drain())
        for case in under_way:
            role = case.path[stage]
            view = view_of(role)
            expected = case.deliver(view, role)
            if case.kind == "feed":
                check_feed(case, view)
                continue
            texts = inbox.taken(case.number)
            assert hosts_in(texts) == expected, (case.kind, case.path, stage)
            for text in texts:
                check_text(case, view, text)


def test_a_channel_of_the_deployment_continues_despite_changes_of_roles(inbox, loopback_allowed):
    url, secret = f"http://{inbox.web}/1", secrets.encrypt(secrets.new_webhook_secret())
    made = channel(settings={"url": url}, secret=secret)
    subscription(made, "dead")
    User.objects.create_user("robot")  # a program has no role
    happen(0, [])
    fan_out()
    list(sending.drain())
    assert hosts_in(inbox.taken(1)) == {"own-now-0", "else-now-0"}


def test_an_owner_without_a_provider_group_gets_nothing_until_it_returns(
    provider,  # noqa: F811
    inbox,
    loopback_allowed,
    settings,
):
    settings.SIGN_IN_LIMIT = (1000, timedelta(minutes=1))
    provider.claims["groups"] = ["b"]
    sign_in()
    owner = User.objects.get()
    case = make_case("feed", (), 1, inbox, owner=owner)
    hook = make_case("webhook", (), 2, inbox, owner=owner)
    happen(0, [owner.pk])
    fan_out()

    provider.claims["groups"] = []
    assert sign_in().status_code == 403
    happen(1, [owner.pk])
    fan_out()
    list(sending.drain())
    assert inbox.taken(2) == []
    assert feed_of(case)[:2] == feed_of(case, "t" * 43)[:2]
    assert Gathering.objects.exists()

    provider.claims["groups"] = ["b"]
    assert sign_in().status_code == 302
    fan_out()
    list(sending.drain())
    reported = {"own-now-0", "own-now-1", "own-later-0", "own-later-1"}
    assert hosts_in(inbox.taken(2)) == reported
    assert hosts_in([feed_of(case)[1]]) == reported
    assert hook.channel.deliveries.waiting().count() == 0


def test_a_demoted_operator_cannot_see_or_resend_old_messages(inbox, loopback_allowed):
    owner = User.objects.create_user("ada")
    become(owner, Role.OPERATOR)
    hook = make_case("webhook", (), 1, inbox, owner=owner).channel
    happen(0, [owner.pk])
    fan_out()
    list(sending.drain())
    assert hosts_in(inbox.taken(1)) == {
        *("own-now-0", "else-now-0", "own-later-0", "else-later-0"),
    }
    number = hook.deliveries.earliest("number").number

    become(owner, Role.MEMBER)
    owner = User.objects.get()
    client = APIClient()
    client.force_authenticate(owner)
    listed = client.get(f"/v1/channels/{hook.pk}/deliveries").json()
    assert listed["items"] == []
    assert client.get(f"/v1/channels/{hook.pk}/deliveries/{number}").status_code == 404
    client.force_login(owner)
    for page in ("", "/deliveries"):
        text = client.get(f"/account/channels/{hook.pk}{page}", headers={"accept": "text/html"})
        assert hosts_in([text.content.decode()]) == set()
    since = Event.objects.earliest("at").at - timedelta(days=1)
    for by in (Actor(owner), DEPLOYMENT):
        again = redelivery.redeliver_since(hook.pk, since, now=database_now(), by=by)
        assert again == 0
    with pytest.raises(ApiError, match="is no longer allowed to see"):
        redelivery.redeliver(hook.pk, number, now=database_now())
    list(sending.drain())
    assert inbox.taken(1) == []

    become(owner, Role.VIEWER)
    assert redelivery.redeliver_since(hook.pk, since, now=database_now()) == 3
    list(sending.drain())
    assert len(inbox.taken(1)) == 3


def test_no_test_is_sent_for_users_who_may_get_no_messages(inbox):
    owner = User.objects.create_user("ada")
    hook = make_case("webhook", (), 1, inbox, owner=owner).channel

    with pytest.raises(ApiError, match="its owner has no role"):
        redelivery.send_test(hook.pk, now=database_now())
    assert not hook.deliveries.exists()


def test_events_older_than_three_days_are_counted_when_the_role_returns(inbox, loopback_allowed):
    owner = User.objects.create_user("ada")
    become(owner, Role.MEMBER)
    make_case("webhook", (), 1, inbox, owner=owner)
    happen(0, [owner.pk])
    fan_out()
    Event.objects.update(at=database_now() - timedelta(days=4))
    become(owner, None)
    list(sending.drain())
    assert inbox.taken(1) == []

    become(owner, Role.MEMBER)
    list(sending.drain())
    now, digest = inbox.taken(1)
    assert hosts_in([now]) == {"own-now-0"}
    assert (hosts_in([digest]), "1 event was skipped" in digest) == (set(), True)
