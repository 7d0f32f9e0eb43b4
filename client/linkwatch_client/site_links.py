"""What the generators of sites share: one look-up a build, and the mark of a dead link."""

import os
from collections.abc import Iterable

from linkwatch_client.api import LinkwatchApi
from linkwatch_client.asking import http_urls
from linkwatch_client.credentials import credentials_file, read_credentials
from linkwatch_client.printable import printable

DEAD_CLASS = "linkwatch-dead"
DEAD_TEXT = "(dead link)"


def dead_links(urls: Iterable[str], *, max_age: str = "1d") -> dict[str, str]:
    """Return those of these URLs that are dead, each with a sentence; asks once for them all.

    The server is that of the environment, or of `linkwatch login`. Raises CannotAskError.
    """
    wanted = sorted(http_urls(urls))
    if not wanted:
        return {}
    with LinkwatchApi(read_credentials(os.environ, credentials_file())) as api:
        statuses = api.look_up(wanted, max_age=max_age)
    return {
        url: printable(f"{status.sentence} Failing since {status.first_failed_at[:10]}.".strip())
        for url, status in statuses.items()
        if status.is_dead
    }
