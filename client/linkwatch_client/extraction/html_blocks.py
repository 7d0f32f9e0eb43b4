"""The start and end of HTML blocks in Markdown, as in CommonMark."""

import re

_BLOCK_ELEMENTS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|"
    "dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|"
    "hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|"
    "search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_ATTRIBUTE = r"\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?"
TAG = rf"<(?:[A-Za-z][A-Za-z0-9-]*(?:{_ATTRIBUTE})*\s*/?|/[A-Za-z][A-Za-z0-9-]*\s*)>"
# The start and end of each kind of HTML block; None: the block ends at a blank line.
HTML_BLOCKS: tuple[tuple[re.Pattern[str], re.Pattern[str] | None], ...] = (
    (
        re.compile(r"<(?:script|pre|style|textarea)(?=[\s>]|$)", re.IGNORECASE),
        re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE),
    ),
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"</?(?:{_BLOCK_ELEMENTS})(?=\s|/?>|$)", re.IGNORECASE), None),
    (re.compile(rf"{TAG}[ \t]*$"), None),
)
LONE_TAG_START = HTML_BLOCKS[-1][0]  # of a block that can't interrupt a paragraph
