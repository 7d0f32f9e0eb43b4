"""What a server's wish to be left alone for a while means: pure decisions. Source: RFC 6585, 4."""

from datetime import timedelta

import ada_url

from checker.engine.fetch import Probe

SHORTEST = timedelta(seconds=1)
LONGEST = timedelta(days=1)
UNSAID = timedelta(minutes=1)  # after a 429 that does not say for how long


def requested_pause(probe: Probe) -> timedelta | None:
    """Return how long the server wants to be left alone, from 1 s to 1 d; None if it does not.

    By what it answered, whatever the condition made of it: 429, or 503 with Retry-After.
    """
    if probe.status_code not in (429, 503):
        return None
    if probe.retry_after is None:
        return UNSAID if probe.status_code == 429 else None
    # Clamped as a number: a timedelta would overflow on an absurd one.
    seconds = max(probe.retry_after, SHORTEST.total_seconds())
    return timedelta(seconds=min(seconds, LONGEST.total_seconds()))


def answering_host(probe: Probe) -> str | None:
    """Return the host that gave the last answer, behind all redirects, in its normal form."""
    if probe.final_url is None:
        return None
    try:
        return ada_url.URL(probe.final_url).hostname.rstrip(".") or None
    except ValueError:
        return None
