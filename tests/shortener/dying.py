"""Lets destinations of links die and recover as checks do, with their transitions."""

from django.db import transaction

from foundation.database.clock import database_now
from shortener.models import ShortURL
from targets import checks
from targets.services import request_check
from targets.state import Outcome
from tests.targets.checks import check_of

FINDING = "The server returned 404 Not Found."


def target_of(key):
    return ShortURL.objects.select_related("target").get(pk=key).target


def die(key, *, finding=FINDING):
    """Make the destination of a link fail until it is dead."""
    target = target_of(key)
    type(target).objects.filter(pk=target.pk).update(recheck_threshold=1, last_error=finding)
    _record(target, Outcome.FAILURE)
    type(target).objects.filter(pk=target.pk).update(last_error=finding)


def recover(key):
    """Record a success, as if dead targets were rechecked."""
    _record(target_of(key), Outcome.SUCCESS)


def revive(key):
    """Revive it, as a person does."""
    request_check(target_of(key), revive=True, now=database_now())


def _record(target, outcome):
    now = database_now()
    with transaction.atomic():
        checks.record_checks([check_of(target, outcome, at=now)], now=now)
