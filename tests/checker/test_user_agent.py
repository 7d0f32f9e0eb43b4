"""The warning about a USER_AGENT that sends webmasters to their own machine."""

import logging
from types import SimpleNamespace

import pytest
from django.core.cache import cache

from checker import user_agent

pytestmark = pytest.mark.any_database
LOCAL = "Linkwatch/0.3 (+http://localhost:8080/about/checks)"


@pytest.fixture(autouse=True)
def _new(settings, monkeypatch):
    settings.USER_AGENT = LOCAL
    user_agent._warned.clear()
    cache.clear()


def probe(*addresses):
    return SimpleNamespace(evidence={"attempts": [{"address": one} for one in addresses]})


def warnings(caplog, *probes):
    caplog.clear()
    with caplog.at_level(logging.WARNING, logger="checker.user_agent"):
        user_agent.warn_about_localhost(probes)
    return len(caplog.records)


def test_the_warning_appears_at_the_first_public_check_and_not_again(caplog):
    assert warnings(caplog, probe("127.0.0.1", None), probe("10.1.2.3"), probe()) == 0
    assert warnings(caplog, probe("127.0.0.1"), probe(None, "93.184.216.34")) == 1
    assert LOCAL in caplog.text
    assert warnings(caplog, probe("93.184.216.34")) == 0


def test_another_process_does_not_repeat_the_warning(caplog):
    assert warnings(caplog, probe("2606:4700::1111")) == 1
    user_agent._warned.clear()
    assert warnings(caplog, probe("2606:4700::1111")) == 0


def test_a_user_agent_that_names_linkwatch_causes_no_warning(caplog, settings):
    settings.USER_AGENT = "Linkwatch/0.3 (+https://links.example/about/checks)"
    assert warnings(caplog, probe("93.184.216.34")) == 0
