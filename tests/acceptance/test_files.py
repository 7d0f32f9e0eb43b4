"""Only the owner can read the product's files, regardless of their former permissions."""

import os

import psutil
import pytest

from tests.acceptance.processes import running_product

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]


def test_only_the_owner_may_read_the_files(tmp_path):
    """The database, with the ids of live sessions, had the mode 0644."""
    data = tmp_path / "data"
    (data / "valkey").mkdir(parents=True)
    left = [data / name for name in ("linkwatch.db", "linkwatch.db-wal", "valkey/old.aof")]
    for path in (*left, data / "secret_key", data / "not_ours"):
        path.touch()
        path.chmod(0o644)
    (data / "secret_key").write_text("k" * 60)
    for folder in (data, data / "valkey"):
        folder.chmod(0o755)
    before = os.umask(0o000)
    try:
        with running_product(tmp_path) as product:
            files = [path for path in data.rglob("*") if path.name != "not_ours"]
            open_ = [path for path in files if path.is_file() and path.stat().st_mode & 0o077]
            assert len(files) > len(left)
            assert open_ == []
            assert (data / "not_ours").stat().st_mode & 0o777 == 0o644
            processes = psutil.Process(product.up.pid).children(recursive=True)
            masks = {umask_of(process.pid) for process in (*processes, product.up)}
            assert masks == {"0077"}
    finally:
        os.umask(before)
    assert (tmp_path / "log").read_text().count("is accessible to other users") == 1


def umask_of(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(line.split()[1] for line in file if line.startswith("Umask"))
