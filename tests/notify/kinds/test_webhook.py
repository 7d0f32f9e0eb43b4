"""Webhooks: signed by the specification, judged by status, guarded, and limited in time."""

import asyncio
import json
import re
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from accounts.actors import DEPLOYMENT, Actor
from accounts.rights import assign
from accounts.roles import Role
from foundation import kept_secrets as secrets
from foundation.http.errors import ApiError
from foundation.net import resolver
from foundation.net.egress import network_guard
from notify import message_texts
from notify.kinds import kind_of
from notify.kinds.kind import SendOutcome
from notify.kinds.webhook import webhook_clients, webhook_kind
from notify.message_texts import event_content
from notify.models import Channel, Delivery
from outbox.event_kinds import TARGET_KINDS, EventKind
from outbox.models import Event
from tests.notify.receivers import answer, receiver
from tests.openapi import SCHEMA, invalid
from tests.zoo import certificates
from tests.zoo.names import ThreadsAsking, name_server

ID = "0195500a-0000-7000-8000-000000000001"
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
pytestmark = [pytest.mark.any_database, pytest.mark.usefixtures("loopback_allowed")]


def channel_to(url, *, secret=None, **fields):
    secret = secrets.encrypt(secret or secrets.new_webhook_secret())
    fixed = {"kind": "webhook", "name": "Hook", "created_at": NOW, "position": 0}
    return Channel(settings={"url": url}, secret=secret, **fixed, **fields)


def delivery_of(channel, body='{"id":"1"}'):
    return Delivery(channel=channel, type="linkwatch.test", subject="A test", body=body)


async def send(*channels):
    """Make one attempt for each channel, one after another."""
    try:
        return [await kind_of("webhook").send(one, delivery_of(one)) for one in channels]
    finally:
        await kind_of("webhook").close()


def attempt_at(respond, **fields):
    """Return the attempt at a receiver with this response, and the requests that it received."""

    async def run():
        async with receiver(respond) as got:
            [attempt] = await send(channel_to(got.url, **fields))
            return attempt, got

    return asyncio.run(run())


def answered(raw, **fields):
    async def respond(write):
        await write(raw)

    return attempt_at(respond, **fields)


def receiver_of_the_docs():
    text = (settings.BASE_DIR / "docs" / "api.md").read_text()
    [source] = re.findall(r"```python\n(.+?)```", text, re.DOTALL)
    names = {}
    exec(source, names)
    return names["is_of_linkwatch"]


def test_signatures_verify_with_the_specifications_package_and_the_docs_sample():
    secret = secrets.new_webhook_secret()

    async def run():
        async with receiver() as got:
            channel = channel_to(got.url, secret=secret)
            delivery = delivery_of(channel, '{"data":"é"}')
            attempt = await kind_of("webhook").send(channel, delivery)
            await kind_of("webhook").close()
            return attempt, delivery, got.requests

    attempt, delivery, [request] = asyncio.run(run())

    assert (attempt.outcome, attempt.status_code, attempt.error) == (SendOutcome.ACCEPTED, 204, "")
    assert Verifier(secret).verify(request.body, request.headers) == {"data": "é"}
    assert request.headers["webhook-id"] == str(delivery.message_id)
    assert request.headers["x-request-id"] == str(delivery.message_id)
    with pytest.raises(WebhookVerificationError):
        Verifier(secret).verify(request.body + b" ", request.headers)
    verifies = receiver_of_the_docs()
    assert verifies(request.headers, request.body, secret)
    assert not verifies(request.headers, request.body + b" ", secret)
    old = {**request.headers, "webhook-timestamp": "1700000000"}
    assert not verifies(old, request.body, secret)


@pytest.mark.parametrize(("ends", "is_valid"), [(timedelta(hours=1), True), (-timedelta(1), False)])
def test_while_a_secret_rotates_receivers_with_either_accept(ends, is_valid):
    new, former = secrets.new_webhook_secret(), secrets.new_webhook_secret()

    async def run():
        async with receiver() as got:
            rotating = {
                "former_secret": secrets.encrypt(former),
                "former_secret_until": datetime.now(UTC) + ends,
            }
            await send(channel_to(got.url, secret=new, **rotating))
            return got.requests[0]

    request = asyncio.run(run())

    assert len(request.headers["webhook-signature"].split(" ")) == 1 + is_valid
    Verifier(new).verify(request.body, request.headers)
    if is_valid:
        Verifier(former).verify(request.body, request.headers)


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("200 OK", SendOutcome.ACCEPTED),
        ("299 Fine", SendOutcome.ACCEPTED),
        ("304 Not Modified", SendOutcome.HELD),
        ("400 Bad Request", SendOutcome.REFUSED),
        ("404 Not Found", SendOutcome.REFUSED),
        ("408 Request Timeout", SendOutcome.HELD),
        ("410 Gone", SendOutcome.GONE),
        ("429 Too Many Requests", SendOutcome.HELD),
        ("500 Internal Server Error", SendOutcome.HELD),
        ("599 Odd", SendOutcome.HELD),
    ],
)
def test_the_status_decides(status, outcome):
    attempt, _ = answered(answer(status, body=b"" if "304" in status else b"because\0"))

    assert (attempt.outcome, attempt.status_code) == (outcome, int(status[:3]))
    assert (outcome is SendOutcome.ACCEPTED) == (attempt.error == "")
    assert "because" not in attempt.error  # only operators see a response
    assert "\0" not in attempt.answer  # no database stores NUL


def test_a_redirect_is_not_followed_even_to_an_allowed_address():
    location = "Location: http://169.254.169.254/latest/meta-data/\r\n"
    attempt, got = answered(answer("302 Found", headers=location))

    assert (attempt.outcome, len(got.requests)) == (SendOutcome.HELD, 1)
    assert attempt.error.endswith("Use the address that it redirects to.")


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("120", 120), ("99999999999", 86_400), ("soon", None), ("-5", 1)],
)
def test_retry_after_is_respected_up_to_a_day(said, seconds):
    attempt, _ = answered(answer("503 Service Unavailable", headers=f"Retry-After: {said}\r\n"))

    assert attempt.retry_after == (seconds and timedelta(seconds=seconds))


def test_retry_after_may_be_a_date():
    date = format_datetime(datetime.now(UTC) + timedelta(minutes=30), usegmt=True)
    attempt, _ = answered(answer("429 Too Many Requests", headers=f"Retry-After: {date}\r\n"))

    assert timedelta(minutes=28) < attempt.retry_after <= timedelta(minutes=30)


def test_only_the_beginning_of_an_endless_response_is_read():
    async def respond(write):
        await write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
        for _ in range(1000):
            await write(b"x" * 1_000_000)

    attempt, _ = attempt_at(respond)

    assert attempt.outcome is SendOutcome.ACCEPTED
    assert attempt.answer == "x" * webhook_clients.MAX_RESPONSE_BYTES


def test_a_slow_response_body_delays_nothing(monkeypatch):
    monkeypatch.setattr(webhook_clients, "_BODY_TIMEOUT", 0.2)

    async def respond(write):
        await write(b"HTTP/1.1 500 Error\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(1000):
            await write(b"x")
            await asyncio.sleep(0.05)

    began = time.monotonic()
    attempt, _ = attempt_at(respond)

    assert (attempt.outcome, attempt.status_code) == (SendOutcome.HELD, 500)
    assert time.monotonic() - began < 10  # of the 50 that the server would send slowly


def test_a_slow_response_head_times_out(monkeypatch):
    monkeypatch.setattr(webhook_kind, "TIMEOUT", 0.3)

    async def respond(write):
        await write(b"HTTP/1.1 200 OK\r\n")
        for _ in range(1000):
            await write(b"X-Drip: 1\r\n")
            await asyncio.sleep(0.05)

    attempt, _ = attempt_at(respond)

    assert (attempt.outcome, attempt.status_code) == (SendOutcome.HELD, None)
    assert "did not respond within" in attempt.error


@pytest.mark.parametrize(
    "raw", [b"SSH-2.0-OpenSSH_9\r\n", b"HTTP/1.1 200 OK\r\nX: " + b"x" * 300_000]
)
def test_a_response_that_is_not_http_pauses_the_channel(raw):
    attempt, _ = answered(raw + b"\r\n\r\n")

    assert (attempt.outcome, attempt.error) == (
        SendOutcome.HELD,
        "The receiver's response is not HTTP.",
    )


def test_a_channel_waits_while_the_connection_is_refused():
    async def run():
        async with receiver() as got:
            url = got.url
        return await send(channel_to(url))

    [attempt] = asyncio.run(run())

    assert (attempt.outcome, attempt.error) == (
        SendOutcome.HELD,
        "The receiver could not be reached.",
    )


def test_a_connection_is_used_again():
    async def run():
        async with receiver() as got:
            channel = channel_to(got.url)
            attempts = await send(channel, channel, channel)
            return [one.outcome for one in attempts], got.connections

    assert asyncio.run(run()) == ([SendOutcome.ACCEPTED] * 3, 1)


def test_a_certificate_is_verified(tmp_path):
    context = certificates.server_context(certificates.self_signed(tmp_path))

    async def run():
        async with receiver(ssl=context) as got:
            return await send(channel_to(got.url)), got.requests

    [attempt], requests = asyncio.run(run())

    assert (attempt.outcome, requests) == (SendOutcome.HELD, [])
    assert attempt.error == "The receiver's certificate is not valid."


def test_a_receiver_without_tls_is_not_blamed_for_its_certificate():
    async def refuse(reader, writer):
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async def run():
        async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            return await send(channel_to(f"https://127.0.0.1:{port}/hook"))

    [attempt] = asyncio.run(run())

    assert (attempt.outcome, attempt.error) == (
        SendOutcome.HELD,
        "The TLS connection to the receiver failed.",
    )


def test_a_secret_under_another_key_pauses_the_channel(settings):
    channel = channel_to("https://example.org/hook")
    settings.SECRET_KEY = "another " + "x" * 50

    [attempt] = asyncio.run(send(channel))

    assert attempt.outcome is SendOutcome.HELD
    assert "another SECRET_KEY" in attempt.error
    settings.SECRET_KEY_FALLBACKS = ["only-for-tests-" + "x" * 40]
    assert secrets.decrypt(channel.secret).startswith("whsec_")


# The guard


@pytest.fixture
def people(transactional_db):
    """A member and an operator."""
    found = {}
    for name, role in (("member", Role.MEMBER), ("operator", Role.OPERATOR)):
        found[name] = User.objects.create_user(name)
        assign(found[name], role)
    return found


def test_allow_networks_is_open_to_operators_channels_only_on_their_own_connections(people):
    async def run():
        async with receiver() as got:
            owners = (None, people["operator"], people["member"])
            attempts = await send(*(channel_to(got.url, owner=owner) for owner in owners))
            return attempts, len(got.requests)

    (of_nobody, of_operator, of_member), requests = asyncio.run(run())

    assert [of_nobody.outcome, of_operator.outcome] == [SendOutcome.ACCEPTED] * 2
    assert (of_member.outcome, requests) == (SendOutcome.HELD, 2)
    assert "Linkwatch is not allowed to connect to" in of_member.error


@contextmanager
def asking(names):
    """Make the system's resolver use a name server with these names."""
    with (
        name_server(names) as server,
        ThreadsAsking(server) as threads,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(resolver, "_threads", threads)
        yield


def test_a_name_is_resolved_and_guarded_on_each_attempt():
    """The name first leads to an allowed address.

    After that connection ends, the name leads to the cloud's metadata.
    """

    async def respond(write):
        await write(answer(headers="Connection: close\r\n"))

    async def run():
        async with receiver(respond) as got:
            channel = channel_to(got.url.replace("127.0.0.1", "hook.test"))
            return await send(channel, channel), got.requests

    names = {"hook.test": [["127.0.0.1"], ["169.254.169.254"]]}
    with asking(names):
        (first, second), requests = asyncio.run(run())

    assert (first.outcome, second.outcome, len(requests)) == (
        SendOutcome.ACCEPTED,
        SendOutcome.HELD,
        1,
    )
    assert requests[0].headers["host"].startswith("hook.test:")
    assert "Linkwatch is not allowed to connect to" in second.error


def test_the_allowed_addresses_of_a_name_are_tried_in_turn():
    """The addresses: the cloud's metadata, one where nobody listens, and the receiver."""

    async def run():
        async with receiver() as got:
            return await send(channel_to(got.url.replace("127.0.0.1", "hook.test")))

    with asking({"hook.test": ("169.254.169.254", "127.0.0.2", "127.0.0.1")}):
        [attempt] = asyncio.run(run())

    assert attempt.outcome is SendOutcome.ACCEPTED


def test_a_name_that_does_not_exist_pauses_the_channel():
    with asking({}):
        [attempt] = asyncio.run(send(channel_to("http://nowhere.test/")))

    assert (attempt.outcome, attempt.error) == (
        SendOutcome.HELD,
        "The receiver could not be reached.",
    )


def test_the_egress_proxy_is_used_and_literals_are_still_judged(settings):
    answers = iter([answer(), answer("502 Bad Gateway")])

    async def respond(write):
        await write(next(answers))

    async def run():
        async with receiver(respond) as proxy:
            settings.EGRESS_PROXY = proxy.url.removesuffix("/hook")
            urls = ("http://hook.example/a?b=c", "http://169.254.169.254/", "https://127.0.0.1/")
            attempts = await send(*map(channel_to, urls))
            return attempts, [request.head.split("\r\n")[0] for request in proxy.requests]

    (through, metadata, refused), lines = asyncio.run(run())

    assert (through.outcome, metadata.outcome) == (SendOutcome.ACCEPTED, SendOutcome.HELD)
    assert lines == ["POST http://hook.example/a?b=c HTTP/1.1", "CONNECT 127.0.0.1:443 HTTP/1.1"]
    assert "Linkwatch is not allowed to connect to" in metadata.error
    assert refused.error == "The proxy of this deployment refused the request."


@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "ftp://example.org/",
        "https://user:password@example.org/",
        "https://example.org:22/",
        "http://169.254.169.254/latest",
        "http://[::ffff:a9fe:a9fe]/",
        "http://0x7f.1/",
        "https://example.org/\r\nX-Injected: 1",
        "https://example.org/" + "x" * 3000,
    ],
)
def test_a_url_that_can_never_be_posted_to_is_refused_at_once(url, settings):
    settings.ALLOW_NETWORKS, settings.ALLOW_PORTS = [], (range(443, 444), range(80, 81))
    network_guard.cache_clear()

    with pytest.raises(ApiError) as refused:
        kind_of("webhook").clean({"url": url}, by=DEPLOYMENT)
    assert (refused.value.code, list(refused.value.details)) == ("invalid", ["url"])


def test_the_request_target_of_a_url_is_not_changed(people):
    cleaned = kind_of("webhook").clean({"url": "https://EXÄMPLE.org/a b#c"}, by=DEPLOYMENT)
    assert cleaned == {"url": "https://xn--exmple-cua.org/a%20b"}
    inside = {"url": "http://127.0.0.1:8000/"}
    assert kind_of("webhook").clean(inside, by=Actor(user=people["operator"])) == inside
    with pytest.raises(ApiError):
        kind_of("webhook").clean(inside, by=Actor(user=people["member"]))


# Requests


def death(**data):
    payload = {"target_id": "t_1", "url": "https://example.org/", "reference_ids": [], **data}
    return Event(from_state="potentially_dead", to_state="dead", at=NOW, payload=payload)


def body_of(transition):
    content = event_content(transition, DEPLOYMENT)
    return kind_of("webhook").compose(channel_to("https://example.org/"), content)


def test_an_event_is_posted_as_the_feed_has_it():
    transition = death(reference_ids=["a", "b"])

    event = json.loads(body_of(transition))

    assert (event["id"], event["type"]) == (str(transition.id), "linkwatch.target.dead")
    assert event["data"] == transition.payload


@pytest.mark.parametrize(
    "data",
    [
        {"reference_ids": [f"reference-{number}" for number in range(100_000)]},
        {"reference_ids": ["é" * 255] * 1000},
        {"error": {"message": "é" * 15_000, "of": ["the builder"] * 5000}, "url": "é" * 2000},
    ],
)
def test_a_large_event_is_posted_with_a_link_to_the_rest(data):
    body = body_of(death(**data))

    event = json.loads(body)
    assert len(body.encode()) <= webhook_kind.MAX_BYTES
    assert (event["data"]["truncated"], event["data"]["target_id"]) == (True, "t_1")
    assert event["data"]["link"].endswith("/targets/t_1")
    if "error" not in data:
        assert event["data"]["reference_ids_count"] == len(data["reference_ids"])


@pytest.mark.parametrize("kind", EventKind)
def test_webhook_bodies_match_the_api_description(kind):
    about = "target" if kind in TARGET_KINDS else "deployment"
    payload = {"since": "2026-03-01T12:00:00Z", "until": None, "reason": "dns", "set_aside": 0}
    if kind in TARGET_KINDS:
        payload = death(reference_ids=["a"], flag="parked").payload
    elif kind is EventKind.LINK_ENDING:
        payload = {"key": "a", "destination": "b", "ends_at": "2026-03-01T12:00:00Z", "owner": 1}
    elif not kind.startswith("network"):
        payload = {"name": "kafka", "detail": "It is late."}
    states = {"from_state": "alive", "to_state": "dead"} if kind is EventKind.STATE else {}
    row = Event(kind=kind, at=NOW, payload=payload, **states)

    assert faults(about, body_of(row)) == []
    assert faults(about, body_of(row).replace("linkwatch.", "other.")) != []


def test_digests_and_messages_about_the_channel_match_the_description():
    rows = [death(reference_ids=["a"] * 100) for _ in range(1000)]
    whole = message_texts.digest_content(rows[:2], digest_id=ID, by=DEPLOYMENT, began_at=NOW)
    cut = message_texts.digest_content(rows, digest_id=ID, by=DEPLOYMENT, began_at=NOW, skipped=3)
    channel = channel_to("https://example.org/")
    own = (
        message_texts.test_content(channel, message_id=ID, now=NOW),
        message_texts.disabled_content(channel, message_id=ID, now=NOW),
        message_texts.skipped_content(channel, 3, message_id=ID, now=NOW),
    )

    for content in (whole, cut):
        assert faults("digest", webhook_kind.as_body(content)) == []
    assert json.loads(webhook_kind.as_body(cut))["data"]["event_ids_count"] == 1000
    for content in own:
        assert faults("deployment", webhook_kind.as_body(content)) == []


def faults(name, body):
    """Return the differences between a body and this webhook's schema in the API's description."""
    content = SCHEMA["webhooks"][name]["post"]["requestBody"]["content"]
    return invalid(json.loads(body), content["application/cloudevents+json"]["schema"])
