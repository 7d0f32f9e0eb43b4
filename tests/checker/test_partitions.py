"""Days of results: PostgreSQL has a partition for each. Source: docs/adr/0023-daily-results.md."""

import re
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import ProgrammingError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from checker import partitions, tasks
from checker.engine.fetch import Probe
from checker.models import CheckResult
from checker.recording import Finding, record
from foundation.database.clock import database_now
from foundation.ids import public_id, raw_id
from targets import services
from targets.checks import record_checks
from targets.models import Target
from targets.state import Outcome
from tests.conftest import NOW
from tests.factories import TargetFactory
from tests.targets.checks import check_of
from tests.threads import run_together

DAY = timedelta(days=1)
FAR = [NOW.replace(year=1970), NOW.replace(year=9000)]

needs_partitions = pytest.mark.skipif(
    "connection.vendor != 'postgresql'", reason="only PostgreSQL has partitions"
)


@pytest.fixture(autouse=True)
def _new_process(monkeypatch):
    """Forget the partitions of earlier tests, and remove those that this test creates."""
    monkeypatch.setattr(partitions, "_handled_days", set())


@pytest.fixture
def client_of_target(admin_user):
    client = Client()
    client.force_login(admin_user)
    return client


@pytest.fixture
def _clean(transactional_db):
    """Delete the days that this test commits."""
    drop_all()
    yield
    drop_all()


def drop_all():
    if connection.vendor == "postgresql":
        partitions.drop(datetime(9000, 1, 1, tzinfo=UTC))


def result(at, target=None, **fields):
    return CheckResult.objects.create(
        target=target or TargetFactory(),
        checked_at=at,
        outcome="success",
        latency_ms=1,
        attempts=1,
        **fields,
    )


def rows_of(table):
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM checker_checkresult_{table}")
        return cursor.fetchone()[0]


def day(at):
    return f"{at:%Y%m%d}"


@pytest.mark.django_db
@needs_partitions
def test_partitions_for_the_coming_week_are_created_once():
    drop_all()
    today = NOW.date()
    assert partitions.make_ahead(NOW) == 8
    assert partitions.existing_days() == [today + n * DAY for n in range(8)]
    assert partitions.make_ahead(NOW) == 0
    assert partitions.make_ahead(NOW + DAY) == 1


@pytest.mark.django_db
@needs_partitions
def test_a_result_is_stored_in_the_partition_of_its_utc_day():
    partitions.make_ahead(NOW)
    midnight = NOW.replace(hour=0)
    for at in (midnight, midnight + DAY - timedelta(microseconds=1), midnight + DAY):
        result(at)
    assert (rows_of(day(NOW)), rows_of(day(NOW + DAY)), rows_of("rest")) == (2, 1, 0)


@pytest.mark.django_db
@pytest.mark.parametrize("at", FAR)
def test_a_result_of_any_time_is_kept_and_found(at, api):
    target = TargetFactory()
    kept = result(at, target)
    partitions.make_for_times([at])

    found = api.get(f"/v1/targets/{target.id}/results/{kept.id}").json()
    assert found["id"] == kept.id
    if connection.vendor == "postgresql":
        assert rows_of("rest") == 1
        assert at.date() not in partitions.existing_days()


@pytest.mark.django_db
@needs_partitions
def test_every_recording_creates_the_missing_day_and_moves_its_rows_from_the_default_partition():
    drop_all()
    now = database_now()
    early = [result(now), result(now), result(now - 30 * DAY)]

    partitions.make_for_times([now, now - DAY, *FAR])

    assert partitions.existing_days() == sorted({now.date(), (now - DAY).date()})
    assert (rows_of(day(now)), rows_of("rest")) == (2, 1)
    assert {row.pk for row in CheckResult.objects.all()} == {row.pk for row in early}
    assert result(now).pk > early[-1].pk


@pytest.mark.django_db
@needs_partitions
def test_recording_creates_the_partitions_of_its_findings():
    drop_all()
    now = database_now()
    probe = Probe(
        outcome=Outcome.SUCCESS,
        reason=None,
        status_code=200,
        latency_ms=1,
        error=None,
        attempts=1,
        final_url=None,
    )
    finding = Finding(
        token=uuid4(),
        target_id=raw_id("target", TargetFactory().id),
        started_at=now,
        checked_at=now,
        probe=probe,
    )
    record([finding], finished=(), delay=DAY)
    assert partitions.existing_days() == [now.date()]


@pytest.mark.usefixtures("_clean")
def test_a_known_day_needs_no_statement(django_assert_num_queries):
    now = database_now()
    partitions.make_for_times([now])
    with django_assert_num_queries(0):
        partitions.make_for_times([now])


@pytest.mark.usefixtures("_clean")
@needs_partitions
def test_a_partition_that_was_rolled_back_is_created_by_the_next_transaction():
    now = database_now()
    with transaction.atomic():
        partitions.make_for_times([now])
        transaction.set_rollback(True)
    assert partitions.existing_days() == []
    partitions.make_for_times([now])
    assert partitions.existing_days() == [now.date()]


@pytest.mark.usefixtures("_clean")
@needs_partitions
def test_simultaneous_creations_of_days_during_writes_lose_nothing():
    now = database_now()
    targets = TargetFactory.create_batch(4)

    def write(target):
        def run():
            for n in range(30):
                result(now + n % 9 * DAY, target)

        return run

    makers = [lambda: partitions.make_ahead(now)] * 4
    made = run_together([*makers, *map(write, targets)])

    assert sum(made[:4]) == 8
    assert len(partitions.existing_days()) == 8
    assert CheckResult.objects.count() == 120
    assert rows_of("rest") == 4 * len([n for n in range(30) if n % 9 == 8])


@pytest.mark.usefixtures("_clean")
@needs_partitions
def test_a_long_read_delays_the_creation_only_briefly(monkeypatch, caplog):
    monkeypatch.setattr(partitions, "_LOCK_TIMEOUT", "50ms")
    now = database_now()

    def make():
        return partitions.make_ahead(now)

    with transaction.atomic():
        assert list(CheckResult.objects.all()) == []  # a backup reads like this
        assert run_together([make]) == [0]
    assert "partitions could not be changed" in caplog.text
    assert make() == 8
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)


@pytest.mark.django_db
@needs_partitions
def test_a_day_is_dropped_once_all_of_it_is_too_old(settings):
    drop_all()
    settings.RESULTS_RETENTION = 10 * DAY
    now = database_now()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    partitions.make_ahead(now - 11 * DAY)
    for at in (midnight - 11 * DAY, midnight - 10 * DAY - timedelta(seconds=1), now):
        result(at)
    in_part = result(midnight - 10 * DAY)  # only partly older
    outside = result(now - 400 * DAY)  # in no partition

    assert tasks.delete_old_results() == 1
    assert partitions.existing_days()[0] == (now - 10 * DAY).date()
    kept = set(CheckResult.objects.values_list("pk", flat=True))
    assert in_part.pk in kept
    assert outside.pk not in kept
    assert len(kept) == 2


@pytest.mark.django_db
def test_results_outside_partitions_are_deleted_in_batches_to_the_second(settings, monkeypatch):
    settings.RESULTS_RETENTION = DAY
    monkeypatch.setattr(tasks, "_BATCH_SIZE", 2)
    drop_all()
    now = database_now()
    for minutes in (-5, -4, -3, -2, -1, 1, 2):
        result(now - DAY + timedelta(minutes=minutes))
    assert tasks.delete_old_results() == 5
    assert CheckResult.objects.count() == 2


@pytest.mark.django_db
@needs_partitions
def test_retention_of_a_day_reads_no_result(settings):
    drop_all()
    settings.RESULTS_RETENTION = DAY
    partitions.make_for_times([database_now()])
    partitions.make_ahead(NOW)
    with CaptureQueriesContext(connection) as captured:
        partitions.drop(database_now() - DAY)
    statements = [query["sql"] for query in captured if "checker_checkresult" in query["sql"]]
    assert [s for s in statements if s.startswith("DROP TABLE")]
    assert not [s for s in statements if s.startswith(("DELETE", "SELECT *"))]


@pytest.mark.django_db
@needs_partitions
def test_no_statement_of_a_page_locks_many_partitions(settings, client_of_target):
    now = database_now()
    partitions._make((now - n * DAY).date() for n in range(90))
    target = TargetFactory()
    for days in (0, 1, 30, 60, 89, 200):
        result(now - days * DAY, target)
    pages = (
        f"/v1/targets/{target.pk}/results?limit=2",
        f"/v1/targets/{target.pk}/results",
        f"/targets/{target.pk}",
        f"/v1/targets/{target.pk}/results/{CheckResult.objects.order_by('checked_at')[0].pk}",
    )
    for page in pages:
        with CaptureQueriesContext(connection) as captured:
            assert client_of_target.get(page).status_code == 200
        read = [q["sql"] for q in captured if 'FROM "checker_checkresult"' in q["sql"]]
        assert read
        for sql in read:
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN {sql}")
                plan = "".join(line for (line,) in cursor.fetchall())
            assert len(set(re.findall(r"on checker_checkresult_(\d{8})", plan))) < 35, sql


@pytest.mark.django_db
@pytest.mark.parametrize("retention", [timedelta(days=90), timedelta(hours=1), 3000 * DAY])
def test_pages_of_results_continue_across_partitions(settings, retention, client_of_target):
    settings.RESULTS_RETENTION = retention
    now, target = database_now(), TargetFactory()
    times = [now + 3 * DAY, *(now - 13 * n * DAY for n in range(12)), now - 4000 * DAY]
    made = [result(at, target).pk for at in times]
    found, token = [], ""
    while token is not None:
        page = client_of_target.get(f"/v1/targets/{target.pk}/results?limit=3{token}").json()
        found += [row["id"] for row in page["items"]]
        token = page["next_page_token"] and f"&page_token={page['next_page_token']}"
    assert found == made


@pytest.mark.django_db
def test_results_are_deleted_with_their_target():
    target, other = TargetFactory.create_batch(2)
    partitions.make_ahead(NOW)
    for at in (NOW, NOW + DAY, NOW - 100 * DAY):
        result(at, target)
    result(NOW, other)
    services.delete(target, force=False, now=NOW)
    assert list(CheckResult.objects.values_list("target", flat=True)) == [other.id]


@pytest.mark.usefixtures("_clean")
def test_a_target_deleted_while_it_is_checked_leaves_no_result_behind():
    partitions.make_ahead(NOW)

    def check(target):
        def run():
            for _ in range(5):
                with transaction.atomic():
                    for known in record_checks([check_of(target)], now=NOW):
                        result(NOW, Target(pk=public_id("target", known)))

        return run

    def delete(target):
        return lambda: services.delete(target, force=True, now=NOW)

    for _ in range(5):
        targets = TargetFactory.create_batch(3)
        run_together([*map(check, targets), *map(delete, targets)])
    assert not Target.objects.exists()
    assert not CheckResult.objects.exists()


@pytest.mark.django_db
def test_a_result_without_its_target_is_shown_nowhere(api, browser):
    target = TargetFactory()
    lost = result(database_now(), target, final_url="http://nowhere.example/lost")
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM targets_target")

    assert api.get(f"/v1/targets/{target.id}/results").status_code == 404
    assert api.get(f"/v1/targets/{target.id}/results/{lost.id}").status_code == 404
    shown = browser.get("/admin/checker/checkresult/")
    assert (shown.status_code, target.id in shown.content.decode()) == (200, False)
    page = browser.get(f"/admin/checker/checkresult/{lost.id}/change/")
    assert page.status_code in (302, 404)


@pytest.mark.django_db
@needs_partitions
def test_the_table_has_the_keys_and_indexes_of_the_model():
    partitions.make_ahead(NOW)
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, f"checker_checkresult_{day(NOW)}")
        cursor.execute("SELECT relkind FROM pg_class WHERE relname = 'checker_checkresult'")
        assert cursor.fetchone() == ("p",)
    keys = sorted(row["columns"] for row in found.values() if row["index"] or row["primary_key"])
    assert keys == [
        ["checked_at"],
        ["id", "checked_at", "target_id"],  # a partition by day, a shard by target
        ["target_id", "checked_at", "id"],
    ]
    assert not [row for row in found.values() if row["foreign_key"]]


def test_names_of_days_are_read_back():
    assert partitions._name(date(2026, 3, 1)) == "checker_checkresult_20260301"


def in_use(*_, **__):
    raise partitions._InUseError


@pytest.mark.django_db
@needs_partitions
def test_tables_in_use_are_waited_for_once_and_not_per_day(monkeypatch):
    drop_all()
    assert partitions.make_ahead(NOW) == 8
    asked = []
    monkeypatch.setattr(partitions, "_change", lambda *_, **__: asked.append(1) or in_use())
    assert partitions.make_ahead(NOW + 8 * DAY) == 0
    assert partitions.drop(NOW + 30 * DAY) == []
    assert len(asked) == 2


@pytest.mark.django_db
@needs_partitions
def test_a_role_that_may_not_create_tables_still_records(monkeypatch, caplog):
    drop_all()

    def refuse(*_, **__):
        raise ProgrammingError("permission denied for schema public")

    monkeypatch.setattr(partitions, "_change", refuse)
    partitions.make_for_times([database_now()])
    assert "Partitions of results could not be created" in caplog.text
    assert partitions.make_ahead(database_now()) == 0
