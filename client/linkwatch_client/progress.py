"""Progress reports of long work."""

from collections.abc import Callable

Progress = Callable[[str], None]  # takes a sentence
