"""Flags of targets: remarkable facts about a page, independent of its state."""

from collections.abc import Mapping

# Every flag with its meaning. Those after CHANGED_OWNER may go with any row.
RESTRICTED, LOGIN = "restricted", "login"
PARKED, ERROR_PAGE, HOME_PAGE = "parked", "error_page", "home_page"
SAME_FOR_ALL = "same_for_all"
CHANGED_OWNER, TLS_ERROR, EXPIRES = "changed_owner", "tls_error", "certificate_expires"
INCOMPLETE_CHAIN = "incomplete_chain"
ACCEPTED_FLAG = "accepted"
MOVED = "moved"
NEVER_FAILING = frozenset({MOVED})  # not allowed in FAILING_FLAGS
FLAGS: Mapping[str, str] = {
    RESTRICTED: "the page exists, but wants a login or a payment",
    LOGIN: "the address leads to a log-in; what is behind it cannot be seen",
    PARKED: "nobody uses the domain, or its host closed the site",
    ERROR_PAGE: "the page says that what was asked for is not there",
    HOME_PAGE: "the address leads to a home page or to the folder above it",
    SAME_FOR_ALL: "a made-up address next to it gets the same page",
    CHANGED_OWNER: "title and text are another's than when the page was seen before",
    TLS_ERROR: "the certificate is bad; VERIFY_TLS=warn let it pass",
    INCOMPLETE_CHAIN: "the server leaves out a certificate, which browsers get elsewhere",
    EXPIRES: "the certificate expires within CERTIFICATE_WARNING, and nobody has renewed it",
    MOVED: "it redirects for good (301, 308), and the page is at the new address",
    ACCEPTED_FLAG: "an operator said that this answer is fine here",
}


def explain_flag(flag: str) -> str:
    """Return the meaning of a flag; unknown flags come from conditions of operators."""
    return FLAGS.get(flag, "a flag of the condition")
