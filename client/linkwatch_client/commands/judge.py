"""`linkwatch judge`: what another checker found, judged by what the server knows."""

from pathlib import Path

import click

from linkwatch_client.asking import ask, http_urls
from linkwatch_client.checkers import MOST_INPUT, read_findings
from linkwatch_client.commands.common import (
    finish,
    offline_notice,
    progress,
    read_standard_input,
    report_options,
    server,
)
from linkwatch_client.findings import LinkPlace, ScanReport
from linkwatch_client.gate import judge_links


@click.command()
@report_options
def judge(form: str, output: Path | None, max_age: str, strict: bool, offline_ok: bool) -> None:
    """Judge the findings of another checker, read from standard input.

    Reads the JSON of lychee (lychee --format json) and linkinator, JUnit XML, or a list of
    URLs, one a line. Fails for those that are dead by evidence; all others are notes.

    \b
    lychee --format json docs/ | linkwatch judge
    """
    places = read_findings(read_standard_input(MOST_INPUT))
    report = ScanReport(links=len(places), files=len({place.file for place in places} - {""}))
    with offline_notice(report, is_ok=offline_ok):
        _judge(report, places, max_age=max_age, is_strict=strict)
    finish(report, form=form, output=output)


def _judge(report: ScanReport, places: list[LinkPlace], *, max_age: str, is_strict: bool) -> None:
    urls = http_urls([place.url for place in places])
    with server() as api, progress() as show:
        answers = ask(api, urls, max_age=max_age, progress=show)
    report.known = answers.known
    report.notices += answers.notices
    report.findings = judge_links(places, answers.statuses, new=(), is_strict=is_strict)
    if fine := sum(_is_fine(answers.statuses[url].state) for url in urls):
        report.notices.append(f"{fine:,} of these URLs are alive by the server's own checks.")
    if unknown := len(urls) - answers.known:
        report.notices.append(f"{unknown:,} of these URLs are not watched: nothing is known.")


def _is_fine(state: str) -> bool:
    return state == "alive"
