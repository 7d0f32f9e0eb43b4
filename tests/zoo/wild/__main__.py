"""Print what checks say of the pages of the wild.

`python -m tests.zoo.wild [--bad] [--status] [--of PART …]`
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Sequence

from tests.zoo.wild import (
    year2026,
    year2026_eighth,
    year2026_eleventh,
    year2026_fifth,
    year2026_fourth,
    year2026_ninth,
    year2026_second,
    year2026_seventh,
    year2026_sixth,
    year2026_tenth,
    year2026_third,
)
from tests.zoo.wild.case import Truth
from tests.zoo.wild.survey import CASES, Judgement, Sighting, survey

PARTS = {
    "before": lambda: CASES,
    "develop": year2026.to_develop_with,
    "held-out": year2026.held_out,
    "second": lambda: year2026_second.EVERYTHING,
    "third": lambda: year2026_third.EVERYTHING,
    "fourth": lambda: year2026_fourth.EVERYTHING,
    "fifth": lambda: year2026_fifth.EVERYTHING,
    "sixth": lambda: year2026_sixth.EVERYTHING,
    "seventh": lambda: year2026_seventh.EVERYTHING,
    "eighth": lambda: year2026_eighth.EVERYTHING,
    "ninth": lambda: year2026_ninth.EVERYTHING,
    "tenth": lambda: year2026_tenth.EVERYTHING,
    "eleventh": lambda: year2026_eleventh.EVERYTHING,
}


def _row(sighting: Sighting) -> str:
    case, found = sighting.case, sighting.found
    flags = ",".join(found.flags) or "-"
    said = f"{found.outcome:12} {found.reason or '-':18} {flags:22}"
    return f"{sighting.judgement:12} {case.truth:10} {said} {case.name}"


def _totals(sightings: Sequence[Sighting]) -> list[str]:
    """Return a line for each truth, with how many of its cases were judged how."""
    lines = []
    for truth in Truth:
        judged = Counter(str(each.judgement) for each in sightings if each.case.truth is truth)
        counts = ", ".join(f"{count} {judgement}" for judgement, count in judged.most_common())
        lines.append(f"{truth:10} {judged.total():4}: {counts}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bad", action="store_true", help="only what is judged wrongly")
    parser.add_argument("--soft-404", action="store_true", help="as with CHECK_SOFT_404=1")
    parser.add_argument("--status", action="store_true", help="by the status code alone")
    parser.add_argument("--of", choices=PARTS, nargs="+", default=["before"], help="which parts")
    options = parser.parse_args()
    condition = "status-200" if options.status else "evidence"
    cases = [case for part in options.of for case in PARTS[part]()]
    surveyed = survey(cases, check_soft_404=options.soft_404, condition=condition)
    sightings = asyncio.run(surveyed)
    for sighting in sorted(sightings, key=lambda each: (each.judgement, each.case.truth)):
        if not (options.bad and sighting.judgement is Judgement.GOOD):
            print(_row(sighting))
    print("\n".join(["", *_totals(sightings)]))


if __name__ == "__main__":
    main()
