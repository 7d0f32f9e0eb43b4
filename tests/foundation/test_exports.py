"""Exports of lists as CSV: few at once, and a slot is freed however an export ends."""

import pytest
from django.core.signals import request_finished
from django.db import close_old_connections

from foundation.http.errors import ApiError
from foundation.http.exports import MAX_EXPORTS, stream_csv

pytestmark = pytest.mark.any_database


@pytest.fixture(autouse=True)
def no_database():
    """Keep closed responses from closing database connections, as Django's test client does."""
    request_finished.disconnect(close_old_connections)
    yield
    request_finished.connect(close_old_connections)


def pieces(*, fail=False):
    yield "a,b\r\n"
    if fail:
        raise ValueError
    yield "1,2\r\n"


def fail_halfway():
    with pytest.raises(ValueError):
        list(stream_csv(pieces(fail=True)))


def close_halfway():
    answer = stream_csv(pieces())
    assert next(iter(answer)) == b"a,b\r\n"
    answer.close()


ENDS = {
    "it is read": lambda: stream_csv(pieces()).getvalue(),
    "it fails": fail_halfway,
    "its client leaves before it begins": lambda: stream_csv(pieces()).close(),
    "its client leaves in the middle": close_halfway,
    "nothing comes of it": lambda: stream_csv(pieces()) and None,
}


def test_an_export_beyond_the_limit_gets_retry_after():
    answers = [stream_csv(pieces()) for _ in range(MAX_EXPORTS)]
    try:
        with pytest.raises(ApiError) as refused:
            stream_csv(pieces())
        assert (refused.value.status_code, refused.value.code) == (503, "unavailable")
        assert int(refused.value.headers["Retry-After"]) > 0
        assert answers.pop().getvalue() == b"a,b\r\n1,2\r\n"
        answers.append(stream_csv(pieces()))
    finally:
        for answer in answers:
            answer.close()


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_an_export_that_ends_frees_its_slot(end):
    others = [stream_csv(pieces()) for _ in range(MAX_EXPORTS - 1)]
    try:
        end()
        assert stream_csv(pieces()).getvalue() == b"a,b\r\n1,2\r\n"
    finally:
        for other in others:
            other.close()
