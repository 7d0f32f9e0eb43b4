"""Registers the links of a tree, so that the server watches them.

A reference is `repository:path`, with the places of the link in the file. In git, the server knows
the run and its commit; at its end, it removes the references of links that no longer exist.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linkwatch_client.added_urls import is_default_branch
from linkwatch_client.api import LinkwatchApi, text_of
from linkwatch_client.errors import ApiRefusalError, CannotAskError
from linkwatch_client.findings import LinkPlace
from linkwatch_client.git_tree import Commit
from linkwatch_client.scanning import ScannedTree

_LONGEST = 255  # characters of a reference id
_MAX_PLACES = 20  # of a reference
_MAX_TEXT = 200  # characters of a place's text
_MAX_UNREAD = 1000  # files
_MAX_SCOPES, _MAX_SCOPE = 50, 1000  # paths of a scan, and their bytes
_MAX_NAME, _MAX_PATH = 200, 500  # characters, of a repository and of a scan's path
# Attempts while another run is in progress, and seconds between them; the lease lasts two minutes.
_TRIES, _PAUSE = 12, 15.0
_MAX_FINISHES = 10_000  # requests, each of which ends up to 1,000 references
_OUT_OF_DATE = "scan_outdated"
_NOT_REMOVED = (
    "No references were removed: this needs a Git commit, at most 50 paths, and a name of the "
    "repository and paths that are printable and not too long."
)


@dataclass(frozen=True, slots=True)
class TreeRegistration:
    """What to register: the paths of a scan, and whether many references may end."""

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
    found: ScannedTree,
    registration: TreeRegistration,
    *,
    urls: Collection[str],
    environment: Mapping[str, str],
    pause: Callable[[float], None] = time.sleep,
) -> list[str]:
    """Register these URLs with their places in the tree; return sentences about refused URLs.

    References of removed links end if the tree is complete and on the default branch; more than a
    fifth of them end only after confirmation.
    """
    tree, name = found.tree, repository_name(found.config.repository, found.root, environment)
    if tree is not None and not is_default_branch(environment, tree):
        return ["Nothing was registered: this is not the default branch."]
    items, notices = _items(found.places, set(urls), name)
    commit, scope = tree.head() if tree else None, _scope(registration.paths, found.root)
    is_named = name.isprintable() and len(name) <= _MAX_NAME
    if tree is None or commit is None or scope is None or not is_named:
        notices += _register(api, items, None)
        return [*notices, _NOT_REMOVED]
    try:
        run = _begin(api, commit, repository=name, paths=scope, pause=pause)
    except ApiRefusalError as error:
        if error.code != _OUT_OF_DATE:
            raise
        return [f"Nothing was registered. {error}"]
    notices += _register(api, items, run)
    is_whole = tree.is_whole()
    if not is_whole:
        notices.append(
            "No references were removed, because the checkout is shallow or sparse or lacks "
            "files of its commit: fetch all of it (fetch-depth: 0)."
        )
    return notices + _finish(
        api,
        run,
        is_complete=is_whole,
        unread=[path for path in found.unread if len(f"{name}:{path}") <= _LONGEST],
        is_confirmed=registration.is_confirmed,
    )


def _items(
    places: Iterable[LinkPlace], urls: Collection[str], repository: str
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return an item for each URL and file; URLs that differ only in fragments count as one."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for place in sorted(places, key=lambda one: one.url):
        if place.url not in urls:
            continue
        reference = f"{repository}:{place.file}"
        new = {"url": place.url, "reference_id": reference, "occurrences": []}
        item = found.setdefault((place.url.partition("#")[0], reference), new)
        if len(item["occurrences"]) < _MAX_PLACES:
            item["occurrences"].append(_occurrence(place))
    fit = [
        item
        for (_, reference), item in sorted(found.items())
        if len(reference) <= _LONGEST and reference.isprintable()
    ]
    for item in fit:
        item["occurrences"].sort(key=lambda one: (one.get("line", 0), one.get("column", 0)))
    skipped = len(found) - len(fit)
    sentence = (
        "Links not registered, because the paths of their files are too long or unprintable: "
        f"{skipped:,}."
    )
    return fit, [sentence] if skipped else []


def _occurrence(place: LinkPlace) -> dict[str, Any]:
    text = place.text[:_MAX_TEXT].replace("\0", "").encode(errors="replace").decode()
    known = {"line": place.line, "column": place.column, "text": text}
    return {name: value for name, value in known.items() if value}


def _scope(paths: Sequence[Path], root: Path) -> list[str] | None:
    """Return the paths of a scan relative to the tree: empty for the whole tree, None if there are
    too many."""
    found = sorted({path.resolve().relative_to(root).as_posix() for path in paths})
    if "." in found:
        return []
    if not all(path.isprintable() and len(path) <= _MAX_PATH for path in found):
        return None
    is_short = len(found) <= _MAX_SCOPES and len("\n".join(found).encode()) <= _MAX_SCOPE
    return found if is_short else None


def _begin(
    api: LinkwatchApi,
    commit: Commit,
    *,
    repository: str,
    paths: Sequence[str],
    pause: Callable[[float], None],
) -> dict[str, Any]:
    """Begin a run once no other run is in progress; raises ApiRefusalError."""
    body = {
        "repository": repository,
        "paths": list(paths),
        "commit": commit.id,
        "committed_at": commit.at.isoformat(),
    }
    for attempt in range(1, _TRIES + 1):
        try:
            answer = api.call("POST", "/v1/scans", body, creates=True)
        except ApiRefusalError as error:
            if error.code != "scan_running" or attempt == _TRIES:
                raise
            pause(_PAUSE)
            continue
        return {"id": text_of(answer, "id"), "run": _number(answer, "run")}
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


def _finish(
    api: LinkwatchApi,
    run: Mapping[str, Any],
    *,
    is_complete: bool,
    unread: Sequence[str],
    is_confirmed: bool,
) -> list[str]:
    """Finish a run; return sentences about the references that ended."""
    body = {
        "run": run["run"],
        "complete": is_complete and len(unread) <= _MAX_UNREAD,
        "unread": [path.encode(errors="replace").decode() for path in unread[:_MAX_UNREAD]],
        "confirm": is_confirmed,
    }
    ended = 0
    try:
        for _ in range(_MAX_FINISHES):
            answer = api.call("POST", f"/v1/scans/{run['id']}/finish", body)
            ended += _number(answer, "ended")
            if not _number(answer, "remaining"):
                break
    except ApiRefusalError as error:
        if error.code != "too_many_ended":
            raise
        return [f"{error} To remove them, run `linkwatch scan --register --yes`."]
    return [f"References removed, because their links are gone: {ended:,}."] if ended else []


def _number(answer: Any, name: str) -> int:
    found = answer.get(name) if isinstance(answer, Mapping) else None
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise CannotAskError(f"The server's response has no {name}.")
    return found
