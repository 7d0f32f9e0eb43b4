"""What checks found, in words."""

_FLAGS = {
    "restricted": "the page exists, but wants a login or a payment",
    "soft_404_suspect": "there is a page, but maybe not the one that was asked for",
    "tls_error": "the certificate is bad; VERIFY_TLS=warn let it pass",
}


def flag_in_words(flag: str) -> str:
    """Return what a flag means; those that are not ours come from an operator's condition."""
    return _FLAGS.get(flag, "a flag of the condition")
