"""Interfaces that the code declares: addresses, OpenAPI, settings, commands, columns, names."""

import ast
import inspect
import json
import logging
import re
import warnings
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.module_loading import import_string
from django.views.generic.edit import ProcessFormView

from accounts.forms import TokenForm
from accounts.roles import Role
from linkwatch.logs import JsonLineFormatter, TextFormatter
from tests.openapi import SCHEMA

ROOT = Path(__file__).parent.parent.parent
_PACKAGES = {path.parent.name for path in ROOT.glob("*/__init__.py")}
_METHODS = ("get", "post", "put", "patch", "delete")


def paths() -> Iterator[str]:
    """Yield each address of a page or of the API with its methods, without the admin's."""
    for pattern, view in _patterns(get_resolver(), ""):
        if not pattern.startswith("/admin/"):
            yield " ".join([re.sub(r"<[^>]*>", "{}", pattern), *_methods(view)])


def _patterns(resolver: URLResolver, before: str) -> Iterator[tuple[str, Any]]:
    for one in resolver.url_patterns:
        path = before + re.sub(r"\(\?P<\w+>.*?\)(?=[-/$\\]|\Z)", "{}", str(one.pattern))
        path = path.replace("^", "").removesuffix("$").removesuffix("\\Z")
        if isinstance(one, URLPattern):
            yield f"/{path}", one.callback
        else:
            yield from _patterns(one, path)


def _methods(view: Any) -> list[str]:
    actions = getattr(view, "actions", None)
    of_class = getattr(view, "view_class", None) or getattr(view, "cls", None)
    if actions:
        return sorted(method.upper() for method in actions if method in _METHODS)
    methods = [method for method in _METHODS if hasattr(of_class, method)]
    if issubclass(of_class or object, ProcessFormView):
        methods.remove("put")  # Django's own views, which no page uses
    return [method.upper() for method in methods]


def openapi() -> Iterator[str]:
    """Yield the parameters, fields, values, bounds and codes of each operation."""
    for path, operations in SCHEMA["paths"].items():
        for method, operation in operations.items():
            yield from _operation(f"{method.upper()} {path}", operation)


def _operation(name: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"{name} is {operation['operationId']}"
    yield f"{name} security {json.dumps(operation.get('security', []))}"
    for one in operation.get("parameters", ()):
        needed = " required" if one.get("required") else ""
        yield from _schema(f"{name} {one['in']} {one['name']}{needed}", one["schema"], ())
    for media_type, body in operation.get("requestBody", {}).get("content", {}).items():
        yield from _schema(f"{name} body {media_type} ", body["schema"], ())
    for status, response in operation["responses"].items():
        yield from _response(f"{name} {status}", response, is_error=status >= "400")


def _response(name: str, response: dict[str, Any], *, is_error: bool) -> Iterator[str]:
    codes = response.get("x-codes", ())
    yield from (f"{name} code {code}" for code in codes) if codes else (name,)
    yield from (f"{name} header {header}" for header in response.get("headers", ()))
    if not is_error:  # all errors have the same form, which other tests check
        for media_type, body in response.get("content", {}).items():
            yield from _schema(f"{name} {media_type} ", body["schema"], ())


_BOUNDS = (
    *("format", "pattern", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"),
    *("default", "nullable", "readOnly", "writeOnly"),
)


def _schema(name: str, node: dict[str, Any], above: tuple[str, ...]) -> Iterator[str]:
    """Yield lines for each nested field: its possible values, and whether it is required."""
    reference = node.get("$ref", "").rpartition("/")[2]
    if reference in above:
        return
    if reference:
        above, node = (*above, reference), SCHEMA["components"]["schemas"][reference]
    yield from _value(name, node)
    for field, one in _parts(node):
        yield from _schema(f"{name}{field}".replace(" .", " "), one, above)


def _value(name: str, node: dict[str, Any]) -> Iterator[str]:
    bounds = [f"{bound}={json.dumps(node[bound])}" for bound in _BOUNDS if bound in node]
    kinds = node.get("type", [])
    if kinds or bounds:
        yield " ".join([name, *([kinds] if isinstance(kinds, str) else kinds), *bounds])
    yield from (f"{name} = {json.dumps(value)}" for value in node.get("enum", ()))
    if "required" in node and " body " in name:
        yield f"{name} needs {', '.join(sorted(node['required']))}"
    else:
        yield from (f"{name} has always {field}" for field in node.get("required", ()))


def _parts(node: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for kind in ("allOf", "oneOf", "anyOf"):
        yield from (("", one) for one in node.get(kind, ()))
    if "items" in node:
        yield "[]", node["items"]
    if isinstance(node.get("additionalProperties"), dict):
        yield ".*", node["additionalProperties"]
    yield from ((f".{name}", one) for name, one in node.get("properties", {}).items())


def settings() -> Iterator[str]:
    """Yield each setting with its type and default, and the secrets that files can hold."""
    tree = ast.parse((ROOT / "linkwatch" / "settings.py").read_text())
    for node in ast.walk(tree):
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.value, ast.expr):
            continue
        for call in ast.walk(node.value):
            if not isinstance(call, ast.Call):
                continue
            if call.args and ast.unparse(call.func).startswith("env."):
                name, *default = (_as_text(argument) for argument in call.args)
                yield f"{name}: {ast.unparse(node.annotation)} = {' '.join(default)}"
    from django.conf import settings

    yield from (f"{name}_FILE" for name in settings.SECRETS)


def _as_text(node: ast.expr) -> str:
    """Return a default as it would be written in the environment."""
    try:
        value = ast.literal_eval(node)
    except ValueError:
        text = ast.unparse(node).removeprefix("logging.")
        return text.replace('"', "'")  # the quotes depend on the version of Python
    if isinstance(value, list):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def commands() -> Iterator[str]:
    """Yield each management command with its subcommands, arguments and options."""
    for name, app in get_commands().items():
        if isinstance(app, str) and app.split(".")[0] in _PACKAGES:
            command = load_command_class(app, name)
            base = next(
                one for one in type(command).__mro__ if one.__module__.startswith("django.")
            )
            usual = {(*action.option_strings, action.dest) for action in _actions(base())}
            yield name
            yield from _arguments(name, _actions(command), usual)


def _actions(command: BaseCommand) -> list[Any]:
    return list(command.create_parser("manage.py", "")._actions)


def _arguments(name: str, actions: list[Any], usual: set[tuple[str, ...]]) -> Iterator[str]:
    for action in actions:
        if isinstance(getattr(action, "choices", None), dict):
            for task, parser in action.choices.items():
                yield f"{name} {task}"
                yield from _arguments(f"{name} {task}", parser._actions, usual)
        elif (*action.option_strings, action.dest) not in usual:
            options = "/".join(action.option_strings) or action.dest
            nargs = "" if action.nargs is None else f" nargs={action.nargs}"
            default = "" if action.default in (None, False) else f" default={action.default}"
            yield f"{name} {options}{nargs}{default}"
            yield from (f"{name} {options} = {choice}" for choice in action.choices or ())


def log() -> Iterator[str]:
    """Yield the keys of a JSON log line, and the format of a text log line."""
    record = logging.LogRecord("a.b", logging.INFO, __file__, 1, "said", (), None)
    yield from json.loads(JsonLineFormatter().format(record))
    failed = logging.LogRecord("a.b", logging.INFO, __file__, 1, "said", (), (None, None, None))
    yield from json.loads(JsonLineFormatter().format(failed))
    text = TextFormatter().format(record)
    yield re.sub(r"^\S+Z", "TIME", text)


def scopes() -> Iterator[str]:
    """Yield the scopes of tokens and the roles of users."""
    offered = dict(TokenForm().fields["scope"].choices)  # type: ignore[attr-defined]
    yield from (f"scope {scope}: {label}" for scope, label in offered.items())
    yield from (f"role {one.value}" for one in Role)


# Names that docs/ shows or lets operators build on, and the tasks that 0.2.0 scheduled.
_NAMES = (
    "checker.engine.verdict.Exchange",
    "checker.engine.verdict.Verdict",
    "checker.engine.verdict.by_evidence",
    "targets.state.Outcome",
    "targets.sinks.base.EventSink",
    "targets.sinks.base.Message",
    "targets.models.Transition",
    "targets.events.payload.cloud_events",
    "outbox.readers.Reader",
    "outbox.readers.Progress",
    "outbox.messages.MessageReader",
    "outbox.messages.Message",
    "outbox.models.Event",
)
_TASKS = (
    *("accounts.tasks.delete_old_traces", "analytics.tasks.delete_old_hours"),
    *("analytics.tasks.save_history", "checker.tasks.delete_old_results"),
    *("checker.tasks.keep_states", "checker.tasks.look_up_canaries"),
    *("checker.tasks.make_partitions", "foundation.tasks.delete_old_idempotency_keys"),
    *("hosts.tasks.heal_hosts", "hosts.tasks.prune_hosts", "notify.tasks.delete_old_deliveries"),
    *("shortener.tasks.reap_expired_urls", "shortener.tasks.tell_of_endings"),
    *("snippets.tasks.reap_expired_snippets", "targets.tasks.delete_old_transitions"),
    *("targets.tasks.fold_counts", "targets.tasks.schedule_the_dead"),
)


def python() -> Iterator[str]:
    """Yield the names with their fields and arguments; names that were removed are left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of names that moved
        for path in sorted({*_NAMES, *_in_samples()}):
            yield from _name(path)
        tasks = sorted({*_TASKS, *_scheduled()})
        yield from (f"task {path}" for path in tasks if callable(_found(path)))


def _scheduled() -> list[str]:
    """Return the tasks that any deployment has in its queue, whatever its settings.

    Another release that runs next to this one calls them by these paths.
    """
    source = (ROOT / "linkwatch/schedules.py").read_text()
    return re.findall(r'"(\w+\.tasks\.\w+)"', source)


def _in_samples() -> Iterator[str]:
    """Yield the names of this project that the Python samples in docs/ import."""
    for document in sorted((ROOT / "docs").rglob("*.md")):
        for sample in re.findall(r"^```python\n(.*?)^```", document.read_text(), re.M | re.S):
            for node in ast.walk(ast.parse(sample)):
                if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] in _PACKAGES:
                    yield from (f"{node.module}.{one.name}" for one in node.names)


def _found(path: str) -> Any:
    try:
        return import_string(path)
    except ImportError:
        return None


def _name(path: str) -> Iterator[str]:
    found = _found(path)
    if found is None:
        return
    yield path
    if not inspect.isclass(found):
        yield f"{path}({', '.join(inspect.signature(found).parameters)})"
    elif issubclass(found, Enum):
        yield from (f"{path}.{one.name} = {one.value}" for one in found)
    elif is_dataclass(found):
        yield from (f"{path}.{one.name}" for one in fields(found))
    elif hasattr(found, "_meta"):
        yield from (f"{path}.{one.name}" for one in found._meta.concrete_fields)
    else:
        yield from (f"{path}.{name}" for name in dir(found) if not name.startswith("_"))
