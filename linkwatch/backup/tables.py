"""Lists the tables that backups contain, those that they do not, and the columns that are secret.

Tables are written in the order of TABLES, so that referenced rows come first. A model that is in
neither TABLES nor EXCLUDED fails tests/backup/test_tables.py.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from linkwatch.backup.archive import DEFAULT_MAX_ROW_BYTES, MAX_CHUNK_ROWS
from notify.kinds import kind_of

MAX_SNIPPET_BYTES = 16 * 1024 * 1024  # the highest SNIPPET_MAX_BYTES
Row = dict[str, Any]  # by column

# Bytes of the largest content, with each byte escaped by JSON, and of its row's other columns.
_MAX_SNIPPET_ROW = 6 * MAX_SNIPPET_BYTES + DEFAULT_MAX_ROW_BYTES
_BIG_ROWS_PER_READ = 50  # for rows of up to 16 MiB


@dataclass(frozen=True, slots=True)
class Table:
    """A table in backups."""

    label: str  # of the model, such as auth.User
    # Removes the secrets of a row; returns their kind (a key of WITHHELD), or "" if it has none.
    hide: Callable[[Row], str] | None = None
    is_secret: bool = False  # the whole table is secret: empty in backups without secrets
    # Columns that are never backed up: state of running processes.
    excluded: tuple[str, ...] = ()
    is_made_by_migrate: bool = False  # `migrate` creates its rows, and a restore replaces them
    rows_per_read: int = MAX_CHUNK_ROWS  # fewer if rows may be large
    max_bytes: int = DEFAULT_MAX_ROW_BYTES  # bytes of a row in an archive

    @property
    def model(self) -> type[Model]:
        """The model of this table."""
        return apps.get_model(self.label)


def _hide_password(row: Row) -> str:
    had_password = not row["password"].startswith("!")
    row["password"] = make_password(None)
    return "passwords" if had_password else ""


def _hide_invitation(row: Row) -> str:
    row["secret_hash"] = secrets.token_hex(32)
    return "" if row["accepted_at"] else "invitations"


def _hide_headers(row: Row) -> str:
    instructions = row["instructions"]
    if not instructions or not instructions.get("headers"):
        return ""
    row["instructions"] = {k: v for k, v in instructions.items() if k != "headers"} or None
    return "headers"


def _hide_channel(row: Row) -> str:
    kind = kind_of(row["kind"])
    secret_settings = kind.encrypted_settings
    has_secret = bool(row["secret"] or secret_settings)
    row["secret"] = row["former_secret"] = ""
    row["settings"] = row["settings"] | dict.fromkeys(secret_settings, "")
    if has_secret:
        row["state"] = "disabled"
        new_secret = "Create new addresses" if kind.passive else "Create a new secret"
        step = "Enter its URL again" if secret_settings else new_secret
        row["reason"] = (
            f"The channel was restored from a backup without secrets. {step}, then resume the "
            "channel."
        )
    return "channels" if has_secret else ""


def _hide_batch(row: Row) -> str:
    has_callback = bool(row["callback_secret"])
    row["callback_secret"] = row["token_digest"] = ""
    # A callback that can't be verified is not sent.
    row["callback_url"], row["has_callback_due"] = "", False
    return "callbacks" if has_callback else ""


# The secrets that a backup may lack, by kind or table label: their name, and what to do after a
# restore. The terms of tokens are not worth mentioning.
WITHHELD: Mapping[str, tuple[str, str]] = {
    "passwords": ("passwords", "Set new ones with manage.py changepassword NAME."),
    "knox.AuthToken": ("API tokens", "Create new ones with manage.py create_token."),
    "mfa.Authenticator": (
        "two-factor secrets",
        "Users have to set up two-factor authentication again.",
    ),
    "invitations": ("links of pending invitations", "Send new invitations."),
    "headers": ("headers of hosts and targets", "Enter them again."),
    "callbacks": ("callbacks of batches", "Get the results from GET /v1/batches/{id}."),
    "channels": (
        "secrets of channels",
        "The channels are disabled. Create a new secret or enter the URL, then resume them.",
    ),
}


def withheld_sentences(counts: Mapping[str, int]) -> Iterator[str]:
    """Yield a sentence on each kind of secret that a backup lacks; `counts` is by kind or label."""
    for kind, number in counts.items():
        if kind in WITHHELD:
            name, advice = WITHHELD[kind]
            yield f"Not included: {name} ({number:,}). {advice}"


TABLES = (
    Table("contenttypes.ContentType", is_made_by_migrate=True),
    Table("auth.Permission", is_made_by_migrate=True),
    Table("auth.Group", is_made_by_migrate=True),
    Table("auth.Group_permissions", is_made_by_migrate=True),
    Table("auth.User", hide=_hide_password),
    Table("auth.User_groups"),
    Table("auth.User_user_permissions"),
    Table("account.EmailAddress"),
    Table("socialaccount.SocialAccount"),  # identities at OIDC_ISSUER
    Table("mfa.Authenticator", is_secret=True),
    Table("knox.AuthToken", is_secret=True),
    Table("lib.TokenTerms", is_secret=True),
    Table("accounts.Invitation", hide=_hide_invitation),
    Table("accounts.ReaderSettings"),
    Table("accounts.AccountDeletion"),
    Table("accounts.Team"),
    Table("accounts.TeamMember"),
    Table("accounts.ReferenceShare"),
    Table("accounts.Trace"),
    Table("accounts.TracedThing"),
    Table("admin.LogEntry"),
    Table("analytics.DailyMetrics"),
    Table("analytics.HourlyMetrics"),
    Table("analytics.MonthlyMetrics"),
    Table("hosts.Slot"),  # a restore ends leases, so that their hosts are due
    Table("hosts.Host", hide=_hide_headers),
    Table("targets.Target", hide=_hide_headers),
    Table("targets.UnregisteredTarget"),
    Table("targets.TargetText"),
    Table("targets.TargetFlag"),
    Table("targets.TargetNote"),
    Table("targets.TargetCopy"),
    Table("targets.Reference"),
    Table("targets.Repair"),
    Table("targets.ReplacedReference"),
    Table("targets.RepositoryScan", excluded=("leased_until",)),
    Table("targets.ReferenceOccurrences"),
    Table("targets.PublicList"),
    Table("outbox.Event", rows_per_read=_BIG_ROWS_PER_READ),
    Table("outbox.Epoch"),
    Table("outbox.Cursor", excluded=("token", "leased_until")),
    Table("outbox.DeadLetter"),
    Table("checker.CheckResult"),
    Table("checker.ResultReport"),
    Table("checker.Uplink"),
    Table("checker.Tally"),
    Table("checker.HostTally"),
    Table("checker.Outage"),
    Table("checker.DailyStates"),
    Table("snippets.Snippet", rows_per_read=_BIG_ROWS_PER_READ, max_bytes=_MAX_SNIPPET_ROW),
    Table("snippets.SnippetVersion", rows_per_read=_BIG_ROWS_PER_READ, max_bytes=_MAX_SNIPPET_ROW),
    Table("snippets.Tag"),
    Table("snippets.RemovedSnippet"),
    Table("shortener.ShortURL"),
    Table("shortener.Tag"),
    Table("shortener.FormerDestination"),
    Table("shortener.RetiredKey"),
    Table("shortener.EndedLink"),
    Table("shortener.CleanupRun", excluded=("token", "leased_until")),
    Table("shortener.CleanupTotals"),
    Table("batches.Batch", hide=_hide_batch),
    Table("batches.BatchItem"),
    Table("notify.Channel", hide=_hide_channel, excluded=("token", "leased_until")),
    Table("notify.Subscription"),
    Table("notify.Gathering"),
    Table("notify.GatheredEvent"),
    Table("notify.Delivery", rows_per_read=_BIG_ROWS_PER_READ),
    Table("notify.ConfirmationMail"),
    Table("status.Trouble"),
    Table("archives.ArchiveBackoff"),  # includes a pause of saves
    Table("archives.SaveConsent"),
    Table("archives.PageSave"),
)

MAX_ROW_BYTES: Mapping[str, int] = {table.label: table.max_bytes for table in TABLES}

EXCLUDED: Mapping[str, str] = {
    "account.EmailConfirmation": "unused: no mail contains a confirmation link",
    "accounts.ProviderSignIn": "users sign in again",
    "archives.ArchiveAnswer": "archives are asked again",
    "django_q.OrmQ": "due jobs are queued again",
    "django_q.Schedule": "recreated at each start of run_tasks",
    "django_q.Task": "results of the last hundred tasks",
    "hosts.Favicon": "hosts are asked again",
    "lib.IdempotencyKey": "responses of the last two days; a later retry creates a new object",
    "lib.KeyDigest": "recreated by the first process on the restored database",
    "sessions.Session": "users sign in again",
    "socialaccount.SocialApp": "configured by the OIDC_… settings",
    "socialaccount.SocialToken": "a provider's tokens are not used after sign-in",
    "targets.KeptCount": "recounted by a restore",
}


def quoted_names(connection: BaseDatabaseWrapper) -> str:
    """Return the quoted names of all tables in TABLES, for a statement."""
    return ", ".join(connection.ops.quote_name(table.model._meta.db_table) for table in TABLES)
