"""Calls of the API that check the status of the response."""

from datetime import datetime, timedelta

from foundation.database.clock import database_now
from hosts.models import Purpose
from hosts.reservations import schedule

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)


def due(*names, at=None, purpose=Purpose.FETCH):
    """Make these hosts due, one second apart, starting an hour ago."""
    start = at or database_now() - HOUR
    for number, name in enumerate(names):
        time = start + number * SECOND
        schedule({name: time}, purpose=purpose, now=time)


def ok(response, status=200):
    assert response.status_code == status, response.content
    return response.json() if response.content else None


def refused(response, code, status=400):
    assert response.status_code == status, response.content
    assert response.json()["code"] == code
    return response


def take(api, **body):
    return ok(api.post("/v1/hosts/reserve", body))["reservations"]


def time_of(text):
    return datetime.fromisoformat(text)
