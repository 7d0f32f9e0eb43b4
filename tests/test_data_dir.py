"""An unusable DATA_DIR stops `up` with a sentence, and nothing is left in it."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management.base import CommandError

from linkwatch import data_dir
from tests.acceptance.processes import PATIENCE, ROOT, environment
from tests.ports import free_port

pytestmark = pytest.mark.any_database
ANOTHER = 12345  # a user's id
AS_ANOTHER = ["setpriv", f"--reuid={ANOTHER}", f"--regid={ANOTHER}", "--clear-groups"]
IN_FULL = "mount -t tmpfs -o size=64k tmpfs $DATA_DIR; head -c 64k /dev/zero > $DATA_DIR/data"
ON_READ_ONLY = "mount -t tmpfs -o ro tmpfs $DATA_DIR"
SECRET_KEY = "only-for-tests-" + "x" * 40


def can_mount():
    probe = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


def others_can_run_python():
    """Return whether other users can run our interpreter; they cannot see root's."""
    code = "import sys, django; print(sys.version, end='')"
    probe = [*AS_ANOTHER, sys.executable, "-c", code]
    done = subprocess.run(probe, capture_output=True, cwd=ROOT, text=True, check=False)
    return done.stdout == sys.version


def starting(folder, *, first, prefix="", **changes):
    """Start `up` after `first`, in a new mount namespace that ends with it."""
    folder.mkdir()
    files = 'code=$?; ls -A "$DATA_DIR"; exit $code'
    command = f"{first}; {prefix} {sys.executable} manage.py up; {files}"
    return subprocess.Popen(
        ["unshare", "--mount", "sh", "-c", command],
        cwd=ROOT,
        env=environment(DATA_DIR=str(folder), PYTHONDONTWRITEBYTECODE="1", **changes),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_read_only_full_or_foreign_folder_is_reported_and_left_unchanged(tmp_path):
    if not can_mount():
        pytest.skip("only root may mount")
    tmp_path.chmod(0o755)
    started = {
        "is read-only.": starting(tmp_path / "a", first=ON_READ_ONLY, SECRET_KEY=SECRET_KEY),
        "cannot be used by user 0 (No space left on device).": starting(
            tmp_path / "b", first=IN_FULL
        ),
        "is full. It has 0 KiB left, ": starting(
            tmp_path / "c", first=IN_FULL, SECRET_KEY=SECRET_KEY
        ),
    }
    if others_can_run_python():
        started[f"cannot be used by user {ANOTHER} (Permission denied)."] = starting(
            tmp_path / "d", first='chmod 700 "$DATA_DIR"', prefix=" ".join(AS_ANOTHER)
        )
    for sentence, process in started.items():
        files, lines = process.communicate(timeout=PATIENCE)
        assert sentence in lines
        assert len(lines.splitlines()) == 1
        assert process.returncode == 1
        assert files in ("", "data\n")


def test_a_valkey_that_cannot_read_its_file_is_reported_without_waiting(tmp_path):
    files = tmp_path / "valkey" / "appendonlydir"
    files.mkdir(parents=True)
    (files / "appendonly.aof.manifest").write_text("of another program")
    reported = environment(DATA_DIR=str(tmp_path), HTTP_PORT=str(free_port()))
    command = [sys.executable, "manage.py", "up"]

    done = subprocess.run(
        command,
        cwd=ROOT,
        env=reported,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert done.returncode == 1
    assert f"did not start; see {tmp_path}/valkey/valkey.log." in done.stderr
    assert not (tmp_path / "linkwatch.db").exists()


def test_root_starts_nothing_in_the_folder_of_another_user(tmp_path, settings):
    if os.geteuid() != 0:
        pytest.skip("only root may give a folder away")
    os.chown(tmp_path, ANOTHER, -1)
    settings.DATA_DIR = tmp_path

    with pytest.raises(CommandError, match=f"belongs to user {ANOTHER}, .*chown -R root"):
        data_dir.lock()
    assert list(tmp_path.iterdir()) == []


def test_files_of_another_user_are_reported(tmp_path, settings, monkeypatch):
    """A start by root once may leave such files in a user's folder."""
    settings.DATA_DIR = tmp_path
    (tmp_path / "valkey").mkdir()
    others = tmp_path / "valkey" / "appendonlydir"
    others.mkdir()
    monkeypatch.setattr(os, "access", lambda path, _mode: path != others)

    with pytest.raises(
        CommandError, match=f"{others} belongs to user .*isn't allowed to read and write it"
    ):
        data_dir.lock()


def test_a_file_readable_by_all_that_cannot_be_changed_is_reported(tmp_path, settings, monkeypatch):
    """A volume may contain such files if everyone may write them and the user has changed."""

    def refuse(path, mode):
        raise PermissionError(errno.EPERM, "Operation not permitted", str(path))

    settings.DATA_DIR = tmp_path
    (tmp_path / "secret_key").touch(mode=0o644)
    monkeypatch.setattr(Path, "chmod", refuse)

    with pytest.raises(CommandError, match=f"{tmp_path}/secret_key cannot be used .Operation not"):
        data_dir.lock()


def test_a_disk_with_little_room_is_reported_before_anything_is_created(
    tmp_path, settings, monkeypatch
):
    settings.DATA_DIR = tmp_path
    usage = SimpleNamespace(free=15 * 1024**2)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage)

    with pytest.raises(CommandError, match=r"is full. It has 15360 KiB left, .* 16 MiB"):
        data_dir.lock()
    assert list(tmp_path.iterdir()) == []
