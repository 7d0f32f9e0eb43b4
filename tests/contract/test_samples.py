"""Runs the samples of CHECK_CONDITIONS and EVENT_BUILDER exactly as docs/ shows them.

SINKS has no sample; `tests/outbox/test_old_names.py` runs a sink written for 0.2.0.
"""

import re
import sys
from types import ModuleType

import pytest

from checker.engine.verdict import Exchange
from outbox.models import Event
from targets.event_payload import event_builder
from targets.state import Outcome
from tests.contract.declared import ROOT
from tests.factories import TargetFactory
from tests.targets.test_events import kill

pytestmark = pytest.mark.any_database


@pytest.fixture
def sample(monkeypatch):
    """Return a function that imports the sample of a document that defines this name."""

    def module(document, name):
        text = (ROOT / "docs" / document).read_text()
        found = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
        (source,) = [one for one in found if f"def {name}(" in one]
        made = ModuleType("our_sample")
        exec(source, vars(made))
        monkeypatch.setitem(sys.modules, "our_sample", made)
        return made

    return module


def test_the_condition_in_the_docs_works(sample):
    shop = sample("checks.md", "shop").shop
    page = Exchange(url="http://a.example/", asked="http://a.example/", status=200)

    assert shop(page).outcome is Outcome.SUCCESS
    empty = shop(Exchange(url=page.url, asked=page.asked, status=200, body=b"it is sold out"))
    assert (empty.outcome, empty.reason) == (Outcome.FAILURE, "sold_out")


@pytest.mark.django_db
def test_the_event_builder_in_the_docs_works(sample, settings):
    sample("events.md", "build")
    settings.EVENT_BUILDER = "our_sample.build"
    event_builder.cache_clear()
    kill(TargetFactory(recheck_threshold=1))
    event_builder.cache_clear()

    assert Event.objects.get().payload["error"]["team"] == "docs"
