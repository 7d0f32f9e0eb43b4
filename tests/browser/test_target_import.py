"""Many URLs at once, in a browser: by keyboard alone, narrow and wide, light and dark."""

# ruff: noqa: F811 - fixtures of another module

from functools import partial

import pytest
from playwright.sync_api import expect

from targets.models import Reference, Target
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
NARROW = {"width": 320, "height": 640}
LIST = """url,reference_id,title
https://a.example/,intro,A
not a url,,B
https://b.example/a-very-long-path-without-a-break/a-very-long-path-without-a-break?q=\u202etxt,x,C
javascript:alert(1),,D
https://A.example,intro,E
"""
PAGE = """<h1>Links</h1><p><a href="https://a.example/">One</a> and
<a href="https://b.example/">another</a>, <a href="mailto:a@a.example">mail</a>.</p>"""


@pytest.fixture
def visit(live_server, open_as):
    """Return a function that opens a path as a member."""
    return partial(open_as, live_server.url, viewport=NARROW)


def test_a_csv_with_bad_lines_is_previewed_and_its_good_lines_are_watched(
    visit, looked_at, tmp_path
):
    path = tmp_path / "links.csv"
    path.write_text(LIST)
    page = visit("/targets/import")
    looked_at(page, "import-ask")
    page.set_viewport_size(NARROW)
    with page.expect_file_chooser() as chooser:
        page.get_by_label("A file").focus()
        page.keyboard.press("Enter")  # 1
    chooser.value.set_files(path)
    tab_to(page, "Preview")
    page.keyboard.press("Enter")  # 2
    expect(page.get_by_text("Line 3")).to_be_visible()
    assert not Target.objects.exists()
    looked_at(page, "import-plan")
    page.set_viewport_size(NARROW)
    tab_to(page, r"Import 2 URLs, skip \d+")
    page.keyboard.press("Enter")  # 3
    expect(page.get_by_text("Now watched: 2.")).to_be_visible()
    assert Reference.objects.filter(owner__username="ada").count() == 2


def test_all_links_of_a_pasted_page_are_watched(visit, looked_at):
    page = visit("/targets/import", permissions=["clipboard-read", "clipboard-write"])
    page.evaluate(
        """(page) => navigator.clipboard.write([new ClipboardItem({
            "text/html": new Blob([page], {type: "text/html"}),
            "text/plain": new Blob(["Links One another"], {type: "text/plain"}),
        })])""",
        PAGE,
    )
    tab_to(page, "Or paste text")
    page.keyboard.press("Control+V")  # 1
    expect(page.get_by_label("Format")).to_have_value("html")
    tab_to(page, "Preview")
    page.keyboard.press("Enter")  # 2
    expect(page.get_by_text("Format: HTML (all links).")).to_be_visible()
    tab_to(page, "Import 2 URLs")
    page.keyboard.press("Enter")  # 3
    expect(page.get_by_text("Now watched: 2.")).to_be_visible()
    assert Target.objects.count() == 2


def test_a_file_that_is_too_large_is_reported_before_it_is_sent(visit):
    page = visit("/targets/import")
    page.get_by_label("Or paste text").evaluate(
        """(field) => {
            field.value = "https://a.example/\\n".repeat(500_000);
            field.dispatchEvent(new Event("input"));
        }"""
    )
    page.get_by_role("button", name="Preview").click()
    reported = page.get_by_label("Or paste text").evaluate("field => field.validationMessage")
    assert reported == "This is larger than 2 MB. Split it into smaller parts."
    assert page.url.endswith("/targets/import")
