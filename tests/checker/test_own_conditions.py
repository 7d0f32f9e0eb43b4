"""CHECK_CONDITIONS: an operator's rules by name, from the API to the verdict."""

from datetime import timedelta

import pytest

from checker.models import CheckResult
from linkwatch import system_checks
from targets import views
from targets.models import Target
from targets.serializers import RegistrationSerializer
from targets.state import State
from tests.checker.shifts import register, work_until_nothing_is_due
from tests.counting_server import counting_server

OWN = "tests.checker.own_conditions"


@pytest.fixture(autouse=True)
def own_conditions(monkeypatch, settings):
    settings.CHECK_CONDITIONS = {"teapot": f"{OWN}.accepts_teapots", "broken": f"{OWN}.broken"}
    settings.CONDITION_NAMES = ("evidence", "status-200", "teapot", "broken")
    monkeypatch.setattr(views, "_REGISTRATION", RegistrationSerializer())  # as at start-up


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quick")
def test_an_operators_condition_decides_only_for_its_targets():
    with counting_server(
        ["127.9.8.1", "127.9.8.2"], status=lambda path: 200 if path == "/" else 418
    ) as server:
        register(server.url("127.9.8.1", "/page"), condition="teapot")
        register(server.url("127.9.8.2", "/page"))
        work_until_nothing_is_due()
    states = dict(Target.objects.values_list("host", "state"))
    assert states == {"127.9.8.1": State.ALIVE, "127.9.8.2": State.POTENTIALLY_DEAD}
    assert CheckResult.objects.get(target__host="127.9.8.1").flags == ["teapot"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quick")
def test_a_broken_condition_is_inconclusive_with_its_error(settings):
    settings.RECHECK_PERIOD = settings.INCONCLUSIVE_LIMIT = timedelta(milliseconds=1)
    settings.CHECK_PERIOD = timedelta(days=1)
    with counting_server(["127.9.8.1"]) as server:
        (target,) = register(server.url("127.9.8.1"), condition="broken")
        for _ in range(4):
            Target.objects.update(next_check_at=target.created_at)
            work_until_nothing_is_due()
    target.refresh_from_db()
    assert (target.state, target.failures) == (State.PENDING, 0)
    assert target.last_reason == "condition_error"
    assert "the operator's own mistake" in target.last_error


@pytest.mark.django_db
def test_the_api_takes_the_names_of_the_setting_and_no_others(api):
    body = {"url": "http://a.example/"}
    assert api.post("/v1/targets", {**body, "condition": "teapot"}).status_code == 201
    for other in ("kettle", f"{OWN}.broken", ""):
        answer = api.post("/v1/targets", {**body, "condition": other})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


@pytest.mark.any_database
def test_startup_finds_callable_conditions():
    assert system_checks.check_conditions() == []


@pytest.mark.any_database
@pytest.mark.parametrize(
    "path", [f"{OWN}.missing", "tests.no_such_module.function", f"{OWN}.NO_FUNCTION"]
)
def test_startup_refuses_conditions_that_are_not_callable(settings, path):
    settings.CHECK_CONDITIONS = {"wrong": path}
    (message,) = system_checks.check_conditions()
    assert message.id == "linkwatch.E003"
    assert message.msg.startswith(f"CHECK_CONDITIONS: wrong={path} cannot be used (")
