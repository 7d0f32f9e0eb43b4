"""The old name of `shortener.reader`, for SINKS of 0.2.0."""

from foundation.moved_names import moved

__getattr__ = moved(__name__, {"instances": "shortener.reader.instances"})
