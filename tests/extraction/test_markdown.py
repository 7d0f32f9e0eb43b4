"""Finds links in Markdown, each with its place, by the rules of markdown-it-py."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from linkwatch_client.extraction import Link, extract
from linkwatch_client.extraction.links import decoded
from tests.cases import examples

pytestmark = pytest.mark.any_database


def links(text):
    return extract("a.md", text.encode())


def urls(text):
    return [link.url for link in links(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[a](/x "t") ![b](y.png)', ["/x", "y.png"]),
        ("[a](<b c>) [d]( e ) [f](g(h)i)", ["b c", "e", "g(h)i"]),
        (r"[a](/b\_c?d&amp;e&copy=1)", ["/b_c?d&e&copy=1"]),
        ("[![a](b)](c) [d [e](f) g](h)", ["b", "c", "f"]),
        ("<https://a.example/?b&amp;c> <ada@a.example>", None),
        ("`[a](b)` ``c ` [d](e)`` \\`[f](g)\\`", ["g"]),
        ("```\n[a](b)\n~~~\n```\n\n    [c](d)\n\n- e\n\n  [f](g)", ["g"]),
        ("> ```\n> [a](b)\n\n[c](d)", ["d"]),
        ("[a]\n\n[A]: /b 'c'\n[d]: <e f>\n", ["/b"]),
        ("[a][b] [b][] [c][d]\n\n[b]: /e\n[b]: /f", ["/e"]),
        ("| `a | [b](c) |\n|--|--|\n| [d](e`) | f |", ["c", "e`"]),
        ('<div>\n<a href="/a">b</a> [c](d)\n</div>\n\n[e](f)', ["/a", "f"]),
        ('a <img src="b"> <!-- [c](d) --> [e](f)', ["b", "f"]),
        ("---\nhome: https://a.example\n---\n[b](c)", ["https://a.example", "c"]),
        ("See (https://a.example/b_(c)). www.d.example, doi:10.1000/182.", "bare"),
        ("https://a.example/?a=1&amp;b=2&copy=3.", ["https://a.example/?a=1&b=2&copy=3"]),
        (
            "&lt;https://a.example/b&gt;, (https://c.example&quot;&gt;.)",
            ["https://a.example/b", "https://c.example"],
        ),
        ("[https://a.example](b) [https://c.example]", ["b", "https://c.example"]),
        ("a[^1]\n\n[^1]: [b](c)\n\n    [d](e)", ["c", "e"]),
        ('!!! note\n\n    [a](b)\n\n=== "C"\n    [d](e)', ["b", "e"]),
        ("- [ ] [a](b)\n  - [c](d)\n1. [e](f)\n", ["b", "d", "f"]),
        ("[a]() [b](# ) [](c)", ["#", "c"]),
    ],
)
def test_links_of_a_document(text, expected):
    if expected is None:
        expected = ["https://a.example/?b&c", "mailto:ada@a.example"]
    elif expected == "bare":
        expected = [
            "https://a.example/b_(c)",
            "http://www.d.example",
            "https://doi.org/10.1000/182",
        ]
    assert urls(text) == expected


def test_a_link_has_its_place_and_its_text():
    text = "# é [a *b*](c)\r\n\r\n> - [d\r\n>   e](f)\r\n\r\n[g]\r\n\r\n[g]: h\r\n"

    assert links(text) == [
        Link("c", 1, 13, "a b"),
        Link("f", 4, 8, "d e"),
        Link("h", 8, 6, "g"),
    ]


# Documents about structure; bare URLs, footnotes and admonitions are not part of CommonMark.
_WORDS = st.sampled_from(
    [
        *("[a](/b)", "![c](d)", "[e](<f g>)", "[h](i(j)k 't')", "<https://a.example/l>", "[m][n]"),
        *("[n]", "[n]: /o", "[p]: <q r> 't'", "[p][]", "[[s](t)](u)", "[![v](w)](x)", "`", "``"),
        *("```", "~~~", "    ", "\t", "  ", " ", "\n", "\n\n", "> ", ">", "- ", "-", "1. ", "2. "),
        *("* ", "# ", "***", "---", "===", "|", "a | b", "--|--", "<div>", "</div>", "<!--", "-->"),
        *(
            '<a href="y">',
            "</a>",
            "<b>",
            "<pre>",
            "</pre>",
            "\\",
            "[",
            "]",
            "(",
            ")",
            "!",
            "a",
            "b",
        ),
        *("'", '"', "<", ">", "&amp;", "\\[", "é", "+ ", "10) "),
        *("\nc d\n", "\n```\n", "\n~~~~ \n", "\n| [a](/z) | b |\n"),
    ]
)
_DOCUMENTS = st.lists(_WORDS, max_size=30).map("".join)


def test_bare_urls_and_references_are_found_after_many_unmatched_brackets():
    text = "[a](" * 10_001 + " [b](c) https://a.example/ "
    assert urls(text) == ["https://a.example/"]
    assert urls(f"{text}[d]\n\n[d]: /e") == ["https://a.example/", "/e"]
    assert urls("[a](" * 9_000 + " [b](c)") == ["c"]


def oracle(text):
    """Return the URLs that markdown-it-py finds, without those in HTML."""
    found = []
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    while tokens:
        token = tokens.pop()
        found += [str(token.attrs[name]) for name in ("href", "src") if name in token.attrs]
        tokens += token.children or []
    return {url for url in found if url}


def normalized(url):
    return MarkdownIt().normalizeLink(url)


@settings(max_examples=examples(300), deadline=None)
@given(_DOCUMENTS)
@example("- a\n\n      [b](c)")
@example("-\n\n  [b](c)")
@example("> a\n[b](c)")
def test_markdown_links_equal_those_of_markdown_it(text):
    found = {normalized(url) for url in urls(text)} - {"y"}  # only in HTML

    assert found == oracle(text)


@settings(max_examples=examples(300), deadline=None)
@given(_DOCUMENTS)
def test_the_place_of_a_link_points_at_its_url(text):
    lines = text.split("\n")
    for link in links(text):
        rest = lines[link.line - 1][link.column - 1 :]
        assert decoded(rest).startswith(link.url), link
