"""Times of the admin, with their zone: the reader's; short enough for a column."""

DATETIME_FORMAT = "Y-m-d H:i:s T"
