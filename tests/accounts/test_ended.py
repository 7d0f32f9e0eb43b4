"""The schedule deletes ended sessions, tokens and invitations."""

import hashlib
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress, EmailConfirmation
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.utils.module_loading import import_string
from knox.models import AuthToken

from accounts.models import Invitation
from accounts.roles import Role
from accounts.tasks import delete_ended
from foundation.database.bulk_deletion import delete_in_batches
from foundation.database.clock import database_now
from foundation.models import TokenTerms
from linkwatch import schedules

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def user():
    return User.objects.create_user("somebody")


def session(key, *, ends):
    Session.objects.create(session_key=key, session_data="", expire_date=ends)


def token(user, *, ends):
    made, _ = AuthToken.objects.create(user=user, expiry=None)
    TokenTerms.objects.create(token=made)
    AuthToken.objects.filter(pk=made.pk).update(expiry=ends)
    return made


def invitation(name, *, ends, **fields):
    hashed = hashlib.sha256(name.encode()).hexdigest()
    Invitation.objects.create(
        role=Role.MEMBER, secret_hash=hashed, created_at=ends - DAY, expires_at=ends, **fields
    )
    return hashed


def run_the_schedule():
    """Run each job of the schedule by hand, as its queue would; return what each job deleted."""
    return {job.name: import_string(job.function)() for job in schedules.jobs()}


def test_the_scheduled_jobs_delete_ended_sessions_and_tokens_of_last_year(user):
    now = database_now()
    for number in range(50):
        session(f"ended{number}", ends=now - 400 * DAY)
    token(user, ends=now - 400 * DAY)
    run_the_schedule()
    assert Session.objects.count() == AuthToken.objects.count() == TokenTerms.objects.count() == 0


def test_only_ended_sessions_are_deleted():
    now = database_now()
    session("ended", ends=now - timedelta(minutes=1))
    session("lasts", ends=now + timedelta(minutes=1))
    assert delete_ended() == 1
    assert Session.objects.get().session_key == "lasts"
    assert delete_ended() == 0


def test_tokens_are_deleted_thirty_days_after_their_end(user):
    now = database_now()
    token(user, ends=now - 31 * DAY)
    kept = {token(user, ends=ends).pk for ends in (now - 29 * DAY, now + DAY, None)}
    assert delete_ended() == 1
    assert set(AuthToken.objects.values_list("pk", flat=True)) == kept
    assert set(TokenTerms.objects.values_list("pk", flat=True)) == kept


def test_invitations_and_confirmation_links_are_deleted_thirty_days_after_their_end(user):
    now = database_now()
    invitation("old", ends=now - 31 * DAY)
    invitation("accepted", ends=now - 31 * DAY, accepted_at=now - 31 * DAY, accepted_by=user)
    kept = {invitation("lately", ends=now - 29 * DAY), invitation("open", ends=now + DAY)}
    address = EmailAddress.objects.create(user=user, email="somebody@example.org")
    for days in (31, 29):
        EmailConfirmation.objects.create(
            email_address=address, created=now - days * DAY, key=f"key{days}"
        )
    assert delete_ended() == 3
    assert set(Invitation.objects.values_list("secret_hash", flat=True)) == kept
    assert EmailConfirmation.objects.get().key == "key29"


def test_a_deletion_continues_in_batches_until_no_rows_remain(
    django_assert_max_num_queries,
):
    now = database_now()
    for number in range(25):
        session(f"ended{number}", ends=now - DAY)
    session("lasts", ends=now + DAY)
    with django_assert_max_num_queries(6):  # three batches, each found and deleted
        assert delete_in_batches(Session.objects.filter(expire_date__lt=now), batch_size=10) == 25
    assert Session.objects.get().session_key == "lasts"
