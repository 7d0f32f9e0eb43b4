"""Finds every address by walking the URL configuration."""

import re
from collections.abc import Iterator
from typing import Any

from django.urls import URLResolver, get_resolver
from django.views.generic import RedirectView
from django.views.generic.edit import ProcessFormView

METHODS = ("get", "post", "put", "patch", "delete")


def routes() -> dict[tuple[str, str], Any]:
    """Return the view of each method and path of Django, without the admin's."""
    found = {}
    for path, view in _walk(get_resolver().url_patterns):
        for method in _methods(view):
            found[method.upper(), path] = view
    return found


def admin_names() -> set[str]:
    """Return the names of all addresses of the admin."""
    [site] = [
        one
        for one in get_resolver().url_patterns
        for one in getattr(one, "url_patterns", [])
        if getattr(one, "app_name", None) == "admin"
    ]
    return {pattern.name for pattern in _leaves(site.url_patterns) if pattern.name}


def _leaves(patterns: Any) -> Iterator[Any]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _leaves(pattern.url_patterns)
        else:
            yield pattern


def _walk(patterns: Any, prefix: str = "/") -> Iterator[tuple[str, Any]]:
    for pattern in patterns:
        path = prefix + _plain(str(pattern.pattern))
        if not isinstance(pattern, URLResolver):
            yield path, pattern.callback
        elif pattern.app_name != "admin":
            yield from _walk(pattern.url_patterns, path)


def _plain(pattern: str) -> str:
    """Return a path pattern with each parameter as `{name}`."""
    named = re.sub(r"\(\?P<(\w+)>[^)]*\)", r"{\1}", pattern)
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", named).strip("^$")


def _methods(view: Any) -> Iterator[str]:
    actions = getattr(view, "actions", None)
    cls = getattr(view, "cls", None) or getattr(view, "view_class", None)
    if actions:
        yield from (method for method in METHODS if method in actions)
    elif cls is None or issubclass(cls, RedirectView):
        yield "get"
    else:
        allowed = getattr(view, "initkwargs", {}).get("http_method_names", cls.http_method_names)
        forms = ("put",) if issubclass(cls, ProcessFormView) else ()  # does the same as POST
        yield from (m for m in METHODS if hasattr(cls, m) and m in allowed and m not in forms)
