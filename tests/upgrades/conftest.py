import pytest

from tests.upgrades.databases import empty_database


@pytest.fixture
def database(tmp_path, transactional_db):
    """The name of a database of this test's own, without tables."""
    with empty_database(tmp_path) as name:
        yield name
