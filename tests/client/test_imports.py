"""Tests imports from other programs into a running server."""

import json

import pytest

from tests.acceptance.processes import running_product
from tests.client.conftest import StandIn
from tests.client.test_importers import GATUS

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    """A running server that must not fetch pages of this machine."""
    with running_product(tmp_path_factory.mktemp("product")) as product:
        yield product


@pytest.fixture
def imported(run, product, tmp_path):
    """Import a text from another program; return the command's output and its exit code."""

    class Running(StandIn):
        environment = {"LINKWATCH_URL": product.base, "LINKWATCH_TOKEN": product.token}

    def imported(program, text, *options):
        path = tmp_path / "file"
        path.write_text(text)
        result = run("import", "--from", program, *options, str(path), server=Running(product.base))
        return result.exit_code, result.stdout.replace(str(path), "file"), result.stderr

    return imported


def test_short_links_move_with_their_visits_and_only_once(imported, product):
    product.api("POST", "/v1/urls", {"long_url": "https://example.org/else", "key": "taken"})
    links = [
        {"shortCode": key, "longUrl": f"https://example.org/{key}", "tags": ["team"]}
        | {"visitsSummary": {"total": visits}, "meta": {}}
        for key, visits in (("intro", 12), ("guide", 0), ("taken", 5), ("x", 1), ("admin", 1))
    ]
    text = json.dumps({"shortUrls": {"data": links}}, indent=1)
    code, shown, refused = imported("shlink", text)
    assert code == 1
    assert shown == (
        "new: intro to https://example.org/intro (12 visits)\n"
        "new: guide to https://example.org/guide (0 visits)\n"
        "file: Would create 2, already there 0, refused 3. Run again with --yes to create them.\n"
    )
    lines = refused.splitlines()
    assert [line.partition(": refused: ")[2].partition(":")[0] for line in lines] == [
        "taken",
        "x",
        "admin",
    ]
    assert "taken: The key taken is taken or was used before." in lines[0]
    assert "x: key: A key must have 3 to 64" in lines[1]
    assert product.api("GET", "/v1/urls?host=example.org&limit=10")["items"][1:] == []
    assert imported("shlink", text, "--yes")[1].endswith(
        "file: Created 2, already there 0, refused 3.\n"
    )
    made = product.api("GET", "/v1/urls/intro")
    assert (made["visits"], made["earlier_visits"], made["tags"]) == (12, 12, ["team"])
    for options in ((), ("--yes",)):
        shown = imported("shlink", text, *options)[1]
        assert "new: " not in shown
        assert "already there: guide to https://example.org/guide" in shown
    assert len(product.api("GET", "/v1/urls?host=example.org&limit=10")["items"]) == 3


def test_bookmarks_become_watched_pages_and_only_once(imported, product):
    bookmarks = [
        {"url": "https://b.example.org/guide", "title": "The guide"},
        {"url": "https://b.example.org/guide", "title": "The guide again"},
        {"url": "javascript:alert(1)", "title": "Marklet"},
        {"url": "http://127.0.0.1/", "title": "Here"},
    ]
    text = json.dumps({"count": 4, "results": bookmarks})
    code, shown, refused = imported("linkding", text)
    assert (code, "Would create 3, already there 0, refused 1." in shown) == (1, True)
    assert "javascript:alert(1): " in refused
    assert product.api("GET", "/v1/targets?host=b.example.org")["items"] == []
    _, shown, refused = imported("linkding", text, "--yes")
    assert "refused 2." in shown
    assert "http://127.0.0.1/: " in refused  # registration rejects URLs that must not be fetched
    [target] = product.api("GET", "/v1/targets?host=b.example.org")["items"]
    wanted = ["linkding:The guide", "linkding:The guide again"]
    assert sorted(target["reference_ids"]) == wanted
    assert "already there 2, refused 1." in imported("linkding", text)[1]
    assert "Created 0, already there 2, refused 2." in imported("linkding", text, "--yes")[1]
    [target] = product.api("GET", "/v1/targets?host=b.example.org")["items"]
    assert target["reference_count"] == 2


def test_monitors_keep_period_and_expectations(imported, product):
    text = GATUS.replace("https://example.org/", "https://m.example.org/")
    code, shown, _ = imported("gatus", text, "--yes")
    assert (code, "Created 3, already there 0, refused 3." in shown) == (1, True)
    assert "Its condition [RESPONSE_TIME] < 300 is not imported." in shown
    found = product.api("GET", "/v1/targets?host=m.example.org&limit=10")["items"]
    targets = {target["reference_ids"][0]: target for target in found}
    shop, door = targets["gatus:web/shop"], targets["gatus:door"]
    assert (shop["check_period"], shop["timeout"]) == ("1h30m", "5s")
    assert shop["expect"] == {"status": 200, "text": "Welcome"}
    assert shop["headers"] == {"X-A": "***"}
    assert (door["accept"], door["paused"], door["check_period"]) == ([401], True, "1m")
    product.api("PATCH", f"/v1/targets/{shop['id']}", {"expect": {"text": "Hello"}})
    assert "already there 3, refused 3." in imported("gatus", text, "--yes")[1]
    kept = product.api("GET", f"/v1/targets/{shop['id']}")
    assert kept["expect"] == {"text": "Hello"}  # later changes by people are kept
