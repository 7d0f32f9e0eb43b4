"""Hooks of `make docs`: pages from outside docs/, files to which pages link, folders in the nav.

The documents are written for readers of the repository. These hooks change each link that leaves
docs/ to a page of the site, or to a copy of the file.
"""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
# Other pages in the root: two have a counterpart in docs/, the others become pages unchanged.
LIKE = {"README.md": "index.md", "SECURITY.md": "security.md"}
MADE = {path.name: path.name.lower() for path in ROOT.glob("*.md") if path.name not in LIKE}
PAGES = LIKE | MADE
FENCED = re.compile(r"(^```.*?^```)", re.DOTALL | re.MULTILINE)
BEFORE_LIST = re.compile(r"^((?!-|\s).+)\n(?=- )", re.MULTILINE)
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:)([^)#\s]*)(#[^)\s]*)?\)")


def on_config(config: "MkDocsConfig") -> "MkDocsConfig":
    """Replace `folder/` in the nav with its pages, and `*` with all pages that are not listed
    elsewhere."""
    docs = Path(config.docs_dir)
    named = set(re.findall(r"[\w/-]+\.md", str(config.nav)))
    all_pages = {path.name for path in docs.glob("*.md")} | set(MADE.values())
    config.nav = _expanded(config.nav, docs, sorted(all_pages - named))
    return config


def _expanded(nav: Any, docs: Path, rest: list[str]) -> Any:
    if isinstance(nav, list):
        entries = (rest if entry == "*" else [_expanded(entry, docs, rest)] for entry in nav)
        return [entry for several in entries for entry in several]
    if isinstance(nav, dict):
        return {title: _expanded(entry, docs, rest) for title, entry in nav.items()}
    if nav.endswith("/"):
        return [str(path.relative_to(docs)) for path in sorted((docs / nav).glob("*.md"))]
    return nav


def on_files(files: "Files", config: "MkDocsConfig") -> "Files":
    """Add the pages that are kept outside docs/."""
    from mkdocs.structure.files import File

    for name, page in MADE.items():
        content = _at_home((ROOT / name).read_text())
        files.append(File.generated(config, page, content=content))
    return files


def _at_home(text: str) -> str:
    """Make the links of a page in the repository's root relative to docs/."""

    def moved(match: re.Match[str]) -> str:
        mark, words, path, anchor = match.groups()
        anchor = anchor or ""
        if not path:
            path = "README.md"
        path = path.removeprefix("docs/") if path.startswith("docs/") else f"../{path}"
        return f"{mark}[{words}]({path}{anchor})"

    return LINK.sub(moved, text)


def on_page_markdown(markdown: str, *, page: "Page", config: "MkDocsConfig", files: "Files") -> str:
    """Redirect links that leave docs/, or end at a folder, to the matching page of the site."""
    here = Path(page.file.src_uri).parent

    def led(match: re.Match[str]) -> str:
        mark, words, path, anchor = match.groups()
        goal = os.path.normpath(here / path) if path else ""
        if goal.startswith("../"):
            goal, anchor = _from_outside(goal.removeprefix("../"), anchor, config, files)
        elif path and (Path(config.docs_dir) / goal).is_dir():
            goal = _first_page(goal, config)
        else:
            return match[0]
        if not goal:
            return words
        return f"{mark}[{words}]({os.path.relpath(goal, here)}{anchor or ''})"

    parts = FENCED.split(markdown)
    for index in range(0, len(parts), 2):  # in the repository, a list needs no preceding empty line
        parts[index] = BEFORE_LIST.sub(r"\1\n\n", LINK.sub(led, parts[index]))
    return "".join(parts)


def _first_page(folder: str, config: "MkDocsConfig") -> str:
    first = min((Path(config.docs_dir) / folder).glob("*.md"))
    return str(first.relative_to(config.docs_dir))


def _from_outside(
    goal: str, anchor: str | None, config: "MkDocsConfig", files: "Files"
) -> tuple[str, str | None]:
    """Return the page for a path from the root, or a copy of that file; None for a folder."""
    from mkdocs.structure.files import File

    if goal in PAGES:
        return PAGES[goal], None
    if (ROOT / goal).is_dir():
        return "", None
    copy = f"repository/{goal}"
    if files.get_file_from_path(copy) is None:
        files.append(File.generated(config, copy, abs_src_path=str(ROOT / goal)))
    return copy, None
