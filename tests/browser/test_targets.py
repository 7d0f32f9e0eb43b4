"""The list of targets in a browser: by keyboard alone, narrow and wide, light and dark."""

# ruff: noqa: F811 - fixtures of another module

import csv
import io
from functools import partial

import pytest
from playwright.sync_api import expect

from accounts.roles import Role
from targets import writer
from targets.models import Target
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)
from tests.factories import ReferenceFactory, TargetFactory

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
NARROW = {"width": 320, "height": 640}
HOSTILE = "https://a.example/" + "a-very-long-part-without-a-break" * 5 + "?q=<script>"
GONE = "The server returned 404 (Not Found)."


@pytest.fixture
def visit(live_server, open_as):
    """Return a function that opens a path as an operator, on a phone."""
    return partial(open_as, live_server.url, role=Role.OPERATOR, viewport=NARROW)


@pytest.fixture
def registry():
    """Create targets of two documents, some of them dead, and one with everything that a row may
    show."""
    for number in range(12):
        is_dead = number % 4 == 0
        target = TargetFactory(
            url=f"https://host{number % 3}.example/install/{number}",
            state="dead" if is_dead else "alive",
            last_error=GONE if is_dead else None,
            last_reason="http_404" if is_dead else "",
            recent="s" * number + "f" * 3 * is_dead,
            identity={"title": "t", "name": f"How to install part {number}"},
        )
        ReferenceFactory(target=target, object_id=f"doc-{number % 2}")
    everything = TargetFactory(
        url=HOSTILE,
        state="potentially_dead",
        paused=True,
        inconclusive_since=target.created_at,
        last_checked_at=target.created_at,
        last_error="It says <script>alert(1)</script> " + "y" * 200,
        last_reason="blocked",
        flags=["parked", "certificate_expires"],
        recent="sfi" * 10,
        identity={"title": "t", "name": "<b>Title</b> " + "t" * 180},
    )
    for number in range(5):
        ReferenceFactory(target=everything, object_id=f"{number}-" + "r" * 200)


def links(page):
    return page.get_by_role("main").get_by_role("listitem").locator(".name")


def test_dead_links_of_a_document_are_listed_with_reasons_and_exported_as_csv(
    registry, visit, looked_at
):
    page = visit("/targets")
    looked_at(page, "targets-all")
    page.set_viewport_size(NARROW)
    tab_to(page, "Find by URL, title or reference ID")
    page.keyboard.type("doc-0")  # 1
    page.keyboard.press("Tab")
    page.keyboard.press("D")  # 2
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # 3
    expect(links(page)).to_have_text([f"How to install part {number}" for number in (8, 4, 0)])
    expect(page.get_by_text(GONE)).to_have_count(3)
    looked_at(page, "targets-dead")
    page.set_viewport_size(NARROW)
    page.get_by_role("main").focus()
    tab_to(page, "CSV")
    with page.expect_download() as download:
        page.keyboard.press("Enter")  # 4
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8"))))
    assert [(row["state"], row["last_error"]) for row in rows] == [("dead", GONE)] * 3


def test_a_target_is_found_by_part_of_its_url_from_the_dashboard(
    registry, visit, live_server, looked_at
):
    page = visit("/", may_complain=True)  # this server has no WebSockets
    tab_to(page, "Find targets, or watch a URL")
    page.keyboard.type("install")  # 1
    page.keyboard.press("Enter")  # 2
    page.wait_for_url(f"{live_server.url}/targets?q=install")
    expect(links(page)).to_have_count(12)
    tab_to(page, "How to install part 11")
    page.keyboard.press("Enter")  # 3
    wanted = Target.objects.get(url__endswith="/11")
    page.wait_for_url(f"{live_server.url}/targets/{wanted.pk}")


def test_an_operator_pauses_some_targets_of_a_host_after_confirmation(registry, visit, looked_at):
    page = visit("/targets?order=host&host=host2.example")
    looked_at(page, "targets-by-host")
    page.set_viewport_size(NARROW)
    tab_to(page, "Select https://host2.example/install/11")
    page.keyboard.press("Space")  # 1
    page.get_by_role("main").focus()
    tab_to(page, "Pause…")
    page.keyboard.press("Enter")  # 2
    expect(page.get_by_role("heading", name="Pause 1 target?")).to_be_visible()
    looked_at(page, "targets-question")
    page.set_viewport_size(NARROW)
    tab_to(page, "Pause")
    page.keyboard.press("Enter")  # 3
    expect(page.get_by_role("status")).to_contain_text("Paused: 1 target.")


@pytest.fixture
def many():
    """Create 3,000 targets of three hosts, to be selected, and one other."""
    writer.create(
        [
            TargetFactory.build(url=f"https://h{number % 3}.example/{number}", state="alive")
            for number in range(3000)
        ]
    )
    return TargetFactory(state="dead")


def test_3000_targets_are_paused_at_once_by_keyboard_on_a_phone(many, visit, looked_at):
    page = visit("/targets?state=alive")
    tab_to(page, "Select all matching targets")
    page.keyboard.press("Enter")  # 1
    expect(page.get_by_text("All 3,000 matching targets selected")).to_be_visible()
    looked_at(page, "targets-all-chosen")
    page.set_viewport_size(NARROW)
    page.get_by_role("main").focus()
    tab_to(page, "Pause…")
    page.keyboard.press("Enter")  # 2
    expect(page.get_by_role("heading", name="Pause 3,000 targets?")).to_be_visible()
    tab_to(page, "Pause")
    page.keyboard.press("Enter")  # 3
    expect(page.get_by_role("status")).to_contain_text("Paused: 3,000 targets.")
    assert Target.objects.filter(paused=True).count() == 3000
    looked_at(page, "targets-undo")
    page.set_viewport_size(NARROW)
    page.get_by_role("main").focus()
    tab_to(page, "Undo")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Resumed: 3,000 targets.")
    assert not Target.objects.filter(paused=True).exists()


def test_3000_targets_are_paused_at_once_by_mouse(many, visit):
    page = visit("/targets?state=alive")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.get_by_role("button", name="Pause…")).to_have_count(0)
    page.get_by_role("link", name="Select all matching targets").click()
    page.get_by_role("button", name="Pause…").click()
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Paused: 3,000 targets.")
    assert set(Target.objects.filter(paused=False)) == {many}


def test_the_bar_appears_with_a_selection_and_covers_no_focus(registry, visit):
    page = visit("/targets")
    bar = page.get_by_role("group", name="Selected targets")
    expect(bar.get_by_role("button")).to_have_count(0)
    tab_to(page, "Select all on this page")
    page.keyboard.press("Enter")
    expect(bar).to_contain_text("13 selected")
    page.locator(".pick input").last.focus()
    page.keyboard.press("Space")
    expect(bar).to_contain_text("12 selected")
    visible = """() => { const at = document.activeElement.getBoundingClientRect();
        return at.top >= document.querySelector(".selected").getBoundingClientRect().bottom; }"""
    for _ in range(30):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.closest('.targets') === null"):
            break
        page.wait_for_function(visible)  # the page scrolls smoothly
    page.set_viewport_size({"width": 640, "height": 400})  # 1280 x 800 at 200 %
    assert page.evaluate("document.documentElement.scrollWidth") == 640


def test_empty_lists_and_searches_without_matches_show_the_next_step(visit, live_server, looked_at):
    page = visit("/targets")
    looked_at(page, "targets-none")
    TargetFactory()
    page.goto(live_server.url + "/targets?q=nothing&host=x&whose=nobody")
    looked_at(page, "targets-wrong")
    page.goto(live_server.url + "/targets?q=nothing&host=x")
    looked_at(page, "targets-no-hit")


# The bar of the selection moves over the rows: elements that it partly covers are left out, as are
# links in rows, which are as high as their text.
TOO_SMALL = """async () => (await axe.run({ runOnly: ["target-size"] })).violations.flatMap(
    (found) => found.nodes.filter((node) => !node.failureSummary.includes("partially obscured"))
        .map((node) => node.html).filter((html) => /checkbox|data-choose/.test(html)))"""


def test_rows_can_be_selected_by_touch_at_any_position_of_the_bar(registry, visit, violations):
    page = visit("/targets")
    violations(page)  # loads axe
    assert page.evaluate(TOO_SMALL) == []
    page.locator(".pick input").nth(1).check()
    for y in range(0, page.evaluate("document.documentElement.scrollHeight"), 130):
        page.evaluate(f"window.scrollTo(0, {y})")
        assert page.evaluate(TOO_SMALL) == [], y


_UNCUT = """() => [...document.querySelectorAll(".targets .ending")].map(end => {
  const inner = end.getBoundingClientRect();
  const outer = end.closest(".name, .to").getBoundingClientRect();
  return inner.bottom <= outer.bottom + 1 && inner.right <= outer.right + 1;
})"""


@pytest.mark.parametrize("width", [320, 1280])
def test_long_urls_show_the_end_in_which_they_differ(visit, violations, settings, width):
    folder = "https://docs.example.org/" + "a-folder-with-a-long-name/" * 6
    for name in ("install-on-debian.html", "install-on-fedora.html"):
        TargetFactory(url=folder + name)
    TargetFactory(url=folder + "titled.html", identity={"title": "t", "name": "The title"})
    settings.FAVICONS = True
    page = visit("/targets")
    page.set_viewport_size({"width": width, "height": 640})

    assert page.evaluate(_UNCUT) == [True] * 3
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(page.get_by_role("link", name="install-on-debian.html")).to_be_visible()
    assert violations(page) == []
