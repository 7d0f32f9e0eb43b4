"""A seventh held-out part of the behaviours of 2026: mostly the templates that links do meet.

It was written by someone who had read neither the rules nor docs/verdicts.md, and had run no case:
from the templates and message files of systems, from lists of what closed services and walls
answer, and from bug threads of link checkers. The whole batch is held out. If a truth is wrong,
correct it before a run, and say so in the commit.
"""

from tests.zoo.wild.case import Case
from tests.zoo.wild.year2026_seventh import (
    alive,
    alive_ways,
    closed,
    gone_hard,
    gone_soft,
    gone_ways,
    restricted,
    walls,
)

_MODULES = (alive, alive_ways, closed, gone_hard, gone_soft, gone_ways, restricted, walls)
EVERYTHING: list[Case] = [case for module in _MODULES for case in module.CASES]
