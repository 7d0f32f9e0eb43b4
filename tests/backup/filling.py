"""Two number of rows to show in each table in a backup, with a value in each column that may have
one."""

from datetime import date, timedelta
from uuid import UUID

from django.db.models import ForeignKey

from foundation import kept_secrets as secrets
from linkwatch.backup.tables import TABLES
from targets import counts
from tests.conftest import NOW

SECRET = "s3cret"  # the value of each secret
_VALUES = {
    "BooleanField": lambda n: n % 2 == 0,
    "DateField": lambda n: date(2026, 2, 1) + timedelta(days=n),
    "DateTimeField": lambda n: NOW + timedelta(days=n, microseconds=n),
    "DurationField": lambda n: timedelta(days=n, microseconds=7),
    "FloatField": lambda n: n + 0.1,
    "JSONField": lambda n: {"é\u2028": [n, None, True, {"a": 'a"b\\'}]},
    "UUIDField": lambda n: UUID(int=n << 64 | n),
}
_SOME = {
    "auth.User": lambda n: {"password": f"md5${SECRET}$0{n}"},
    "auth.User_groups": lambda n: {"group_id": _id_of("auth.Group"), "user_id": _user(n)},
    "auth.User_user_permissions": lambda n: {
        "permission_id": _id_of("auth.Permission"),
        "user_id": _user(n),
    },
    "account.EmailAddress": lambda n: {"primary": n == 1},
    "mfa.Authenticator": lambda n: {
        "type": "totp",
        "data": {"secret": SECRET},
        "user_id": _user(n),
    },
    "knox.AuthToken": lambda n: {"digest": f"{SECRET}{n}", "token_key": f"{n}"},
    "accounts.Invitation": lambda n: {"secret_hash": f"{SECRET}{n}", "accepted_at": None},
    "hosts.Slot": lambda n: {"leased_for": "check", "leased_host": f"host {n}"},
    "hosts.Host": lambda n: {
        "name": f"host {n}",
        "check_at": None,
        "instructions": {"headers": {"Cookie": SECRET}, "accept": [403]},
    },
    "targets.Target": lambda n: {"instructions": {"headers": {"Cookie": SECRET}}, "flags": []},
    "batches.Batch": lambda n: {
        "token_digest": f"{SECRET}{n}",
        "callback_url": "https://a.example/",
        "callback_secret": secrets.encrypt(SECRET),
    },
    "checker.CheckResult": lambda n: {"checked_at": NOW - timedelta(days=n)},
    "notify.Channel": lambda n: (
        {"kind": "webhook", "secret": secrets.encrypt(SECRET), "state": "active"}
        if n == 1
        else {"kind": "apprise", "settings": {"url": SECRET, "service": "S"}, "secret": ""}
    ),
}


def fill():
    """Write the rows without the services."""
    for table in TABLES:
        if table.is_made_by_migrate:
            continue
        for n in (1, 2):
            table.model._base_manager.create(**_row(table, n))
    counts.recount()


def _row(table, n):
    given = _SOME.get(table.label, lambda n: {})(n)
    row = {}
    for field in table.model._meta.local_concrete_fields:
        if field.attname in given or not field.column:
            continue
        if isinstance(field, ForeignKey):
            related = field.related_model._base_manager.order_by("pk").values_list("pk", flat=True)
            others = [None, *related] if field.related_model is table.model else [*related]
            row[field.attname] = others[n - 1]  # the first row has no row to refer to
        elif field.choices:
            row[field.attname] = field.choices[0][0]
        elif not (field.primary_key and field.get_internal_type().endswith("AutoField")):
            row[field.attname] = _value(field, n)
    return row | given


def _value(field, n):
    kind = field.get_internal_type()
    if kind == "UUIDField" and field.primary_key and hasattr(field, "kind"):
        return field.to_python(UUID(int=n << 64 | n))
    if kind in _VALUES:
        return _VALUES[kind](n)
    if kind in ("CharField", "TextField", "EmailField", "GenericIPAddressField"):
        return f"é{n}"[: field.max_length]
    return n


def _user(n):
    return _id_of("auth.User", n)


def _id_of(label, n=1):
    (table,) = (table for table in TABLES if table.label == label)
    return table.model._base_manager.order_by("pk").values_list("pk", flat=True)[n - 1]


def everything():
    """Return all rows of all tables in a backup, by table."""
    return {
        table.label: [
            {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
            for row in table.model._base_manager.order_by("pk")
        ]
        for table in TABLES
    }
