"""The base class of our AppConfigs: the declarations of an app for lower layers."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, ClassVar, TypeAlias

from django.apps import AppConfig

from foundation import scopes
from foundation.ids import PREFIXES
from foundation.valkey import metrics

OwnedRows: TypeAlias = tuple[str, Iterator[dict[str, Any]]]  # the name of a kind, and its rows


class App(AppConfig):
    """Configures an app; its declarations are known before models are loaded."""

    id_prefixes: ClassVar[Mapping[str, str]] = {}  # prefixes of public ids, by the kind of object
    scope: ClassVar[str] = ""  # scope of tokens that may use the app's routes
    scope_label: ClassVar[str] = ""  # empty if another app has the same scope
    is_scope_bindable: ClassVar[bool] = False  # its routes call `check_may_look_up` for each URL
    counters: ClassVar[tuple[str, ...]] = ()  # metrics that are 0 until something is counted
    gauges: ClassVar[tuple[str, ...]] = ()
    rights_of_members: ClassVar[tuple[str, ...]] = ()  # codenames of permissions

    def __init__(self, app_name: str, app_module: Any) -> None:
        super().__init__(app_name, app_module)
        PREFIXES.update(self.id_prefixes)
        if self.scope:
            scopes.BY_PACKAGE[app_name] = self.scope
        if self.scope_label:
            scopes.LABELS[self.scope] = self.scope_label
        if self.is_scope_bindable:
            scopes.BINDABLE.add(self.scope)
        metrics.COUNTERS.update(self.counters)
        metrics.GAUGES.update(self.gauges)

    def export_owned(self, user_id: int) -> Iterator[OwnedRows]:
        """Yield what an account owns, by kind."""
        yield from ()

    def delete_owned(self, user_id: int, *, now: datetime, limit: int) -> int:
        """Delete up to `limit` objects that are not deleted with the account; return how many.

        Such objects block their owner's deletion, or there are too many for a cascade. Runs in one
        transaction; may run concurrently.
        """
        return 0
