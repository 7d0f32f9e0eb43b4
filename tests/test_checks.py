import resource
from datetime import timedelta

import pytest

from linkwatch import schedules, system_checks

pytestmark = pytest.mark.any_database


def test_the_default_settings_have_no_errors():
    assert system_checks.check_schedules() == []
    assert system_checks.check_open_files_limit() == []
    assert system_checks.check_base_url() == []


def test_a_schedule_without_its_function_is_an_error(monkeypatch):
    wrong = schedules.ScheduledJob("sweep", "hosts.tasks.no_such_task", 1)
    monkeypatch.setattr(system_checks, "jobs", lambda: [wrong])
    assert [message.id for message in system_checks.check_schedules()] == ["linkwatch.E001"]


def test_a_failing_flag_that_nothing_sets_is_an_error(settings):
    settings.FAILING_FLAGS = ["parked", "praked"]
    [message] = system_checks.check_failing_flags()
    assert message.id == "linkwatch.E005"
    assert message.msg.startswith("FAILING_FLAGS: praked is not a flag; use restricted, ")


def test_a_page_that_moved_cannot_count_as_a_failure(settings):
    settings.FAILING_FLAGS = ["parked", "moved"]
    [message] = system_checks.check_failing_flags()
    said = "FAILING_FLAGS: moved is not a flag that can fail a check; use restricted, "
    assert message.msg.startswith(said)
    assert "moved" not in message.msg.partition("give")[2]
    settings.CHECK_CONDITIONS = {"own": "our.rule"}  # it may set any flag
    assert system_checks.check_failing_flags() == []


def test_more_checks_than_files_is_an_error(monkeypatch, settings):
    settings.MAX_CONCURRENCY = 1000
    monkeypatch.setattr(resource, "getrlimit", lambda what: (1024, 4096))
    assert [message.id for message in system_checks.check_open_files_limit()] == ["linkwatch.E002"]


def test_a_base_url_that_would_be_refused_is_a_warning(settings):
    settings.BASE_URL = "https://links.example"
    settings.ALLOWED_HOSTS = ["localhost"]
    assert [message.id for message in system_checks.check_base_url()] == ["linkwatch.W001"]


def test_a_folder_that_others_may_read_causes_a_warning(settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    tmp_path.chmod(0o750)
    [message] = system_checks.check_data_dir_permissions()
    assert (message.id, "(750)" in message.msg) == ("linkwatch.W002", True)
    monkeypatch.setenv("LINKWATCH_UNDER_UP", "1")  # `up` has reported it
    assert system_checks.check_data_dir_permissions() == []
    monkeypatch.delenv("LINKWATCH_UNDER_UP")
    tmp_path.chmod(0o700)
    assert system_checks.check_data_dir_permissions() == []


def test_canaries_are_resolved_if_configured_and_checks_run(settings):
    settings.CANARY_URLS, settings.CHECKER_SHIFTS = ["https://example.org/"], 1
    assert "check canaries" in [job.name for job in schedules.jobs()]
    settings.CHECKER_SHIFTS = 0
    assert "check canaries" not in [job.name for job in schedules.jobs()]


@pytest.mark.django_db
def test_schedules_are_corrected_and_matching_ones_are_kept(settings):
    from django_q.models import Schedule

    Schedule.objects.create(name="left over", func="gone.function")
    schedules.synchronize()
    first = {schedule.name: schedule.next_run for schedule in Schedule.objects.all()}
    schedules.synchronize()
    again = {schedule.name: schedule.next_run for schedule in Schedule.objects.all()}
    at_start = {job.name for job in schedules.jobs() if job.at_start}
    assert {name for name, at in first.items() if again[name] != at} == at_start
    assert set(first) == {job.name for job in schedules.jobs()}
    assert {"repair hosts", "delete unused hosts"} < set(first)


@pytest.mark.django_db
def test_of_duplicate_schedules_the_one_due_first_is_kept(now):
    from django_q.models import Schedule

    for minutes in (3, 1, 2):
        schedules.synchronize()
        Schedule.objects.create(
            name="prune hosts",
            func="hosts.tasks.prune_hosts",
            next_run=now + timedelta(minutes=minutes),
        )
    schedules.synchronize()
    [kept] = Schedule.objects.filter(func="hosts.tasks.prune_hosts")
    assert kept.next_run == now + timedelta(minutes=1)
    assert kept.name == "delete unused hosts"
    assert Schedule.objects.count() == len(schedules.jobs())
