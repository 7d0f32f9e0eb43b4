"""A sixth held-out part of the behaviours of 2026: more makes, more languages.

It was written by someone who had read neither the rules nor their tests nor docs/verdicts.md, from
lists of what names of members, closed services and walls answer, from the templates and message
files of systems, and from public documentation and bug threads. The whole batch is held out. If a
truth is wrong, correct it before a run, and say so in the commit.
"""

from tests.zoo.wild.case import Case
from tests.zoo.wild.year2026_sixth import (
    alive,
    alive_ways,
    closed,
    gone_answers,
    gone_pages,
    restricted,
    walls,
)

_MODULES = (alive, alive_ways, closed, gone_answers, gone_pages, restricted, walls)
EVERYTHING: list[Case] = [case for module in _MODULES for case in module.CASES]
