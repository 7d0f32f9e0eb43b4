"""One web process under attack: `/livez` is answered in time, regardless of what clients send."""

import asyncio
import contextlib
import json
import statistics
import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from knox.models import AuthToken

from accounts.rights import assign
from accounts.roles import Role
from tests.snippets.servers import web

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.any_database,
    pytest.mark.django_db(transaction=True),
]
SECONDS = 4.0  # of each attack
ATTACKERS = 12  # connections
SOON = 0.5  # seconds, for the second slowest of a hundred; more if the machine is as busy
TIMES = 8  # the limit relative to the times of a process without attack
CALM = "nothing"
UPLOAD = 1_900_000


def get(path, *headers):
    lines = b"".join(b"%b: %b\r\n" % header for header in headers)
    return b"GET %b HTTP/1.1\r\nHost: localhost\r\n%b\r\n" % (path, lines)


def form(who, path, text, **more):
    """Return a POST of a file in the format of a browser."""
    fields = {"text": text, **more}
    parts = [
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    body = "".join([*parts, "--b--\r\n"]).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {who}; csrftoken={'a' * 32}\r\n"
        f"X-CSRFToken: {'a' * 32}\r\nContent-Type: multipart/form-data; boundary=b\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def attacks(who, token):
    """Return the request that each attacker repeats: those of the audit, then our own."""
    base = "<base href='http://x/" + "a/" * 500_000 + "'>"
    page = base + '<a href="../b">' * ((UPLOAD - len(base)) // 15)
    brackets = ("http://a" + ")" * 2080 + " ") * (UPLOAD // 2089)
    values = b"[" + b"[]," * 2_000_000 + b"[]]"
    head = b"POST /v1/targets/bulk HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token %b\r\n"
    head = head % token.encode() + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    hops = b",".join([b"::1"] * 4000)
    handshake = (
        (b"Upgrade", b"websocket"),
        (b"Connection", b"Upgrade," + b"a," * 4000),
        (b"Sec-WebSocket-Version", b"13"),
        (b"Sec-WebSocket-Key", b"dGhlIHNhbXBsZSBub25jZQ=="),
    )
    return {
        "commas in Accept": get(b"/s/nokey99", (b"Accept", b"," * 60_000)),
        "fewer commas in Accept": get(b"/s/nokey99", (b"Accept", b"," * 15_000)),
        "a long base": form(who, "/targets/import", page, kind="html"),
        "brackets behind addresses": form(who, "/targets/import", brackets, kind="text"),
        "blank lines": form(who, "/links/import", "\n" * UPLOAD + "x"),
        "millions of JSON values": head % len(values) + values,
        "hops of a trusted proxy": get(b"/s/nokey99+", (b"X-Forwarded-For", hops)),
        "lists in a handshake": get(b"/ws/live/", *handshake),
        CALM: b"",
    }


async def attack(port, sent, until):
    """Send this request repeatedly, and wait for each answer."""
    loop = asyncio.get_running_loop()
    while loop.time() < until:
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout_at(until):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                try:
                    writer.write(sent)
                    await reader.read(1024)
                finally:
                    writer.transport.abort()


async def alive(port):
    """Return the seconds until `/livez` answers."""
    began = time.perf_counter()
    async with asyncio.timeout(30):
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, local_addr=("127.0.0.9", 0)
        )
        writer.write(get(b"/livez", (b"Connection", b"close")))
        assert (await reader.read()).startswith(b"HTTP/1.1 200")
        writer.close()
        await writer.wait_closed()
    return time.perf_counter() - began


async def times_under(port, sent):
    """Return the seconds of each request for `/livez` while ATTACKERS send this at once."""
    until = asyncio.get_running_loop().time() + SECONDS
    busy = [asyncio.create_task(attack(port, sent, until)) for _ in range(ATTACKERS if sent else 0)]
    found = []
    while asyncio.get_running_loop().time() < until:
        found.append(await alive(port))
        await asyncio.sleep(0.02)
    await asyncio.gather(*busy)
    return found


@pytest.fixture
def member():
    """Return the session and a token of a member."""
    user = User.objects.create_user("mallory")
    assign(user, Role.MEMBER)
    client = Client()
    client.force_login(user)
    token = AuthToken.objects.create(user, expiry=timedelta(days=1))[1]
    return f"sessionid={client.cookies['sessionid'].value}", token


def test_the_process_responds_under_each_attack(tmp_path, member, capsys):
    changes = {"RATE_LIMIT": "600/1m", "TRUSTED_PROXIES": "127.0.0.0/8,::1/128"}
    found = {}
    with web(tmp_path, CLIENT_CONNECTIONS="1000", **changes) as port:
        for name, sent in attacks(*member).items():
            seconds = sorted(asyncio.run(times_under(port, sent)))
            p50, p99 = statistics.median(seconds), seconds[int(len(seconds) * 0.99) - 1]
            found[name] = {"looks": len(seconds), "p50": p50, "p99": p99, "max": seconds[-1]}
    with capsys.disabled():
        for name, one in found.items():
            reported = ", ".join(f"{key} {1000 * one[key]:.0f} ms" for key in ("p50", "p99", "max"))
            print(f"\n/livez under {name}: {reported} ({one['looks']} looks)", end="")
    late = max(SOON, TIMES * found[CALM]["p99"])
    assert [name for name, one in found.items() if one["p99"] > late] == [], json.dumps(found)
