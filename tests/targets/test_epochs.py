"""After a restore, positions are used again: readers that read past the backup get an error."""

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from rest_framework.test import APIClient

from outbox import epochs
from outbox.relay import number_events
from tests.backup.archives import backup, empty, restore
from tests.conftest import NOW
from tests.factories import TransitionFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def feed():
    """Return the next page after a token: the items, and the next token."""

    def read(token=None, *, status=200, limit=100):
        query = {"limit": limit} | ({"page_token": token} if token else {})
        client = APIClient()
        client.force_authenticate(User(is_superuser=True, is_active=True))
        response = client.get("/v1/events", query)
        assert response.status_code == status, response.content
        found = response.json()
        return (found["items"], found["next_page_token"]) if status == 200 else found["code"]

    return read


def deaths(number):
    for _ in range(number):
        TransitionFactory()
    number_events()


def restore_again(archive):
    empty()
    restore(archive)


def test_a_token_is_valid_up_to_the_end_of_the_backup(feed):
    deaths(3)
    _, before = feed(limit=2)
    _, at_the_end = feed()
    archive = backup()
    deaths(1)
    _, past_it = feed()
    restore_again(archive)
    deaths(5)

    assert feed(past_it, status=409) == "epoch_changed"
    assert len(feed(before)[0]) == 6
    items, token = feed(at_the_end)
    assert len(items) == 5
    assert feed(token)[0] == []


def test_tokens_of_the_first_epoch_are_unchanged(feed):
    deaths(1)
    old = "eyJwb3NpdGlvbiI6IDEsICJwYXJ0IjogMH0"  # {"position": 1, "part": 0}

    assert feed()[1] == old
    restore_again(backup())
    assert feed()[1] != old
    assert feed(old)[0] == []


def test_each_restore_starts_an_epoch_and_earlier_ones_end_with_their_backup(feed):
    deaths(2)
    first, first_token = backup(), feed()[1]
    restore_again(first)
    deaths(2)
    second, second_token = backup(), feed()[1]
    deaths(1)
    _, past_second = feed()
    restore_again(second)
    deaths(3)

    assert len(feed(first_token)[0]) == 5
    assert len(feed(second_token)[0]) == 3
    assert feed(past_second, status=409) == "epoch_changed"
    restore_again(first)  # an older backup: it knows nothing of the newer changes
    deaths(9)
    assert feed(second_token, status=409) == "epoch_changed"
    assert len(feed(first_token)[0]) == 9


def test_a_token_inside_an_event_past_the_backup_is_rejected(feed):
    epoch = epochs.begin(NOW)

    assert epochs.check(epochs.FIRST, position=0) == epoch.name
    with pytest.raises(Exception, match="restored from a backup"):
        epochs.check(epochs.FIRST, position=1)


def test_no_event_gets_the_id_of_another(feed):
    deaths(1)
    archive = backup()
    deaths(1)
    (_, lost), _ = feed()
    restore_again(archive)
    deaths(1)
    (_, new), _ = feed()

    assert lost["id"] != new["id"]


def test_an_operator_begins_an_epoch_after_a_restore_by_other_means(feed, capsys):
    deaths(1)
    _, token = feed()
    call_command("begin_epoch")
    deaths(1)
    _, later = feed(token)

    assert "after position 1:" in capsys.readouterr().out
    assert feed(later)[0] == []
