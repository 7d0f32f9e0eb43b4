import subprocess

import pytest

from tests.acceptance.processes import ROOT
from tests.upgrades.databases import empty_database

_RELEASE = "1059c21"  # 0.2.0


@pytest.fixture
def database(tmp_path, transactional_db):
    """The name of this test's own database, which has no tables."""
    with empty_database(tmp_path) as name:
        yield name


@pytest.fixture(scope="session")
def release(tmp_path_factory):
    """A folder with the code of 0.2.0."""
    folder = tmp_path_factory.mktemp("release")
    archive = folder / "code.tar"
    asked = ["git", "archive", f"--output={archive}", _RELEASE]
    if subprocess.run(asked, cwd=ROOT, check=False, capture_output=True).returncode:
        pytest.skip("this clone does not go back to 0.2.0")
    (folder / "code").mkdir()
    subprocess.run(["tar", "--extract", f"--file={archive}"], cwd=folder / "code", check=True)
    return folder / "code"
