"""Scopes of tokens: everything that the user may do, reading, or the routes of one app.

Apps declare theirs in `foundation.app.App`.
"""

WRITE, READ = "write", "read"
LABELS = {WRITE: "Everything I can do", READ: "Read only"}  # by scope; apps add theirs
BY_PACKAGE: dict[str, str] = {}  # the scope for the routes of each package
BINDABLE: set[str] = set()  # scopes whose tokens may be bound to hosts (`foundation.token_bounds`)
