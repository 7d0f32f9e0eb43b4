"""URLs of rules, flags and marks in docs/verdicts.md, on a page of this deployment."""

import re

from django.conf import settings

PAGE_PATH = "/about/verdicts"


def rule_path(rule: str) -> str:
    """Return the path of the rule with this name."""
    return f"{PAGE_PATH}#{anchor('rule', rule)}"


def flag_path(flag: str) -> str:
    """Return the path of a flag; the page has no anchors for flags of operators' conditions."""
    return f"{PAGE_PATH}#{anchor('flag', flag)}"


def mark_path(mark: str) -> str:
    """Return the path of a mark: that of the name before its colon, or else of its first word."""
    name, colon, _ = mark.partition(":")
    return f"{PAGE_PATH}#{anchor('mark', name if colon else name.partition(' ')[0])}"


def absolute_url(path: str) -> str:
    """Return the absolute URL of a path."""
    return f"{settings.BASE_URL}{path}"


def anchor(kind: str, name: str) -> str:
    """Return the anchor of a rule, flag or mark in the document."""
    return f"{kind}-{re.sub('[^a-z0-9]+', '-', name.lower()).strip('-')}"
