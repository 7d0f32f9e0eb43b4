"""Reports in formats for people, CI services and other programs."""

from collections.abc import Callable

from linkwatch_client.findings import ScanReport
from linkwatch_client.reports.github import github_report
from linkwatch_client.reports.json_report import json_report
from linkwatch_client.reports.junit import junit_report
from linkwatch_client.reports.markdown_report import markdown_report
from linkwatch_client.reports.sarif import sarif_report
from linkwatch_client.reports.text import text_report

REPORTS: dict[str, Callable[[ScanReport], str]] = {
    "text": text_report,
    "json": json_report,
    "junit": junit_report,
    "sarif": sarif_report,
    "markdown": markdown_report,
    "github": github_report,
}
