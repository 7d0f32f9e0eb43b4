"""Changes of a target's state, in words."""

from collections.abc import Mapping
from typing import Any

from targets.state import State

LONGEST = 160  # characters of a reason


def reason(before: str, after: str, payload: Mapping[str, Any]) -> str:
    """Return why a target went from one state to another, from its transition's payload.

    It has text of servers in it: to be escaped.
    """
    if after == State.ALIVE:
        return "The first check succeeded" if before == State.PENDING else "Checks succeed again"
    if after == State.PENDING:
        return "Revived by hand"
    text = _error(payload.get("error"))
    if after == State.DEAD and (failures := payload.get("failures") or 0) > 1:
        text = f"{failures} failures in a row: {text}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _error(error: Any) -> str:
    """Return the sentence of an error; an EVENT_BUILDER may have made it whatever it likes."""
    if isinstance(error, dict):
        for key in ("message", "kind"):
            if isinstance(error.get(key), str) and error[key]:
                return str(error[key])
    return "The check failed"
