"""The URLs that a change adds: those that no file contained before."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from linkwatch_client.extraction import UnreadableFile, extract, kind_of
from linkwatch_client.findings import LinkPlace
from linkwatch_client.git_tree import GitTree


@dataclass(frozen=True, slots=True)
class TreeChange:
    """The files of a change, and the URLs that they contained before."""

    files: frozenset[str]
    urls_before: frozenset[str]

    def new_urls(self, places: Iterable[LinkPlace]) -> set[str]:
        """Return the places' URLs that were in no file before the change."""
        listed = list(places)
        urls_elsewhere = {place.url for place in listed if place.file not in self.files}
        return {place.url for place in listed} - urls_elsewhere - self.urls_before


def read_change(tree: GitTree, base: str) -> TreeChange | None:
    """Return what changed since HEAD branched off from `base`, including uncommitted changes.

    Returns None if git finds no common ancestor.
    """
    commit = tree.merge_base(base)
    if commit is None:
        return None
    files = tree.changed_files(commit)
    urls_before: set[str] = set()
    readable = sorted(file for file in files if kind_of(file))
    for file, content in tree.contents(commit, readable):
        urls_before |= _urls(file, content)
    return TreeChange(frozenset(files), frozenset(urls_before))


def ci_base(environment: Mapping[str, str]) -> str | None:
    """Return the commit or branch on which a change is based according to CI, or None."""
    if branch := environment.get("GITHUB_BASE_REF"):
        return f"origin/{branch}"
    # Set for merged results, whose HEAD also has what the target branch added since the diff base.
    target = environment.get("CI_MERGE_REQUEST_TARGET_BRANCH_SHA")
    return target or environment.get("CI_MERGE_REQUEST_DIFF_BASE_SHA") or None


def is_pull_request(environment: Mapping[str, str]) -> bool:
    """Whether CI runs for a pull or merge request."""
    event = environment.get("GITHUB_EVENT_NAME", "")
    return event.startswith("pull_request") or bool(environment.get("CI_MERGE_REQUEST_IID"))


def is_default_branch(environment: Mapping[str, str], tree: GitTree | None) -> bool:
    """Whether this is the default branch, according to CI or git; True if unknown."""
    if default := environment.get("CI_DEFAULT_BRANCH"):
        return environment.get("CI_COMMIT_BRANCH") == default
    if default := _default_branch_of_event(environment.get("GITHUB_EVENT_PATH", "")):
        return environment.get("GITHUB_REF") == f"refs/heads/{default}"
    return tree is None or tree.is_on_default_branch() is not False


def _default_branch_of_event(path: str) -> str:
    """Return the default branch that GitHub's event file names, or ""."""
    try:
        event = json.loads(Path(path).read_bytes()) if path else {}
        return str(event["repository"]["default_branch"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return ""


def _urls(file: str, content: bytes) -> set[str]:
    try:
        return {link.url for link in extract(file, content)}
    except UnreadableFile:
        return set()
