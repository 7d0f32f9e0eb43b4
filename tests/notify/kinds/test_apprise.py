"""Other services through apprise: a real endpoint on loopback, and no plugin that acts locally."""

import ast
import asyncio
import json
import re
from pathlib import Path

import pytest
from apprise import plugins
from apprise.manager_plugins import NotificationManager
from django.contrib.auth.models import User

from accounts import rights
from accounts.actors import DEPLOYMENT
from accounts.roles import Role
from foundation import kept_secrets as secrets
from foundation.http.errors import ApiError
from notify import message_texts
from notify.kinds import kind_of
from notify.kinds.apprise import apprise_kind
from notify.kinds.kind import SendOutcome
from notify.models import Channel, Delivery
from tests.conftest import NOW
from tests.notify.receivers import answer, receiver
from tests.ports import free_port

ROOT = Path(__file__).parents[3]
DIGEST = "0195500a-0000-7000-8000-000000000001"
WORKFLOW = f"workflow://127.0.0.1:9/{'a' * 64}/{'b' * 30}"
BLANKS = ("\t", "\x0b", "\xa0", "\u2003")
# Modules of apprise's plugins that open files, run programs or use this machine, and why each is
# safe here. Read a new module before you add it.
LOCAL = {
    "refused as a service": {
        *("blink1", "dbus", "glib", "gnome", "macosx", "syslog", "vapid", "windows"),
    },
    "refused when it has a file": {"discord", "fcm", "slack", "telegram", "workflows"},
    "opens attachments, which are never sent": {
        *("apprise_api", "base", "custom_form", "mailgun", "mastodon", "matrix", "pushbullet"),
        *("ses", "twitter"),
    },
    "looks for the system's certificates, or asks for random bytes or its process": {
        *("mqtt", "nostr", "rsyslog", "sogs"),
    },
}
_MODULES = {"ctypes", "dbus", "gi", "hid", "pty", "shutil", "socketserver", "subprocess", "syslog"}
_MODULES |= {"tempfile", "win32api", "win32con", "win32gui"}
_CALLS = {"AppriseAttachment", "compile", "eval", "exec", "isfile", "open"}
pytestmark = pytest.mark.any_database


def channel_to(url):
    made = Channel(kind="apprise", name="Room", created_at=NOW, position=0)
    made.settings = kind_of("apprise").clean({"url": url}, by=DEPLOYMENT)
    return made


def delivery_to(to):
    content = message_texts.test_content(to, message_id=DIGEST, now=NOW)
    body = kind_of("apprise").compose(to, content)
    return Delivery(channel=to, type=content.type, subject=content.subject, body=body)


def attempt_at(respond=None, *, times=1, owner=None):
    """Return the attempts at a JSON endpoint, and the requests that it received."""

    async def run():
        async with receiver(*filter(None, [respond])) as got:
            to = channel_to(f"json://name:secret@{got.url.removeprefix('http://')}")
            to.owner = owner
            delivery = delivery_to(to)
            return [await kind_of("apprise").send(to, delivery) for _ in range(times)], got

    return asyncio.run(run())


def test_a_service_gets_title_and_text():
    [attempt], got = attempt_at()

    said = json.loads(got.requests[0].body)
    assert attempt.outcome is SendOutcome.ACCEPTED
    assert said["title"] == "Linkwatch: test message for “Room”"
    assert said["message"].startswith("This is a test message.\n")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("role", "outcome"), [(Role.OPERATOR, SendOutcome.ACCEPTED), (Role.MEMBER, SendOutcome.GONE)]
)
def test_a_former_operator_cannot_bypass_the_guard(role, outcome):
    owner = User.objects.create_user("ada")
    rights.assign(owner, role)  # the role changes after the channel was made

    [attempt], got = attempt_at(owner=owner)

    assert attempt.outcome is outcome
    assert len(got.requests) == (outcome is SendOutcome.ACCEPTED)
    assert ("Only operators" in attempt.error) == (outcome is SendOutcome.GONE)


def test_a_service_that_refuses_pauses_the_channel():
    async def respond(write):
        await write(answer("500 Error"))

    [attempt], _ = attempt_at(respond)

    assert attempt.outcome is SendOutcome.HELD
    assert "did not accept the message" in attempt.error


def test_a_hanging_service_occupies_only_one_thread(monkeypatch):
    monkeypatch.setattr(apprise_kind, "TIMEOUT", 0.2)
    asked, released = asyncio.Event(), asyncio.Event()

    async def respond(write):
        asked.set()
        await released.wait()

    async def run():
        async with receiver(respond) as got:
            to = channel_to(f"json://{got.url.removeprefix('http://')}")
            first = await kind_of("apprise").send(to, delivery_to(to))
            await asked.wait()  # its thread may end after its timeout
            second = await kind_of("apprise").send(to, delivery_to(to))
            released.set()
            return (first, second), got.connections

    (first, second), connections = asyncio.run(run())

    assert "did not respond within" in first.error
    assert "has not yet responded" in second.error
    assert connections == 1


def test_its_url_is_kept_encrypted_and_never_shown():
    to = channel_to("json://name:secret@example.org/hidden")

    kept = json.dumps(to.settings)
    shown = kind_of("apprise").settings_to_show(to.settings)
    assert "secret" not in kept
    assert "hidden" not in kept
    assert secrets.decrypt(to.settings["url"]) == "json://name:secret@example.org/hidden"
    assert shown == {"service": "JSON", "url": "json://…"}


@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "nothing://example.org",
        "file:///etc/passwd",
        "exec://rm",
        "syslog://",
        "dbus://",
        "macosx://",
        "windows://",
        "gnome://",
        "vapid://me@example.org/?keyfile=/etc/passwd",
        "fcm://project@key/device/?keyfile=/etc/passwd",
        "slack://TokenA123/TokenB123/TokenCsecret/#a?template=/etc/passwd",
        "SLACK://TokenA123/TokenB123/TokenCsecret/#a?Template=http://169.254.169.254/",
        "slack://TokenA123/TokenB123/TokenCsecret/#a?a=b;%74emplate=/etc/passwd",
        "mailto://name:word@example.org?pgppub=/etc/passwd",
        "mailto://name:word@example.org?pgpprv=/etc/passwd",
        "discord://111111111111111111/" + "a" * 60 + "?template=/etc/passwd",
        "tgram://123456789:abcdefg_hijklmnop/12345/?template=/etc/passwd",
        f"{WORKFLOW}?template=/etc/passwd",
        f"{WORKFLOW}?x=y&%09template=/etc/passwd",
        f"{WORKFLOW}?x=y&%0b+template=/etc/passwd",
        f"{WORKFLOW}?x=y&%C2%A0template=/etc/passwd",
        *(f"{WORKFLOW}?x=y&{blank}template=/etc/passwd" for blank in BLANKS),
        *(f"json://example.org/{blank}" for blank in (*BLANKS, "\n", "\0", "\x7f", "é")),
        "http://[::1",
        "json://example.org/" + "x" * 5000,
    ],
)
def test_urls_that_read_files_or_use_this_machine_are_rejected(url):
    with pytest.raises(ApiError) as refused:
        kind_of("apprise").clean({"url": url}, by=DEPLOYMENT)
    assert list(refused.value.details) == ["url"]


@pytest.mark.slow
def test_each_plugin_that_touches_this_machine_is_known():
    root = Path(plugins.__file__).parent
    found = {
        path.relative_to(root).with_suffix("").parts[0]
        for path in root.rglob("*.py")
        if any(map(touches_this_machine, ast.walk(ast.parse(path.read_text()))))
    }

    assert found == set().union(*LOCAL.values())


def touches_this_machine(node):
    """Return whether a node of a program imports or calls code that uses files or programs."""
    if isinstance(node, ast.Import):
        return any(name.name.partition(".")[0] in _MODULES for name in node.names)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] in _MODULES
    called = getattr(node, "func", None)
    if isinstance(called, ast.Attribute):
        return isinstance(called.value, ast.Name) and called.value.id == "os"
    return isinstance(called, ast.Name) and called.id in _CALLS


def test_each_service_of_this_machine_is_refused():
    manager = NotificationManager()
    local = {
        schema
        for schema in manager.schemas()
        if manager[schema].__module__.split(".")[2] in LOCAL["refused as a service"]
    }

    assert {"syslog", "vapid", "dbus", "macosx"} <= local
    for schema in local:
        with pytest.raises(ApiError):
            kind_of("apprise").clean({"url": f"{schema}://me@example.org/"}, by=DEPLOYMENT)


def test_a_url_from_an_earlier_release_reads_no_file(tmp_path):
    hidden = tmp_path / "private.json"
    hidden.write_text('{"attachments": "LOCAL-FILE-SECRET-42"}')

    async def run():
        async with receiver() as got:
            at = WORKFLOW.replace("127.0.0.1:9", got.url.split("/")[2])
            to = channel_to("json://example.org")
            to.settings["url"] = secrets.encrypt(f"{at}?verify=no&\ttemplate={hidden}")
            return await kind_of("apprise").send(to, delivery_to(to)), got

    attempt, got = asyncio.run(run())

    assert attempt.outcome is SendOutcome.GONE
    assert "files or programs on this server" in attempt.error
    assert got.connections == 0


@pytest.mark.parametrize(
    "url",
    [
        "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/#a",
        "mailto://name:word@example.org",
        "ntfys://ntfy.sh/topic?title=caf%C3%A9",
        WORKFLOW,
    ],
)
def test_urls_that_send_to_other_machines_are_accepted(url):
    kept = kind_of("apprise").clean({"url": url}, by=DEPLOYMENT)
    assert secrets.decrypt(kept["url"]) == url


def test_without_a_listener_or_with_another_key_the_channel_waits(settings):
    to = channel_to(f"json://127.0.0.1:{free_port()}")
    delivery = delivery_to(to)
    assert asyncio.run(kind_of("apprise").send(to, delivery)).outcome is SendOutcome.HELD

    settings.SECRET_KEY = "another " + "x" * 50
    attempt = asyncio.run(kind_of("apprise").send(to, delivery))
    assert attempt.error == (
        "The URL of this channel was encrypted with another SECRET_KEY. Enter it again."
    )


def test_apprise_is_imported_only_when_a_channel_needs_it():
    """apprise costs 25 MB of memory, so none of our modules imports it at the top."""
    modules = [path for app in ("notify", "console") for path in (ROOT / app).rglob("*.py")]

    assert modules
    for path in modules:
        assert not re.search(r"^(import|from) apprise\b", path.read_text(), re.MULTILINE)
