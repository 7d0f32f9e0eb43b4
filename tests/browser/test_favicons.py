"""Icons of hosts in a browser: in lists and on pages, narrow and wide, light and dark."""

# ruff: noqa: F811 - fixtures of another module

import io
from functools import partial

import pytest
from PIL import Image, ImageDraw

from accounts.roles import Role
from foundation.database.clock import database_now
from hosts import icon_store, reservations
from hosts.models import Favicon, Purpose
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
)
from tests.factories import DeadTargetFactory, TargetFactory

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
COLOURS = {"blog.example": "black", "docs.example": "teal", "shop.example": "orange"}
LOADED = """() => [...document.querySelectorAll('img.favicon')].map(
    (icon) => [icon.complete && icon.naturalWidth, icon.getBoundingClientRect().width])"""
PLACES = """() => [...document.querySelectorAll('.rows .name a')].map(
    (name) => name.getBoundingClientRect().left)"""


def icon(colour):
    image = Image.new("RGBA", (32, 32))
    ImageDraw.Draw(image).ellipse((2, 2, 29, 29), fill=colour)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def test_people_see_the_icons_of_hosts(live_server, open_as, looked_at, settings):
    settings.FAVICONS = True
    visit, now = partial(open_as, live_server.url), database_now()
    hosts = [*COLOURS, "without-an-icon.example"]
    reservations.schedule(dict.fromkeys(hosts, now), purpose=Purpose.CHECK, now=now)
    for host, colour in COLOURS.items():
        Favicon.objects.create(host=host, asked_at=now)
        icon_store.store(host, icon(colour))
    for host in hosts:
        TargetFactory(url=f"http://{host}/" + "a-long-path/" * 9)
    target = DeadTargetFactory(url="http://docs.example/guide")

    for path, count in (
        ("/hosts?sort=name", 3),
        ("/targets", 4),
        ("/hosts/docs.example", 1),
        (target.get_absolute_url(), 1),
    ):
        page = visit(path, Role.VIEWER, sockets=False)
        page.wait_for_load_state("networkidle")
        assert page.evaluate(LOADED) == [[32, 16]] * count, path
        if path == "/hosts?sort=name":
            assert len(set(page.evaluate(PLACES))) == 1  # also without an icon
        looked_at(page, f"favicons{path.split('?')[0].replace('/', '-')[:12]}")
