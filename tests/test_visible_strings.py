"""Visible text is plain English, without wording that a native speaker would stumble over."""

import re

import pytest

from tests.visible_strings import lines, of_module, of_template

pytestmark = pytest.mark.any_database

# Wording that was replaced before, with its replacement.
STUMBLES = {
    r"\bwhoever\b": "anyone who",
    r"\bis reported\b|\bare reported\b|\btold of\b": "is notified, sees, gets",
    r"\ball the same\b": "anyway",
    r"\bis none\b": "is not",
    r"\bnowhere any more\b": "deleted",
    r"\bis like that\b": "No matching …",
    r"\bLook at it\b": "Preview",
    r"\bPass it on\b|\bpass the link on\b": "Share",
    r"\bSecond steps?\b": "Two-factor authentication",
    r"\b[Ll]eft alone\b(?! for as long| at first)": "paused, throttled",
    r"\buses nothing up\b": "does not count as a view",
}
# Pages that others own and rewrite elsewhere.
_LATER = re.compile(
    r"console/links/forms|templates/(admin|console/(dashboard|target|targets|hosts|outages/history))|templates/checker"
    r"|console/(admin|dashboard|target_page|targets|hosts)/|[a-z]+/admin\.py|/(forms|commands)"
    r"|(targets|hosts|checker|status|shortener/serializers|\w+/serializers|\w+/models)"
)


@pytest.mark.parametrize("pattern", STUMBLES)
def test_no_visible_sentence_uses_replaced_wording(pattern):
    found = [
        line
        for line in lines()
        if not _LATER.match(line) and re.search(pattern, line.partition(": ")[2])
    ]
    assert found == [], STUMBLES[pattern]


def test_the_strings_of_a_template_are_its_text_and_its_readable_attributes():
    text = (
        '{# no #}{% if a %}<p title="A hint">Hello <b>{{ name }}</b>, bye.</p>{% endif %}'
        "<script>no</script><style>no</style>"
    )
    assert list(of_template(text)) == ["A hint", "Hello …, bye."]


def test_the_strings_of_a_module_are_its_sentences_without_docstrings():
    text = '"""No docstring."""\nX = "A sentence."\nY = f"Deleted: {x} now"\nZ = "code"\n'
    assert list(of_module(text)) == ["A sentence.", "Deleted: … now"]


def test_the_list_is_deterministic():
    assert list(lines()) == list(lines())
