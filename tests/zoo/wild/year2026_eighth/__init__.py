"""An eighth held-out part of the behaviours of 2026: other makes, other hosts, other tongues.

It was written by someone who had not read the rules nor docs/verdicts.md, and had run no case: from
templates and message files of systems that the parts before leave out, from lists of what closed
services and walls answer, and from bug threads. The whole batch is held out. If a truth is wrong,
correct it before a run, and say so in the commit.
"""

from tests.zoo.wild.case import Case
from tests.zoo.wild.year2026_eighth import (
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
