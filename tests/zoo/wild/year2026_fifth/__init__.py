"""A fifth held-out part of the behaviours of 2026: the same trades as in the fourth, other makes.

It was written by someone who had read neither the rules nor their tests nor docs/verdicts.md, from
the templates of systems, shops, boards and hosts, from public documentation and from the tests of
those that read such pages. The whole batch is held out. If a truth is wrong, correct it before a
run, and say so in the commit.
"""

from tests.zoo.wild.case import Case
from tests.zoo.wild.year2026_fifth import (
    alive,
    closed,
    gone_answers,
    gone_pages,
    restricted,
    walls,
)

_MODULES = (alive, closed, gone_answers, gone_pages, restricted, walls)
EVERYTHING: list[Case] = [case for module in _MODULES for case in module.CASES]
