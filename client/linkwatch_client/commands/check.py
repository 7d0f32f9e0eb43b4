"""`linkwatch check`: the status of some URLs."""

import click

from linkwatch_client.commands.common import (
    ReportOptions,
    finish,
    offline_notice,
    progress,
    query_and_judge,
    report_options,
    server,
)
from linkwatch_client.findings import LinkPlace, ScanReport
from linkwatch_client.status_requests import http_urls, is_http
from linkwatch_client.url_status import UrlStatus


@click.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@report_options
def check(urls: tuple[str, ...], options: ReportOptions) -> None:
    """Show the status of URLs; those without a recent successful check are checked now.

    Fails for URLs that are dead, or that fail twice with a 404 or the like (with --strict, any
    error).
    """
    for url in urls:
        if not is_http(url):
            raise click.BadParameter(f"{url!r} is not an http or https URL.")
    report = ScanReport(link_count=len(urls))
    with offline_notice(report, options):
        distinct = http_urls(urls)
        places = [LinkPlace(url=url) for url in distinct]
        with server() as api, progress() as show:
            result = query_and_judge(api, report, places, new=distinct, options=options, show=show)
        bad_urls = {finding.place.url for finding in report.findings}
        report.notices += [
            _sentence(status) for url, status in result.statuses.items() if url not in bad_urls
        ]
    finish(report, options)


def _sentence(status: UrlStatus) -> str:
    if not status.known:
        return f"{status.url}: not watched; `linkwatch watch` registers it."
    if not status.last_checked_at:
        return f"{status.url}: watched, not checked yet."
    checked = f"last checked {status.last_checked_at[:10]}"
    return f"{status.url}: {status.state.replace('_', ' ')}, {checked}."
