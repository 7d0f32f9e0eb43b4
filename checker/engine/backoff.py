"""The backoff between the attempts of one check. Pure.

Source: docs/requirements.md#checks-retries.
"""


def pauses(first: float, *, retries: int) -> list[float]:
    """Return the pause before each retry, in seconds: `first`, then twice the previous one."""
    return [first * 2**number for number in range(retries)]
