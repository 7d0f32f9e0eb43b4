"""The banner during outages of our own network, for pages that show states of targets."""

from typing import Any

from status.health import network


def own_side() -> dict[str, Any]:
    """Return the context of `console/uplink_banner.html`, to merge into that of a page.

    Its values are empty if all is well. Runs short reads.
    """
    state = network()
    return {"own_side": state["sentences"], "down_since": state["down_since"]}
