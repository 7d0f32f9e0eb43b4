"""The gate: decides which links fail a run. Everything else is a note.

Source: docs/adr/0059-client.md.
"""

from collections.abc import Collection, Iterable, Mapping

from linkwatch_client.findings import FindingRule, LinkFinding, LinkPlace
from linkwatch_client.url_status import UrlStatus

# Failures that prove something about the page itself. Timeouts, 5xx, TLS errors and refused
# connections are often temporary.
DEFINITE_REASONS = frozenset(
    {"http_404", "http_410", "dns", "closed_by_host", "https_only", "soft_404"}
)
_TAKEN_OVER_SENTENCES = {
    "parked": "The domain is parked: it is not in use.",
    "changed_owner": "This address now shows a page that seems to belong to a different owner.",
}


def judge_links(
    links: Iterable[LinkPlace],
    statuses: Mapping[str, UrlStatus],
    *,
    new: Collection[str],
    is_strict: bool = False,
) -> list[LinkFinding]:
    """Return the findings about links; links without a status have none.

    `new` are the URLs that this change adds.
    """
    findings = [
        judge_link(link, statuses[link.url], is_new=link.url in new, is_strict=is_strict)
        for link in links
        if link.url in statuses
    ]
    return [finding for finding in findings if finding is not None]


def judge_link(
    place: LinkPlace, status: UrlStatus, *, is_new: bool, is_strict: bool = False
) -> LinkFinding | None:
    """Return the finding about a link, or None if there is nothing to report.

    A dead target is an error, and so is a new link that fails twice for a definite reason or, with
    `is_strict`, for any reason.
    """
    fails = status.outcome == "failure"
    if status.is_dead:
        rule, is_error = FindingRule.DEAD, True
    elif fails and is_new and status.failed_twice:
        rule = FindingRule.NEW_AND_FAILING
        is_error = is_strict or status.reason in DEFINITE_REASONS
    elif fails or status.outcome == "inconclusive" or status.error:
        rule, is_error = FindingRule.FAILING, False
    elif not _TAKEN_OVER_SENTENCES.keys().isdisjoint(status.flags):
        rule, is_error = FindingRule.TAKEN_OVER, False
    elif status.has_moved:
        rule, is_error = FindingRule.MOVED, False
    else:
        return None
    return LinkFinding(
        place=place,
        canonical_url=status.canonical_url,
        rule=rule,
        is_error=is_error,
        verdict=_verdict(rule, status),
        since=status.first_failed_at,
        suggestion=status.suggestion,
        new_address=status.moved_to if status.has_moved else "",
        is_new=is_new,
    )


def _verdict(rule: FindingRule, status: UrlStatus) -> str:
    if rule is FindingRule.TAKEN_OVER:
        return next(text for flag, text in _TAKEN_OVER_SENTENCES.items() if flag in status.flags)
    if rule is FindingRule.MOVED:
        return f"The page has moved permanently to {status.moved_to}."
    return status.error or status.sentence or status.summary or f"{rule.sentence}."
