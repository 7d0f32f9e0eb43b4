"""Compares random sequences of operations with a plain-Python model of HOSTS' invariants."""

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from foundation.database import transactions
from tests.hosts.machine import EXAMPLES, Reservations


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(0 if EXAMPLES else 120)
def test_any_sequence_of_operations_matches_the_model(monkeypatch):
    monkeypatch.setattr(transactions, "_PAUSE", 0)  # no other process exists to wait for
    run_state_machine_as_test(
        Reservations,
        settings=settings(
            max_examples=EXAMPLES or 20,
            derandomize=not EXAMPLES,
            database=None,
            # Shrinking to the shortest sequence takes minutes, and a long sequence shows the fault
            # as well.
            phases=[Phase.generate, Phase.shrink] if EXAMPLES else [Phase.generate],
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
