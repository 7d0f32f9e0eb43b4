"""No pattern and no reader of the engine takes 20 ms of CPU time for any input."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checker.engine import redirect_destinations
from checker.engine.gone_words import group_by_first_letter
from tests.checker import hostile

pytestmark = pytest.mark.any_database


def too_slow(costs):
    return [cost for cost in costs if cost.milliseconds > hostile.LIMIT_MS]


def test_each_bound_belongs_to_a_pattern():
    names = list(hostile.patterns())
    assert [one for one in hostile.BOUNDS if not any(name.startswith(one) for name in names)] == []


@pytest.mark.slow
def test_no_pattern_of_the_engine_is_slow_in_a_hostile_text():
    assert too_slow(hostile.costs_of_patterns(most=1)) == []


@pytest.mark.slow
def test_no_reader_of_the_engine_is_slow_with_a_hostile_page_header_or_address():
    assert too_slow(hostile.costs_of_readers(most=2)) == []


def test_the_test_finds_patterns_in_all_places():
    assert hostile.inline_patterns() == []
    assert "page._HTTP_EQUIV_REFRESH" in hostile.patterns()


def test_a_long_number_in_an_address_is_read_once():
    """It could be split into pages of one to three digits in exponentially many ways."""
    asked = f"http://a.example/news/{'1' * 2000}x"
    assert (
        hostile.measure(
            lambda: redirect_destinations.leads_home(asked=asked, url="http://a.example/news")
        )
        < hostile.LIMIT_MS
    )


@pytest.mark.parametrize(
    ("pattern", "grouped"),
    [
        ("ab|ac|b", "a(?:b|c)|b"),
        ("ab|b?c|ac", "ab|b?c|ac"),  # "b?c" may begin with another letter
        (r"ab|a\|c|[a|]d|a(?:b|c)d", r"a(?:b|\|c)|[a|]d|a(?:b|c)d"),
        ("ab||ac", "ab||ac"),
    ],
)
def test_alternatives_are_grouped_by_their_first_letter(pattern, grouped):
    assert group_by_first_letter(pattern) == grouped


_WORDS = st.lists(
    st.sampled_from(["a", "ab", "abc", "ac", "b", "b?a", "(?:a|b)c", "[ab]", r"\ba", ""])
)


@given(_WORDS, st.text("abc", max_size=8))
def test_grouped_alternatives_match_the_same(words, text):
    pattern = "|".join(words)
    found = [match.span() for match in re.finditer(pattern, text)]
    assert [match.span() for match in re.finditer(group_by_first_letter(pattern), text)] == found
