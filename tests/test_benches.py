"""Each bench runs and prints its figures; the small size here measures nothing."""

import re
import subprocess
import sys

import pytest

from tests.acceptance.processes import ROOT, environment
from tests.cases import only_before_releases

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

BENCHES = sorted(
    path.stem
    for path in (ROOT / "bench").glob("*.py")
    if path.stem != "harness" and not path.stem.startswith("_")
)
FIGURE = re.compile(r"  (linkwatch|peer|ratio) +\S.{43,}? (\S+)( +goal .+)?")
NUMBER = re.compile(r"-?[\d,]+(\.\d+)?(e[+-]\d+)?")


@pytest.mark.parametrize(
    "name",
    only_before_releases(
        BENCHES, but=("archive", "check", "lookup", "redirect", "register", "scan")
    ),
)
def test_a_bench_prints_its_figures(name):
    done = subprocess.run(
        [sys.executable, f"bench/{name}.py"],
        cwd=ROOT,
        env=environment(BENCH_SIZE="toy"),
        capture_output=True,
        text=True,
        check=False,
    )
    if f"{name}: left out" in done.stdout:
        pytest.skip(done.stdout.strip())

    assert done.returncode == 0, done.stdout + done.stderr
    _, _, report = done.stdout.partition(f"\n{name}  (")
    report = report.partition("\n\n")[0]  # some are followed by another one
    figures = [FIGURE.fullmatch(line) for line in report.splitlines()[1:]]
    assert None not in figures, report
    assert (
        {"linkwatch", "peer", "ratio"}
        >= {figure[1] for figure in figures}
        >= {"linkwatch", "ratio"}
    )
    assert [figure[0] for figure in figures if not NUMBER.fullmatch(figure[2])] == []
