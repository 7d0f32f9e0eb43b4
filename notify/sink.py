"""The old name of `notify.reader`, for SINKS of 0.2.0."""

from foundation.moved_names import moved

__getattr__ = moved(__name__, {"instances": "notify.reader.instances"})
