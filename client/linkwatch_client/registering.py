"""Registers the links of a tree, so that the server watches them.

A reference has the id `repository:path` and the places of the link in the file. In a git
repository, a run registers the links of a commit; when the run finishes, the server removes the
references of links that no longer exist.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linkwatch_client.added_urls import is_default_branch
from linkwatch_client.api import LinkwatchApi, text_of
from linkwatch_client.errors import ApiRefusalError, QueryFailedError
from linkwatch_client.findings import LinkPlace
from linkwatch_client.git_tree import Commit
from linkwatch_client.scanning import ScannedTree

_MAX_REFERENCE_ID = 255  # characters
_MAX_PLACES = 20  # of a reference
_MAX_TEXT_LENGTH = 200  # characters of a place's text
_MAX_UNREAD_FILES = 1000
_MAX_SCOPE_PATHS, _MAX_SCOPE_BYTES = 50, 1000
_MAX_NAME_LENGTH, _MAX_PATH_LENGTH = 200, 500  # characters, of a repository and of a scan's path
# Attempts while another run is in progress, and seconds between them; the lease lasts two minutes.
_MAX_ATTEMPTS, _RETRY_PAUSE = 12, 15.0
_MAX_FINISH_REQUESTS = 10_000  # each of which removes up to 1,000 references
_SCAN_OUTDATED = "scan_outdated"
_NOT_REMOVED = (
    "No references were removed: removal requires a Git commit, at most 50 paths, and a repository "
    "name and paths that are printable and not too long."
)


@dataclass(frozen=True, slots=True)
class TreeRegistration:
    """What to register: the paths of a scan, and whether many references may be removed."""

    paths: Sequence[Path]
    is_confirmed: bool


def repository_name(configured: str, root: Path, environment: Mapping[str, str]) -> str:
    """Return the prefix of a repository's reference ids."""
    return (
        configured
        or environment.get("GITHUB_REPOSITORY")
        or environment.get("CI_PROJECT_PATH")
        or root.name
        or "repository"
    )


def register_links(
    api: LinkwatchApi,
    scanned: ScannedTree,
    registration: TreeRegistration,
    *,
    urls: Collection[str],
    environment: Mapping[str, str],
    pause: Callable[[float], None] = time.sleep,
) -> list[str]:
    """Register these URLs with their places in the tree; return notices for people.

    If the tree is a complete checkout, the server removes references whose links are gone; a
    notice counts them. Removing over a fifth of the scan's needs confirmation. Nothing is
    registered outside the default branch, or if a newer commit was. Raises QueryFailedError.
    """
    tree, name = scanned.tree, repository_name(scanned.config.repository, scanned.root, environment)
    if not is_default_branch(environment, tree):
        return ["Nothing was registered: this is not the default branch."]
    items, notices = _items(scanned.places, set(urls), name)
    commit, scope = tree.head() if tree else None, _scope(registration.paths, scanned.root)
    has_valid_name = name.isprintable() and len(name) <= _MAX_NAME_LENGTH
    if tree is None or commit is None or scope is None or not has_valid_name:
        notices += _register(api, items, None)
        return [*notices, _NOT_REMOVED]
    try:
        run = _begin_run(api, commit, repository=name, paths=scope, pause=pause)
    except ApiRefusalError as error:
        if error.code != _SCAN_OUTDATED:
            raise
        return [f"Nothing was registered. {error}"]
    notices += _register(api, items, run)
    is_complete = tree.is_complete()
    if not is_complete:
        notices.append(
            "No references were removed, because the checkout is shallow or sparse or lacks "
            "files of its commit: fetch all of it (fetch-depth: 0)."
        )
    return notices + _finish_run(
        api,
        run,
        is_complete=is_complete,
        unread=[path for path in scanned.unread if len(f"{name}:{path}") <= _MAX_REFERENCE_ID],
        is_confirmed=registration.is_confirmed,
    )


def _items(
    places: Iterable[LinkPlace], urls: Collection[str], repository: str
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return an item for each URL and file, and sentences about skipped links.

    URLs that differ only in their fragments share an item.
    """
    items: dict[tuple[str, str], dict[str, Any]] = {}
    for place in sorted(places, key=lambda place: place.url):
        if place.url not in urls:
            continue
        reference = f"{repository}:{place.file}"
        new = {"url": place.url, "reference_id": reference, "occurrences": []}
        item = items.setdefault((place.url.partition("#")[0], reference), new)
        if len(item["occurrences"]) < _MAX_PLACES:
            item["occurrences"].append(_occurrence(place))
    valid = [
        item
        for (_, reference), item in sorted(items.items())
        if len(reference) <= _MAX_REFERENCE_ID and reference.isprintable()
    ]
    for item in valid:
        item["occurrences"].sort(key=lambda place: (place.get("line", 0), place.get("column", 0)))
    skipped = len(items) - len(valid)
    sentence = (
        "Links not registered, because the paths of their files are too long or unprintable: "
        f"{skipped:,}."
    )
    return valid, [sentence] if skipped else []


def _occurrence(place: LinkPlace) -> dict[str, Any]:
    text = place.text[:_MAX_TEXT_LENGTH].replace("\0", "").encode(errors="replace").decode()
    values = {"line": place.line, "column": place.column, "text": text}
    return {name: value for name, value in values.items() if value}


def _scope(paths: Sequence[Path], root: Path) -> list[str] | None:
    """Return the paths of a scan relative to the tree; empty for the whole tree.

    Returns None if there are too many paths, or if any is too long or unprintable.
    """
    scope = sorted({path.resolve().relative_to(root).as_posix() for path in paths})
    if "." in scope:
        return []
    if not all(path.isprintable() and len(path) <= _MAX_PATH_LENGTH for path in scope):
        return None
    is_valid = len(scope) <= _MAX_SCOPE_PATHS and len("\n".join(scope).encode()) <= _MAX_SCOPE_BYTES
    return scope if is_valid else None


def _begin_run(
    api: LinkwatchApi,
    commit: Commit,
    *,
    repository: str,
    paths: Sequence[str],
    pause: Callable[[float], None],
) -> dict[str, Any]:
    """Begin a run as soon as no other run is in progress, and return its id and number.

    Raises QueryFailedError, and ApiRefusalError if another run does not finish.
    """
    body = {
        "repository": repository,
        "paths": list(paths),
        "commit": commit.id,
        "committed_at": commit.at.isoformat(),
    }
    for attempt in range(1, _MAX_ATTEMPTS + 1):
        try:
            response = api.call("POST", "/v1/scans", body, creates=True)
        except ApiRefusalError as error:
            if error.code != "scan_running" or attempt == _MAX_ATTEMPTS:
                raise
            pause(_RETRY_PAUSE)
            continue
        return {"id": text_of(response, "id"), "run": _number(response, "run")}
    raise AssertionError("the last attempt returns or raises")


def _register(
    api: LinkwatchApi, items: Sequence[Mapping[str, Any]], run: Mapping[str, Any] | None
) -> list[str]:
    results = api.register(items, scan=run)
    errors = [
        (item["url"], result["error"].get("message"))
        for item, result in zip(items, results, strict=True)
        if isinstance(result.get("error"), Mapping)
    ]
    if not errors:
        return []
    url, message = errors[0]
    return [f"Links that can't be watched: {len(errors):,}. For example, {url}: {message}"]


def _finish_run(
    api: LinkwatchApi,
    run: Mapping[str, Any],
    *,
    is_complete: bool,
    unread: Sequence[str],
    is_confirmed: bool,
) -> list[str]:
    """Finish a run; return sentences about the references that were removed."""
    body = {
        "run": run["run"],
        "complete": is_complete and len(unread) <= _MAX_UNREAD_FILES,
        "unread": [path.encode(errors="replace").decode() for path in unread[:_MAX_UNREAD_FILES]],
        "confirm": is_confirmed,
    }
    removed = 0
    try:
        for _ in range(_MAX_FINISH_REQUESTS):
            response = api.call("POST", f"/v1/scans/{run['id']}/finish", body)
            removed += _number(response, "ended")
            if not _number(response, "remaining"):
                break
    except ApiRefusalError as error:
        if error.code != "too_many_ended":
            raise
        return [f"{error} To remove them, run `linkwatch scan --register --yes`."]
    return [f"References removed, because their links are gone: {removed:,}."] if removed else []


def _number(response: Any, name: str) -> int:
    number = response.get(name) if isinstance(response, Mapping) else None
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise QueryFailedError(f"The server's response has no {name}.")
    return number
