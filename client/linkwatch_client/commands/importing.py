"""`linkwatch import`: imports short links and watched pages from exports of other programs."""

from datetime import datetime, timezone
from pathlib import Path

import click

from linkwatch_client.commands.common import EXIT_FAILED, progress, server
from linkwatch_client.counted import counted
from linkwatch_client.importers import PROGRAMS
from linkwatch_client.importers.export_entries import ProgramExport, ShortLinkEntry, TargetEntry
from linkwatch_client.importing import ImportOutcome, preview_import, run_import
from linkwatch_client.printable import printable

_MAX_SHOWN = 200  # characters of a URL


@click.command("import")
@click.option(
    "--from",
    "program",
    type=click.Choice(list(PROGRAMS)),
    required=True,
    help="The program that exported the files.",
)
@click.option("--yes", is_flag=True, help="Create what the preview lists.")
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
)
def import_(program: str, yes: bool, files: tuple[Path, ...]) -> None:
    """Import short links, bookmarks or monitors from files exported by another program.

    Without --yes, shows what would be created, what already exists, and what is refused. Can be
    repeated: existing links stay as they are, and watched pages only get what they lack. Fails if
    something is refused.
    """
    now = datetime.now(tz=timezone.utc)
    exports = [PROGRAMS[program](file, now=now) for file in files]  # read all before doing anything
    any_refused = False
    with server() as api:
        for export in exports:
            with progress() as show:
                outcome = preview_import(api, export, show)
                if yes:
                    outcome = run_import(api, outcome, show)
            _show(export, outcome, is_done=yes)
            any_refused = any_refused or bool(outcome.refused)
    if any_refused:
        click.get_current_context().exit(EXIT_FAILED)


def _show(export: ProgramExport, outcome: ImportOutcome, *, is_done: bool) -> None:
    for entry in outcome.new:
        click.echo(printable(f"new: {_description(entry)}"))
        for note in entry.notes:
            click.echo(printable(f"    {note}"))
    for entry in outcome.existing:
        click.echo(printable(f"already there: {_description(entry)}"))
    for line, reason in sorted(outcome.refused):
        click.echo(printable(f"{export.name}:{line}: refused: {reason}"), err=True)
    for note in outcome.notes:
        click.echo(printable(note), err=True)
    verb = "Created" if is_done else "Would create"
    tip = "" if is_done or not outcome.new else " Run again with --yes to create them."
    counts = f"{len(outcome.new):,}, already there {len(outcome.existing):,}"
    click.echo(printable(f"{export.name}: {verb} {counts}, refused {len(outcome.refused):,}.{tip}"))


def _description(entry: ShortLinkEntry | TargetEntry) -> str:
    item = entry.item
    if isinstance(entry, TargetEntry):
        settings = [f"every {item['check_period']}"] if "check_period" in item else []
        settings += [name for name in sorted(entry.settings) if name != "headers"]
        settings += [f"header {name}" for name in entry.settings.get("headers", ())]
        details = f" ({', '.join(settings)})" if settings else ""
        return f"{item['url'][:_MAX_SHOWN]} as {item['reference_id']}{details}"
    visits = counted(item["earlier_visits"], "visit")
    return f"{item['key']} to {item['long_url'][:_MAX_SHOWN]} ({visits})"
