"""An eleventh held-out part of the behaviors of 2024 to 2026.

Its author had not read the rules nor docs/verdicts.md, and had run no case. The cases come from
bug threads on soft 404s, lapsed names, walls and link checkers, from lists of words by which other
tools recognize missing users, closed jobs and unclaimed hosts, from templates and message files,
and from notices of services that ended. Where a source names a thread or a file, the case follows
it. Where it names a product or a kind of site, the words are those that the product or such sites
are known for, written down from memory and not copied from one page.

The whole part is held out. If a truth is wrong, correct it before a run, and say so in the commit.
"""

from tests.zoo.wild.case import Case
from tests.zoo.wild.year2026_eleventh import (
    alive_pages,
    alive_small,
    alive_ways,
    closed,
    gone_hard,
    gone_items,
    gone_sites,
    gone_ways,
    restricted,
    walls,
)

_MODULES = (
    alive_pages,
    alive_small,
    alive_ways,
    closed,
    gone_hard,
    gone_items,
    gone_sites,
    gone_ways,
    restricted,
    walls,
)
EVERYTHING: list[Case] = [case for module in _MODULES for case in module.CASES]
