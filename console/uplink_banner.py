"""The banner while our own network is down, for pages that show how targets fare."""

from typing import Any

from status.health import network


def own_side() -> dict[str, Any]:
    """Return what `templates/console/own_side.html` shows: short reads, nothing while all is well.

    To be a part of the context of a page.
    """
    known = network()
    return {"own_side": known["sentences"], "down_since": known["down_since"]}
