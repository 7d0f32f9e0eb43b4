"""Each scope of tokens on each route of the API: a walk that finds new routes by itself."""

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.test import APIClient

from accounts import tokens
from foundation.models import Scope

# What a token for one app opens. A new route must be below one of these, or is for all scopes.
APPS = {
    Scope.TARGETS: ("/v1/targets", "/v1/references", "/v1/events"),
    Scope.HOSTS: ("/v1/hosts", "/v1/aliases"),
    Scope.SNIPPETS: ("/v1/snippets",),
    Scope.SHORTENER: ("/v1/urls", "/v1/shorturls", "/api/admin/cleanup"),
}
# Of the whole deployment: not for a token that is for one app.
OF_ALL = ("/v1/stats", "/v1/metrics", "/v1/trending", "/metrics")
# Everybody may see them, whatever the token.
PUBLIC = ("/v1/", "/v1/schema", "/v1/docs")
# Whoever reads these is not asked who it is.
UNASKED = {
    *(
        ("/v1/snippets/x1", "get"),
        ("/v1/snippets/x1/raw", "get"),
        ("/v1/snippets/x1/metrics", "get"),
    ),
    ("/v1/snippets/x1/reveal", "post"),
}
METHODS = ("get", "post", "put", "patch", "delete")
READING = ("get", "head", "options")
VALUES = {"int": "1", "host": "a.example", "alias": "a.example"}


def walk(patterns, prefix=""):
    """Yield the path and the methods of each view of DRF."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if pattern.app_name != "admin":
                yield from walk(pattern.url_patterns, prefix + str(pattern.pattern))
        elif isinstance(pattern, URLPattern) and hasattr(pattern.callback, "cls"):
            yield "/" + prefix + str(pattern.pattern), pattern.callback


def filled(path):
    while "<" in path:
        before, _, rest = path.partition("<")
        name, _, after = rest.partition(">")
        path = before + VALUES.get(name.partition(":")[2], VALUES.get(name.partition(":")[0], "x1"))
        path += after
    return path


def routes():
    """Return path and method of each route that asks who is there."""
    found = []
    for path, view in walk(get_resolver().url_patterns):
        if not view.cls.authentication_classes and path not in PUBLIC:
            continue
        methods = getattr(view, "actions", None) or [m for m in METHODS if hasattr(view.cls, m)]
        allowed = view.initkwargs.get("http_method_names", view.cls.http_method_names)
        found += [(filled(path), method) for method in methods if method in allowed]
    return sorted(set(found))


ROUTES = routes()


def is_below(path, beginnings):
    return any(path == one or path.startswith((one + "/", one + ".")) for one in beginnings)


def expected(scope, path, method):
    """Tell whether the scope lets this request pass."""
    if path in PUBLIC or (path, method) in UNASKED or scope == Scope.WRITE:
        return True
    if scope == Scope.READ:
        return method in READING
    return is_below(path, APPS[scope])


def test_there_are_routes_to_walk():
    assert len(ROUTES) > 50


@pytest.mark.any_database
def test_each_route_belongs_to_one_app_or_to_all():
    homeless = [
        path
        for path, _ in ROUTES
        if sum(is_below(path, beginnings) for beginnings in APPS.values())
        + is_below(path, OF_ALL)
        + (path in PUBLIC)
        != 1
    ]
    assert homeless == []  # name a new one above


@pytest.mark.parametrize("scope", Scope)
def test_a_scope_opens_what_it_is_for_and_nothing_else(operator, scope):
    client = APIClient()  # of an operator: rights refuse nothing
    client.credentials(HTTP_AUTHORIZATION=f"Token {tokens.make(operator, scope=scope)}")
    wrong = []
    for path, method in ROUTES:
        body = {} if method == "get" else {"data": {}}
        status = getattr(client, method)(path, **body).status_code
        if status == 401 or (status != 403) is not expected(scope, path, method):
            wrong.append((method, path, status))
    assert wrong == []
