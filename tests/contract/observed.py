"""Interfaces that the running code shows: events, health, metrics, Redis keys, CSV columns."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.test import Client
from django_q.models import Schedule
from prometheus_client.parser import text_string_to_metric_families
from rest_framework.test import APIClient

from analytics.stream import STREAM, ViewEventKind
from checker import heartbeat, uplink
from checker.models import CheckResult
from foundation import settings_comparison
from foundation.database.clock import database_now
from foundation.valkey import metrics as counted
from foundation.valkey.clients import client as redis_client
from outbox.event_kinds import EventKind
from outbox.events import whole_event
from outbox.models import Cursor, Event
from shortener import expiry_events
from shortener.models import ShortURL
from status.deployment_problems import ProblemWatch
from tests.analytics.events import count_all, event, put, view, visit
from tests.checker.shifts import probe
from tests.checker.test_uplink import outage
from tests.conftest import NOW
from tests.factories import ReferenceFactory, SnippetFactory, TargetFactory
from tests.shortener.asking import ask
from tests.shortener.links import make
from tests.snippets.requests import get
from tests.targets.test_events import kill

_HOUR = timedelta(hours=1)


def _leaves(name: str, value: Any) -> Iterator[str]:
    """Yield the path of each nested field."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves(f"{name} {key}" if " " not in name else f"{name}.{key}", inner)
    else:
        yield name


def events(api: APIClient) -> Iterator[str]:
    """Yield the types of events with their fields, and the extra fields of flags and networks."""
    target = TargetFactory(recheck_threshold=1)
    ReferenceFactory(target=target)
    kill(target, now=NOW)
    marked = TargetFactory(flags=["restricted"], attention_since=NOW)
    assert api.delete(f"/v1/targets/{marked.id}").status_code == 204
    make(key="contract", expires_at=database_now() + 24 * _HOUR)
    ShortURL.objects.update(target=target)
    expiry_events.announce(now=database_now())
    uplink.note([probe()], now=NOW)
    uplink.note([outage()], now=NOW)
    uplink.note([probe()], now=NOW + _HOUR)
    Schedule.objects.create(func="late", name="late", next_run=database_now() - 24 * _HOUR)
    ProblemWatch().look(now=database_now())
    of_target = Event.objects.get(kind=EventKind.STATE, target=target)
    for row in Event.objects.all():
        written = whole_event(row)
        yield from _leaves(written["type"], written)
    for kind in EventKind:
        data = of_target.payload | {"name": "a", "key": "a"}
        row = Event(kind=kind, target=of_target.target, payload=data, at=NOW)
        yield whole_event(row)["type"] if kind != EventKind.STATE else "linkwatch.target.dead"


def health(client: Client) -> Iterator[str]:
    """Yield the keys of both health documents."""
    for path in ("/v1/health", "/readyz", "/livez"):
        reply = client.get(path)
        if reply.headers["Content-Type"].startswith("application/json"):
            yield from _leaves(path, reply.json())
        else:
            yield f"{path} {reply.headers['Content-Type']} {reply.content.decode()}"


def metrics(client: Client) -> Iterator[str]:
    """Yield the name, type and labels of each metric, with the values of labels that have few."""
    redis_client().flushdb()
    target = TargetFactory(state="alive")
    CheckResult.objects.create(
        target=target, checked_at=database_now(), outcome="success", latency_ms=1, attempts=1
    )
    Cursor.objects.create(name="kafka", position=0)
    counted.observe("api", 200, 0.01)
    counted.flush(redis_client())
    reply = client.get("/metrics", REMOTE_ADDR="127.0.0.1")
    for family in text_string_to_metric_families(reply.content.decode()):
        for sample in family.samples:
            labels = ",".join(sorted(sample.labels))
            yield f"{family.type} {sample.name}{{{labels}}}"
            for label in {"state", "part", "result", "sink"} & sample.labels.keys():
                yield f'{sample.name}{{{label}="{sample.labels[label]}"}}'


def columns(browser: Client, folder: Path) -> Iterator[str]:
    """Yield the columns of the files that commands and pages write."""
    for command in ("export_urls", "export_targets"):
        call_command(command, str(file := folder / f"{command}.csv"))
        yield from (f"{command} {name}" for name in file.read_text().splitlines()[0].split(","))
    for page in ("/links/export", "/targets/export"):
        reply = browser.get(page, {"format": "csv"})
        first = b"".join(reply).decode().splitlines()[0]
        yield from (f"{page} {name}" for name in first.split(","))


# Redis: all commands that the server receives while the product is used.

_PARTS = (
    (r"\b[tscn]_[0-9A-Za-z]{22}\b", "{id}"),
    (r"\b[0-9a-f]{64}\b", "{digest}"),
    (r"\b[0-9a-f]{32}\b", "{hex}"),
    (r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "{uuid}"),
    (r"\d{4}-?\d{2}-?\d{2}", "{day}"),
    (r"\b(\d{1,3}\.){3}\d{1,3}(/\d+)?", "{client}"),
    (r"\bcontract\b", "{key}"),
    (r"\d+", "{n}"),
    (r"^rl:.*:\{client\}$", "rl:{route}:{client}"),
)
_KINDS = {"H": "hash", "Z": "sorted set", "X": "stream", "P": "sketch", "S": "set"}
_SETS = ("SADD", "SREM", "SMEMBERS", "SISMEMBER", "SCARD")
_TEXTS = ("GET", "SET", "MGET", "MSET", "INCR", "INCRBY", "GETDEL", "SETEX", "PSETEX", "GETEX")


def redis(api: APIClient) -> Iterator[str]:
    """Yield patterns of keys with their types, the fields of streams, and channels."""
    client = redis_client()
    client.flushdb()
    with _commands() as seen:
        _use(api)
    for command, *arguments in seen:
        yield from _forms(command.upper(), arguments)


def _use(api: APIClient) -> None:
    """Use each feature that uses Redis, once."""
    snippet = SnippetFactory()
    for path in ("/v1/snippets/{}/raw", "/v1/snippets/{}", "/snippets/{}") * 2:
        assert get(path.format(snippet.id), accept="*/*").status == 200
    assert api.patch(f"/v1/snippets/{snippet.id}", {"title": "b"}, format="json").status_code == 200
    made = {"long_url": "https://a.example/", "key": "contract", "max_visits": 5}
    assert api.post("/v1/urls", made, format="json").status_code == 201
    for _ in range(2):
        ask("/s/contract")
    api.patch("/v1/urls/contract", {"long_url": "https://b.example/"}, format="json")
    api.delete("/v1/urls/contract")
    api.post("/v1/targets", {"url": "https://a.example/", "reference_id": "a"}, format="json")
    put(
        visit("short:contract"),
        view("short:contract", visitor="a"),
        event(ViewEventKind.CREATE, snippet.id),
    )
    count_all()
    api.get("/v1/trending")
    api.get(f"/v1/snippets/{snippet.id}/metrics")
    counted.count("cache_hits")
    counted.flush(redis_client())
    heartbeat.beat()
    api.get("/v1/health")
    api.get("/v1/stats")
    api.get("/metrics", REMOTE_ADDR="127.0.0.1")
    settings_comparison.differences()


@contextmanager
def _commands() -> Iterator[list[list[str]]]:
    """Collect the commands that the server receives in the block, including those of scripts."""
    seen: list[list[str]] = []
    client = redis_client()
    with client.monitor() as monitor:

        def collect() -> None:
            while True:
                line = monitor.connection.read_response()
                text = line.decode() if isinstance(line, bytes) else line
                words = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
                if words == ["ECHO", "the end"]:
                    return
                seen.append(words)

        thread = threading.Thread(target=collect)
        thread.start()
        yield seen
        client.echo("the end")
        thread.join()


def _forms(command: str, arguments: list[str]) -> Iterator[str]:
    if command == "XADD" and arguments[0] == STREAM:
        fields = arguments[arguments.index("*") + 1 :: 2]
        yield from (f"stream {STREAM} field {field}" for field in fields)
    if command == "PUBLISH":
        yield f"channel {arguments[0]}"
    elif command in ("HSET", "HINCRBY", "HGET") and len(arguments) > 1:
        yield f"hash {_form(arguments[0])} field {_form(arguments[1])}"
    elif command in _TEXTS:
        keys = arguments if command == "MGET" else arguments[:: 2 if command == "MSET" else 99]
        yield from (f"text {_form(key)}" for key in keys)
    elif command in _SETS or re.match("H(?!ELLO)|Z|PF|XADD|XLEN", command):
        yield f"{_KINDS[command[0]]} {_form(arguments[0])}"


def _form(text: str) -> str:
    for pattern, name in _PARTS:
        text = re.sub(pattern, name, text)
    return text
