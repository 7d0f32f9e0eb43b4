"""The banner during outages of our own network, for pages that show states of targets."""

from typing import Any

from status.health import network


def own_side() -> dict[str, Any]:
    """Return the context of `console/uplink_banner.html`: short reads; empty if all is well.

    Merged into a page's context.
    """
    known = network()
    return {"own_side": known["sentences"], "down_since": known["down_since"]}
