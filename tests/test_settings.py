"""What a bad setting says at start-up, and how lists are read."""

import subprocess
import sys

import pytest

from tests.acceptance.processes import ROOT, environment

pytestmark = pytest.mark.any_database


def start(tmp_path, **changes):
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=environment(DATA_DIR=str(tmp_path), **changes),
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_bad_value_stops_start_up_with_a_sentence_of_its_own(tmp_path):
    done = start(
        tmp_path,
        INCONCLUSIVE_LIMIT="soon",
        CANARY_URLS="https://example.org/, gopher://example.org/",
        ALLOW_PORTS="80,99999",
        CHECK_CONDITIONS="My Rule=our.rule",
        CHECK_SOFT_404="perhaps",
        CHECK_METHOD="POST",
        LOG_LEVEL="loud",
    )
    assert done.returncode == 1
    names = [line.split(":")[1] for line in done.stderr.splitlines()]
    assert names == [
        " setting INCONCLUSIVE_LIMIT",
        " setting CHECK_CONDITIONS",
        " setting CHECK_METHOD",
        " setting CHECK_SOFT_404",
        " setting CANARY_URLS",
        " setting ALLOW_PORTS",
        " setting LOG_LEVEL",
    ]
    assert "CHECK_METHOD: 'POST' is none of GET, HEAD." in done.stderr
    assert "'80,99999' is no list such as 80,443,1024-65535." in done.stderr
    assert "'My Rule' is no name such as our-rule." in done.stderr


def test_contradictions_and_unknown_choices_stop_start_up(tmp_path):
    done = start(
        tmp_path,
        CHECK_CONDITION="kettle",
        CHECK_CONDITIONS="evidence=our.rule,teapot=our.other",
        BUSY_TIMEOUT="25s",
    )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "linkwatch: setting BUSY_TIMEOUT: 25s is too short, all attempts of one check and the "
        "look for a witness may take 20s600ms and 5s must remain.",
        "linkwatch: setting CHECK_CONDITIONS: evidence is there already.",
        "linkwatch: setting CHECK_CONDITION: 'kettle' is none of evidence, status-200, teapot.",
    ]


def test_a_condition_that_is_not_there_stops_start_up(tmp_path):
    done = start(tmp_path, CHECK_CONDITIONS="own=tests.checker.own_conditions.missing")
    assert done.returncode == 1
    assert "CHECK_CONDITIONS: own=tests.checker.own_conditions.missing cannot be" in done.stderr


def test_good_values_of_all_of_them_are_accepted(tmp_path):
    done = start(
        tmp_path,
        INCONCLUSIVE_LIMIT="14d",
        CANARY_URLS="https://example.org, http://example.net/up",
        ALLOW_PORTS="80, 443, 8000-8999",
        CHECK_CONDITIONS="teapot=tests.checker.own_conditions.teapot_is_well",
        CHECK_CONDITION="teapot",
        CHECK_SOFT_404="1",
        CHECK_METHOD="HEAD",
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("REDIS_URL", "foo", "give a URL such as redis://127.0.0.1:6379/0, or none."),
        ("BASE_URL", "foo", "give a URL such as https://links.example.org."),
        ("BASE_URL", "", "give a URL such as https://links.example.org."),
        ("USER_AGENT", "a\nX-Evil: 1", "use printable ASCII characters only."),
        ("USER_AGENT", "ü", "use printable ASCII characters only."),
        ("SECRET_KEY", "short", "give at least 50 random characters."),
        (
            "DATABASE_URL",
            "postgresql://u:p@h:port/x",
            "give postgresql://user:password@host:port/name.",
        ),
    ],
)
def test_text_of_the_wrong_shape_stops_start_up(tmp_path, name, value, sentence):
    done = start(tmp_path, **{name: value})
    assert done.returncode == 1
    assert done.stderr.splitlines() == [f"linkwatch: setting {name}: {sentence}"]


def test_lists_may_have_spaces(tmp_path):
    assert (
        start(tmp_path, EVENT_STATES="dead, alive", ALLOWED_HOSTS="localhost, links.example").stderr
        == ""
    )
