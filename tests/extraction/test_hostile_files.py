"""Files made to keep a reader busy: the time stays linear in the length of the file."""

from contextlib import suppress

import pytest

from linkwatch_client.extraction import UnreadableFile
from linkwatch_client.extraction.file_kinds import KINDS, extract_as
from tests.checker.hostile import measure

pytestmark = [pytest.mark.any_database, pytest.mark.slow]

SIZE = 1024 * 1024
SLOWEST = 5.0  # seconds of CPU for SIZE; a quadratic reader would need minutes
RUNS = (
    *(" ", "\n", "\t", "a", "\r", "é", "\u3000", ">", "> ", "- ", "1. ", "* ", "#", "=", "|", "a|"),
    *("[", "![", "]", "](", "](<", "](a(", "](a ", '](a "', "](a '", "[a](b)", "[a]:", "[a]: b\n"),
    *('[a]: b "\n', "[a][", "[[a]", "(", "`", "`a", "``a`", "` `` ``` ", "~~~\n", "```\n", "\\"),
    *(
        "<",
        "<a",
        "<a ",
        "<a x=",
        '<a x="',
        "<a x='",
        "<a x=\"'",
        "<a b",
        "</",
        "<!--",
        "<!-- --",
        "<script>",
        "<style>",
        "url(",
        "/*",
        "&",
        "&amp;",
        "&#",
        "<a href=b>",
        "srcset=a,",
        "<b ",
        "a@",
    ),
    *(
        "http://",
        "https://a",
        "://",
        "www.",
        "www.a ",
        "doi:",
        "doi:10.1000/",
        "http://a)",
        "http://a(",
        "http://a&a;" + "&a;" * 2700,
    ),
    *(
        "\\url{",
        "\\href{",
        "{",
        "}",
        "{}",
        "{\\_",
        "{\\_{}}",
        "%",
        "@a{",
        "@a{b,",
        "doi = ",
        "\\begin{verbatim}",
        "$",
    ),
    *(
        "link:",
        "xref:a[",
        "----\n",
        "a\n-----\n",
        "\nabc\n----\n",
        "`a <b",
        "`a <",
        "``",
        "..  ",
        ".. _a",
        ":: \n",
        "  a\n",
        "__ a\n",
        ".. ",
        ".. [a:",
        "..\n ",
        "- 1. ",
    ),
    *("TY  - \n", "UR  - a\n", "<dl>", "<h3>", '<DT><A HREF="', '{"a":', '"', ",", "1", "\x0b"),
)
FRAMES = (
    "",
    "[a",
    '<a href="',
    "---\n",
    "```\n",
    "> [a](",
    "<base href='http://a/" + "b/" * 900 + "'>",
)
TEXTS = sorted(set(KINDS) - {"docx", "odt", "pdf", "csl-json", "jupyter", "opml", "sitemap"})


def is_read_within(seconds, kind, data):
    """Return whether extraction takes at most these seconds of CPU; the fastest of tries counts."""

    def read():
        with suppress(UnreadableFile):
            extract_as(kind, data)

    return measure(read, limit=seconds * 1000) <= seconds * 1000


@pytest.mark.parametrize("kind", TEXTS)
def test_no_repeated_characters_slow_a_reader_down(kind):
    """Tries short texts first, to detect a quadratic reader before it takes hours."""
    for frame in FRAMES if kind in ("markdown", "html") else FRAMES[:1]:
        for run in RUNS:
            for size in (SIZE // 32, SIZE // 8):
                data = (frame + run * (size // len(run))).encode()
                most = SLOWEST * size / SIZE + 0.2
                assert is_read_within(most, kind, data), (frame, run, size)


@pytest.mark.parametrize("mark", "`~")
def test_a_long_fence_costs_no_more_than_its_text(mark):
    assert is_read_within(0.5, "markdown", (mark * SIZE + "\nx\n").encode())


@pytest.mark.release
@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize(
    ("run", "times"),
    [("<a ", 64), *((run, 8) for run in (" ", "\n", "[", "`a", "http://a ", "> "))],
)
def test_a_large_file_is_read_in_linear_time(kind, run, times):
    data = (run * (times * SIZE // len(run))).encode()
    assert is_read_within(SLOWEST * times, kind, data)


@pytest.mark.parametrize("kind", ["csl-json", "jupyter", "opml", "sitemap"])
@pytest.mark.parametrize("run", ["[", '{"a":', "<a>", "<a ", "&amp;", "&a;", '"', "1"])
def test_deeply_nested_files_are_rejected_with_a_sentence(kind, run):
    frame = "" if kind in ("csl-json", "jupyter") else "<urlset>"
    with pytest.raises(UnreadableFile):
        extract_as(kind, (frame + run * (SIZE // len(run))).encode())
