"""`linkwatch watch` and `linkwatch dead`: the targets on the server."""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import click

from linkwatch_client.api import LinkwatchApi, objects_of
from linkwatch_client.commands.common import EXIT_FAILED, server
from linkwatch_client.printable import printable

_PAGE_SIZE = 1000
_MAX_PAGES = 1000


@click.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option("--reference", metavar="ID", help="What refers to these URLs, such as a document.")
def watch(urls: tuple[str, ...], reference: str | None) -> None:
    """Register URLs, so that the server watches them."""
    reference_fields = {} if reference is None else {"reference_id": reference}
    with server() as api:
        results = api.register([{"url": url, **reference_fields} for url in urls])
    failed = False
    for url, result in zip(urls, results, strict=True):
        error, target = result.get("error"), result.get("target")
        if isinstance(error, Mapping):
            failed = True
            click.echo(printable(f"{url}: {error.get('message')}"), err=True)
        elif isinstance(target, Mapping):
            verb = "Watching" if result.get("status") == 201 else "Already watched"
            state = str(target.get("state")).replace("_", " ")
            click.echo(printable(f"{verb}: {target.get('url')} ({state})"))
    if failed:
        click.get_current_context().exit(EXIT_FAILED)


@click.command()
@click.option("--format", "output_format", type=click.Choice(["text", "json"]), default="text")
@click.option(
    "--search",
    metavar="TEXT",
    help="Only targets with this text in the URL, the title or a reference.",
)
def dead(output_format: str, search: str | None) -> None:
    """List the dead targets that you can see."""
    with server() as api:
        targets = list(_dead_targets(api, search))
    if output_format == "json":
        click.echo(json.dumps(targets, indent=2))
        return
    for target in targets:
        references = ", ".join(str(id_) for id_ in target.get("reference_ids") or [])
        since = str(target.get("state_changed_at"))[:10]
        click.echo(
            printable(f"{target.get('url')}: {target.get('last_error')} Dead since {since}.")
        )
        if references:
            click.echo(printable(f"    {references}"))


def _dead_targets(api: LinkwatchApi, search: str | None) -> Iterator[Mapping[str, Any]]:
    query = {"state": "dead", "limit": str(_PAGE_SIZE)} | ({"q": search} if search else {})
    for _ in range(_MAX_PAGES):
        page = api.call("GET", f"/v1/targets?{urlencode(query)}")
        yield from objects_of(page, "items")
        if not page.get("next_page_token"):
            return
        query["page_token"] = str(page["next_page_token"])
