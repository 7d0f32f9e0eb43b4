"""Migration operations that Django lacks."""

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddIndex
from django.db.migrations.state import ProjectState


class AddIndexBesideWrites(AddIndex):
    """Adds an index while processes use the table, in a migration with atomic = False.

    On SQLite, writes wait meanwhile. The operation can be repeated: an interruption leaves no
    index, an invalid one (PostgreSQL) or a complete one.
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Drop the remains of an interrupted operation, and create the index."""
        model = to_state.apps.get_model(app_label, self.model_name)
        if not self.allow_migrate_model(schema_editor.connection.alias, model):
            return
        self._drop(schema_editor)
        editor: Any = schema_editor
        if editor.connection.vendor == "postgresql":
            editor.add_index(model, self.index, concurrently=True)
        else:
            editor.add_index(model, self.index)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Drop the index."""
        model = from_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            self._drop(schema_editor)

    def _drop(self, editor: BaseDatabaseSchemaEditor) -> None:
        concurrently = "CONCURRENTLY " if editor.connection.vendor == "postgresql" else ""
        editor.execute(f"DROP INDEX {concurrently}IF EXISTS {editor.quote_name(self.index.name)}")
