"""Flags of targets: noteworthy facts about a page, independent of its state."""

from collections.abc import Mapping

# Every flag with its meaning. CHANGED_OWNER, TLS_ERROR, EXPIRES, INCOMPLETE_CHAIN and MOVED may
# come with any verdict; every other flag belongs to rows of the table of verdicts.
RESTRICTED, LOGIN = "restricted", "login"
PARKED, ERROR_PAGE, HOME_PAGE = "parked", "error_page", "home_page"
SAME_FOR_ALL = "same_for_all"
CHANGED_OWNER, TLS_ERROR, EXPIRES = "changed_owner", "tls_error", "certificate_expires"
INCOMPLETE_CHAIN = "incomplete_chain"
ACCEPTED_FLAG = "accepted"
MOVED = "moved"
NEVER_FAILING = frozenset({MOVED})  # not allowed in FAILING_FLAGS
FLAGS: Mapping[str, str] = {
    RESTRICTED: (
        "the page exists, but requires a login, payment, a certificate or access from a particular"
        " network"
    ),
    LOGIN: "the address leads to a login page; Linkwatch can't see what is behind it",
    PARKED: "the domain is not in use, or its hosting provider has closed the site",
    ERROR_PAGE: (
        "the address leads to an error message or a search page instead of the requested content"
    ),
    HOME_PAGE: "the address redirects to a home page or to the parent folder",
    SAME_FOR_ALL: "a made-up address in the same folder returns the same page",
    CHANGED_OWNER: "the page's title and text differ from those seen before",
    TLS_ERROR: "the certificate is invalid, but accepted because of VERIFY_TLS=warn",
    INCOMPLETE_CHAIN: (
        "the server does not send an intermediate certificate; browsers get it elsewhere"
    ),
    EXPIRES: "the certificate expires soon and has not been renewed",
    MOVED: "the address redirects permanently (301 or 308), and the page is at the new address",
    ACCEPTED_FLAG: "an operator accepted this response for this target",
}
# The names of flags for people, if they differ from the flag with spaces.
_LABELS: Mapping[str, str] = {
    SAME_FOR_ALL: "same page for all addresses",
    CHANGED_OWNER: "possible new owner",
    TLS_ERROR: "TLS error",
    EXPIRES: "certificate expiring",
}


def flag_label(flag: str) -> str:
    """Return the name of a flag for people."""
    return _LABELS.get(flag) or flag.replace("_", " ")


def explain_flag(flag: str) -> str:
    """Return the meaning of a flag; an unknown flag comes from an operator's condition."""
    return FLAGS.get(flag, "set by a condition in CHECK_CONDITIONS")
