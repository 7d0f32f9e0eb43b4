"""The look of pages: bundled fonts, text sizes, and the admin's icons."""

import re
from pathlib import Path

import pytest
import unfold
from django.conf import settings
from django.test import Client

from console.admin.index import _SIDEBAR

pytestmark = pytest.mark.any_database

STYLES = Path(settings.BASE_DIR) / "static/linkwatch"
FONTS = sorted((STYLES / "fonts").glob("*.woff2"))
_SIZE = re.compile(r"font(?:-size)?: (?:[\d]+ )?([^ /;}]+)")
_ICON = re.compile(r'material-symbols-outlined[^>]*>\s*(\w+)\s*<|\bicon="(\w+)"')


@pytest.mark.parametrize("name", ["linkwatch.css", "api.css"])
def test_text_has_four_sizes(name):
    sizes = set(_SIZE.findall((STYLES / name).read_text(encoding="utf-8")))
    assert {one for one in sizes if not re.fullmatch(r"inherit|[.\d]+em", one)} <= {
        f"var(--{size})" for size in ("title", "large", "text", "small")
    }


def test_fonts_are_small_and_kept_by_browsers():
    assert len(FONTS) == 4
    for font in FONTS:
        assert font.stat().st_size < 30_000
        answer = Client().get(f"/static/linkwatch/fonts/{font.name}")
        assert answer.getvalue() == font.read_bytes()
        assert "immutable" in answer["Cache-Control"]
    assert (STYLES / "fonts/LICENSE.OFL.txt").is_file()


def test_stylesheets_name_fonts_that_exist():
    for sheet in STYLES.parent.rglob("*.css"):
        for address in re.findall(r'url\("([^"]+\.woff2)"\)', sheet.read_text(encoding="utf-8")):
            assert (sheet.parent / address).is_file(), (sheet, address)


def test_each_icon_of_the_admin_is_in_the_cut_font():
    known = set((STYLES / "fonts/icons.txt").read_text(encoding="ascii").split())
    templates = [
        *Path(unfold.__file__).parent.rglob("*.html"),
        *(Path(settings.BASE_DIR) / "templates").rglob("*.html"),
    ]
    used = {
        name
        for template in templates
        for found in _ICON.findall(template.read_text(encoding="utf-8"))
        for name in found
        if name
    }
    styles = Path(unfold.__file__).parent / "static/unfold/css/styles.css"
    used |= set(re.findall(r'content:"([a-z_]{3,})"', styles.read_text(encoding="utf-8")))
    assert len(used) > 20
    assert used | {icon for _, _, icon in _SIDEBAR} <= known
