"""Makes untrusted text safe for terminals, logs and files."""

import unicodedata

# Cc: control characters; Cf: format characters, such as those that reverse the writing direction;
# Cs: lone surrogates; Zl and Zp: line ends that not every program recognizes.
_UNSAFE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_NOT_IN_XML = {"\ufffe", "\uffff"}


def printable(text: str) -> str:
    """Return the text with characters that could control a terminal escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        _escape(character)
        if unicodedata.category(character) in _UNSAFE or character in _NOT_IN_XML
        else character
        for character in text
    )


def _escape(character: str) -> str:
    number = ord(character)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
