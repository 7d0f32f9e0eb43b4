"""What a migration may do while processes of the previous release still run (ADR 35)."""

from collections.abc import Iterator
from typing import Any

from django.db import connection
from django.db.migrations import Migration, operations
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import ManyToManyField

from status import schema

# Exceptions to the rules, by (app, migration), with the reason: such as a column that the previous
# release no longer uses.
EXCUSED: dict[schema.Migration, str] = {}

_TAKES = (
    *(operations.RemoveField, operations.RenameField, operations.DeleteModel),
    *(operations.RenameModel, operations.AlterModelTable, operations.AlterUniqueTogether),
    operations.AddConstraint,  # rows of an old process may violate it
)


def complaints(migration: Migration, state: ProjectState) -> Iterator[str]:
    """Yield a sentence for each problem of a migration.

    `state` is the state of all migrations before it. For SQL and Python the rules only know whether
    they can be reversed: read such migrations.
    """
    if schema.release_of(migration.name) is None:
        yield "Its name does not begin with its release: makemigrations --name release_X_Y_Z_notes."
    new = set()
    for operation in migration.operations:
        if not operation.reversible:
            yield f"It can't be undone: {operation.describe()}."
        for change in _changes(operation):
            if isinstance(change, operations.CreateModel):
                new.add(change.name_lower)
            elif getattr(change, "model_name_lower", "") not in new:  # no old process uses that
                yield from _judge(change, migration.app_label, state)
        operation.state_forwards(migration.app_label, state)


def _changes(operation: Operation) -> list[Operation]:
    """Return the operations on the database."""
    if isinstance(operation, operations.SeparateDatabaseAndState):
        return list(operation.database_operations)
    return [operation]


def _judge(operation: Operation, app: str, state: ProjectState) -> Iterator[str]:
    if isinstance(operation, _TAKES):
        yield f"Old processes need what it takes, or write what it refuses: {operation.describe()}."
    elif isinstance(operation, operations.AddField):
        field = operation.field
        if not (field.null or field.has_db_default() or isinstance(field, ManyToManyField)):
            yield f"Old processes insert without it; give a db_default: {operation.describe()}."
        elif field.unique and field.has_db_default():
            yield f"Old processes insert the same twice; let it be null: {operation.describe()}."
    elif isinstance(operation, operations.AlterField):
        after = state.clone()
        operation.state_forwards(app, after)
        old, new = (
            each.apps.get_model(app, operation.model_name)._meta.get_field(operation.name)
            for each in (state, after)
        )
        editor: Any = connection.schema_editor()
        if editor._field_should_be_altered(old, new):
            yield f"Old processes know the column as it was: {operation.describe()}."
