"""Finds links in HTML and style sheets, each with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwatch_client.extraction import Link, extract

pytestmark = pytest.mark.any_database


def links(page):
    return extract("a.html", page.encode())


def urls(page):
    return [link.url for link in links(page)]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ('<a href="https://a.example/">x</a>', ["https://a.example/"]),
        ("<A\nclass=x HREF = 'https://a.example/?a=1&amp;b=2&copy=3' >", None),
        ('<a title="1 > 0" data-href=no href=https://a.example>', ["https://a.example"]),
        ('<a title="a < b" href=c><a title=\'<a href="no">\' href=d>', ["c", "d"]),
        ('<map><area href="a"></map><q cite=b><object data=c>', ["a", "b", "c"]),
        ("<!-- <a href=no> --><script>'<a href=no>'</script><a href=yes>", ["yes"]),
        ("<a href=yes><!-- <a href=no>", ["yes"]),
        ('<a href="#top"><a href="mailto:a@a.example"><a href=""><a name="x"><a>', "aside"),
        ('<a href="https://a.\nexample/\t ">', ["https://a.example/"]),
        ("<abbr data-href=no><a src=no><hrefs to=no>", []),
        ("<VueLesson href=a /><Image.Large src=b>", ["a", "b"]),
        ('<img src=a srcset="b 1x, c 2x"><source srcset="d,e">', ["a", "b", "c", "d,e"]),
        ("<video src=a poster=b><audio src=c><iframe src=d><script src=e></script>", list("abced")),
        ('<link rel=stylesheet href=a><link rel=preconnect href="//b.example">', ["a"]),
        ("<svg><use xlink:href='#a'/><image href=b /></svg>", ["#a", "b"]),
        ("<meta http-equiv=Refresh content=\"5; URL='a'\"><meta content='5; url=no'>", ["a"]),
        ("<style>p {background: url( \"a\" )} /* url(no) */ @import 'b';</style>", ["a", "b"]),
        ("<p style='background: url(a)'>", ["a"]),
        ("<a href='no", []),
    ],
)
def test_links_of_a_page(page, expected):
    if expected is None:
        expected = ["https://a.example/?a=1&b=2&copy=3"]
    elif expected == "aside":
        expected = ["#top", "mailto:a@a.example"]
    assert sorted(urls(page)) == sorted(expected)


def test_relative_links_are_resolved_by_the_base():
    page = '<base href="https://a.example/d/"><a href="../x"><a href=y><a href="#z">'
    assert urls(page) == ["https://a.example/x", "https://a.example/d/y", "#z"]
    assert urls('<base href="https://a.example"><a href="http://[x">') == ["http://[x"]


def test_an_impossible_base_is_ignored():
    base = "https://a.example/" + "a/" * 1024
    assert urls(f'<base href="{base}"><a href="x">') == ["x"]
    assert urls(f'<base href="{base}"><base href="https://b.example"><a href="x">') == [
        "https://b.example/x"
    ]


def test_a_link_has_its_place_and_its_text():
    page = '<p>é <a\n  href=" a&amp;b ">T &amp; <b>U</b>\n V</a><img alt="W" src="c">\r\n<a href=d>'
    assert links(page) == [
        Link("a&b", 2, 10, "T & U V"),
        Link("c", 3, 25, "W"),
        Link("d", 4, 9, ""),
    ]


def test_links_of_a_style_sheet():
    found = extract("a.css", b"@import url(a);\np { background: url('b') /* url(c) */ }")
    assert found == [Link("a", 1, 13, ""), Link("b", 2, 22, "")]


def test_a_page_in_another_encoding_is_read():
    assert extract("a.html", "<a href=ü>".encode("cp1252"))[0].url == "ü"
    page = '<meta charset="iso-8859-2"><a href=ł>'
    assert extract("a.html", page.encode("iso-8859-2"))[0].url == "ł"
    assert extract("a.html", "<a href=ł>".encode("utf-16"))[0].url == "ł"
    for charset in ("idna", "undefined", "utf-16", "UTF-32-LE", "none"):  # which a page can't have
        page = f"<meta charset={charset}><a href=ü>"
        assert extract("a.html", page.encode("cp1252"))[0].url == "ü"


@given(st.text(alphabet="<a href='\">=/!-[]()`\\:x\n#", max_size=200))
def test_any_page_can_be_read(page):
    lines = page.split("\n")
    for link in links(page):
        assert lines[link.line - 1][link.column - 1 :].startswith(link.url[:1])
