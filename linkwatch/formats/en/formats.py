"""Times on pages, in UTC: as in logs and the API, and short enough for a column."""

DATETIME_FORMAT = "Y-m-d H:i:s"
