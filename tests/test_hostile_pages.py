"""Hostile text in every column and every field, on every page that a walk finds.

A new page, a new column or a new form is tested without further work.
"""

from html.parser import HTMLParser

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import models, transaction
from django.test import Client
from django.urls import reverse

from accounts import audit_log
from accounts.actors import Actor
from status.asgi import PATHS as PROBES
from tests.cases import only_before_releases
from tests.console.test_admin import ROWS
from tests.rights.table import rows
from tests.rights.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SCRIPT = '"><script>hostile()</script><img src=x onerror=hostile()>'
LIVE = ("<script>hostile", "<img src=x")  # what a page would run
TEXTS = {
    "script": SCRIPT,
    "markup in a template": "{{ 7|add:7 }}{% now 'Y' %}",
    "right to left": "\u202egpj.exe\u2066 \u200f",
    "formula": '=HYPERLINK("http://evil.example","x")',
    "NUL": "a\0b",
    "long": "x" * 10_000,
}
# Columns whose texts come from our code, and never from a person or a server.
OURS = {
    *("auth.user.password", "auth.permission.name", "auth.permission.codename"),
    *("contenttypes.contenttype.app_label", "contenttypes.contenttype.model"),
    *("hosts.slot", "hosts.host.name", "targets.target.host", "shortener.shorturl.host"),
    *("targets.target.canonical_url", "shortener.shorturl.canonical_url"),
    *("targets.target.recent", "targets.target.condition"),
    *("checker.checkresult.reason", "targets.target.last_reason"),
    *("accounts.invitation.secret_hash", "knox.authtoken.digest", "knox.authtoken.token_key"),
    *(
        "lib.idempotencykey.body_hash",
        "snippets.snippet.language",
        "analytics.dailymetrics.subject",
    ),
    *("notify.channel.secret", "notify.channel.former_secret", "notify.subscription.time_zone"),
}
APPS = (
    *("accounts", "auth", "lib", "outbox", "targets", "checker", "hosts", "shortener", "snippets"),
    "notify",
)


def columns():
    """Yield each text column, with its model."""
    for model in apps.get_models():
        if model._meta.app_label in APPS and model._meta.managed and not model._meta.proxy:
            for field in model._meta.concrete_fields:
                is_text = isinstance(field, (models.CharField, models.TextField))
                if is_text and not (field.primary_key or field.choices):
                    yield model, field


def poison():
    """Write the script into every column that accepts any text."""
    for model, field in columns():
        if {model._meta.label_lower, f"{model._meta.label_lower}.{field.name}"} & OURS:
            continue
        for row in model._default_manager.all():
            own = f"{row.pk}{SCRIPT}" if field.unique else SCRIPT
            if "url" in field.name:
                own = f"http://a.example/{own}"
            longest = field.max_length or len(own)
            model._default_manager.filter(pk=row.pk).update(**{field.name: own[:longest]})


@pytest.fixture
def world():
    world = World()
    for number, make in enumerate(ROWS.values()):
        make(number)
    for kind in ("short link", "snippet", "target", "token"):
        by = Actor(world.users["ada"], SCRIPT[:100])
        audit_log.write(by, "change", kind, [world.of["ada"].mark], now=world.now, fields=[SCRIPT])
    audit_log.write(Actor(world.users["ada"]), "change", "target", [world.target.pk], now=world.now)
    return world


def page_of(answer):
    """Return the text of a page; fails if the page would run the script."""
    assert answer.status_code < 500, answer.request["PATH_INFO"]
    text = answer.getvalue().decode(errors="replace")
    if answer.headers.get("Content-Type", "").startswith("text/html"):
        for live in LIVE:
            assert live not in text, answer.request["PATH_INFO"]
    return text


def addresses(world, things):
    """Yield the address of each page that can be viewed."""
    for row in rows():
        if row.method == "GET" and row.operator == "ok" and row.path not in PROBES:
            yield things.fill(row.path, like=row.path)


@pytest.mark.slow
def test_every_page_shows_hostile_text_as_text(world):
    things = world.of["ada"]
    keys = {model: model._default_manager.order_by("-pk").first() for model in admin.site._registry}
    poison()
    shown = set()
    for who in ("ada", "olga"):
        browser = Client(headers={"accept": "text/html", **world.cookie(who)})
        for address in addresses(world, things):
            if "&lt;script&gt;hostile" in page_of(browser.get(address)):
                shown.add(address)
    for model, row in keys.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        for page, args in (("changelist", []), ("change", [row.pk]), ("delete", [row.pk])):
            address = reverse(f"{name}_{page}", args=args)
            if "&lt;script&gt;hostile" in page_of(browser.get(address)):
                shown.add(address)
    assert len(shown) > 30, shown
    assert {"/account", "/account/tokens", "/account/invitations"} <= shown


class Forms(HTMLParser):
    """The forms of a page: the address of each, and its fields with their values."""

    def __init__(self):
        super().__init__()
        self.found = []
        self._select = None

    def handle_starttag(self, tag, attrs):
        reported = dict(attrs)
        if tag == "form":
            self.found.append(
                (reported.get("method", "get"), reported.get("action") or "", {}, set())
            )
        if not self.found or (not reported.get("name") and tag != "option"):
            return
        _, _, fields, free = self.found[-1]
        if tag == "textarea" or (tag == "input" and reported.get("type", "text") not in FIXED):
            fields[reported["name"]] = reported.get("value") or ""
            free.add(reported["name"])
        elif tag == "input" and (
            reported.get("type") not in ("radio", "checkbox") or "checked" in reported
        ):
            fields[reported["name"]] = reported.get("value") or ""
        elif tag == "select":
            self._select = reported["name"]
            fields.setdefault(self._select, "")
        elif tag == "option" and self._select and not fields[self._select]:
            fields[self._select] = reported.get("value") or ""


FIXED = ("hidden", "radio", "checkbox", "submit", "button", "file", "date", "number")


def forms_of(text, at):
    parser = Forms()
    parser.feed(text)
    for method, action, fields, free in parser.found:
        if method.lower() == "post" and free:
            yield (action if action.startswith("/") else at), fields, free


@pytest.mark.slow
@pytest.mark.parametrize("name", only_before_releases(TEXTS, but=["script", "NUL"]))
def test_every_form_accepts_hostile_text_or_explains_the_refusal(world, name):
    text = TEXTS[name]
    things = world.of["ada"]
    browser = Client(headers={"accept": "text/html", **world.cookie("olga")})
    found = set()
    pages = [*addresses(world, things), *(add_pages(browser))]
    for address in pages:
        with transaction.atomic():
            page = browser.get(address)
            transaction.set_rollback(True)
        if not page.headers.get("Content-Type", "").startswith("text/html"):
            continue
        for action, fields, free in forms_of(page.getvalue().decode(), address):
            found |= {f"{action} {name}" for name in free}
            for chosen in [free, *({name} for name in free)]:  # all at once, then each alone
                with transaction.atomic():
                    data = fields | dict.fromkeys(chosen, text)
                    answer = browser.post(action, data, headers=world.cookie("olga"))
                    page_of(answer)
                    if answer.status_code == 302:
                        page_of(browser.get(answer.headers["Location"]))
                    transaction.set_rollback(True)
    assert len(found) > 15, found


def add_pages(browser):
    for model in admin.site._registry:
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_add")
        if browser.get(address).status_code == 200:
            yield address
