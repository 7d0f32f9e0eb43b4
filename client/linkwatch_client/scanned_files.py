"""Selects the files to scan."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pathspec import GitIgnoreSpec

from linkwatch_client.config import ProjectConfig
from linkwatch_client.extraction import kind_of
from linkwatch_client.git_tree import GitTree, is_plain_file


def files_to_scan(
    paths: Sequence[Path], *, root: Path, tree: GitTree | None, config: ProjectConfig
) -> list[str]:
    """Return the files below these paths whose links can be extracted, relative to `root`.

    Excludes files that git ignores, that .gitattributes marks as vendored, or that the
    configuration excludes; outside of git, also hidden folders. A file that is itself one of
    `paths` is always included.
    """
    named_files = [_relative(path, root) for path in paths if path.is_file()]
    folders = [_relative(path, root) for path in paths if not path.is_file()]
    files_below = _files_below(folders, root=root, tree=tree) if folders else []
    is_excluded = _exclusion(config, root)
    chosen = [file for file in files_below if kind_of(file) and not is_excluded(file)]
    vendored = tree.vendored_files(chosen) if tree else set()
    return list(dict.fromkeys([*named_files, *(file for file in chosen if file not in vendored)]))


def _exclusion(config: ProjectConfig, root: Path) -> Callable[[str], bool]:
    """Return a function that says whether the configuration excludes a file below `root`.

    As in .gitignore, its patterns are relative to its own folder.
    """
    spec = GitIgnoreSpec.from_lines(config.exclude)
    if config.folder == root:
        return spec.match_file
    return lambda file: spec.match_file(os.path.relpath(root / file, config.folder))


def _relative(path: Path, root: Path) -> str:
    return Path(os.path.relpath(path.resolve(), root)).as_posix()


def _files_below(folders: Sequence[str], *, root: Path, tree: GitTree | None) -> list[str]:
    if tree is not None:
        return tree.files([f":(literal){folder}" if folder != "." else "." for folder in folders])
    return sorted(file for folder in folders for file in _walk(root / folder, root))


def _walk(top: Path, root: Path) -> Iterator[str]:
    """Yield the files below a folder outside of git, honoring its .gitignore files."""
    specs: dict[str, list[tuple[Path, GitIgnoreSpec]]] = {}
    for name, folders, files in os.walk(top, followlinks=False):
        folder = Path(name)
        specs_here = [*specs.pop(name, []), *_ignore_specs(folder)]
        folders[:] = [
            child
            for child in folders
            if not child.startswith(".")
            and not _is_ignored(folder / child, specs_here, is_folder=True)
        ]
        specs |= {str(folder / child): specs_here for child in folders}
        for file in files:
            path = folder / file
            if is_plain_file(path) and not _is_ignored(path, specs_here):
                yield path.relative_to(root).as_posix()


def _ignore_specs(folder: Path) -> list[tuple[Path, GitIgnoreSpec]]:
    try:
        lines = (folder / ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [(folder, GitIgnoreSpec.from_lines(lines))]


def _is_ignored(
    path: Path, specs: Sequence[tuple[Path, GitIgnoreSpec]], *, is_folder: bool = False
) -> bool:
    end = "/" if is_folder else ""
    return any(spec.match_file(path.relative_to(folder).as_posix() + end) for folder, spec in specs)
