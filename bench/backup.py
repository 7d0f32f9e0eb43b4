"""100 k targets with 1 M results: PostgreSQL → SQLite → another PostgreSQL, with equal contents at
the end.

Each step is `manage.py` in a separate process, as an operator runs it. Compares the checksum of
each table in the archives of all three, and a sample of the API's responses.
"""

import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg
from harness import ROOT, postgres, report, sized

TARGETS = sized(100_000, toy=200)
DAYS = 10  # that each target was checked on
SAMPLE = sized(300, toy=5)  # targets whose responses are compared
VOLATILE = "outbox.Epoch"  # each restore adds a row

ROWS = f"""
INSERT INTO targets_target (id, url, canonical_url, host, created_at, pinned, paused, condition,
    state, failures, next_check_at, state_changed_at, last_checked_at, last_status_code,
    last_latency_ms, last_reason, moved_to, version, heads, flags, recent)
SELECT gen_random_uuid(), url, url, split_part(url, '/', 3), at, true, false, '',
    CASE WHEN n % 50 = 0 THEN 'dead' ELSE 'alive' END, 0, at + interval '10 days', at, at, 200, 80,
    '', '', 1, 0, '[]', 'sssssf'
FROM (
    SELECT n, now() - interval '9 days' + n * interval '100 ms' AS at,
        'https://host' || n / 10 || '.example/articles/page-' || n || '.html' AS url
    FROM generate_series(1, {TARGETS}) n
) rows;
INSERT INTO targets_targettext (target_id, text) SELECT id, url FROM targets_target;
INSERT INTO targets_reference (target_id, object_id, created_at)
SELECT id, 'object-' || id, created_at FROM targets_target;
INSERT INTO hosts_slot (is_alias, key, not_before, leased_host, leased_for, check_ready_at)
SELECT false, host, now(), '', '', min(next_check_at) FROM targets_target GROUP BY host;
INSERT INTO hosts_host (name, slot_id, check_at) SELECT key, id, check_ready_at FROM hosts_slot;
INSERT INTO targets_transition (id, target_id, kind, from_state, to_state, at, payload, position)
SELECT gen_random_uuid(), id, 'state', 'alive', 'dead', created_at,
    jsonb_build_object('target_id', 't_x', 'url', url, 'state', 'dead', 'failures', 3,
        'reference_ids', jsonb_build_array('object'), 'error', NULL),
    row_number() OVER (ORDER BY created_at, id)
FROM targets_target WHERE state = 'dead';
INSERT INTO checker_checkresult (target_id, checked_at, outcome, reason, status_code, latency_ms,
    attempts, final_url, redirects, moved_to, flags, evidence)
SELECT id, now() - day * interval '1 day', 'success', '', 200, 80, 1, url, '[]', '', '[]',
    '{{"condition": "evidence", "headers": {{"server": "nginx", "content-type": "text/html"}}}}'
FROM targets_target, generate_series(0, {DAYS - 1}) day;
"""


def main() -> None:
    with postgres() as url, psycopg.connect(url, autocommit=True) as peer:
        folder = Path(os.environ["DATA_DIR"])
        peer.execute(ROWS)
        peer.execute("ANALYZE")
        peer.execute("CREATE DATABASE second")
        second = url.replace("/postgres?", "/second?", 1)
        with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as other:
            databases = [
                {"DATABASE_URL": url, "DATA_DIR": str(folder)},
                {"DATABASE_URL": "", "DATA_DIR": other},
                {"DATABASE_URL": second, "DATA_DIR": str(folder)},
            ]
            manage(databases[0], "recount_targets")
            figures, archives = move(databases, Path(other))
            different = [
                name
                for name in archives[0]
                if name != VOLATILE and any(each[name] != archives[0][name] for each in archives)
            ]
            responses = [sample(database) for database in databases]
            rows = sum(table["rows"] for table in archives[0].values())
    report(
        "backup",
        {"rows": rows, **figures, "answers of the API compared": len(responses[0])},
        peer={},
        ratio={
            "tables that differ": len(different),
            "answers that differ": sum(len(set(same)) > 1 for same in zip(*responses, strict=True)),
        },
        goal={"tables that differ": "= 0", "answers that differ": "= 0"},
    )


def move(databases: list[dict[str, str]], folder: Path) -> tuple[dict[str, float], list[Any]]:
    """Move the rows from each database to the next; return figures and checksums."""
    figures: dict[str, float] = {}
    archives = []
    for number, database in enumerate(databases, start=1):
        name = "PostgreSQL" if database["DATABASE_URL"] else "SQLite"
        path = folder / f"{number}.backup"
        figures[f"backup {number}, from {name}, s"] = manage(database, "backup", str(path))
        archives.append(trailer(path)["tables"])
        if number == 1:
            figures["the archive, MB"] = path.stat().st_size / 1e6
        if number < len(databases):
            following = databases[number]
            manage(following, "migrate", "--verbosity=0")
            kind = "PostgreSQL" if following["DATABASE_URL"] else "SQLite"
            figures[f"restore {number}, into {kind}, s"] = manage(following, "restore", str(path))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    figures["most memory of a command, MB"] = peak
    return figures, archives


def manage(database: Mapping[str, str], *command: str) -> float:
    """Run `manage.py`; return the seconds that it took."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=os.environ | database,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - start


def trailer(path: Path) -> Any:
    """Return the last line of an archive."""
    with gzip.open(path) as lines:
        for line in lines:
            last = line
    return json.loads(last)


def sample(database: Mapping[str, str]) -> list[str]:
    """Return a sample of the API's responses from a database."""
    process = subprocess.run(
        [sys.executable, __file__, "sample"],
        cwd=ROOT,
        env=os.environ | database,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return process.stdout.splitlines()


def print_sample() -> None:
    """Print responses of the API, one per line: lists, and targets spread evenly."""
    import django

    django.setup()
    from django.contrib.auth.models import User
    from rest_framework.test import APIClient

    from targets.models import Target

    client = APIClient(SERVER_NAME="localhost")
    client.force_authenticate(User(is_superuser=True, is_active=True))
    ids = list(Target.objects.order_by("pk").values_list("pk", flat=True))
    paths = [
        f"targets/{pk}{what}"
        for pk in ids[:: len(ids) // SAMPLE]
        for what in ("", "/results", "/transitions")
    ]
    lists = ("targets?state=dead&limit=200", "targets?limit=200", "events?limit=200")
    for path in (*paths, *lists, "stats"):
        response = client.get(f"/v1/{path}")
        if response.status_code != 200:
            sys.exit(f"{path}: {response.content.decode()}")
        body = response.json()
        # The feed's token contains its epoch; only the stats of targets come from the database.
        print(json.dumps(body["targets"] if path == "stats" else body.get("items", body)))


if __name__ == "__main__":
    if sys.argv[1:] == ["sample"]:
        print_sample()
    else:
        main()
