"""Which URLs the bounds of a token include, and which bounds are rejected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundation.token_bounds import MAX_BOUNDS, TokenBounds, normalize
from targets.canonical import canonicalize

pytestmark = pytest.mark.any_database


def include(bound, url):
    return TokenBounds(tuple(normalize([bound]))).include(canonicalize(url).url)


@pytest.mark.parametrize(
    ("bound", "within", "outside"),
    [
        (
            "docs.example",
            ["https://docs.example", "http://DOCS.example:8080/a?b", "https://docs.example./a"],
            [
                "https://a.docs.example/",
                "https://docs.example.evil.example",
                "https://xdocs.example",
            ],
        ),
        (
            "*.example.org",
            ["https://a.example.org/x", "https://b.a.example.org?q"],
            ["https://example.org", "https://notexample.org", "https://example.org.evil.example"],
        ),
        (
            "https://a.example/docs/",
            ["https://a.example/docs", "https://a.example/docs/x", "https://a.example/docs?q=1"],
            [
                "https://a.example/docs-of-others",
                "https://a.example/docs/../secret",
                "https://a.example/docs/%2e%2e/secret",
                "http://a.example/docs/x",
                "https://a.example:8443/docs/x",
                "https://b.example/https://a.example/docs/x",
            ],
        ),
        (
            "https://a.example/",
            ["https://a.example", "https://a.example?q", "https://a.example/x"],
            ["https://a.example:8443/x", "https://a.example.evil.example/"],
        ),
        ("https://a.example/a//", ["https://a.example/a//b"], ["https://a.example/a/b"]),
        ("MÜNCHEN.example", ["https://xn--mnchen-3ya.example/"], ["https://munchen.example"]),
        ("[::1]", ["http://[::1]:80/a", "http://[0:0::1]:81/a"], ["http://[::2]/a"]),
        ("https://a.example:443/x", ["https://a.example/x"], ["https://a.example:444/x"]),
    ],
)
def test_bounds_include_their_urls_and_nothing_else(bound, within, outside):
    assert [url for url in within if not include(bound, url)] == []
    assert [url for url in outside if include(bound, url)] == []


def test_duplicate_bounds_are_merged_and_no_bounds_include_nothing():
    bounds = normalize(["A.example", "a.example", "https://b.example/x/"])
    assert bounds == ["a.example", "https://b.example/x"]
    assert TokenBounds(tuple(bounds)).include("https://b.example/x/y")
    assert not TokenBounds(()).include("https://a.example")


@pytest.mark.parametrize(
    ("bound", "sentence"),
    [
        ("a.example:8080", "without a port"),
        ("a.example/docs", "that begins with https://"),
        ("ftp://a.example/", "Only http and https"),
        ("https://me:pw@a.example/", "credentials"),
        ("https://a.example/?q=1", r"must not contain \? or #"),
        ("https://a.example/#part", r"must not contain \? or #"),
        ("*", "asterisk"),
        ("*.*.example", "asterisk"),
        ("a*.example", "asterisk"),
        ("*.", "The host name|valid host"),
        ("https://a.example/" + "x" * 3000, "longer than"),
        ("a\0.example", "Must be a host name"),
    ],
)
def test_other_bounds_are_refused_with_a_sentence_that_names_them(bound, sentence):
    with pytest.raises(ValueError, match=sentence) as error:
        normalize(["fine.example", bound])
    assert str(error.value).startswith(bound[:100])


def test_the_number_of_bounds_is_limited():
    with pytest.raises(ValueError, match="at most 500 hosts or URLs"):
        normalize(f"h{n}.example" for n in range(MAX_BOUNDS + 1))


def test_a_sentence_names_the_first_few():
    assert str(TokenBounds(("a", "b", "c"))) == "a, b, c"
    assert str(TokenBounds(("a", "b", "c", "d", "e"))) == "a, b, c and 2 more"


@given(st.text("aä/.%2eE\\:8", min_size=1, max_size=12))
def test_a_bound_includes_the_canonical_form_of_its_url(path):
    url = f"HTTPS://A.example./{path}"
    assert include(url, url)
    assert include(url, f"{url}/more")
