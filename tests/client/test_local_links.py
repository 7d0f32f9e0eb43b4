"""Links to files and sections of the same tree."""

import time

import pytest

from linkwatch_client.findings import LinkPlace
from linkwatch_client.local_links import check_local

pytestmark = pytest.mark.any_database

PAGE = """# The Big Title!

## Émile's `code` & more
Setext one
----------
### A [link](http://x.example/) in it {#own-id}
<a name="old-anchor"></a>
## Twice
## Twice
(myst-label)=
## 1. Numbers first
<h1 align="center">Centered <em>title</em></h1>
## Commented <!-- omit in toc -->
## <a name="inst"></a>Anchored
## Raised <sup>beta</sup>
## <img src="a.png" width=20> Pictured
## Badged ![badge](a.png) ![badge][b]
## Q &amp; A
## [Referred][x]
## [Encyclopedic](http://a.example/x_(y))
> ## Quoted
1. - ## Listed

A heading
of two lines
---
"""


@pytest.fixture
def tree(tmp_path):
    for name in ("docs/guide.md", "docs/sub/index.md", "docs/image one.png", "README.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(PAGE)
    (tmp_path / "docs/page.html").write_text("<h1 id='top-part'>x</h1><a name=here>y</a>")
    (tmp_path / "docs/large.html").write_text(" " * 8 * 2**20 + "<p id=end>")
    return tmp_path


def problem(tree, url, *, file="docs/a.md", site=None, fragments=True):
    places = [LinkPlace(url=url, file=file, line=1)]
    found = check_local(places, root=tree, site=site, check_fragments=fragments)
    return found[0].verdict if found else None


@pytest.mark.parametrize(
    "url",
    [
        *(
            "guide.md",
            "./guide.md",
            "../README.md",
            "sub",
            "sub/",
            "sub/index.md",
            "image%20one.png",
        ),
        *("guide.md?plain=1", "guide", "guide.html", "guide/", "sub/index.html"),
        *("mailto:a@b", "tel:1", "data:x", "//cdn.example/x", "javascript:void(0)", "C:\\x"),
        *("{{ url }}", "{% url %}", "${base}/x", "<placeholder>", "/site/absolute", "a|b"),
        *("../../elsewhere/issues", "../../../../etc/passwd"),
        *("guide.md#the-big-title", "guide.md#The-Big-Title", "guide.md#émiles-code--more"),
        *(
            "guide.md#emiles-code-more",
            "guide.md#setext-one",
            "guide.md#own-id",
            "guide.md#old-anchor",
        ),
        *("guide.md#twice-1", "guide.md#twice_1", "guide.md#a-link-in-it", "guide.md#myst-label"),
        *("guide.md#1-numbers-first", "guide.md#numbers-first", "guide.md#", "guide.md#top"),
        *(
            "guide.md#centered-title",
            "guide.md#commented",
            "guide.md#anchored",
            "guide.md#raised-beta",
        ),
        *("guide.md#-pictured", "guide.md#badged--", "guide.md#q--a", "guide.md#referred"),
        *("guide.md#encyclopedic", "guide.md#quoted", "guide.md#listed"),
        *("guide.md#a-heading-of-two-lines", "guide.md?plain=1#L1", "guide.md#L1C2-L3"),
        *("@site/static/none.png", "~bootstrap/none.css", "large.html#end"),
        *("guide.md#:~:text=big", "page.html#top-part", "page.html#here", "image%20one.png#x"),
    ],
)
def test_existing_or_uncheckable_links_are_accepted(tree, url):
    assert problem(tree, url) is None


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("none.md", "The file docs/none.md does not exist."),
        ("../none/", "The file none does not exist."),
        ("Guide.md", "The file docs/Guide.md does not exist."),
        ("guide.md#nothing", "docs/guide.md has no section #nothing."),
        ("page.html#Here", "docs/page.html has no section #Here."),
        ("#nothing", "docs/guide.md has no section #nothing."),
        ("a%00b", "The path contains a NUL character."),
        ("x" * 5000, f"The file docs/{'x' * 5000} does not exist."),
    ],
)
def test_missing_files_and_sections_are_reported(tree, url, sentence):
    assert problem(tree, url, file="docs/guide.md") == sentence


def test_links_from_the_root_of_a_site_are_checked_if_the_root_is_known(tree):
    assert problem(tree, "/guide.md", site=tree / "docs") is None
    assert problem(tree, "/none.md", site=tree / "docs") == "The file docs/none.md does not exist."


def test_sections_of_files_in_other_encodings_are_found(tree):
    (tree / "docs/wide.md").write_bytes(PAGE.replace("\n", "\r\n").encode("utf-16"))
    (tree / "docs/old.html").write_bytes("<p id='Übersicht'>".encode("cp1252"))
    for url in ("wide.md#the-big-title", "wide.md#setext-one", "wide.md#own-id"):
        assert problem(tree, url) is None
    assert problem(tree, "old.html#%C3%9Cbersicht") is None
    assert problem(tree, "wide.md#nothing") == "docs/wide.md has no section #nothing."
    (tree / "docs/binary.md").write_bytes(b"\0")
    assert problem(tree, "binary.md#nothing") is None


def test_sections_need_not_be_checked(tree):
    assert problem(tree, "guide.md#nothing", fragments=False) is None


def test_links_of_a_notebook_are_checked(tree):
    assert problem(tree, "none.md", file="docs/a.ipynb") == "The file docs/none.md does not exist."
    assert problem(tree, "guide.md", file="docs/a.ipynb") is None


@pytest.mark.parametrize(
    "url", ["tailwindcss", "normalize.css", "bootstrap/dist/css/bootstrap.css", "@scope/none.css"]
)
def test_a_style_sheet_may_import_from_packages(tree, url):
    assert problem(tree, url, file="docs/a.css") is None


@pytest.mark.parametrize("url", ["./none.css", "sub/none.css", "none.png"])
def test_a_style_sheet_needs_its_own_files(tree, url):
    place = (tree / "docs" / url).relative_to(tree).as_posix()
    assert problem(tree, url, file="docs/a.css") == f"The file {place} does not exist."


def test_a_bare_word_in_plain_text_is_not_a_link(tree):
    assert problem(tree, "none.md", file="docs/a.txt") is None


@pytest.mark.parametrize(
    "text",
    ["# " * 500_000, "id=" * 400_000, 'id="' * 300_000, "{#" * 500_000, "](" * 500_000,
     "(" * 500_000, " " * 1_000_000, "a\n-" * 300_000, "\n(a" * 300_000,
     "<h1>" * 300_000, "\n# <!--" * 150_000, "![" * 500_000, "](a" * 300_000, "]((" * 300_000,
     "> " * 500_000, "1. " * 300_000, "a\n" * 500_000, "\n# ](" + "(a)" * 300_000,
     "id" + " " * 900_000, ("{" + "#" * 600 + "\n") * 1000],
)  # fmt: skip
def test_hostile_pages_take_a_second_at_most(tree, text):
    (tree / "docs/hostile.md").write_text("x\n# " + text)
    begun = time.process_time()
    problem(tree, "hostile.md#nothing")
    assert time.process_time() - begun < 2
