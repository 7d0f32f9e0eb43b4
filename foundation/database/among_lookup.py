"""A lookup for long lists: `pk__among=[...]` has one parameter, `pk__in` one for each item."""

import json
from typing import Any

from django.db.models import BigAutoField, CharField, Lookup, UUIDField


@BigAutoField.register_lookup
@CharField.register_lookup
@UUIDField.register_lookup
class Among(Lookup):
    """Rows whose field is one of these values. An `IN` list of 1,000 values costs more than the
    rest of the query."""

    lookup_name = "among"

    def get_prep_lookup(self) -> list[Any]:
        prepare = self.lhs.output_field.get_prep_value
        return [prepare(value) for value in self.rhs]

    def as_postgresql(self, compiler, connection):  # type: ignore[no-untyped-def]
        field, params = self.process_lhs(compiler, connection)
        db_type = self.lhs.output_field.cast_db_type(connection)
        return f"{field} = ANY(%s::{db_type}[])", [*params, self._values(connection)]

    def as_sqlite(self, compiler, connection):  # type: ignore[no-untyped-def]
        field, params = self.process_lhs(compiler, connection)
        values = json.dumps(self._values(connection))
        sql = f"{field} IN (SELECT value FROM json_each(%s))"  # noqa: S608 - a column, a parameter
        return sql, [*params, values]

    def _values(self, connection) -> list[Any]:  # type: ignore[no-untyped-def]
        prepare = self.lhs.output_field.get_db_prep_value
        return [prepare(value, connection, prepared=True) for value in self.rhs]
