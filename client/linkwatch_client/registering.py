"""Registers the links of a tree, so that the server watches them.

A reference is `repository:path`. Those of links that are gone are not ended here.
"""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from linkwatch_client.api import LinkwatchApi
from linkwatch_client.findings import LinkPlace

_LONGEST = 255  # characters of a reference id


def repository_name(configured: str, root: Path, environment: Mapping[str, str]) -> str:
    """Return the name that begins the reference ids of a repository."""
    return (
        configured
        or environment.get("GITHUB_REPOSITORY")
        or environment.get("CI_PROJECT_PATH")
        or root.name
        or "repository"
    )


def register_links(
    api: LinkwatchApi, places: Iterable[LinkPlace], *, urls: Collection[str], repository: str
) -> list[str]:
    """Register those of these URLs at these places; return sentences on what was refused."""
    wanted = set(urls)
    pairs = {(place.url, f"{repository}:{place.file}") for place in places if place.url in wanted}
    items = [
        {"url": url, "reference_id": reference}
        for url, reference in sorted(pairs)
        if len(reference) <= _LONGEST and reference.isprintable()
    ]
    results = api.register(items)
    errors = [
        (item["url"], result["error"].get("message"))
        for item, result in zip(items, results, strict=True)
        if isinstance(result.get("error"), Mapping)
    ]
    notices = []
    if errors:
        url, message = errors[0]
        notices.append(f"{len(errors):,} links can't be watched, such as {url}: {message}")
    if skipped := len(pairs) - len(items):
        notices.append(f"{skipped:,} links are in files whose path is too long or not printable.")
    return notices
