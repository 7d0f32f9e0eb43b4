"""What commands share: options, the server, progress, and how a report ends."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console

from linkwatch_client.api import LinkwatchApi
from linkwatch_client.credentials import credentials_file, read_credentials
from linkwatch_client.errors import CannotAskError, UnreadableInputError
from linkwatch_client.findings import ScanReport
from linkwatch_client.printable import printable
from linkwatch_client.reports import REPORTS
from linkwatch_client.reports.markdown_report import markdown_report

FINDINGS = 1  # exit codes; 0: fine
COULD_NOT_ASK = 2
Decorated = TypeVar("Decorated", bound=Callable[..., Any])


wait_option = click.option(
    "--wait",
    type=click.IntRange(0, 86400),
    default=300,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for checks of new links; 0: make none.",
)


def report_options(command: Decorated) -> Decorated:
    """Add the options of all commands that report."""
    options = [
        click.option(
            "--format",
            "form",
            type=click.Choice(list(REPORTS)),
            default="text",
            show_default=True,
            help="The form of the report.",
        ),
        click.option(
            "--output",
            type=click.Path(dir_okay=False, path_type=Path),
            help="Write the report to this file.",
        ),
        click.option(
            "--max-age",
            help="Up to this age a check is recent enough (1d).",
        ),
        click.option(
            "--strict", is_flag=True, help="Fail for each new link that fails twice, even by 5xx."
        ),
        click.option(
            "--offline-ok",
            is_flag=True,
            help="Exit with 0 and a notice if the server can't be asked.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@contextmanager
def server() -> Iterator[LinkwatchApi]:
    """Yield the server that environment or `login` name; raises CannotAskError without any."""
    with LinkwatchApi(read_credentials(os.environ, credentials_file())) as api:
        yield api


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Yield a function that shows what is under way: on a terminal only, by a spinner."""
    console = Console(stderr=True, markup=False, highlight=False)
    if not sys.stderr.isatty():
        yield lambda sentence: None
        return
    with console.status("") as status:
        yield lambda sentence: status.update(printable(sentence))


@contextmanager
def offline_notice(report: ScanReport, *, is_ok: bool) -> Iterator[None]:
    """Turn CannotAskError into a notice of the report if that is wanted."""
    try:
        yield
    except CannotAskError as error:
        if not is_ok:
            raise
        report.notices.append(f"Links were not looked up. {error}")


def finish(report: ScanReport, *, form: str, output: Path | None) -> None:
    """Write the report and end the command: with 1 if it is red, else with 0."""
    text = REPORTS[form](report)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_file(output, text)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if form == "github" and summary:
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(markdown_report(report))
    if report.red:
        click.get_current_context().exit(FINDINGS)


def write_file(path: Path, text: str) -> None:
    """Write a file of UTF-8; raises UnreadableInputError if that is impossible."""
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UnreadableInputError(f"{path} can't be written: {error.strerror}.") from error


def read_standard_input(cap: int) -> bytes:
    """Return standard input; raises UnreadableInputError for more than `cap` bytes."""
    data = sys.stdin.buffer.read(cap + 1)
    if len(data) > cap:
        raise UnreadableInputError(f"Standard input is longer than {cap} bytes.")
    return data
