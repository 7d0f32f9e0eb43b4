"""No text of a stranger costs a parser more than its limit, and all parsers are listed."""

import re
from pathlib import Path

import pytest

from tests.hostile_inputs import parsers

pytestmark = [pytest.mark.any_database, pytest.mark.django_db]
PARSERS = {parser.name: parser for parser in parsers()}
PAGE = Path(__file__).parent.parent / "docs" / "security.md"


@pytest.mark.acceptance  # because it takes long, although it starts no process
@pytest.mark.parametrize("name", PARSERS)
def test_the_worst_text_stays_within_the_limit_of_its_parser(name):
    parser = PARSERS[name]
    seconds, mark = parser.worst()
    assert seconds < parser.limit, mark


def test_every_reader_is_listed_with_its_bound():
    """The first column names the parser, and a mark ends the names of those tested here."""
    page = PAGE.read_text()
    section = page.partition("## What is read, and its bound")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+?) \|", section, re.MULTILINE)[2:]
    tested = {name for row in rows for name in row.removesuffix("*").split("; ") if row[-1] == "*"}
    assert tested == set(PARSERS)
