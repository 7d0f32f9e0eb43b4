"""The configuration of a project: `linkwatch.toml`, or `[tool.linkwatch]` in pyproject.toml."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from linkwatch_client.errors import InputOutputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectConfig:
    """A project's configuration; its paths are relative to `folder`, which holds its file."""

    folder: Path
    exclude: tuple[str, ...] = ()  # file patterns, as in .gitignore
    exclude_urls: tuple[str, ...] = ()  # URL prefixes; * matches any text
    root: str = ""  # the folder for links that begin with /
    baseline: str = ""
    repository: str = ""  # the prefix of reference ids
    fragments: bool = True  # whether links to #sections of files are checked
    max_age: str = "1d"
    strict: bool = False

    @property
    def root_folder(self) -> Path | None:
        """The folder for links that begin with /, or None."""
        return self.folder / self.root if self.root else None

    @property
    def baseline_file(self) -> Path | None:
        """The file of accepted links, or None."""
        return self.folder / self.baseline if self.baseline else None


def read_config(start: Path, *, top: Path) -> ProjectConfig:
    """Return the configuration of the first folder from `start` up to `top` that has one.

    If there is no file, returns the defaults. Raises InputOutputError for an invalid file.
    """
    folder = start if start.is_dir() else start.parent
    for candidate in (folder, *folder.parents):
        for name, keys in (
            ("linkwatch.toml", ()),
            ("pyproject.toml", ("tool", "linkwatch")),
        ):
            section = _section(candidate / name, keys)
            if section is not None:
                return _config(section, candidate, name=str(candidate / name))
        if candidate == top:
            break
    return ProjectConfig(folder=top)


def _section(path: Path, keys: tuple[str, ...]) -> Mapping[str, Any] | None:
    if not path.is_file():
        return None
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InputOutputError(f"{path} is larger than {_MAX_BYTES} bytes.")
        table: Any = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputOutputError(f"{path} can't be read: {error}.") from error
    for key in keys:
        table = table.get(key)
        if not isinstance(table, Mapping):
            return None
    return table if isinstance(table, Mapping) else None


def _config(section: Mapping[str, Any], folder: Path, *, name: str) -> ProjectConfig:
    defaults = ProjectConfig(folder=folder)
    options = {field.name for field in fields(ProjectConfig)} - {"folder"}
    values: dict[str, Any] = {}
    for key, value in section.items():
        option = key.replace("-", "_")
        if option not in options:
            allowed = ", ".join(sorted(options))
            raise InputOutputError(f"{name}: unknown setting {key!r}; use one of {allowed}.")
        expected = type(getattr(defaults, option))
        if expected is tuple and isinstance(value, list) and all(isinstance(v, str) for v in value):
            values[option] = tuple(value)
        elif isinstance(value, expected):
            values[option] = value
        else:
            kind = {tuple: "a list of strings", str: "a string", bool: "true or false"}[expected]
            raise InputOutputError(f"{name}: {key} must be {kind}.")
    return ProjectConfig(folder=folder, **values)
