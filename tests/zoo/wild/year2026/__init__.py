"""Behaviours of 2026, collected with their truth before the rules that are judged by them.

Their pages are of our own words and markup, in the form that each source names; where only a
description was to be had, the form follows that. Rules are developed with two thirds of them. The
other third is held out: it was not run until the rules were frozen, and its figures stand apart.
Which third a case is in depends on its name alone, so a case never moves from one to the other.
"""

import hashlib

from tests.zoo.wild.case import Case
from tests.zoo.wild.year2026 import (
    alive_addresses,
    alive_subjects,
    alive_things,
    closed_clouds,
    closed_hosts,
    gone_above_articles,
    gone_neighbours,
    gone_parked_2026,
    gone_things,
    moments,
    restricted,
    walls_as_pages,
    walls_statuses,
)

_MODULES = (
    alive_addresses,
    alive_subjects,
    alive_things,
    closed_clouds,
    closed_hosts,
    gone_above_articles,
    gone_neighbours,
    gone_parked_2026,
    gone_things,
    moments,
    restricted,
    walls_as_pages,
    walls_statuses,
)
EVERYTHING: list[Case] = [case for module in _MODULES for case in module.CASES]


def is_held_out(case: Case) -> bool:
    """Say whether the case is in the third that is not run until the rules are frozen."""
    digest = hashlib.sha256(case.name.encode()).digest()
    return int.from_bytes(digest[:8], "big") % 3 == 0


def to_develop_with() -> list[Case]:
    """Return the two thirds that rules may be tried on."""
    return [case for case in EVERYTHING if not is_held_out(case)]


def held_out() -> list[Case]:
    """Return the third that is not run until the rules are frozen."""
    return [case for case in EVERYTHING if is_held_out(case)]
