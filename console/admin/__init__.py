"""The admin of people, tokens, tasks and targets; other models are in the admin of their app."""

from console.admin import people, targets  # noqa: F401 (register themselves)
