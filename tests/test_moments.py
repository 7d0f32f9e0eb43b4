"""Each time on a page is a <time> element, which shows it in the reader's zone."""

import re

import pytest

from tests.acceptance.processes import ROOT

pytestmark = pytest.mark.any_database

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
_SHOWN = re.compile(
    r"""\{\{[^}]*(\|\s*(exact|date:|time:|timesince)|\.isoformat|_at\b|\bnow\b)[^}]*\}\}"""
)
# Places without an element: attributes, and text that is only read aloud.
_BEFORE = re.compile(r"""(<time\b[^<]*|="[^"<>]*|<title>[^<]*|<span class="unseen">[^<]*)$""")


def bare_times(text):
    """Yield the times outside of <time>."""
    for found in _SHOWN.finditer(text):
        if not _BEFORE.search(text[: found.start()]):
            yield found[0]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_templates_show_times_only_in_time_elements(path):
    assert list(bare_times(path.read_text())) == []


def test_a_time_without_an_element_is_detected():
    bare = "<p>{{ at|exact }}</p> {{ row.created_at }} {{ day|date:'c' }}"
    assert len(list(bare_times(bare))) == 3
    fine = (
        '<time datetime="{{ now.isoformat }}">{{ now|exact }}</time>'
        '<p data-now="{{ now.isoformat }}" aria-label="{{ at|exact }}">'
        "<title>{{ at|exact }}</title>"
        "{% when row.created_at now %}{% clock now %}"
    )
    assert list(bare_times(fine)) == []


def test_pages_with_times_load_the_script_that_converts_them():
    for path in TEMPLATES:
        text = path.read_text()
        if "linkwatch/base.html" in text and "{% clock " in text:
            assert "linkwatch/times.js" in text, path
