"""Background tasks of accounts, for django-q2; `linkwatch.schedules` says when they run."""

from datetime import timedelta

from allauth.account.models import EmailConfirmation
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef
from knox.models import AuthToken

from accounts import audit_log, deletion
from accounts.models import Invitation, ProviderSignIn, ReaderSettings, ReferenceShare
from foundation.database.bulk_deletion import delete_in_batches
from foundation.database.clock import database_now
from foundation.deletion_metrics import deletes
from foundation.shutdown import stop_requested

_BATCH_SIZE = 1000
KEEP_EXPIRED_FOR = timedelta(days=30)  # so that operators can still see why a token or link fails


@deletes("traces")
def delete_old_traces() -> int:
    """Delete old entries of the audit log and of the admin's log; return how many of the former.

    Old means older than TRACES_RETENTION.
    """
    before, deleted = database_now() - settings.TRACES_RETENTION, 0
    while not stop_requested() and (count := audit_log.delete_old(before, limit=_BATCH_SIZE)):
        deleted += count
    delete_in_batches(LogEntry.objects.filter(action_time__lt=before))
    return deleted


@deletes("ended")
def delete_ended() -> int:
    """Delete expired sessions, tokens and invitations; return how many rows.

    Sessions are deleted once they have expired. Tokens and invitations stay for KEEP_EXPIRED_FOR
    after they expire, and email confirmations for KEEP_EXPIRED_FOR after creation. Also deletes
    settings and shares of accounts that version 0.2.0 deleted. May run concurrently.
    """
    now = database_now()
    before = now - KEEP_EXPIRED_FOR
    accounts = User.objects.filter(pk=OuterRef("user_id"))
    owners = User.objects.filter(pk=OuterRef("owner_id"))
    sessions = Session.objects.filter(pk=OuterRef("session_key"))
    expired = (
        Session.objects.filter(expire_date__lt=now),
        ProviderSignIn.objects.filter(~Exists(sessions)),
        AuthToken.objects.filter(expiry__lt=before),
        Invitation.objects.filter(expires_at__lt=before),
        EmailConfirmation.objects.filter(created__lt=before),
        # Rows of accounts that version 0.2.0 deleted.
        ReaderSettings.objects.filter(~Exists(accounts)),
        ReferenceShare.objects.filter(~Exists(owners)),
    )
    return sum(delete_in_batches(rows) for rows in expired)


@deletes("accounts")
def delete_accounts() -> int:
    """Delete the accounts whose owners requested it, with everything they own; return how many.

    A large account may take several runs.
    """
    return deletion.carry_out(now=database_now())
