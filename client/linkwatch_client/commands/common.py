"""What commands share: options, a client for the server, progress, and writing the report."""

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from linkwatch_client.api import LinkwatchApi
from linkwatch_client.credentials import credentials_file, read_credentials
from linkwatch_client.errors import InputOutputError, QueryFailedError
from linkwatch_client.exit_gate import judge_links
from linkwatch_client.findings import LinkPlace, ScanReport
from linkwatch_client.printable import printable
from linkwatch_client.progress import Progress
from linkwatch_client.reports import REPORTS
from linkwatch_client.reports.markdown_report import markdown_report
from linkwatch_client.status_requests import QueryResult, http_urls, query

EXIT_FAILED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """The options of all commands that write a report."""

    wait: int
    output_format: str
    output: Path | None
    max_age: str | None
    strict: bool
    offline_ok: bool


def report_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add ReportOptions to a command, which takes them as the argument `options`."""
    options = [
        click.option(
            "--wait",
            type=click.IntRange(0, 86400),
            default=300,
            show_default=True,
            metavar="SECONDS",
            help="How long to wait for checks of new and dead links; 0: no checks.",
        ),
        click.option(
            "--format",
            "output_format",
            type=click.Choice(list(REPORTS)),
            default="text",
            show_default=True,
            help="The format of the report.",
        ),
        click.option(
            "--output",
            type=click.Path(dir_okay=False, path_type=Path),
            help="Write the report to this file.",
        ),
        click.option(
            "--max-age",
            help="How old a check may be and still count as recent (default: 1d).",
        ),
        click.option(
            "--strict",
            is_flag=True,
            help="Fail for each new link that fails twice, even with a 5xx status.",
        ),
        click.option(
            "--offline-ok",
            is_flag=True,
            help="Exit with 0 and a notice if the server can't be queried.",
        ),
    ]

    @wraps(command)
    def with_options(**arguments: Any) -> None:
        values = {field.name: arguments.pop(field.name) for field in fields(ReportOptions)}
        command(**arguments, options=ReportOptions(**values))

    for option in reversed(options):
        with_options = option(with_options)
    return with_options


@contextmanager
def server() -> Iterator[LinkwatchApi]:
    """Yield a client for the server that the environment or `login` configured.

    Raises QueryFailedError if none is configured, ClientError if the file can't be read.
    """
    with LinkwatchApi(read_credentials(os.environ, credentials_file())) as api:
        yield api


@contextmanager
def progress() -> Iterator[Progress]:
    """Yield a function that shows a sentence next to a spinner, if there is a terminal."""
    console = Console(stderr=True, markup=False, highlight=False)
    if not sys.stderr.isatty():
        yield lambda sentence: None
        return
    with console.status("") as status:
        yield lambda sentence: status.update(printable(sentence))


@contextmanager
def offline_notice(report: ScanReport, options: ReportOptions) -> Iterator[None]:
    """Turn QueryFailedError into a notice in the report if `--offline-ok` is given."""
    try:
        yield
    except QueryFailedError as error:
        if not options.offline_ok:
            raise
        report.notices.append(f"Links were not looked up. {error}")


def query_and_judge(
    api: LinkwatchApi,
    report: ScanReport,
    places: Iterable[LinkPlace],
    *,
    new: Collection[str],
    options: ReportOptions,
    show: Progress,
) -> QueryResult:
    """Query the server about the links at these places; add findings and notices to the report."""
    listed = list(places)
    result = query(
        api,
        http_urls(place.url for place in listed),
        new=new,
        max_age=options.max_age or "1d",
        patience=options.wait,
        progress=show,
    )
    report.watched_url_count = result.watched_url_count
    report.notices += result.notices
    report.findings += judge_links(listed, result.statuses, new=new, is_strict=options.strict)
    return result


def finish(report: ScanReport, options: ReportOptions) -> None:
    """Write the report; exit with 1 if it has errors.

    With the format `github`, also appends a Markdown report to the step's summary.
    """
    text = REPORTS[options.output_format](report)
    if options.output is None:
        click.echo(text, nl=False)
    else:
        write_file(options.output, text)
    summary_path = os.environ.get("GITHUB_STEP_SUMMARY")
    if options.output_format == "github" and summary_path:
        with Path(summary_path).open("a", encoding="utf-8") as file:
            file.write(markdown_report(report))
    if report.errors:
        click.get_current_context().exit(EXIT_FAILED)


def write_file(path: Path, text: str) -> None:
    """Write a UTF-8 file; raises InputOutputError if that fails."""
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise InputOutputError(f"{path} can't be written: {error.strerror}.") from error


def read_standard_input(limit: int) -> bytes:
    """Return standard input; raises InputOutputError for more than `limit` bytes."""
    data = sys.stdin.buffer.read(limit + 1)
    if len(data) > limit:
        raise InputOutputError(f"Standard input is larger than {limit} bytes.")
    return data
