"""DATABASE_URL and related variables as Django's settings; no server is contacted."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from linkwatch.databases import MAX_IDLE_WAL_BYTES, database_settings, replica_settings

pytestmark = pytest.mark.any_database


def read(url, *, driver="", pooler=""):
    folder = Path("/data")
    return database_settings(url, driver=driver, pooler=pooler, folder=folder, durability="crash")


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("postgresql://u:p@a:5432,b:5433/name", "a,b", "5432,5433"),
        ("postgresql://u:p@a,b:5433,c/name", "a,b,c", "5432,5433,5432"),
        ("postgresql://u:p@[::1]:1,[fe80::2]/name", "::1,fe80::2", "1,5432"),
        ("postgresql://u:p@%2Frun%2Fa,%2Frun%2Fb/name", "/run/a,/run/b", "5432,5432"),
    ],
)
def test_several_hosts_are_parsed_as_by_libpq(url, host, port):
    found = read(url)
    assert (found["HOST"], found["PORT"]) == (host, port)
    assert (found["USER"], found["PASSWORD"], found["NAME"]) == ("u", "p", "name")
    assert found["OPTIONS"]["target_session_attrs"] == "read-write"


def test_options_of_the_url_override_the_defaults():
    several = read("postgresql://a,b/name?target_session_attrs=any&connect_timeout=2")["OPTIONS"]
    assert (several["target_session_attrs"], several["connect_timeout"]) == ("any", 2)
    one = read("postgresql:///name?host=/a,/b&keepalives_idle=60")["OPTIONS"]
    assert (one["target_session_attrs"], one["keepalives_idle"]) == ("read-write", 60)
    assert "target_session_attrs" not in read("postgresql://a/name")["OPTIONS"]


def test_with_a_pooler_no_options_are_sent_and_cursors_end_with_transactions():
    through = read("postgresql://a/name", pooler="transaction")
    assert "options" not in through["OPTIONS"]
    assert through["DISABLE_SERVER_SIDE_CURSORS"]
    direct = read("postgresql://a/name")
    assert "idle_in_transaction_session_timeout" in direct["OPTIONS"]["options"]
    assert not direct["DISABLE_SERVER_SIDE_CURSORS"]


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:secret@a:5432,b:port/name",
        "postgresql://u:secret@a,,b/name",
        "postgresql://u:secret@a,b:70000/name",
        "postgresql://u:secret@a:1:2,b/name",
    ],
)
def test_a_bad_list_of_hosts_is_refused_without_its_password(url):
    with pytest.raises(ValueError, match="DATABASE_URL: use postgresql://user:pass") as caught:
        read(url)
    assert "secret" not in str(caught.value)


def test_sqlite_has_neither_pooler_nor_replica():
    with pytest.raises(ValueError, match="DATABASE_POOLER: SQLite does not support poolers"):
        read("", pooler="transaction")
    with pytest.raises(ValueError, match="DATABASE_REPLICA_URL: SQLite does not support replicas"):
        replica_settings("postgresql://b/name", pooler="", primary=read(""))


def test_only_a_standby_is_accepted_as_a_replica():
    primary = read("postgresql://a/name")
    found = replica_settings("postgresql://b/name", pooler="", primary=primary)
    assert found["OPTIONS"]["target_session_attrs"] == "standby"
    with pytest.raises(ValueError, match="DATABASE_REPLICA_URL: use postgresql://user"):
        replica_settings("replica.db", pooler="", primary=primary)
    with pytest.raises(ValueError, match="DATABASE_REPLICA_URL: use postgresql://user"):
        replica_settings("postgresql://b:port/name", pooler="", primary=primary)


def test_the_wal_of_sqlite_shrinks_after_a_long_read(tmp_path):
    begin = read("")["OPTIONS"]["init_command"]
    path, wal = tmp_path / "db", tmp_path / "db-wal"
    with (
        contextlib.closing(sqlite3.connect(path, isolation_level=None)) as writer,
        contextlib.closing(sqlite3.connect(path, isolation_level=None)) as reader,
    ):
        writer.executescript(begin)
        writer.execute("CREATE TABLE t (content BLOB)")
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM t").fetchall()
        for _ in range(3):
            writer.execute("INSERT INTO t VALUES (zeroblob(?))", [MAX_IDLE_WAL_BYTES // 2])
        assert wal.stat().st_size > MAX_IDLE_WAL_BYTES
        reader.execute("COMMIT")
        for _ in range(2):  # the first is followed by a checkpoint, the second begins the file anew
            writer.execute("INSERT INTO t VALUES (zeroblob(1))")
        assert wal.stat().st_size <= MAX_IDLE_WAL_BYTES
