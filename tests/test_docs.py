"""Files, links and sections that the documents or the code refer to exist."""

import re
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.any_database

ROOT = Path(__file__).parent.parent
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = [path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")]
FILES = [path for folder in FOLDERS for path in folder.rglob("*.*")] + list(ROOT.glob("*.*"))
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)")
PICTURE = re.compile(r'<img src="([^"]+)"')
CITATION = re.compile(r"docs/([\w/-]+\.md)#([\w-]+)((?:, #[\w-]+)*)")
PACKAGES = {path.name for path in FOLDERS}
FILE = re.compile(r"`([\w./-]+\.(?:py|html|js|css|toml))`")


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub generates them."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    plain = [re.sub(r"[^\w\s-]", "", heading.lower()) for heading in headings]
    return {heading.strip().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize(
    "document",
    [*DOCS, *(path for path in ROOT.glob("*.md") if path not in DOCS)],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_links_of_a_document_have_existing_targets(document):
    for path, anchor in LINK.findall(document.read_text()):
        goal = (document.parent / path).resolve() if path else document
        assert goal.exists(), path
        assert not anchor or anchor in anchors(goal), f"{path}#{anchor}"
    for path in PICTURE.findall(document.read_text()):
        assert (document.parent / path).exists(), path


def test_pages_that_the_site_lists_exist():
    """Pages are in docs/, or hooks make them from README's sections and files in the root."""
    made = {"configuration.md", "running.md", *(path.name.lower() for path in ROOT.glob("*.md"))}
    listed = re.findall(r"^ +- .*?([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert "index.md" in listed
    assert [
        page for page in listed if page not in made and not (ROOT / "docs" / page).exists()
    ] == []


@pytest.mark.parametrize("document", [*DOCS, ROOT / "CHANGELOG.md"], ids=lambda path: path.name)
def test_documents_have_no_conflict_markers(document):
    assert not re.search(r"^(<{7}|>{7}|={7}$)", document.read_text(), re.MULTILINE)


@pytest.mark.parametrize(
    "name", ["architecture", "glossary", "requirements", "reservations", "verdicts"]
)
def test_files_that_a_document_names_exist(name):
    """A file is named by its path, or by the end of its path if the text names the folder."""
    paths = [f"/{path.relative_to(ROOT)}" for path in FILES]
    for file in FILE.findall((ROOT / "docs" / f"{name}.md").read_text()):
        assert any(path.endswith(f"/{file}") for path in paths), file


SECTION = "## Where a change goes"
SYMBOL = re.compile(r"`([A-Za-z_][\w.]*)(?:\(\))?`")


def rows_of_changes():
    text = (ROOT / "docs" / "architecture.md").read_text().split(SECTION)[1]
    return [row for row in text.splitlines() if row.startswith("| ") and "`" in row]


@cache
def files_at(end):
    """Return the files whose path ends with these whole parts."""
    return [path for path in FILES if f"/{path.relative_to(ROOT)}".endswith(f"/{end}")]


@cache
def words_of(path):
    return set(re.findall(r"\w+", path.read_text()))


@pytest.mark.parametrize("row", rows_of_changes(), ids=lambda row: row.split("|")[1].strip()[:40])
def test_symbols_of_a_row_are_in_its_files(row):
    """Each symbol of a row on changes is a word of one of the files that the row names."""
    named = {
        path
        for file in re.findall(r"`([\w./-]+\.(?:py|html|js|css|toml))`", row)
        for path in files_at(file)
        if "zoo" not in path.parts
    }
    words = {word for path in named for word in words_of(path)}
    symbols = {
        part
        for symbol in SYMBOL.findall(row)
        if not re.search(r"\.(py|html|js|css|in|toml|md)$", symbol)
        for part in symbol.split(".")
    }
    assert symbols <= words | PACKAGES


def test_sections_that_code_cites_exist():
    cited = {
        (document, anchor)
        for path in FILES
        if path.suffix == ".py"
        for document, first, more in CITATION.findall(path.read_text())
        for anchor in [first, *re.findall(r"#([\w-]+)", more)]
    }
    missing = {one for one in cited if one[1] not in anchors(ROOT / "docs" / one[0])}

    assert cited
    assert not missing
