"""`linkwatch judge`: judges another checker's findings by what the server knows."""

import os
from collections.abc import Mapping
from pathlib import Path

import click

from linkwatch_client.added_urls import ci_base, read_change
from linkwatch_client.checker_reports import MAX_INPUT_BYTES, read_findings
from linkwatch_client.commands.common import (
    ReportOptions,
    finish,
    offline_notice,
    progress,
    query_and_judge,
    read_standard_input,
    report_options,
    server,
)
from linkwatch_client.findings import LinkPlace, ScanReport
from linkwatch_client.git_tree import GitTree
from linkwatch_client.scanning import relative_places
from linkwatch_client.url_status import UrlStatus


@click.command()
@click.option("--base", metavar="REF", help="Links that are not in this branch or commit are new.")
@report_options
def judge(base: str | None, options: ReportOptions) -> None:
    """Judge the findings of another checker, read from standard input.

    Reads the JSON of lychee (lychee --format json) and linkinator, JUnit XML, or a list of URLs,
    one per line. Fails for links that are proven dead, and for those that are new in this change
    and fail twice with a 404 or the like when the server checks them; all others are notes.

    \b
    lychee --format json docs/ | linkwatch judge
    """
    places = read_findings(read_standard_input(MAX_INPUT_BYTES))
    tree = GitTree.containing(Path.cwd())
    places = relative_places(places, tree) if tree else places
    files = {place.file for place in places} - {""}
    report = ScanReport(link_count=len(places), file_count=len(files))
    with offline_notice(report, options):
        new = _new_urls(report, places, tree, base or ci_base(os.environ))
        with server() as api, progress() as show:
            result = query_and_judge(api, report, places, new=new, options=options, show=show)
        _add_notices(report, result.statuses)
    finish(report, options)


def _new_urls(
    report: ScanReport, places: list[LinkPlace], tree: GitTree | None, base: str | None
) -> set[str]:
    if base is None or tree is None:
        return set()
    change = read_change(tree, base)
    if change is None:
        report.notices.append(
            f"Git finds no common ancestor with {base}, so no link counts as new."
        )
        return set()
    return change.new_urls(places)


def _add_notices(report: ScanReport, statuses: Mapping[str, UrlStatus]) -> None:
    alive = sum(status.state == "alive" for status in statuses.values())
    unknown = sum(not status.known for status in statuses.values())
    if alive:
        report.notices.append(
            f"URLs that are alive according to the server's own checks: {alive:,}."
        )
    if unknown:
        report.notices.append(
            f"URLs that the server knows nothing about, because they are not watched: {unknown:,}."
        )
