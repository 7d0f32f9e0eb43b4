"""Links out of pages and texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundation.files.hyperlinks import in_html, in_text
from foundation.files.lists import UnreadableFileError

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize(
    ("page", "links"),
    [
        ('<a href="https://a.example/">x</a>', ["https://a.example/"]),
        ("<A\nclass=x HREF = 'https://a.example/?a=1&amp;b=2' >", ["https://a.example/?a=1&b=2"]),
        ('<a title="1 > 0" data-href=no href=https://a.example>', ["https://a.example"]),
        ('<map><area href="https://a.example/1"></map>', ["https://a.example/1"]),
        ('<base href="https://a.example/d/"><a href="../x"><a href=y>', None),
        ("<!-- <a href=no> --><script>'<a href=no>'</script><a href=yes>", ["yes"]),
        ("<a href=yes><!-- <a href=no>", ["yes"]),
        ('<a href="#top"><a href="mailto:a@a.example"><a href=""><a name="x"><a>', []),
        ('<a href="https://a.\nexample/\t ">', ["https://a.example/"]),
        ('<base href="https://a.example"><a href="http://[x">', ["http://[x"]),
        ("<abbr href=no><link href=no><img src=no><p href=no>", []),
        ("<a href='no", []),
    ],
)
def test_links_of_a_page(page, links):
    expected = ["https://a.example/x", "https://a.example/d/y"] if links is None else links
    assert [address for _, address in in_html(page)] == expected


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ('See [a page](https://a.example/w_(b) "T"), do.', ["https://a.example/w_(b)"]),
        ("[a](<https://a.example/>) [b]( /about )", ["https://a.example/", "/about"]),
        ("<https://a.example/> [r]: x", ["https://a.example/"]),
        ("  [r]: https://a.example/ 'T'", ["https://a.example/"]),
        ("(see https://a.example/x_(y).) Or http://b.example!", None),
        (
            '"https://a.example/", **https://b.example/**',
            ["https://a.example/", "https://b.example/"],
        ),
        ("[![i](https://no.example/)](https://a.example)", ["https://a.example"]),
        ("`https://no.example` ``a ` https://no.example``", []),
        ("```\nhttps://no.example\n~~~\n```\nhttps://a.example", ["https://a.example"]),
        ("[top](#top) [mail](mailto:a@a.example) a[1](x y)", []),
        (r"[a](https://a.example/a\_b?x&amp;y)", ["https://a.example/a_b?x&y"]),
        ("[j](javascript:alert(1)) xhttps://no.example", ["javascript:alert(1)"]),
        ("no links: example.org, ftp.", []),
    ],
)
def test_links_of_a_text(text, links):
    expected = ["https://a.example/x_(y)", "http://b.example"] if links is None else links
    assert [address for _, address in in_text(text)] == expected


@pytest.mark.parametrize(
    ("text", "link"),
    [
        (r"url = {https://a.example/foo\_bar}", "https://a.example/foo_bar"),
        (r"\url{https://a.example/100\%25\&b\#c}", "https://a.example/100%25&b#c"),
        (r"https://a.example/\~{}ada/x.", "https://a.example/~ada/x"),
        (r"https://a.example/a\b", r"https://a.example/a\b"),
    ],
)
def test_escapes_of_latex_are_no_part_of_an_address(text, link):
    assert list(in_text(text)) == [(1, link)]


def test_each_link_has_its_line():
    page = "<p>\n<!--\n-->\n<a\nhref=x>\n\n<a href=y>"
    assert list(in_html(page)) == [(4, "x"), (7, "y")]
    assert list(in_text("\u2028\n\nhttp://x\r\nhttp://y")) == [(3, "http://x"), (4, "http://y")]


def test_what_is_escaped_without_end_is_an_address_like_any_other():
    number = "&#" + "9" * 5000 + ";"
    assert list(in_html(f"<a href='{number}'>")) == [(1, number)]


def test_a_base_that_no_address_could_begin_with_is_none():
    base = "https://a.example/" + "a/" * 1024
    assert list(in_html(f'<base href="{base}"><a href="x">')) == [(1, "x")]
    assert list(in_html(f'<base href="{base}"><base href="https://b.example"><a href="x">')) == [
        (1, "https://b.example/x")
    ]


def test_a_page_or_a_line_is_read_across_the_pieces_in_which_it_is_looked_through():
    addresses = [f"https://a.example/{n:06}" for n in range(9000)]
    page = "".join(f"<a title='{'x' * (n % 50)}' href={a}>" for n, a in enumerate(addresses))
    assert [address for _, address in in_html(page)] == addresses
    unseen = "<!-- <a href=x> -->" + "y" * 70_000 + "<script>" + "<a href=y>" * 9000 + "</script>"
    assert [address for _, address in in_html(unseen + page)] == addresses
    assert [address for _, address in in_text(" ".join(addresses))] == addresses
    with pytest.raises(UnreadableFileError, match="Line 2"):
        list(in_text("\n" + "x" * 70_000))


@given(st.text(alphabet="<a href='\">=/!-[]()`\\:x\n#", max_size=200))
def test_no_text_is_too_strange(text):
    for find in (in_html, in_text):
        assert all(1 <= line <= text.count("\n") + 1 for line, _ in find(text))
