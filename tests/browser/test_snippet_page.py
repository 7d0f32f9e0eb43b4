"""The page of a snippet, as people see it."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

CODE = '''"""Moving averages."""

from collections import deque
from collections.abc import Iterable, Iterator


class Window:
    """The last `size` numbers."""

    def __init__(self, size: int = 7) -> None:
        self.numbers: deque[float] = deque(maxlen=size)

    def add(self, number: float) -> float:
        self.numbers.append(number)  # the oldest leaves
        return sum(self.numbers) / len(self.numbers)


def averages(numbers: Iterable[float], size: int = 7) -> Iterator[float]:
    window = Window(size)
    for number in numbers:
        if number is None or number != number:
            raise ValueError(f"{number!r} is no number, and this line is to be scrolled")
        yield window.add(number)


print(list(averages([1, 2.5, 0x10, 4e3])), r"\\d+")
'''


@pytest.fixture
def snippet(product):
    return product.api(
        "POST",
        "/v1/snippets",
        {
            "title": "Moving averages over <a> stream",
            "content": CODE,
            "tags": ["python", "statistics", "<b>bold</b>"],
            "ttl": "30d",
        },
    )


@pytest.fixture
def address(product, snippet):
    return f"{product.base}/snippets/{snippet['id']}"


def count_of(page):
    return page.locator("[data-count]")


def expect_live(page):
    expect(page.locator("[data-live]")).to_have_attribute("data-is", "live")


def stop_clocks(page):
    """Stop the page's clocks: its text does not change, and it retries only after an event."""
    page.evaluate("window.setTimeout = () => 0")


def test_the_counter_of_a_page_updates_when_another_user_opens_it(open_page, address):
    first = open_page(address)
    expect_live(first)
    expect(count_of(first)).to_have_text("1")
    first.evaluate("window.sameDocument = true")
    second = open_page(address)
    expect_live(second)
    expect(count_of(first)).to_have_text("2")
    expect(count_of(second)).to_have_text("2")
    assert first.evaluate("window.sameDocument")


def test_a_page_that_lost_its_socket_shows_it_and_reconnects(open_page, address):
    page = open_page(address)
    expect_live(page)
    stop_clocks(page)
    page.context.set_offline(True)
    expect(page.locator("[data-state]")).to_have_text("not live, offline")
    page.context.set_offline(False)
    expect_live(page)


def test_lines_can_be_linked_to_and_the_code_copied(open_page, address, product):
    page = open_page(address, permissions=["clipboard-read", "clipboard-write"])
    page.locator("#L14 > a").click()
    assert page.url.endswith("#L14")
    expect(page.locator(".line:target")).to_contain_text("the oldest leaves")
    stop_clocks(page)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == CODE
    page.get_by_role("link", name="Raw").click()
    assert page.locator("body").inner_text().strip() == CODE.strip()


def test_without_javascript_the_page_of_a_snippet_is_static(open_page, address):
    page = open_page(address, java_script_enabled=False)
    expect(page.get_by_role("heading", level=1)).to_have_text("Moving averages over <a> stream")
    expect(count_of(page)).to_have_text("0")
    expect(page.locator("[data-state]")).to_be_empty()
    expect(page.get_by_role("button", name="Copy")).to_be_hidden()


SCREENS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 900}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 900}},
    "phone": {"color_scheme": "light", "viewport": {"width": 320, "height": 740}},  # WCAG 1.4.10
    "phone-dark": {"color_scheme": "dark", "viewport": {"width": 360, "height": 740}},
}


@pytest.mark.parametrize("screen", SCREENS)
def test_the_page_of_a_snippet_is_readable_on_every_screen(open_page, address, screen):
    page = open_page(address + "#L14", **SCREENS[screen])
    expect_live(page)
    picture(page, f"snippet-{screen}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(CONTRASTS) == {}


@pytest.mark.parametrize("screen", ["light", "phone-dark"])
def test_the_page_of_a_missing_snippet_is_readable(open_page, product, screen):
    url = f"{product.base}/snippets/s_0000000000000000000000"
    page = open_page(url, status=404, **SCREENS[screen])
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no such snippet")
    picture(page, f"missing-{screen}")
    assert page.evaluate(CONTRASTS) == {}


def picture(page, name):
    """Keep a picture in the folder that LINKWATCH_PICTURES names, for people to look at."""
    if folder := os.environ.get("LINKWATCH_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


# Text whose contrast to its background is under 4.5:1 (WCAG 2.2, 1.4.3 AA), with the ratio.
CONTRASTS = """() => {
  const channels = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = colour => channels(colour).slice(0, 3).map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((channels(colour)[3] ?? 1) > 0) return colour;
    }
  };
  const found = {};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found[walker.currentNode.data.trim().slice(0, 30)] = ratio.toFixed(2);
  }
  return found;
}"""
