"""Template filters for names of flags and for links to docs/verdicts.md."""

from django import template

from targets import rule_urls
from targets.flags import flag_label

register = template.Library()
register.filter(flag_label)


@register.filter
def rule_path(rule: object) -> str:
    """Return the path of a rule; a result's evidence may contain anything."""
    return rule_urls.rule_path(str(rule))


@register.filter
def flag_path(flag: object) -> str:
    """Return the path of a flag."""
    return rule_urls.flag_path(str(flag))


@register.filter
def mark_path(mark: object) -> str:
    """Return the path of a mark."""
    return rule_urls.mark_path(str(mark))
