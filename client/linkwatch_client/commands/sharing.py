"""`linkwatch shorten` and `linkwatch paste`: short links and snippets."""

from collections.abc import Mapping
from pathlib import Path

import click

from linkwatch_client.api import text_of
from linkwatch_client.commands.common import read_standard_input, server
from linkwatch_client.errors import InputOutputError
from linkwatch_client.printable import printable

_MAX_BYTES = 8 * 1024 * 1024  # bytes of standard input; the server has its own limit


@click.command()
@click.argument("url")
@click.option("--key", help="The key of the short link; without it, the server picks one.")
@click.option("--ttl", metavar="DURATION", help="How long the link works, such as 30d.")
@click.option("--watch", is_flag=True, help="Watch the destination.")
def shorten(url: str, key: str | None, ttl: str | None, watch: bool) -> None:
    """Create a short link, and print it."""
    body = {"long_url": url, "key": key, "ttl": ttl, "watch": watch or None}
    with server() as api:
        created = api.call("POST", "/v1/urls", _without_none(body), creates=True)
    click.echo(printable(text_of(created, "short_url")))


@click.command()
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--one-time",
    is_flag=True,
    help="Delete the snippet after it has been read once.",
)
@click.option("--ttl", metavar="DURATION", help="How long to keep the snippet, such as 7d.")
@click.option("--title", help="A title.")
@click.option("--language", help="The language for syntax highlighting, such as python.")
@click.option(
    "--visibility",
    type=click.Choice(["public", "unlisted", "private"]),
    default="unlisted",
    show_default=True,
    help="Who can read the snippet; unlisted: anyone with the link.",
)
def paste(
    file: str | None,
    one_time: bool,
    ttl: str | None,
    title: str | None,
    language: str | None,
    visibility: str,
) -> None:
    """Create a snippet from a file or standard input, and print its link."""
    data = read_standard_input(_MAX_BYTES) if file is None else Path(file).read_bytes()
    try:
        content = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputOutputError(f"The text is not UTF-8: {error}.") from error
    body = {
        "content": content,
        "ttl": ttl,
        "title": title,
        "language": language,
        "visibility": visibility,
        "max_views": 1 if one_time else None,
    }
    with server() as api:
        created = api.call("POST", "/v1/snippets", _without_none(body), creates=True)
        page_url = api.page_url(f"/snippets/{text_of(created, 'id')}")
    click.echo(printable(page_url))


def _without_none(body: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in body.items() if value is not None}
