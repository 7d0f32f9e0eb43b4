"""`linkwatch scan`: checks the links of a repository, and fails if any are bad."""

import os
from collections.abc import Collection
from dataclasses import replace
from datetime import date
from pathlib import Path

import click

from linkwatch_client.accepted_links import (
    accept_by_baseline,
    accept_by_comments,
    read_baseline,
    write_baseline,
)
from linkwatch_client.added_urls import ci_base, is_pull_request
from linkwatch_client.commands.common import (
    ReportOptions,
    finish,
    offline_notice,
    progress,
    query_and_judge,
    report_options,
    server,
)
from linkwatch_client.counted import counted
from linkwatch_client.findings import Acceptance, LinkFinding, ScanReport
from linkwatch_client.local_links import check_local
from linkwatch_client.progress import Progress
from linkwatch_client.registering import TreeRegistration, register_links
from linkwatch_client.scanning import ScannedTree, new_urls, scan_paths
from linkwatch_client.status_requests import http_urls, is_http


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path(path_type=Path))
@click.option(
    "--base",
    metavar="REF",
    help="Links that are not in this branch or commit are new. Detected automatically on CI "
    "services.",
)
@click.option("--register", is_flag=True, help="Have the server watch the links.")
@click.option(
    "--yes",
    is_flag=True,
    help="With --register: allow removing more than a fifth of the references at once.",
)
@click.option(
    "--baseline",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of accepted links.",
)
@click.option("--write-baseline", is_flag=True, help="Accept all current bad links.")
@click.option(
    "--reason",
    default="Accepted when links were first checked.",
    help="Why the links are accepted.",
)
@click.option(
    "--local-only", is_flag=True, help="Check only links to files; do not query a server."
)
@report_options
def scan(
    paths: tuple[Path, ...],
    base: str | None,
    register: bool,
    yes: bool,
    baseline: Path | None,
    write_baseline: bool,
    reason: str,
    local_only: bool,
    options: ReportOptions,
) -> None:
    """Check the links in files, by default all files below the current folder.

    Links to files are checked locally, all others by the server. The run fails for links that are
    proven dead, for links that are new in this change and fail twice with a 404 or the like (with
    --strict, any error), and for links to files or sections that do not exist. Everything else is
    a note.
    """
    if register and is_pull_request(os.environ):
        raise click.UsageError(
            "Pull requests only query the server; only the default branch registers its links."
        )
    with progress() as show:
        scanned = scan_paths(paths or (Path(),), show)
        report = ScanReport(
            link_count=len(scanned.places), file_count=len(scanned.files), notices=scanned.notices
        )
        config = scanned.config
        report.findings = check_local(
            scanned.places,
            root=scanned.root,
            site=config.root_folder,
            check_fragments=config.fragments,
        )
        looked_up: Collection[str] = ()
        with offline_notice(report, options):
            if not local_only:
                looked_up = _register_and_query(
                    report,
                    scanned,
                    new=new_urls(scanned, base or ci_base(os.environ)),
                    options=replace(
                        options,
                        max_age=options.max_age or config.max_age,
                        strict=options.strict or config.strict,
                    ),
                    registration=TreeRegistration(paths or (Path(),), yes) if register else None,
                    show=show,
                )
    report.findings = accept_by_comments(report.findings, root=scanned.root)
    default_file = config.baseline_file or scanned.root / "linkwatch-baseline.json"
    baseline_file = baseline or default_file
    if write_baseline:
        _write_baseline(report, scanned, baseline_file, looked_up=looked_up, reason=reason)
    elif baseline or config.baseline or default_file.exists():
        report.findings = accept_by_baseline(report.findings, read_baseline(baseline_file))
    finish(report, options)


def _register_and_query(
    report: ScanReport,
    scanned: ScannedTree,
    *,
    new: set[str],
    options: ReportOptions,
    registration: TreeRegistration | None,
    show: Progress,
) -> Collection[str]:
    """Add findings and notices to the report; return the URLs that the server looked up."""
    urls = http_urls(place.url for place in scanned.places)
    if not urls and registration is None:
        return ()
    with server() as api:
        if registration is not None:
            show(f"Registering {counted(len(urls), 'URL')}")
            report.notices += register_links(
                api, scanned, registration, urls=urls, environment=os.environ
            )
        result = query_and_judge(api, report, scanned.places, new=new, options=options, show=show)
    report.findings.sort(key=_place_key)
    return result.statuses.keys()


def _place_key(finding: LinkFinding) -> tuple[str, int, int]:
    return finding.place.file, finding.place.line, finding.place.column


def _write_baseline(
    report: ScanReport,
    scanned: ScannedTree,
    file: Path,
    *,
    looked_up: Collection[str],
    reason: str,
) -> None:
    baseline: dict[tuple[str, str], Acceptance] = read_baseline(file) if file.exists() else {}
    read_files = set(scanned.files) - set(scanned.unread)
    not_looked_up = {
        (place.file, place.url)
        for place in scanned.places
        if is_http(place.url) and place.url not in looked_up
    }
    unchecked = [
        (name, url)
        for name, url in baseline
        if (name, url) in not_looked_up
        or (name not in read_files and (scanned.root / name).exists())
    ]
    entry_count = write_baseline(
        file,
        report.findings,
        baseline,
        unchecked=unchecked,
        reason=reason,
        today=date.today(),  # noqa: DTZ011
    )
    report.notices.append(f"Bad links accepted in {file}: {entry_count:,}.")
    report.findings = accept_by_baseline(report.findings, read_baseline(file))
