"""Types of files, plain text, and files that can't be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwatch_client.extraction import Link, UnreadableFile, extract, kind_of
from linkwatch_client.extraction.links import MAX_LINKS, MAX_URL

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("README.md", "markdown"),
        ("docs/a.HTML", "html"),
        ("a.txt", "text"),
        ("a.css", "css"),
        ("a.py", None),
        ("Makefile", None),
        (".md", None),
    ],
)
def test_the_name_determines_the_kind_of_a_file(name, kind):
    assert kind_of(name) == kind


def test_a_file_of_unknown_kind_is_read_by_its_content():
    assert extract("", b"\n<!DOCTYPE html><a href=b>") == [Link("b", 2, 24, "")]
    assert extract("notes", b"[a](b)") == [Link("b", 1, 5, "a")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(see https://a.example/x_(y).) b", ["https://a.example/x_(y)"]),
        ("www.a.example/b. awww.no.example", ["http://www.a.example/b"]),
        ("doi:10.1000/182. doi:no", ["https://doi.org/10.1000/182"]),
        ("DOI: 10.1000/(a)b;", ["https://doi.org/10.1000/(a)b"]),
        ("'https://a.example/' <https://b.example>", ["https://a.example/", "https://b.example"]),
        ("HTTPS://a.example|b [http://c.example]", ["HTTPS://a.example", "http://c.example"]),
        ("见https://a.example/路径\uff0c见。", ["https://a.example/路径"]),
        ("no links: example.org, ftp., https://, http://.", []),
    ],
)
def test_links_of_a_text(text, expected):
    assert [link.url for link in extract("a.txt", text.encode())] == expected


def test_all_line_endings_are_recognized():
    found = extract("a.txt", "\ufeffhttp://a\r\n\u2028http://b\rhttp://c\n".encode())
    assert found == [
        Link("http://a", 1, 1, ""),
        Link("http://b", 2, 2, ""),
        Link("http://c", 3, 1, ""),
    ]


def test_a_file_that_is_not_text_is_rejected_with_an_error():
    with pytest.raises(UnreadableFile, match=r"^The file is not text: it contains NUL bytes\.$"):
        extract("a.md", b"a\0b")


def test_too_many_links_are_rejected():
    with pytest.raises(UnreadableFile, match=f"more than {MAX_LINKS:,} links"):
        extract("a.txt", b"http://a " * (MAX_LINKS + 1))


def test_an_address_that_no_server_accepts_is_not_a_link():
    assert extract("a.md", b"[a](" + b"b" * (MAX_URL + 1) + b") [c](d)") == [
        Link("d", 1, MAX_URL + 12, "c")
    ]


@given(st.binary(max_size=300), st.sampled_from(["a.md", "a.html", "a.txt", "a.css", ""]))
def test_any_file_can_be_read(data, name):
    try:
        found = extract(name, data)
    except UnreadableFile:
        found = []

    assert all(link.url and link.line >= 1 and link.column >= 1 for link in found)
