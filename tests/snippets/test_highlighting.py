"""Highlights code as HTML."""

import re
from html import unescape

import pytest

from snippets import highlighting
from snippets.highlighting import highlight

pytestmark = pytest.mark.any_database

HOSTILE = '<script>alert(1)</script>\n"><img src=x onerror=alert(1)>\n&lt;b&gt;'


def text_of(html):
    return unescape(re.sub(r"<[^>]*>", "", html))


@pytest.mark.parametrize("language", ["", "python", "html", "php", "console", "text", "no-such"])
@pytest.mark.parametrize(
    "content",
    [HOSTILE, "\n\n  a\n\n", "x", "def f():\n\treturn 1\n", "a\n\n'''b\n\nc'''\n", "\f\x0b\x85"],
)
def test_copied_text_equals_the_content_in_any_language(content, language):
    html = highlight(content, language).html
    assert text_of(html) == content
    assert set(re.findall(r"<(\w+)", html)) <= {"span", "a"}
    assert "onerror" not in "".join(re.findall(r"<[^>]*>", html))


def test_line_breaks_of_all_systems_are_equal():
    assert text_of(highlight("a\r\nb\rc\n").html) == "a\nb\nc\n"


def test_each_line_is_an_element_with_a_link_to_itself():
    found = highlight('"""a\n\nb"""\n', "python")
    lines = re.findall(r'<span class="line" id="L(\d+)"><a href="#L(\d+)" [^>]*></a>', found.html)
    assert lines == [("1", "1"), ("2", "2"), ("3", "3")]
    assert found.lines == 3
    for line in found.html.split('<span class="line"')[1:]:
        assert line.count("<span") == line.count("</span>") - 1  # no tag crosses the end of a line


def test_a_language_that_is_given_is_used_and_another_is_guessed():
    assert highlight("x = 1", "python")[1:3] == ("Python", False)
    assert highlight("#!/usr/bin/env python3\nprint(1)\n")[1:3] == ("Python", True)
    assert highlight("just words")[1:3] == ("", False)
    assert highlight("x", "no-such-language")[1:3] == ("", False)


def test_a_large_text_is_not_highlighted_and_a_very_long_one_has_no_lines(monkeypatch):
    monkeypatch.setattr(highlighting, "MAX_CHARACTERS", 10)
    monkeypatch.setattr(highlighting, "MAX_LINES", 20)
    assert highlight("x = 1\n" * 5, "python")[1:] == ("", False, 5)
    found = highlight("x = '<b>'\n" * 21, "python")
    assert found[1:] == ("", False, 0)
    assert "<" not in found.html


def test_a_text_that_is_slow_to_highlight_stays_plain(monkeypatch):
    monkeypatch.setattr(highlighting, "MAX_CPU_TIME", -1.0)
    found = highlight("x = 1\n", "python")
    assert (text_of(found.html), found.language, found.lines) == ("x = 1\n", "", 1)
