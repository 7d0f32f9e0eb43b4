"""A command detects that the running processes use other settings."""

import json
import signal
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import OutputWrapper
from django.db import OperationalError, connection

from foundation import settings_comparison
from foundation.models import KeyDigest
from foundation.valkey.clients import client
from tests.acceptance.processes import until

pytestmark = [pytest.mark.any_database, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _nobody_runs():
    redis, keys = client(), [settings_comparison._key(kind) for kind in settings_comparison._KINDS]
    redis.delete(*keys)
    yield
    redis.delete(*keys)


@pytest.fixture
def _signals():
    """Restore the signal handlers that a running command replaces."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def announce(kind="run_tasks"):
    """Store the announcement of a process that runs with the current settings."""
    settings_comparison.Announcement(kind).renew()


def warnings():
    stderr = StringIO()
    settings_comparison.warn(OutputWrapper(stderr))
    return stderr.getvalue().splitlines()


def test_no_warning_without_processes_or_differences():
    assert warnings() == []
    announce()
    assert warnings() == []


def test_each_setting_that_differs_is_a_line(settings):
    announce()
    settings.CHECK_PERIOD = timedelta(days=2)
    settings.ALLOW_PORTS = (range(80, 81), range(8000, 9000))
    settings.CHECK_CONDITIONS = {"shop": "our.shop"}
    settings.SECRET_KEY = "another one of more than fifty characters, made for this test"
    lines = warnings()
    [secret] = [line for line in lines if "SECRET_KEY" in line]
    assert secret.startswith("Warning: SECRET_KEY is a value with the fingerprint ")
    assert sorted(set(lines) - {secret}) == [
        "Warning: ALLOW_PORTS is 80-80,8000-8999 here and 80-80,443-443,1024-65535 in the running "
        "run_tasks.",
        "Warning: CHECK_CONDITIONS is shop=our.shop here and none in the running run_tasks.",
        "Warning: CHECK_PERIOD is 2d here and 10d in the running run_tasks.",
    ]


def test_warnings_contain_no_secret(settings):
    for name in settings.SECRETS:
        setattr(settings, name, "redis://me:a-pass-word@localhost")
    settings.SHARED_SETTINGS = (*settings.SHARED_SETTINGS, *settings.SECRETS)
    assert "a-pass-word" not in json.dumps(settings_comparison._current_settings())


def test_settings_are_compared_with_the_processes_that_check_first(settings):
    announce("run_tasks")
    settings.CHECK_RETRIES = 1
    announce("run_web")
    assert [difference.kind for difference in settings_comparison.differences()] == ["run_tasks"]


def test_processes_on_another_database_cause_only_that_warning(settings, monkeypatch):
    announce()
    settings.CHECK_RETRIES = 1
    monkeypatch.setitem(connection.settings_dict, "NAME", "/elsewhere/linkwatch.db")
    assert [difference.name for difference in settings_comparison.differences()] == ["DATABASE_URL"]


def test_no_secret_is_announced_and_announcements_expire(settings, monkeypatch):
    monkeypatch.setitem(connection.settings_dict, "PASSWORD", "open sesame")
    announce()
    reported = str(client().get(settings_comparison._key("run_tasks")))
    assert settings.SECRET_KEY not in reported
    assert "sesame" not in reported
    assert 0 < client().ttl(settings_comparison._key("run_tasks")) <= 150


def test_a_failed_announcement_is_repeated_sooner(settings):
    announcement = settings_comparison.Announcement("run_tasks")
    assert announcement.renew() == 60
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert announcement.renew() == 10


def test_an_unavailable_redis_is_reported_and_stops_no_command(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert settings_comparison.Announcement("run_tasks").renew() == 10
    [line] = warnings()
    assert line.startswith("Warning: the settings of the running processes are unknown: Error 111")


def test_check_links_refuses_to_use_different_settings_by_default(settings):
    announce()
    settings.RECHECK_THRESHOLD = 1
    stdout, stderr = StringIO(), StringIO()
    with pytest.raises(CommandError, match="have different settings") as refusal:
        call_command("check_links", "--once", stdout=stdout, stderr=stderr)
    assert refusal.value.returncode == 2
    assert "RECHECK_THRESHOLD is 1 here and 3 in" in stderr.getvalue()
    assert stdout.getvalue() == ""


@pytest.mark.usefixtures("_signals")
def test_check_links_ignores_settings_that_affect_no_verdict(settings):
    announce()
    settings.USER_AGENT = "another"
    stdout, stderr = StringIO(), StringIO()
    with pytest.raises(CommandError, match="no target on the host"):  # the command continued
        call_command("check_links", "--host", "nowhere.test", stdout=stdout, stderr=stderr)
    assert "USER_AGENT is another here" in stderr.getvalue()


@pytest.mark.django_db(transaction=True)
def test_a_thread_announces_the_settings_and_compares_the_key(settings):
    with settings_comparison.announced("run_web"):
        until(
            lambda: (
                client().exists(settings_comparison._key("run_web")) and KeyDigest.objects.exists()
            )
        )
    assert settings_comparison.running() == {"run_web"}
    assert settings_comparison.key_matches()


def test_another_key_is_found_without_redis(settings, caplog):
    settings_comparison.compare_key()
    settings.SECRET_KEY = "another one of more than fifty characters, made for this test"
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    announcement = settings_comparison.Announcement("run_web")
    for _ in range(2):
        assert announcement.renew() == 10
    assert caplog.text.count("SECRET_KEY differs from that") == 1  # once, and not at each attempt


def test_settings_are_announced_while_the_database_is_unavailable_and_the_key_is_compared_later(
    monkeypatch,
):
    def away():
        raise OperationalError("away")

    announcement = settings_comparison.Announcement("run_web")
    with monkeypatch.context() as outage:
        outage.setattr(settings_comparison, "compare_key", away)
        assert announcement.renew() == 10
    assert settings_comparison.running() == {"run_web"}
    assert not KeyDigest.objects.exists()
    assert announcement.renew() == 60
    assert KeyDigest.objects.exists()
