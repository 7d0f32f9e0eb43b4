"""`linkwatch check`: what is known of some URLs."""

from pathlib import Path

import click

from linkwatch_client.asking import ask, http_urls, is_http
from linkwatch_client.commands.common import (
    finish,
    offline_notice,
    progress,
    report_options,
    server,
    wait_option,
)
from linkwatch_client.findings import LinkPlace, ScanReport
from linkwatch_client.gate import judge_links
from linkwatch_client.url_status import UrlStatus


@click.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@wait_option
@report_options
def check(
    urls: tuple[str, ...],
    wait: int,
    form: str,
    output: Path | None,
    max_age: str | None,
    strict: bool,
    offline_ok: bool,
) -> None:
    """Say what is known of URLs; those that are not known are checked now.

    Fails for those that are dead, or fail twice with 404 and the like.
    """
    for url in urls:
        if not is_http(url):
            raise click.BadParameter(f"{url!r} is not an http or https URL.")
    report = ScanReport(links=len(urls))
    with offline_notice(report, is_ok=offline_ok):
        wanted = http_urls(urls)
        with server() as api, progress() as show:
            answers = ask(
                api,
                wanted,
                new=wanted,
                max_age=max_age or "1d",
                patience=wait,
                progress=show,
            )
        report.known = answers.known
        report.notices += answers.notices
        places = [LinkPlace(url=url) for url in wanted]
        report.findings = judge_links(places, answers.statuses, new=wanted, is_strict=strict)
        found = {finding.place.url for finding in report.findings}
        report.notices += [_sentence(answers.statuses[url]) for url in wanted if url not in found]
    finish(report, form=form, output=output)


def _sentence(status: UrlStatus) -> str:
    if not status.known:
        return f"{status.url}: not watched; `linkwatch watch` registers it."
    if not status.last_checked_at:
        return f"{status.url}: watched, not checked yet."
    checked = f"last checked {status.last_checked_at[:10]}"
    return f"{status.url}: {status.state.replace('_', ' ')}, {checked}."
