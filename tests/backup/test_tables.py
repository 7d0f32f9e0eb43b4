"""Each table is in backups, or there is a stated reason why not."""

from typing import Any

from django.apps import apps
from django.db.models import ForeignKey

from linkwatch.backup.tables import EXCLUDED, TABLES, WITHHELD


def test_each_model_is_either_in_backups_or_left_out_with_a_reason():
    models = apps.get_models(include_auto_created=True)
    labels = {model._meta.label for model in models if not model._meta.proxy}
    kept = [table.label for table in TABLES]

    assert len(kept) == len(set(kept))
    assert not set(kept) & EXCLUDED.keys()
    assert {*kept, *EXCLUDED} == labels


def test_rows_are_written_after_the_rows_they_refer_to():
    places = {table.label: place for place, table in enumerate(TABLES)}
    for table in TABLES:
        for field in table.model._meta.local_concrete_fields:
            if isinstance(field, ForeignKey):
                if field.related_model is table.model:
                    constraint: Any = field
                    assert not constraint.db_constraint  # its rows may refer to later ones
                    continue
                assert places[field.related_model._meta.label] < places[table.label], field


def test_each_table_with_secrets_says_what_to_recreate():
    secret = {table.label for table in TABLES if table.is_secret} - {"lib.TokenTerms"}

    assert secret <= WITHHELD.keys()
