"""Checks written in sets leave exactly the same rows as the ORM, row by row."""

from datetime import UTC, timedelta
from unittest.mock import patch

import pytest
from django.db import transaction
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from checker import recording
from checker.engine.conditional_requests import Validators
from checker.engine.fetch import Probe
from checker.engine.page_identity import Identity
from checker.models import CheckResult, Tally
from checker.recording import Finding, record
from foundation.ids import raw_id
from hosts import reservations
from hosts.models import Purpose
from outbox.event_kinds import DEPLOYMENT_KINDS
from outbox.models import Event
from targets.models import Target, TargetFlag, TargetText
from targets.state import Outcome, State
from tests.cases import examples
from tests.checker.by_orm import record_by_orm
from tests.conftest import NOW
from tests.factories import ReferenceFactory, TargetFactory

pytestmark = pytest.mark.django_db
HOST = "a.example"

# Text that a database may misread; without NUL, which `clean` always removes.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
ODD_TEXT = st.sampled_from(["", "null", "%s %(rows)s", "'\"\\", "{}", "\u2028😀\x7f"]) | TEXT
TIMES = st.datetimes(
    (NOW - timedelta(days=3)).replace(tzinfo=None),
    (NOW + timedelta(days=3)).replace(tzinfo=None),
    timezones=st.just(UTC),
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | ODD_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD_TEXT, inner, max_size=3),
    max_leaves=5,
)
IDENTITIES = st.builds(
    Identity,
    title=ODD_TEXT,
    domain=ODD_TEXT,
    simhash=st.none() | st.integers(0, 2**64 - 1),
    language=st.sampled_from(["", "en"]),
    issuer=ODD_TEXT,
    name=ODD_TEXT,
)
VALIDATORS = st.builds(
    Validators,
    etag=st.sampled_from(["", '"v1"']),
    url=ODD_TEXT,
    uses=st.integers(0, 2),
    is_honest=st.none() | st.booleans(),
)
FLAGS = st.lists(
    st.sampled_from(["parked", "login", "home_page", "moved"]), unique=True, max_size=3
)
TARGETS = st.fixed_dictionaries(
    {
        "state": st.sampled_from(State),
        "failures": st.integers(0, 3),
        "first_failed_at": st.none() | TIMES,
        "last_failed_at": st.none() | TIMES,
        "inconclusive_since": st.none() | TIMES,
        "attention_since": st.none() | TIMES,
        "next_check_at": st.none() | TIMES,
        "set_aside_at": st.none() | TIMES,
        "state_changed_at": TIMES,
        "last_checked_at": st.none() | TIMES,
        "check_period": st.none() | st.timedeltas(timedelta(minutes=1), timedelta(days=9)),
        "recheck_period": st.none() | st.timedeltas(timedelta(minutes=1), timedelta(days=9)),
        "recheck_threshold": st.none() | st.integers(1, 3),
        "last_status_code": st.none() | st.just(200),
        "last_error": st.none() | ODD_TEXT,
        "last_latency_ms": st.none() | st.just(7),
        "last_reason": st.sampled_from(["", "http_404"]),
        "moved_to": ODD_TEXT,
        "heads": st.integers(0, 5),
        "flags": FLAGS,
        "recent": st.text("sfi", max_size=30),
        "identity": st.none() | IDENTITIES.map(Identity.as_json),
        "validators": st.none() | VALIDATORS.map(lambda kept: kept.as_json(now=NOW)),
        "paused": st.booleans(),
    }
)
PROBES = st.builds(
    Probe,
    outcome=st.sampled_from(Outcome),
    reason=st.none() | st.sampled_from(["http_404", "self_outage", "no_route", "blocked"]),
    status_code=st.none() | st.integers(100, 599),
    latency_ms=st.integers(0, 2**31 - 1),
    error=st.none() | ODD_TEXT,
    attempts=st.integers(0, 9),
    final_url=st.none() | ODD_TEXT,
    moved_to=st.none() | ODD_TEXT,
    flags=FLAGS.map(tuple),
    retry_in=st.none() | st.floats(0.001, 1e5),
    never_counts=st.booleans(),
    by_head=st.booleans(),
    identity=st.none() | IDENTITIES,
    validators=st.none() | VALIDATORS,
    is_unchanged=st.booleans(),
    parameters=st.sampled_from([{}, {"rule": "other status", "code": 404}]),
    evidence=st.dictionaries(ODD_TEXT, JSON, max_size=3)
    | st.builds(lambda hops: {"redirects": hops}, st.lists(JSON, max_size=2)),
)
CASES = st.lists(
    st.tuples(TARGETS, PROBES, TIMES, TIMES, st.booleans(), st.integers(0, 2)), max_size=4
)


def _everything():
    """Return all rows that a recording may have changed, without generated ids."""
    of_deployment = Event.objects.filter(kind__in=DEPLOYMENT_KINDS)  # of our own network
    of_deployment.delete()
    tables = (Target, TargetText, CheckResult, Event, TargetFlag, Tally)
    own_ids = {CheckResult: "id", Event: "id", TargetFlag: "id", Tally: "id"}
    return {
        model.__name__: sorted(
            (
                {key: value for key, value in row.items() if key != own_ids.get(model)}
                for row in model.objects.values()
            ),
            key=repr,
        )
        for model in tables
    }


def _situation(cases):
    """Create the targets; return the findings of each, under a valid lease."""
    lease = reservations.reserve_host(
        HOST, purpose=Purpose.CHECK, ttl=timedelta(minutes=1), now=NOW
    )
    findings = []
    for number, (values, probe, started_at, checked_at, is_gone, references) in enumerate(cases):
        target = TargetFactory(url=f"http://{HOST}/{number}", **values)
        for reference in range(references):
            ReferenceFactory(target=target, object_id=f"object-{references - reference}")
        findings.append(
            Finding(
                token=lease.token,
                target_id=raw_id("target", target.id),
                started_at=started_at,
                checked_at=checked_at,
                probe=probe,
            )
        )
        if is_gone:
            target.delete()
    return findings


def _then(work):
    """Return all rows after `work`, then roll back."""
    with transaction.atomic():
        work()
        left = _everything()
        transaction.set_rollback(True)
    return left


@pytest.mark.slow
@example([])
@given(CASES)
@hypothesis_settings(max_examples=examples(30))
def test_checks_written_in_bulk_leave_the_same_rows_as_the_orm(cases):
    with transaction.atomic(), patch.object(recording, "database_now", lambda: NOW):
        findings = _situation(cases)
        checks = [recording._check_findings(finding, may_revive=False) for finding in findings]
        expected = _then(lambda: record_by_orm(findings, checks, now=NOW))
        assert _then(lambda: record(findings, finished=[], delay=timedelta(0))) == expected
        transaction.set_rollback(True)
