"""Two ways to use a page: by keyboard on a phone, and by mouse on a desktop."""

import re

from playwright.sync_api import Locator, Page

from tests.browser.test_accounts import tab_to


class Keyboard:
    """Reaches everything by Tab, and presses Enter, Space and arrow keys."""

    viewport = {"width": 320, "height": 640}

    def press(self, page: Page, name: str) -> None:
        """Follow a link or press a button whose whole text matches `name`."""
        page.get_by_role("main").focus()
        tab_to(page, name)
        page.keyboard.press("Enter")

    def write(self, page: Page, label: str, text: str) -> None:
        """Fill in a field."""
        self._go_to(page, label)
        page.keyboard.press("Control+A")
        page.keyboard.insert_text(text)

    def select(self, page: Page, label: str, option: str) -> None:
        """Choose from a list by typing the name of the option."""
        self._go_to(page, label)
        page.keyboard.type(option)

    def choose(self, page: Page, group: str, option: str) -> None:
        """Choose a radio button of a group with the arrow keys."""
        buttons = page.get_by_role("group", name=group).get_by_role("radio")
        self._go_to(page, re.escape(_label_of(buttons.and_(page.locator(":checked")))))
        for _ in range(buttons.count()):
            if _label_of(page.locator(":focus")) == option:
                return
            page.keyboard.press("ArrowDown")
        raise AssertionError(f"The arrows do not lead to {option}")

    def tick(self, page: Page, label: str) -> None:
        """Tick a box."""
        self._go_to(page, label)
        page.keyboard.press("Space")

    def unfold(self, page: Page, name: str) -> None:
        """Open a folded section."""
        self.press(page, name)

    def attach(self, page: Page, label: str, path) -> None:
        """Choose a file, without the browser's own file dialog."""
        self._go_to(page, label)
        page.locator("input[type=file]:focus").set_input_files(path)

    @staticmethod
    def _go_to(page: Page, label: str) -> None:
        page.get_by_role("main").focus()
        tab_to(page, label)


class Mouse:
    """Clicks on visible elements."""

    viewport = {"width": 1280, "height": 800}

    def press(self, page: Page, name: str) -> None:
        """Follow a link or press a button whose whole text matches `name`."""
        whole = re.compile(rf"^\s*{name}\s*$")
        page.locator("main").locator("a, button").filter(has_text=whole).first.click()

    def write(self, page: Page, label: str, text: str) -> None:
        """Fill in a field."""
        field = page.get_by_label(re.compile(rf"^{label}$"))
        field.click()
        field.fill(text)

    def select(self, page: Page, label: str, option: str) -> None:
        """Choose from a list."""
        page.get_by_label(label, exact=True).select_option(label=option)

    def choose(self, page: Page, group: str, option: str) -> None:
        """Choose a radio button of a group."""
        page.get_by_role("group", name=group).get_by_text(option, exact=True).click()

    def tick(self, page: Page, label: str) -> None:
        """Tick a box."""
        page.get_by_text(label, exact=True).click()

    def unfold(self, page: Page, name: str) -> None:
        """Open a folded section."""
        page.locator("summary").filter(has_text=re.compile(rf"^\s*{name}\s*$")).first.click()

    def attach(self, page: Page, label: str, path) -> None:
        """Choose a file, without the browser's own file dialog."""
        page.get_by_label(label, exact=True).set_input_files(path)


def _label_of(field: Locator) -> str:
    return field.evaluate("field => field.labels[0].innerText.trim()")
