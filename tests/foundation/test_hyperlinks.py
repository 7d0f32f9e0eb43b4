"""Links out of pages and texts."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundation.files.hyperlinks import in_html, in_text

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


def test_each_link_has_its_line():
    page = "<p>\n<!--\n-->\n<a\nhref=x>\n\n<a href=y>"
    assert list(in_html(page)) == [(4, "x"), (7, "y")]
    assert list(in_text("\u2028\n\nhttp://x\r\nhttp://y")) == [(3, "http://x"), (4, "http://y")]


@pytest.mark.parametrize("find", [in_html, in_text])
@pytest.mark.parametrize(
    "piece",
    [
        *("<a ", "<a href='", '<a href="x', "<!--", "<a x=1 ", "[", "![", "](", "](<", "](a(b)"),
        *("`` ` ", "https://a.example/)", "https://", "[x]:"),
    ],
)
def test_the_time_grows_with_the_length_alone(find, piece):
    def took(length):
        text = piece * (length // len(piece))
        began = time.process_time()
        sum(1 for _ in find(text))
        return time.process_time() - began

    assert took(400_000) < 1.0  # quadratic, it would be minutes


@given(st.text(alphabet="<a href='\">=/!-[]()`\\:x\n#", max_size=200))
def test_no_text_is_too_strange(text):
    for find in (in_html, in_text):
        assert all(1 <= line <= text.count("\n") + 1 for line, _ in find(text))
