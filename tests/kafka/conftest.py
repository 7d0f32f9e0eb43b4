"""The broker of the test run, and the table with the cost of each fault."""

import os

import pytest

from tests.kafka.broker import MockBroker, RealBroker, UnavailableError
from tests.kafka.judging import LEDGER

_notes: list[str] = []


@pytest.fixture(scope="session")
def _broker(tmp_path_factory):
    try:
        broker = RealBroker(tmp_path_factory.mktemp("kafka"))
    except UnavailableError as error:
        if os.environ.get("LINKWATCH_REAL_KAFKA"):
            raise
        _notes.append(f"{error}: librdkafka's mock cluster, no fault of a broker was tested")
        yield MockBroker()
        return
    _notes.append(f"a real broker ({broker.jars.name})")
    try:
        broker.start()
        yield broker
    finally:
        broker.stop()


@pytest.fixture
def broker(_broker):
    """A running Kafka; a test may stop it."""
    if _broker.is_real and _broker.process is None:
        _broker.start()
    return _broker


@pytest.fixture
def real_broker(broker):
    """A Kafka that a test can kill and configure."""
    if not broker.is_real:
        pytest.skip("the mock cluster can't do this; it takes Java and Maven")
    return broker


def pytest_terminal_summary(terminalreporter):
    for note in _notes:
        terminalreporter.write_line(f"Kafka: {note}")
    if LEDGER:
        terminalreporter.write_line(
            f"{'fault':<44} {'events':>7} {'lost':>5} {'dupl.':>6} {'reord.':>6}"
        )
    for fault, found in sorted(LEDGER.items()):
        terminalreporter.write_line(
            f"{fault:<44} {found.events:>7} {found.lost:>5} {found.duplicated:>6} "
            f"{found.reordered:>6}"
        )
