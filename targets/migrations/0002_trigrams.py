from django.db import migrations

# By these PostgreSQL finds a text by a part of it (docs/adr/0032-search.md). The extension comes
# with it, and whoever owns the database may create it.
STATEMENTS = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE INDEX target_text_trigrams ON targets_targettext USING gin (upper(text) gin_trgm_ops)",
    """CREATE INDEX reference_trigrams ON targets_reference
    USING gin (upper(object_id::text) gin_trgm_ops)""",
)


def index_texts(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for statement in STATEMENTS:
            schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("targets", "0001_initial")]
    operations = [migrations.RunPython(index_texts, migrations.RunPython.noop)]
