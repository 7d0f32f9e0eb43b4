"""What the dashboard says, in words."""

from collections.abc import Mapping

from django.conf import settings

# Each part of the product: what it is called, what it does when all is well, and what it means
# when it does not.
PARTS = {
    "web": ("Web", "answers", "does not answer"),
    "database": ("Database", "answers", "does not answer"),
    "redis": ("Redis", "answers", "does not answer: counts and limits stand still"),
    "checker": ("Checks", "looking for due hosts", "nobody looks for due hosts"),
    "analytics": ("Analytics", "counting views", "nobody counts views"),
    "relay": ("Relay", "numbering events", "events wait for their number"),
}


def parts(health: Mapping[str, str]) -> list[dict[str, str]]:
    """Return a line for each part: its `name`, `state` (ok, off or down) and what it `does`."""
    states = {"web": "ok", **health}
    return [
        _part(name, state)
        for name, state in states.items()
        if state != "off"  # of the sinks, those that nothing is configured for
    ]


def _part(name: str, state: str) -> dict[str, str]:
    sink = (name.capitalize(), "takes events", "takes no events")
    title, fine, broken = PARTS.get(name, sink)
    if name == "checker" and not settings.CHECKER_SHIFTS:
        return {"name": title, "state": "off", "does": "switched off in this deployment"}
    return {"name": title, "state": state, "does": fine if state == "ok" else broken}
