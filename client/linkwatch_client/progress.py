"""Progress reports of long-running work."""

from collections.abc import Callable

Progress = Callable[[str], None]  # takes a sentence
