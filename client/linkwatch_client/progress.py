"""What long work reports while it is under way."""

from collections.abc import Callable

Progress = Callable[[str], None]  # takes a sentence
