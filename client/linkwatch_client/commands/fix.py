"""`linkwatch fix`: updates links to moved pages, and replaces links to dead pages with copies."""

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from linkwatch_client.api import LinkwatchApi
from linkwatch_client.commands.common import EXIT_FAILED, progress, server
from linkwatch_client.fixing import NewURL, fix_files, new_url, with_fragment, write_fixed
from linkwatch_client.printable import printable
from linkwatch_client.registering import repository_name
from linkwatch_client.reports.text import place_of
from linkwatch_client.scanning import ScannedTree, scan_paths
from linkwatch_client.status_requests import http_urls, query


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path(path_type=Path))
@click.option(
    "--archive",
    is_flag=True,
    help="Replace dead links with their verified copies in a web archive.",
)
@click.option(
    "--accepted", is_flag=True, help="Rewrite only links whose repair was accepted on the server."
)
@click.option(
    "--patch",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the changes to this file as a patch; change no other file.",
)
@click.option("--yes", is_flag=True, help="Write the files without asking.")
def fix(
    paths: tuple[Path, ...], archive: bool, accepted: bool, patch: Path | None, yes: bool
) -> None:
    """Rewrite links whose pages have moved permanently; show the changes first.

    Asks before it writes the files, unless --yes or --patch is given. If you decline, or there is
    no terminal, nothing is written, and the exit code is 1.
    """
    with progress() as show:
        scanned = scan_paths(paths or (Path(),), show)
        urls = http_urls(place.url for place in scanned.places)
        with server() as api:
            if accepted:
                candidates = _accepted_urls(api, scanned, urls)
            else:
                result = query(api, urls, new=(), max_age="1d", patience=0, progress=show)
                candidates = {
                    url: new_url(url, status, archive=archive)
                    for url, status in result.statuses.items()
                }
    new_urls = {url: new for url, new in candidates.items() if new}
    fixed, skipped = fix_files(scanned.root, scanned.places, new_urls)
    for file in fixed:
        for line in file.diff().splitlines():
            click.echo(printable(line.replace("\t", "    ")))
    for place in skipped:
        link = f"{place_of(place)}: {place.url} {new_urls[place.url].reason}"
        cause = (
            "the file is not UTF-8, the URL is written differently at this position, or the new "
            "URL would change other links of the file"
        )
        click.echo(printable(f"{link}; not rewritten, because {cause}."), err=True)
    if not fixed:
        click.echo("There are no links to rewrite.", err=True)
        return
    if patch is not None:
        patch.write_bytes("".join(file.diff() for file in fixed).encode())
        click.echo(f"Wrote {patch}. Changed files: {len(fixed):,}.", err=True)
        return
    if not yes and not (sys.stdin.isatty() and click.confirm("Write these changes?", err=True)):
        click.get_current_context().exit(EXIT_FAILED)
    write_fixed(scanned.root, fixed)
    click.echo(f"Rewrote links. Changed files: {len(fixed):,}.", err=True)


def _accepted_urls(
    api: LinkwatchApi, scanned: ScannedTree, urls: Iterable[str]
) -> dict[str, NewURL | None]:
    """Return the new URLs of these links, by URL, from repairs of the repository's references."""
    repository = repository_name(scanned.config.repository, scanned.root, os.environ)
    moves = api.repaired_urls(f"{repository}:")
    pages = {url: url.partition("#")[0] for url in urls}
    return {
        url: with_fragment(url, final_url(moves, page))
        for url, page in pages.items()
        if page in moves
    }


def final_url(moves: Mapping[str, str], page: str) -> str:
    """Return the current URL of a page that may have moved several times, perhaps back again."""
    seen = {page}
    while page in moves and moves[page] not in seen:
        page = moves[page]
        seen.add(page)
    return page
