"""URL validation & canonicalization: all rules and edge cases.

Source: docs/requirements.md#registry-canonical-urls.
"""

from urllib.parse import urlsplit

import pytest
from ada_url import URL
from hypothesis import example, given, settings
from hypothesis import strategies as st

from targets.canonical import MAX_URL_BYTES, InvalidURLError, canonicalize, url_to_fetch
from tests.cases import examples

pytestmark = pytest.mark.any_database


def canonical(raw: str) -> str:
    return canonicalize(raw).url


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        # the examples of the contract
        ("HTTPS://Example.com:443/path/?a=1#section", "https://example.com/path?a=1"),
        ("http://example.com", "http://example.com"),
        ("http://example.com/", "http://example.com"),
        ("http://example.com/?q=1", "http://example.com?q=1"),
        # scheme and host become lower-case; the path keeps its case
        ("HtTp://EXAMPLE.Com/Path", "http://example.com/Path"),
        # default ports are removed, others stay
        ("http://example.com:80/a", "http://example.com/a"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("https://example.com:80/a", "https://example.com:80/a"),
        ("http://example.com:443/a", "http://example.com:443/a"),
        ("http://example.com:0080/a", "http://example.com/a"),
        ("http://example.com:/a", "http://example.com/a"),
        ("http://example.com:65535", "http://example.com:65535"),
        # fragments are removed, even empty ones
        ("http://example.com/a#", "http://example.com/a"),
        ("http://example.com#a/b?c", "http://example.com"),
        # one final slash is removed, unless there are two
        ("http://example.com/a/", "http://example.com/a"),
        ("http://example.com/a//", "http://example.com/a//"),
        ("http://example.com//", "http://example.com//"),
        ("http://example.com/a/?b/", "http://example.com/a?b/"),
        # an empty query is removed, others stay as they are
        ("http://example.com/a?", "http://example.com/a"),
        ("http://example.com/a/?#", "http://example.com/a"),
        ("http://example.com/?b=2&a=1&a=", "http://example.com?b=2&a=1&a="),
        ("http://example.com/a??", "http://example.com/a??"),
    ],
)
def test_each_rule_of_the_specification_is_applied(raw, expected):
    assert canonical(raw) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("http:/a", "http://a"),
        ("http:a", "http://a"),
        ("http:////a/b", "http://a/b"),
        (r"http:\\a\b", "http://a/b"),
        ("  http://a/  ", "http://a"),
        ("http://a/b c", "http://a/b%20c"),
        ("http://a/./b/../c", "http://a/c"),
        ("http://a/%2e%2E/c", "http://a/c"),
        ("http://a/%2F/", "http://a/%2F"),
        ("http://ex%61mple.com", "http://example.com"),
        ("http://a/é?é", "http://a/%C3%A9?%C3%A9"),
        ("http://a/\N{PILE OF POO}", "http://a/%F0%9F%92%A9"),
        ("http://a/%zz", "http://a/%zz"),
        ("http://a/x@y", "http://a/x@y"),
        ("http://a?x@y", "http://a?x@y"),
        ("http://bücher.example/", "http://xn--bcher-kva.example"),
        ("http://BÜCHER.example/", "http://xn--bcher-kva.example"),
        ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example"),
        ("http://faß.example", "http://xn--fa-hia.example"),
        ("http://\uff45\uff58ample.com", "http://example.com"),
        ("http://example\u3002com", "http://example.com"),
        ("http://a\u00adb.example", "http://ab.example"),
        ("http://a_b.example", "http://a_b.example"),
        ("http://example.com.", "http://example.com"),
        ("http://example.com.:8080/", "http://example.com:8080"),
        ("http://0x7f.1", "http://127.0.0.1"),
        ("http://2130706433", "http://127.0.0.1"),
        ("http://127.1", "http://127.0.0.1"),
        ("http://0177.0.0.1", "http://127.0.0.1"),
        ("http://127.0.0.1.", "http://127.0.0.1"),
        ("http://0", "http://0.0.0.0"),
        ("http://[::1]:80/", "http://[::1]"),
        ("http://[0:0::0:1]:81/", "http://[::1]:81"),
        ("http://[2001:DB8::A]/", "http://[2001:db8::a]"),
        ("http://[::ffff:127.0.0.1]", "http://[::ffff:7f00:1]"),
    ],
)
def test_urls_that_are_equal_by_whatwg_are_one_target(raw, expected):
    assert canonical(raw) == expected


@pytest.mark.parametrize(
    "raw",
    [
        *("", " ", "/", "//example.com", "example.com", "example.com:80/", "http", "http:"),
        *("http://", "https:///", "http:?q", "http:#f", "http://?", "http:// "),
        *("ftp://a/", "mailto:a@b", "javascript:alert(1)", "data:,x", "file:///etc/passwd"),
        *("ws://a/", "blob:http://a/", "view-source:http://a", "httpx://a", "about:blank"),
        *("http:a@b", "http://@h", "http://:@h", "http://user@h", "http://user:word@h/"),
        *("http:\\\\user@h", "http:/user@h", "http://a@b@c", "http://a%40b/", "http://u%3Ap@h/"),
        *(
            "http://a\tb/",
            "http://a/\n",
            "\thttp://a",
            "http://a/\r",
            "ht\ntp://a",
            "http://a/\x7f",
        ),
        *("http://a\x00b", "http://a/\x00", "http://a/\x85", "http://a/\x1b"),
        *("http://a/\ud800", "http://\udfff/", "http://a?\udc80"),
        *("http://a:0", "http://a:65536", "http://a:-1", "http://a:x", "http://a:1:2"),
        *("http://a:99999999999999999999", "http://a:\u0661"),
        *(
            "http://[::1",
            "http://::1",
            "http://[::1]a",
            "http://[fe80::1%25eth0]",
            "http://[fe80::1%eth0]",
        ),
        *("http://[]", "http://[1.2.3.4]", "http://[::g]"),
        *("http://1.2.3.4.5", "http://256.1.1.1", "http://4294967296", "http://0x100000000"),
        *(
            "http://a b/",
            "http://a<b/",
            "http://a|b/",
            "http://a^b",
            "http://%00/",
            "http://a%2Fb/",
        ),
        *("http://.", "http://..", "http://a..b", "http://.a", "http://a..", "http://\u00ad/"),
        "http://\ufffd/",
    ],
)
def test_other_input_is_refused_with_a_sentence(raw):
    with pytest.raises(InvalidURLError) as refusal:
        canonicalize(raw)

    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize(
    ("host", "fits"),
    [
        ("a" * 63, True),
        ("a" * 64, False),
        ("b." + "a" * 63 + ".example", True),
        ("b." + "a" * 64 + ".example", False),
        (".".join(["a" * 49] * 5) + ".abc", True),  # 253
        (".".join(["a" * 49] * 5) + ".abc.", True),  # the final dot does not count
        (".".join(["a" * 49] * 5) + ".abcd", False),  # 254
        ("ü" * 60, False),  # its punycode form is longer than 63
    ],
)
def test_host_names_and_their_labels_have_the_length_that_dns_allows(host, fits):
    if fits:
        assert canonicalize(f"http://{host}/").host == host.removesuffix(".")
    else:
        with pytest.raises(InvalidURLError):
            canonicalize(f"http://{host}/")


def padded(start: str, size: int, *, end: str = "") -> str:
    return start + "x" * (size - len((start + end).encode())) + end


@pytest.mark.parametrize(
    ("raw", "fits"),
    [
        (padded("http://a/", MAX_URL_BYTES), True),
        (padded("http://a/", MAX_URL_BYTES + 1), False),
        (padded("http://a/#", MAX_URL_BYTES + 1), False),  # the fragment counts, too
        (padded("http://a/", MAX_URL_BYTES - 6, end=" "), True),
        (padded("http://a/", MAX_URL_BYTES - 2, end=" "), True),
        (padded("http://a/", MAX_URL_BYTES, end="  b"), False),  # 4 bytes longer once encoded
        (padded("http://a/", MAX_URL_BYTES - 4, end="  b"), True),
        ("http://a/" + "é" * 300, True),
        ("http://a/" + "é" * 400, False),  # 809 bytes as given, 2,409 as WHATWG writes them
    ],
)
def test_both_the_input_and_the_result_have_at_most_2048_bytes(raw, fits):
    if fits:
        assert len(canonical(raw)) <= MAX_URL_BYTES
    else:
        with pytest.raises(InvalidURLError, match="longer"):
            canonicalize(raw)


@pytest.mark.parametrize(
    ("raw", "host", "port"),
    [
        ("http://Example.com./", "example.com", 80),
        ("https://example.com", "example.com", 443),
        ("https://example.com:80", "example.com", 80),
        ("http://[::1]:81", "[::1]", 81),
        ("http://bücher.example", "xn--bcher-kva.example", 80),
    ],
)
def test_host_and_port_are_those_a_check_connects_to(raw, host, port):
    parsed = canonicalize(raw)

    assert (parsed.host, parsed.port) == (host, port)


@pytest.mark.parametrize(
    ("raw", "fetched"),
    [
        ("HTTP://Example.com:80/a/?#x", "http://example.com/a/?"),
        ("http://example.com", "http://example.com/"),
        ("http://example.com./a//#", "http://example.com./a//"),
        ("http://a/%zz|?`{}#f#g", "http://a/%zz|?`{}"),
    ],
)
def test_checks_fetch_the_given_url_without_its_fragment(raw, fetched):
    assert url_to_fetch(raw) == fetched


_PIECES = st.sampled_from(
    [
        *("http:", "HTTPS:", "https:", "/", "//", "\\", "?", "#", "@", ":", ":80", ":443", ":8080"),
        *(
            "a",
            "B.example",
            "xn--bcher-kva",
            "bücher",
            "ß",
            ".",
            "..",
            "./",
            "../",
            "[::1]",
            "[::",
            "]",
        ),
        *(
            "1",
            "0x7f",
            "127.0.0.1",
            "%",
            "%2e",
            "%2F",
            "%40",
            "%00",
            "%zz",
            " ",
            "\t",
            "\n",
            "\u00ad",
        ),
        *("\u3002", "\uff0e", "é", "\u200d", "\x00", "|", "'", '"', "`", "{", "~", ";", "&", "="),
    ]
)
_TEXTS = st.lists(_PIECES, max_size=8).map("".join) | st.text(max_size=20)
_URLS = st.builds(
    "{}{}{}".format,
    st.sampled_from(["http://", "https:", "HTTP:/", "http://a/", "http://a?", ""]),
    _TEXTS,
    _TEXTS,
)


@pytest.mark.slow
@settings(max_examples=examples(1500), deadline=None)
@given(_URLS)
@example("http://a/ /")
@example("http://a/%20/ /")
@example("http://a.?")
def test_canonicalising_twice_changes_nothing(raw):
    try:
        once = canonicalize(raw)
    except InvalidURLError:
        return

    assert canonicalize(once.url) == once
    assert once.url.isascii()
    assert urlsplit(once.url).fragment == ""
    assert URL(once.url).hostname == once.host


_PLAIN_PIECES = st.sampled_from(
    [
        *("/", "a", "Z", "-", ".", "..", "?", "b.example", "xn--a", "1", "0x1f", "=", "&", "'"),
        *("(", "~", "%2e", "@", ":", "//", "a" * 62, "b.", "c/d", "--"),
        *("127.0.0.1", "10.", "255", "256", "01", ":80", ":443", ":8080", ":65536", ":0", ":08"),
        *("\uff11", ":\uff18"),
    ]
)


@settings(max_examples=examples(1000), deadline=None)
@given(st.lists(_PLAIN_PIECES, max_size=8).map("".join))
@example("a.example/b?c'd")
@example("a.example/.b")
@example("a.example?b")
@example("a.xn--p1ai/")
@example("127.0.0.1:8080/a")
@example("127.0.0.\uff11/a")
@example("a.example:\uff18080/a")
@example("127.0.0.256/a")
@example("127.0.0.01/a")
@example("1.2.3.4.5/a")
@example("a.example:80/a")
@example("a.example:443/a")
@example("a.example:65536/a")
@example(".".join(["a" * 63] * 4) + ".example")
@example("a.example/" + "b" * 2025)
def test_an_already_canonical_url_is_parsed_like_any_other(rest):
    found: list[object] = []
    for scheme in ("http", "HTTP"):  # not canonical
        try:
            found.append(canonicalize(f"{scheme}://{rest}"))
        except InvalidURLError as error:
            found.append(str(error))
    assert found[0] == found[1]


@settings(max_examples=examples(500), deadline=None)
@given(st.lists(_PLAIN_PIECES, max_size=8).map("".join))
@example("a.example/")
@example("a.example?b/")
@example("a.example/b/")
@example("a.example/b//")
@example("a.example/b?c'd")
@example("a.example/.b")
@example("127.1.example/b")
@example("127.0.0.1:8080/b/")
@example("127.0.0.\uff11/b")
@example("a.example:\uff18080/b")
@example("127.0.0.01/b")
@example("a.example:443/b")
@example("a.example:80/b")
def test_the_fetched_url_is_serialized_even_if_it_is_not_parsed(rest):
    try:
        serialized = URL(f"https://{rest}").href.partition("#")[0]
    except ValueError:
        return
    assert url_to_fetch(f"https://{rest}") == serialized


@settings(max_examples=examples(500), deadline=None)
@given(_URLS)
def test_the_fetched_url_has_the_same_identity_as_the_given_one(raw):
    try:
        once = canonicalize(raw)
    except InvalidURLError:
        return
    fetched = url_to_fetch(raw)

    if len(fetched) <= MAX_URL_BYTES:
        assert canonicalize(fetched) == once
