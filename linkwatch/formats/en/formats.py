"""Formats of times in the admin, with the reader's zone; short enough for a column."""

DATETIME_FORMAT = "Y-m-d H:i:s T"
