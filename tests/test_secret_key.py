"""SECRET_KEY is generated at the first start: complete, shared, readable by its owner only."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from linkwatch.secret_key import secret_key

pytestmark = pytest.mark.any_database


def test_concurrent_processes_get_the_same_stored_key(tmp_path):
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: secret_key("", folder=tmp_path), range(64)))

    [path] = tmp_path.iterdir()
    assert keys == {path.read_text()}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_an_interrupted_creation_leaves_no_file(tmp_path, monkeypatch, error):
    """Before, an empty file was taken for the key at each later start."""

    def fail(*_):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(type(error)):
            secret_key("", folder=tmp_path)

    assert list(tmp_path.iterdir()) == []
    assert len(secret_key("", folder=tmp_path)) >= 50
