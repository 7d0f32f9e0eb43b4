"""What a database of an earlier release contained and answered; later releases must match it.

`frozen/` has a folder for each release, made by `python -m tests.upgrades.freeze`.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from accounts.rights import our_apps
from analytics import counters
from foundation.valkey.clients import client
from targets.models import Target
from tests.acceptance.processes import ROOT, database_url

FOLDER = Path(__file__).parent / "frozen"


def numbers(release: str) -> tuple[int, ...]:
    """Return (0, 2, 0) for "0.2.0"."""
    return tuple(map(int, release.split(".")))


RELEASES = sorted((path.name for path in FOLDER.glob("*.*")), key=numbers)
_LISTS = (
    *("/v1/targets", "/v1/events", "/v1/urls", "/v1/snippets", "/v1/aliases"),
    *("/v1/hosts", "/v1/channels", "/v1/subscriptions", "/v1/lists", "/v1/teams", "/v1/outages"),
    *("/v1/shares", "/v1/batches", "/v1/repairs", "/v1/repairs/accepted", "/v1/repairs/references"),
)
_PAGES = (
    *("/", "/targets", "/hosts", "/trends", "/changes", "/repairs", "/outages", "/check-links"),
    *("/admin/", "/account", "/account/tokens", "/account/people", "/account/teams", "/lists"),
    *("/account/channels", "/links", "/snippets", "/shares"),
    *("/repairs/accepted", "/queue", "/about/privacy", "/about/verdicts", "/public/docs"),
)


def our_tables() -> list[str]:
    """Return the tables of this project's models."""
    ours = [model for app in our_apps() for model in app.get_models()]
    return sorted(model._meta.db_table for model in ours)


def counts(tables: list[str]) -> dict[str, int]:
    """Return the number of rows in each of these tables."""
    with connection.cursor() as cursor:
        found = {}
        for table in tables:
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")
            found[table] = cursor.fetchone()[0]
        return found


def questions() -> list[str]:
    """Return the addresses of all lists and pages, and of the items of some lists."""
    targets = [f"/v1/targets/{target.pk}" for target in Target.objects.order_by("pk")]
    below = [f"{path}/{part}" for path in targets for part in ("results", "transitions")]
    pages = [path.removeprefix("/v1") for path in targets]
    return [*_LISTS, *_PAGES, *targets, *below, *pages]


def answer_to(path: str, token: str) -> Any:
    """Return a program's response; for a page, only whether a person finds it."""
    client = Client(raise_request_exception=False)
    headers = {"authorization": f"Token {token}", "accept": "application/json"}
    if not path.startswith("/v1/"):
        client.force_login(User.objects.get(username="operator"))
        headers = {"accept": "text/html"}
    reply = client.get(path, headers=headers, follow=True)  # a page may have a new address
    is_json = reply.headers["Content-Type"] == "application/json"
    return {"status": reply.status_code, "body": reply.json() if is_json else None}


def client_of(release: str) -> APIClient:
    """Return a program that uses the token of that release's operator."""
    then = json.loads((FOLDER / release / f"{connection.vendor}.json").read_text())
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {then['token']}")
    return client


def differences(release: str) -> Iterator[str]:
    """Yield, after `load` and `migrate`, each difference from the data of that release."""
    then = json.loads((FOLDER / release / f"{connection.vendor}.json").read_text())
    now = counts(list(then["counts"]))
    yield from _differences("rows", then["counts"], now)
    for path, answer in then["answers"].items():
        yield from _differences(path, answer, answer_to(path, then["token"]))


def _differences(where: str, then: Any, now: Any) -> Iterator[str]:
    """Yield missing and changed values; new values are allowed."""
    if isinstance(then, dict) and isinstance(now, dict):
        for name in then:
            yield from _differences(f"{where} {name}", then[name], now.get(name, "missing"))
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for number, (old, new) in enumerate(zip(then, now, strict=True)):
            yield from _differences(f"{where} {number}", old, new)
    elif then != now:
        yield f"{where}: {then!r} is {now!r}"


def forget_views() -> None:
    """Empty Redis, and make it count from 0 instead of showing the totals of the database."""
    client().flushdb()
    client().set(counters.RESTORED, 1)


def load(release: str) -> None:
    """Load the dump into the empty database of the current connection.

    Empties Redis, which may have copies of another database's rows.
    """
    forget_views()
    dump = FOLDER / release / f"{connection.vendor}.gz"
    content = gzip.decompress(dump.read_bytes())
    if connection.vendor == "sqlite":
        Path(connection.settings_dict["NAME"]).write_bytes(content)
        return
    with psycopg.connect(database_url(), autocommit=True) as database:
        database.execute(content)


def digests() -> dict[str, str]:
    """Return a digest of each of this project's current migrations, by its path."""
    found = {}
    for app in apps.get_app_configs():
        if Path(app.path).parent == ROOT:
            for path in sorted(Path(app.path).glob("migrations/[0-9]*.py")):
                name = str(path.relative_to(ROOT))
                found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found
