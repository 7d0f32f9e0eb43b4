"""The addresses of all pages: from the URLconf and the admin."""

from collections.abc import Iterator

from django.apps import apps
from django.urls import NoReverseMatch, reverse

from tests.rights.asking import QUERIES
from tests.rights.routes import admin_names, routes
from tests.rights.world import World

SWAGGER = "/v1/docs"  # its markup is not ours, and it needs scripts


def paths(world: World) -> list[str]:
    """Return all addresses that take a GET, with the operator's objects to show."""
    things = world.of["ada"]
    ours = [
        things.fill(path + QUERIES.get(f"GET {path}", ""), like=path)
        for method, path in routes()
        if method == "GET" and path != SWAGGER
    ]
    return sorted({*ours, *admin_paths(), f"/s/{things.parts['key']}+", "/nothing-is-here"})


def admin_paths() -> Iterator[str]:
    """Yield the addresses of the admin: those without arguments, and one object of each kind."""
    for name in admin_names():
        try:
            yield reverse(f"admin:{name}")
        except NoReverseMatch:
            parts = name.split("_")
            try:
                one = apps.get_model(parts[0], parts[1]).objects.first()
            except LookupError:  # not a page of a model
                continue
            if one is not None:
                yield reverse(f"admin:{name}", args=[one.pk])
