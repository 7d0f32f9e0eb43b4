"""The banner about problems of our own network, on pages that show states of targets."""

from typing import Any

from status.health import network


def uplink_context() -> dict[str, Any]:
    """Return the context of `console/uplink_banner.html`, to merge into the context of a page.

    The values are an empty list and None if all is well. Runs short queries.
    """
    state = network()
    return {"own_side": state["sentences"], "down_since": state["down_since"]}
