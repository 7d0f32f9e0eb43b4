"""Reads the links in files, each with its place."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from linkwatch_client.added_urls import TreeChange, read_change
from linkwatch_client.config import ProjectConfig, read_config
from linkwatch_client.counted import counted
from linkwatch_client.errors import InputOutputError
from linkwatch_client.extraction import UnreadableFile, extract
from linkwatch_client.extraction.links import MAX_BYTES
from linkwatch_client.findings import LinkPlace
from linkwatch_client.git_tree import GitTree
from linkwatch_client.progress import Progress
from linkwatch_client.scanned_files import files_to_scan
from linkwatch_client.status_requests import is_http

_PROGRESS_INTERVAL = 100  # files


@dataclass(slots=True, kw_only=True)
class ScannedTree:
    """The links in some files of a project; the files' paths are relative to `root`."""

    root: Path
    tree: GitTree | None
    config: ProjectConfig
    files: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)  # files that could not be read
    places: list[LinkPlace] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def scan_paths(paths: Sequence[Path], progress: Progress) -> ScannedTree:
    """Return the links in the files at and below these paths.

    Raises InputOutputError for a path that does not exist, paths of several projects, or an invalid
    configuration, and ClientError if git can't read the repository. Files that can't be read are
    listed in `unread`.
    """
    for path in paths:
        if not path.exists():
            raise InputOutputError(f"The file or folder {path} does not exist.")
    tree = GitTree.containing(paths[0])
    root = tree.root if tree else _common_folder(paths)
    for path in paths:
        if not path.resolve().is_relative_to(root.resolve()):
            raise InputOutputError(f"{path} is not in {root}: scan one project at a time.")
    scanned_root, current = root.resolve(), Path.cwd()
    is_plain_folder = tree is None and scanned_root.is_relative_to(current)
    config = read_config(paths[0].resolve(), top=current if is_plain_folder else scanned_root)
    scanned = ScannedTree(root=scanned_root, tree=tree, config=config)
    scanned.files = files_to_scan(paths, root=scanned.root, tree=tree, config=config)
    if not scanned.files:
        scanned.notices.append(
            "No files were scanned: all are excluded, ignored by git or of an unknown kind."
        )
    for number, file in enumerate(scanned.files):
        if number % _PROGRESS_INTERVAL == 0:
            progress(f"Reading {counted(len(scanned.files), 'file')}: {number:,} read")
        _read(scanned, file)
    return scanned


def new_urls(scanned: ScannedTree, base: str | None) -> set[str]:
    """Return the URLs that the change since `base` adds.

    Returns an empty set without a base, or, adding a notice, if git finds no common ancestor.
    """
    if base is None:
        return set()
    change: TreeChange | None = read_change(scanned.tree, base) if scanned.tree else None
    if change is None:
        scanned.notices.append(
            f"Git finds no common ancestor with {base}, so no link counts as new. Fetch the whole "
            "history (fetch-depth: 0)."
        )
        return set()
    return change.new_urls(scanned.places)


def _common_folder(paths: Sequence[Path]) -> Path:
    resolved = [path.resolve() for path in paths]
    folders = [path if path.is_dir() else path.parent for path in resolved]
    try:
        return Path(os.path.commonpath(folders))
    except ValueError as error:
        raise InputOutputError("These paths have no common folder.") from error


def _read(scanned: ScannedTree, file: str) -> None:
    try:
        with (scanned.root / file).open("rb") as content:
            links = extract(file, content.read(MAX_BYTES + 1))  # a larger file is refused
    except UnreadableFile as error:
        scanned.unread.append(file)
        scanned.notices.append(f"{file} was not read: {error}")
        return
    except OSError as error:
        scanned.unread.append(file)
        scanned.notices.append(f"{file} was not read: {error.strerror}.")
        return
    for link in links:
        if not _is_excluded(link.url, scanned.config.exclude_urls):
            scanned.places.append(
                LinkPlace(
                    url=link.url,
                    file=file,
                    line=link.line or 0,
                    column=link.column or 0,
                    text=link.text or link.key,
                )
            )


def _is_excluded(url: str, patterns: Sequence[str]) -> bool:
    return any(
        fnmatchcase(url, pattern + "*") if "*" in pattern else url.startswith(pattern)
        for pattern in patterns
    )


def relative_places(places: Sequence[LinkPlace], tree: GitTree) -> list[LinkPlace]:
    """Return the places with file paths relative to the tree instead of the current folder.

    Paths outside of the tree and URLs of pages stay as they are.
    """
    root = tree.root.resolve()
    relative = []
    for place in places:
        path = Path(os.path.abspath(place.file))
        is_file = bool(place.file) and not is_http(place.file)
        is_inside = is_file and path.is_relative_to(root)
        file = path.relative_to(root).as_posix() if is_inside else place.file
        relative.append(replace(place, file=file))
    return relative
