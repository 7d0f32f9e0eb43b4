"""Numbers with their nouns."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, whose plural ends in s: `1 file`, `1,000 files`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
