"""Hostile text for each pattern and each reader of `checker.engine`, and its cost.

`python -m tests.checker.hostile` prints the worst thread CPU time of each, in milliseconds.
"""

import argparse
import ast
import contextlib
import importlib
import itertools
import pkgutil
import random
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx

from checker import engine
from checker.engine import (
    certificate,
    charset,
    cookies,
    evidence,
    gone,
    gone_data,
    header_repair,
    instructions,
    neighbours,
    page,
    page_identity,
    phrase_matching,
    redirect_destinations,
    redirect_location,
    throttling,
    verdict,
    walls,
)
from checker.engine.errors import FetchError
from checker.engine.exchange import Exchange

LIMIT_MS = 20.0  # of thread CPU time
TRIES = 5  # the fastest counts, because a busy machine makes none of them faster
SECONDS_FOR_SLOW_TEXTS = 5.0  # the other core may use the same memory for some time
# A fixed piece of work, like that of the engine's patterns, and its milliseconds on an idle core of
# a small server in 2026, on which the slowest reader took 11.3 ms.
YARDSTICK = re.compile(
    r"(?:class|id|role)=[^<>]{0,80}?(?:err(?:or)?|alert|warn|found\b|404|empty|notice|message|flash|infobox)"
)
YARDSTICK_TEXT, YARDSTICK_MS = "class=(((" * 7281, 12.9
BODY = 64 * 1024  # bytes of a body, and of all headers
URL = 8192  # characters of a redirect's address

_PARSER: Any = importlib.import_module("re._parser")  # parses the patterns within re
# Modules outside the engine that read a server's answer.
_OTHERS = ("foundation.net.retry_after", "foundation.net.resolver", "foundation.net.hostnames")

# The texts that are repeated.
RUNS = (
    *(" ", "\n", "\t", "\u00a0", "\r\n", "<", ">", "<a ", "<a>", "<b><i>", "<meta ", "</", "/>"),
    *(",", ";", '"', "'", "=", "|", " | ", ".", "a.", "-", "/", ":", "#", "%", "%20", "\\", "("),
    *("a", "a ", "a b ", "0", "0.", "\u0301", "a\u0301", "\ufdfa", "\uff21", "\u00fc", "\u4e00"),
    *(
        "&",
        "&a",
        "&amp;",
        "&amp",
        "&#1;",
        "&#x",
        "&#99999999999",
        "<!--",
        "-->",
        "<!-- -->",
        "\x00",
    ),
    *("<script>", "</script>", "<h1>", "<h1></h1>", "<title>", "<title></title>", "\x1b$B", "\x1b"),
    *(
        "page ",
        "not found ",
        "a.example ",
        "the ",
        "domain",
        '="',
        "='",
        "a=1&",
        "charset=",
        "\ud7a3",
    ),
)
# The beginnings of pages.
FRAMES = (
    *("", "<title>", "<title>x</title>", "<h1>", "<html lang=en><title>x</title><h1>x</h1>", "<"),
    *(
        "<meta ",
        "refresh<meta http-equiv=",
        "<meta http-equiv=refresh content=",
        "<!--",
        "<script>",
    ),
    *("<meta http-equiv=refresh content='0;url=", "<input type=password>", "<html lang=", "<svg>"),
    *("<meta charset=gb18030>\xff", "<meta charset=big5>\xff", "error code: 1020 cf-error-details"),
    *("<title>just a moment</title>", "_cf_chl_opt ", "<iframe src=", "<frame sedo", "reference #"),
    *("<p>this page ", "<h1>not found</h1>", "\x1b$B charset=iso-2022-jp", "\xff\xfe"),
)


USUAL_RUNS = (" ", "\u00a0", "<", "a", "1")  # tried at each place of a pattern
# Texts that once took seconds, or did not end.
ATTACKS = (
    ("<title>x</title>refresh<meta http-equiv=", " "),
    ("<meta charset=", " "),
    ("<h1>x</h1><title>", " "),
    ("<h1>the", "the "),
    ("<h1>", "a."),
    ("<frame ", "sedo"),
    ("<p>", "&a"),
)
# The most characters that a pattern with this prefix gets, and where the text is cut; other
# patterns get a whole body.
BOUNDS = {
    "gone_sentences.TEXTS": 4500,
    "parked_words.TEXTS": 4500,
    "gone.NOT_FOUND.": 1500,  # phrase_matching.clarities_of
    "gone.PARKED.": 1500,
    "gone.PLACEHOLDER.": 1500,
    "gone_data._NEGATIVE": 3000,  # gone_data._find_in_lines: a line, folded
    "refusal_words": 8000,  # refusal_words.find_words
    "neighbours._INTERSTITIAL_BUTTON": 200,
    "neighbours._INTERSTITIAL_WORDS": 3000,  # neighbours.is_interstitial
    "gone._SERVER_WORDS": 4500,  # gone._may_be_a_name
    "gone._MOVED_WORDS": 4500,  # gone.says_gone_and_not_moved: folded
    "gone_sentences._ERROR_STATUS": 4500,  # gone_sentences._is_about_more: a small page, folded
    "gone_sentences._ANSWERS": 4500,
    "gone_sentences._POST_WORDS": 600,
    "gone_sentences._REQUESTED_PAGE": 600,  # gone_sentences._says_gone: a sentence, folded
    "gone_sentences._THIS_PAGE": 600,
    "gone_sentences._REMOVED": 600,
    "gone_sentences._FOR_NOW": 600,
    "gone.LOGIN": 600,  # gone.find_login: a part of a title, folded
}


@dataclass(frozen=True, slots=True)
class Cost:
    """The worst time of a reader, and the text that caused it."""

    reader: str
    milliseconds: float
    text: str  # how the text was made


def modules() -> list[ModuleType]:
    """Return all modules of the engine, and the others that read a server's answer."""
    found = pkgutil.walk_packages(engine.__path__, f"{engine.__name__}.")
    names = [module.name for module in found]
    return [importlib.import_module(name) for name in (*sorted(names), *_OTHERS)]


def patterns() -> dict[str, re.Pattern[Any]]:
    """Return every compiled pattern of these modules, by its name."""
    found: dict[str, re.Pattern[Any]] = {}
    known: set[re.Pattern[Any]] = set()
    for module in modules():
        for name, value in vars(module).items():
            for place, pattern in _within(value, f"{module.__name__.rpartition('.')[2]}.{name}"):
                if pattern not in known:
                    known.add(pattern)
                    found[place] = pattern
    return found


def _within(value: Any, place: str) -> Iterator[tuple[str, re.Pattern[Any]]]:
    if isinstance(value, re.Pattern):
        yield place, value
    elif isinstance(value, dict):
        yield from _within(tuple(value.values()), place)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for number, item in enumerate(value):
            yield from _within(item, f"{place}[{number}]")
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from _within(getattr(value, each.name), f"{place}.{each.name}")


def inline_patterns() -> list[str]:
    """Return the functions of these modules that use an inline pattern, which tests would miss."""
    found = []
    for module in modules():
        tree = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found += [
                    f"{module.__name__}:{call.lineno}"
                    for call in ast.walk(function)
                    if isinstance(call, ast.Call)
                    and isinstance(call.func, ast.Attribute)
                    and isinstance(call.func.value, ast.Name)
                    and call.func.value.id == "re"
                    and call.func.attr not in ("compile", "escape")
                ]
    return found


def applied(place: str, pattern: re.Pattern[Any]) -> Callable[[Any], object]:
    """Return how the product applies a pattern: only at the beginning of a text, or anywhere."""
    name = re.split(r"[.\[]", place, maxsplit=2)[1]
    sources = (Path(module.__file__ or "").read_text(encoding="utf-8") for module in modules())
    ways = {way for source in sources for way in re.findall(rf"\b{name}\.(\w+)\(", source)}
    if ways and ways <= {"match", "fullmatch"}:
        return lambda text: [getattr(pattern, way)(text) for way in ways]
    return pattern.search


# Strings that bring a pattern to each of its places.


def prefixes(pattern: re.Pattern[Any]) -> list[str]:
    """Return a matching string for each place within a pattern."""
    tree = _PARSER.parse(pattern.pattern, pattern.flags & re.VERBOSE)
    return list(dict.fromkeys(_prefixes(tree)))


def _prefixes(tree: Any) -> Iterator[str]:
    before = ""
    yield before
    for operation, argument in tree:
        for inner in _inner(str(operation), argument):
            for prefix in _prefixes(inner):
                yield before + prefix
        before += _sample(str(operation), argument)
        yield before


def _inner(operation: str, argument: Any) -> list[Any]:
    match operation:
        case "BRANCH":
            return list(argument[1])
        case "SUBPATTERN":
            return [argument[3]]
        case "ATOMIC_GROUP":
            return [argument]
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return [argument[2]]
    return []


def _sample(operation: str, argument: Any) -> str:  # noqa: C901 - a case for each element
    """Return a text that one element of a pattern matches."""
    match operation:
        case "LITERAL":
            return chr(argument)
        case "NOT_LITERAL":
            return "a" if argument != ord("a") else "b"
        case "ANY":
            return "a"
        case "IN":
            return _member(argument)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return _sample_of(argument[2]) * max(argument[0], min(argument[1], 1))
        case "BRANCH":
            return _sample_of(argument[1][0])
        case "SUBPATTERN":
            return _sample_of(argument[3])
        case "ATOMIC_GROUP":
            return _sample_of(argument)
    return ""


def _sample_of(tree: Any) -> str:
    return "".join(_sample(str(operation), argument) for operation, argument in tree)


_CATEGORIES = {"CATEGORY_SPACE": " ", "CATEGORY_DIGIT": "0", "CATEGORY_WORD": "a"}


def _member(members: Any) -> str:
    if str(members[0][0]) == "NEGATE":
        excluded = {value for operation, value in members[1:] if str(operation) == "LITERAL"}
        return next(letter for letter in "ax0 <" if ord(letter) not in excluded)
    operation, value = members[0]
    if str(operation) == "RANGE":
        return chr(value[0])
    return chr(value) if str(operation) == "LITERAL" else _CATEGORIES.get(str(value), ".")


def _to_length(text: str, run: str, size: int) -> Iterator[tuple[str, str]]:
    """Yield `text` followed by the run up to `size` characters, then both alternately."""
    yield f"{text!r} + {run!r}…", text + run * ((size - len(text)) // len(run))
    both = text + run * 3
    yield f"({text!r} + {run!r} * 3)…", both * (size // len(both) or 1)


def measure(function: Callable[[], object], *, limit: float = LIMIT_MS) -> float:
    """Return the milliseconds of this thread's CPU; of several tries if the first is over.

    A time that exceeds the limit for as long as other work may last is scaled by the yardstick,
    which also takes longer while other work shares the core.
    """
    best, tries, deadline = float("inf"), 0, time.monotonic() + SECONDS_FOR_SLOW_TEXTS
    while True:
        best, tries = min(best, _milliseconds(function)), tries + 1
        if best <= limit / 2 or (tries >= TRIES and best <= limit):
            return best
        if tries >= TRIES and time.monotonic() > deadline:
            return best * pace()


def pace() -> float:
    """Return the speed of this core relative to an idle one, by the yardstick; at most 1."""
    yardstick = min(_milliseconds(partial(YARDSTICK.search, YARDSTICK_TEXT)) for _ in range(TRIES))
    return min(1.0, YARDSTICK_MS / yardstick)


def _milliseconds(function: Callable[[], object]) -> float:
    started = time.thread_time()
    function()
    return (time.thread_time() - started) * 1000


def cost_of_pattern(name: str, pattern: re.Pattern[Any], *, draw: random.Random, most: int) -> Cost:
    """Return the worst time of a pattern in `most` hostile texts and a few more.

    Short texts come first: a pattern with exponential cost would never end with long ones.
    """
    worst = Cost(name, 0.0, "")
    apply = applied(name, pattern)
    places = prefixes(pattern)
    runs = draw.sample(USUAL_RUNS, min(len(USUAL_RUNS), most + 1))
    usual = itertools.product(draw.sample(places, min(len(places), most)), runs)
    pairs = [*usual, *((draw.choice(places), draw.choice(RUNS)) for _ in range(most))]
    longest = next((size for start, size in BOUNDS.items() if name.startswith(start)), BODY)
    for size in (24, longest):
        for prefix, run in pairs:
            for made, text in _to_length(prefix, run, size):
                subject: Any = text
                if isinstance(pattern.pattern, bytes):
                    subject = text.encode("utf-8", "replace")[:size]
                spent = measure(partial(apply, subject))
                if spent > worst.milliseconds:
                    worst = Cost(name, spent, f"{made} to {size}")
        if worst.milliseconds > LIMIT_MS:
            break
    return worst


def costs_of_patterns(*, most: int) -> list[Cost]:
    """Return the worst time of each pattern."""
    draw = random.Random(1)
    return [
        cost_of_pattern(name, pattern, draw=draw, most=most) for name, pattern in patterns().items()
    ]


# Readers: functions of one text, which get a body, a header's value or an address.


def _properties(body: bytes, content_type: str) -> None:
    """Read a page and all its properties."""
    found = page.read_page(headers={"content-type": content_type}, body=body)
    if found is not None:
        for name, attribute in vars(page.FetchedPage).items():
            if isinstance(attribute, (property, cached_property)):
                getattr(found, name)


def _page(body: bytes) -> page.FetchedPage | None:
    return page.read_page(headers={"content-type": "text/html"}, body=body)


def _with_page(function: Callable[[page.FetchedPage], object], body: bytes) -> None:
    found = _page(body)
    if found is not None:
        function(found)


def _exchange(body: bytes, *, status: int = 200, **changes: Any) -> Exchange:
    url = "http://a.example/deep/er.html"
    headers = {"content-type": "text/html", **changes.pop("headers", {})}
    return Exchange(url=url, asked=url, status=status, headers=headers, body=body, **changes)


_KNOWN = page_identity.Identity(
    title="another thing", domain="b.example", simhash=2**63 + 5, language="fr", issuer="x"
)
_INSTRUCTIONS = instructions.Instructions(text="Grüße & more", accept=frozenset({403}))


def _judge(body: bytes, *, status: int = 200) -> None:
    """Do everything that a check does with an answer."""
    exchange = _exchange(body, status=status, known=_KNOWN)
    found = verdict.by_evidence(exchange)
    verdict.should_retry(exchange)
    verdict.answer_of_root(exchange)
    found = instructions.adjust_verdict(found, exchange, _INSTRUCTIONS)
    evidence.describe(exchange, verdict=found, attempts=[])


def _judge_next_to(body: bytes) -> None:
    verdict.by_evidence(_exchange(body, sibling=_exchange(body[::-1])))


def _find_walls(status: int, body: bytes) -> None:
    _ = Exchange(url="", status=status, body=body).walls


_NOW = datetime(2026, 11, 1, tzinfo=UTC)


def _find_in_data(kind: str, body: bytes) -> str | None:
    """Read a body, cut to the length that is read, in the format of its reader."""
    text = b'{"message": "%s"}' % body[:4000] if kind == "json" else body[:4096]
    headers = {"content-type": f"application/{kind}" if kind != "plain" else "text/plain"}
    return gone_data.find_error_in_data(headers, text, asked="http://a.example/x")


BODIES: dict[str, Callable[[bytes], object]] = {
    "charset.decode": partial(charset.decode, content_type="text/html"),
    "charset.decode (charset of the header)": lambda body: [
        charset.decode(body, content_type=f"text/html; charset={name}")
        for name in ("big5", "gbk", "shift_jis", "iso-2022-jp", "utf-16", "windows-1252")
    ],
    "page.read_page, all properties": lambda body: _properties(body, "text/html"),
    "page.Page.refresh": partial(_with_page, lambda found: found.refresh),
    "gone.find_error": partial(
        _with_page, lambda found: gone.find_error(found, asked="http://a.example/x")
    ),
    "gone.find_parking": partial(
        _with_page, lambda found: gone.find_parking(found, asked="http://a.example/x")
    ),
    "gone.find_login": partial(
        _with_page, lambda found: gone.find_login(found, asked="http://a.example/x")
    ),
    **{
        f"gone_data.find_error_in_data ({kind})": partial(_find_in_data, kind)
        for kind in ("json", "xml", "plain")
    },
    "gone_data.find_dead_player": partial(_with_page, gone_data.find_dead_player),
    "neighbours.is_interstitial": partial(
        _with_page,
        lambda found: neighbours.is_interstitial(
            found, asked="http://a.example/x", url="http://a.example/"
        ),
    ),
    "neighbours.are_same_page": partial(
        _with_page, lambda found: neighbours.are_same_page(found, found)
    ),
    "identity.identify": lambda body: _exchange(body).identity,
    **{
        f"walls.find_walls ({status})": partial(_find_walls, status)
        for status in (200, 403, 429, 503)
    },
    "walls.find_certificate_request": lambda body: walls.find_certificate_request(
        status=403, headers={}, body=body
    ),
    "verdict and evidence (200)": _judge,
    "verdict and evidence (403)": partial(_judge, status=403),
    "verdict of a page and its sibling": _judge_next_to,
    "instructions.adjust_verdict": lambda body: instructions.adjust_verdict(
        verdict.by_evidence(_exchange(b"")), _exchange(body), _INSTRUCTIONS
    ),
    "header_repair.repair": lambda body: _repair(b"HTTP/1.1 200\r\n" + body + b"\r\n\r\n"),
    "mending.has_end": lambda body: [
        header_repair.has_end(body[:end], new=1500) for end in range(1500, len(body), 1500)
    ],
    "certificate.read_certificate": lambda body: certificate.read_certificate(_der(body)),
    "certificate.leads_to_issuer": lambda body: certificate.leads_to_issuer(
        _der(body), host="a.example", now=_NOW
    ),
}


def _repair(head: bytes) -> None:
    with contextlib.suppress(ValueError):
        header_repair.repair(head, has_ended=True)


def _element(tag: int, content: bytes) -> bytes:
    return bytes([tag, 0x84]) + len(content).to_bytes(4, "big") + content


def _der(names: bytes) -> bytes:
    """Return a certificate with the given value at each place of a name."""
    many = b"".join(
        _element(0x31, _element(0x30, b"\x06\x03\x55\x04\x03" + _element(0x0C, part)))
        for part in (names[start : start + 4] for start in range(0, len(names) // 8, 4))
    )
    dates = _element(0x30, b"\x17\x0d260101000000Z\x17\x0d270101000000Z")
    hosts = b"".join(_element(0x82, names[n : n + 6]) for n in range(0, len(names) // 4, 6))
    others = _element(0x30, hosts)
    extension = _element(0x30, b"\x06\x03\x55\x1d\x11" + _element(0x04, others))
    parts = [b"\x02\x01\x01", _element(0x30, b""), _element(0x30, many), dates]
    parts += [_element(0x30, many[:100]), _element(0x30, b"")]
    parts += [_element(0xA3, _element(0x30, extension * 3))]
    return _element(0x30, _element(0x30, b"".join(parts)))


HEADERS: dict[str, Callable[[str], object]] = {
    "page.read_refresh": page.read_refresh,
    "throttling.read_retry_after": lambda value: throttling.read_retry_after(
        {"retry-after": value}, now=_NOW
    ),
    "throttling (X-RateLimit-Reset)": lambda value: throttling.read_retry_after(
        {"x-ratelimit-remaining": "0", "x-ratelimit-reset": value}, now=_NOW
    ),
    "charset of a Content-Type": lambda value: charset.decode(b"\xff" * 10, content_type=value),
    "content-encoding": lambda value: (
        Exchange(
            url="", status=403, headers={"content-encoding": value, "server": value}, body=b"x"
        ).walls
    ),
    "evidence.clean": evidence.clean,
    "redirects: a Location": lambda value: _location(value),
    "cookies of a redirect": lambda value: _cookies(value),
    "a header of an answer": lambda value: _judge_header(value),
}


def _location(value: str) -> None:
    response = httpx.Response(302, headers=[(b"location", value.encode("utf-8", "replace"))])
    try:
        if redirect_location.is_followed(response):
            redirect_location.redirect_target(response, base="http://a.example/" + "a/" * 2000)
    except FetchError:
        pass


def _cookies(value: str) -> None:
    raw = value.encode("utf-8", "replace")
    size = cookies.MAX_COOKIE_BYTES
    headers = [(b"set-cookie", raw[start : start + size]) for start in range(0, BODY, size)]
    headers += [(b"set-cookie", b"a%d=b" % n + raw[:20]) for n in range(1000)]
    request = httpx.Request("GET", "http://a.example/")
    response = httpx.Response(302, headers=headers, request=request)
    kept = cookies.add_cookies(response, None)
    if kept is not None:
        kept.set_cookie_header(request)


def _judge_header(value: str) -> None:
    names = (
        "server",
        "content-type",
        "location",
        "via",
        "refresh",
        "retry-after",
        "content-length",
    )
    exchange = _exchange(b"<title>x", headers=dict.fromkeys(names, value))
    found = verdict.by_evidence(exchange)
    evidence.describe(exchange, verdict=found, attempts=[])


ADDRESSES: dict[str, Callable[[str], object]] = {
    f"whereabouts.{function.__name__}": partial(
        lambda function, path: (
            [
                function(asked=asked, url=f"http://b.example/{path}")
                for asked in ("http://a.example/deep/er", f"http://b.example/x{path}")
            ]
            + [function(asked=f"http://b.example/a/{path}x", url="http://b.example/a")]
        ),
        function,
    )
    for function in (
        redirect_destinations.leads_home,
        redirect_destinations.leads_to_error_page,
        redirect_destinations.leads_to_login,
        redirect_destinations.leads_to_market,
    )
}


def bodies(*, draw: random.Random, most: int) -> Iterator[tuple[str, bytes]]:
    """Yield hostile bodies, each with a description of how it is made."""
    words = sorted(_literals())
    frames = [*FRAMES, *(draw.choice(FRAMES) + draw.choice(words) for _ in range(most))]
    pairs = list(itertools.product(frames, RUNS))
    for frame, run in (*ATTACKS, *draw.sample(pairs, min(most, len(pairs)))):
        # Small pages as well: all of their text is read.
        for size in (1400, 20_000, BODY):
            for made, text in _to_length(frame, run, size):
                charset_name = draw.choice(("utf-8", "latin-1"))
                yield (
                    f"{made} to {size} in {charset_name}",
                    text.encode(charset_name, "replace")[:BODY],
                )


def _literals() -> set[str]:
    """Return the beginnings of the texts that the patterns search."""
    found: set[str] = set()
    for pattern in patterns().values():
        found.update(prefix for prefix in prefixes(pattern) if 3 <= len(prefix) <= 60)
    return found


def costs_of_readers(*, most: int) -> list[Cost]:  # noqa: C901 - loops over what is read
    """Return the worst time of each reader."""
    worst: dict[str, Cost] = {}
    draw = random.Random(1)

    def note(name: str, made: str, read: Callable[[], object]) -> None:
        phrase_matching.clarities_of.cache_clear()
        spent = measure(read)
        if name not in worst or spent > worst[name].milliseconds:
            worst[name] = Cost(name, spent, made)

    for made, body in bodies(draw=draw, most=most):
        for name, reader in BODIES.items():
            note(name, made, partial(reader, body))
    starts = ("", "0;url=", "a=b;", "http://", "text/html;charset=", "1", "a/1")
    for start, run in draw.sample(list(itertools.product(starts, RUNS)), 4 * most):
        for made, text in _to_length(start, run, BODY):
            for name, header in HEADERS.items():
                note(name, made, partial(header, text))
        for made, text in _to_length(start, run, URL):
            for name, address in ADDRESSES.items():
                note(name, made, partial(address, text))
    return list(worst.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=40, help="texts for each; more take longer")
    most = parser.parse_args().most
    for title, costs in (
        ("pattern", costs_of_patterns(most=most)),
        ("reader", costs_of_readers(most=most)),
    ):
        print(f"| {title} | worst CPU ms | by |\n| --- | --- | --- |")
        for cost in sorted(costs, key=lambda cost: -cost.milliseconds):
            print(f"| {cost.reader} | {cost.milliseconds:.1f} | `{cost.text[:90]}` |")


if __name__ == "__main__":
    main()
