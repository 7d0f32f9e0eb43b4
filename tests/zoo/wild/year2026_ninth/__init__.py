"""A ninth held-out part of the behaviors of 2024 to 2026.

It was written by someone who had not read the rules nor docs/verdicts.md, and had run no case: from
bug threads on soft 404s, lapsed names and walls, from the message files and templates of systems,
and from the notices of services that ended. Where a source names a kind of site rather than a
thread or a file, the words are typical of that kind and not copied from one page. The whole batch
is held out. If a truth is wrong, correct it before a run, and say so in the commit.
"""

from tests.zoo.wild.case import Case
from tests.zoo.wild.year2026_ninth import (
    alive,
    alive_small,
    alive_ways,
    closed,
    gone_hard,
    gone_soft,
    gone_things,
    gone_ways,
    moments,
    restricted,
    walls,
)

_MODULES = (
    alive,
    alive_small,
    alive_ways,
    closed,
    gone_hard,
    gone_soft,
    gone_things,
    gone_ways,
    moments,
    restricted,
    walls,
)
EVERYTHING: list[Case] = [case for module in _MODULES for case in module.CASES]
