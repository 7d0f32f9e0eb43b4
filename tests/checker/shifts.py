"""Helpers for tests of checker workers: registering, working, and findings made by hand."""

import ipaddress

from checker import worker
from checker.engine.fetch import Probe
from checker.recording import Finding
from foundation.database.clock import database_now
from foundation.ids import raw_id
from targets import registration
from targets.serializers import RegistrationSerializer
from targets.state import Outcome

LOOPBACK = ipaddress.ip_network("127.0.0.0/8")


def register(*urls, **policy):
    requests = [RegistrationSerializer().registration({"url": url, **policy}) for url in urls]
    return [done.target for done in registration.register(requests, now=database_now())]


def work_until_nothing_is_due(**options):
    return worker.run_worker(length=None, should_stop=lambda: False, **options)


def probe(outcome=Outcome.SUCCESS, **changes):
    values = {
        "outcome": outcome,
        "reason": None if outcome is Outcome.SUCCESS else "http_404",
        "status_code": 200 if outcome is Outcome.SUCCESS else 404,
        "latency_ms": 5,
        "error": None if outcome is Outcome.SUCCESS else "The server returned 404 Not Found.",
        "attempts": 1,
        "final_url": "http://a.example/",
    }
    return Probe(**{**values, **changes})


def throttled(**changes):
    values = {
        "reason": "throttled",
        "status_code": 429,
        "error": "The server returned 429 Too Many Requests.",
        "retry_after": 120.0,
    }
    return probe(Outcome.INCONCLUSIVE, **{**values, **changes})


def finding(target, token, found=None):
    return Finding(
        token=token,
        target_id=raw_id("target", target.id),
        started_at=database_now(),
        checked_at=database_now(),
        probe=found or probe(),
    )
