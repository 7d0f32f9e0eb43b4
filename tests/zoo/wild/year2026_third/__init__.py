"""A third held-out part of the behaviours of 2026: again other products, hosts and languages.

It was written after the rules of `year2026_second` were frozen, by someone who had read neither
their code nor their tests, only docs/verdicts.md, and who took the words of products from their
documentation, their templates and the bug threads of those that read them. The whole batch is held
out: it is run once the rules are frozen again, and its figures stand apart. If a truth is wrong,
correct it before that, and say so in the commit.
"""

from tests.zoo.wild.case import Case
from tests.zoo.wild.year2026_third import (
    alive_pages,
    alive_ways,
    between,
    closed,
    gone_boards,
    gone_pages,
    restricted,
    walls,
)

_MODULES = (
    alive_pages,
    alive_ways,
    between,
    closed,
    gone_boards,
    gone_pages,
    restricted,
    walls,
)
EVERYTHING: list[Case] = [case for module in _MODULES for case in module.CASES]
