"""All processes of a database use the same SECRET_KEY, on any number of machines."""

import json
import logging

import pytest

from foundation import settings_comparison
from foundation.models import KeyDigest
from tests.acceptance.processes import until
from tests.snippets.servers import web
from tests.test_health import reported

FIRST, SECOND = "the first of two keys " + "1" * 40, "the second of two keys " + "2" * 40


@pytest.fixture
def errors(caplog, settings):
    """Start a process with this key and these fallbacks; return the errors that it logs."""

    def start(key, *fallbacks):
        caplog.clear()
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = key, list(fallbacks)
        settings_comparison.compare_key()
        return [one.getMessage() for one in caplog.records if one.levelno == logging.ERROR]

    return start


@pytest.mark.django_db
def test_the_first_process_sets_the_key_and_another_key_is_reported(errors):
    assert errors(FIRST) == []
    assert errors(FIRST) == []
    [sentence] = errors(SECOND)
    assert sentence.startswith("SECRET_KEY differs from that")
    assert not settings_comparison.key_matches()
    assert errors(FIRST) == []  # the first key stays valid
    assert settings_comparison.key_matches()


@pytest.mark.django_db
def test_a_key_is_rotated_through_the_fallbacks(errors):
    assert errors(FIRST) == []
    assert errors(SECOND, "neither of the two", FIRST) == []
    assert errors(SECOND) == []
    assert len(errors(FIRST)) == 1  # a process that still uses the old key


@pytest.mark.django_db
def test_nothing_stored_or_logged_reveals_the_key(errors, client):
    errors(FIRST)
    [sentence] = errors(SECOND)
    kept = KeyDigest.objects.get().digest
    reply = client.get("/v1/health")
    assert reply.status_code == 503
    assert reply.json()["dependencies"]["secret_key"] == "mismatch"
    for text in (sentence, json.dumps(reply.json())):
        assert kept not in text
        assert FIRST not in text
        assert SECOND not in text
    assert FIRST not in kept


@pytest.mark.acceptance
@pytest.mark.django_db(transaction=True)
def test_only_the_machine_with_another_key_reports_it(tmp_path):
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    for folder in (right, wrong):
        folder.mkdir()
    with web(right, SECRET_KEY=FIRST) as one:
        until(KeyDigest.objects.exists)
        with web(wrong, SECRET_KEY=SECOND) as other:
            log = wrong / f"web-{other}.log"
            until(lambda: "SECRET_KEY differs from that" in log.read_text())
            assert reported(one, "/v1/health")[1]["dependencies"]["secret_key"] == "ok"
            assert reported(other, "/v1/health")[1]["dependencies"]["secret_key"] == "mismatch"
            assert reported(other, "/readyz")[0] == 200
