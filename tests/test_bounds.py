"""Each table and each key of Redis has its bound in docs/scale.md."""

import re
import urllib.request

import pytest
from django.apps import apps
from django.conf import settings

from tests.acceptance.processes import ROOT, until

SCALE = (ROOT / "docs" / "scale.md").read_text()


def named(title, text=SCALE):
    """Return the names in the first column of a section's table."""
    section = text.split(f"\n## {title}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    for line in lines:
        assert all(cell.strip() for cell in line.strip("|").split("|")), line
    return {name for line in lines for name in re.findall("`([^`]+)`", line.split("|")[1])}


def is_bounded(key):
    """Return whether a key matches a pattern of the table; `{…}` stands for any text."""
    return any(
        re.fullmatch(".+".join(map(re.escape, re.split(r"\{\w+\}", pattern))), key)
        for pattern in named("What bounds each key")
    )


def test_the_page_on_growth_has_a_bound_for_each_table():
    models = apps.get_models(include_auto_created=True)
    assert named("What bounds each table") == {model._meta.db_table for model in models}


def test_each_key_that_has_an_owner_has_its_bound():
    architecture = (ROOT / "docs" / "architecture.md").read_text()
    owned = architecture.split("\n## Who owns which key\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in owned.splitlines() if line.startswith("| ")]
    names = {
        name.replace("…", "{subject}:{day}")
        for row in rows
        for name in re.findall("(?<!channel )`([^`]+)`", row)
    }
    assert len(names) > 25
    missing = {name for name in names if not is_bounded(name) and not is_bounded(f":1:{name}")}
    assert not missing


@pytest.mark.parametrize("key", ["views", "elsewhere:1", "lock:", "x:events:old", "xviews:a"])
def test_a_key_that_matches_no_pattern_is_found(key):
    assert not is_bounded(key)


@pytest.mark.acceptance
@pytest.mark.any_database
def test_each_key_that_the_running_product_writes_has_its_bound(product):
    link = product.api("POST", "/v1/urls", {"long_url": "https://example.org/", "key": "bound"})
    snippet = product.api("POST", "/v1/snippets", {"content": "text"})
    opener = urllib.request.build_opener(NoRedirects)
    for _ in range(3):
        opener.open(f"{product.base}/s/{link['key']}")
        product.api("GET", f"/v1/snippets/{snippet['id']}")
        for path in ("/v1/health", "/v1/metrics", "/v1/stats", "/v1/trending"):
            product.api("GET", path)
    redis = product.redis()
    until(lambda: redis.get("views:short:bound") == b"3")
    keys = {key.decode() for key in redis.scan_iter()}
    assert {"views:short:bound", "short:bound", "counts"} <= keys
    assert not {key for key in keys if not is_bounded(key)}
    assert redis.config_get("maxmemory")["maxmemory"] == str(settings.VALKEY_MEMORY)
    assert redis.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None

    def http_error_302(self, request, response, code, message, headers):
        return response
