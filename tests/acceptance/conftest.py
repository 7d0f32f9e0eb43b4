"""Fixtures of the tests of whole processes."""

import shutil

import pytest

from tests.acceptance.processes import PATIENCE, running


@pytest.fixture(scope="session")
def _migrated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("migrated")
    with running("migrate", log=folder / "log", DATA_DIR=str(folder)) as migration:
        assert migration.wait(PATIENCE) == 0, (folder / "log").read_text()
    return folder


@pytest.fixture
def data_dir(_migrated, tmp_path):
    """A DATA_DIR of this test's own, with an SQLite database that is migrated already."""
    return shutil.copytree(_migrated, tmp_path / "data")
