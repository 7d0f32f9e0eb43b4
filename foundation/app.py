"""An app of ours: what it declares for the apps below it, which name none above them."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.apps import AppConfig

from foundation import scopes
from foundation.ids import PREFIXES
from foundation.valkey import metrics


class App(AppConfig):
    """Configures an app; what it declares is known before any model is loaded."""

    id_prefixes: ClassVar[Mapping[str, str]] = {}  # of public ids, by the kind of thing
    scope: ClassVar[str] = ""  # of tokens, which opens the routes of the app
    scope_label: ClassVar[str] = ""  # empty if another app has the same scope
    counters: ClassVar[tuple[str, ...]] = ()  # metrics, 0 until something is counted
    gauges: ClassVar[tuple[str, ...]] = ()
    rights_of_members: ClassVar[tuple[str, ...]] = ()  # codenames of permissions

    def __init__(self, app_name: str, app_module: Any) -> None:
        super().__init__(app_name, app_module)
        PREFIXES.update(self.id_prefixes)
        if self.scope:
            scopes.OPENED_BY[app_name] = self.scope
        if self.scope_label:
            scopes.LABELS[self.scope] = self.scope_label
        metrics.COUNTERS.update(self.counters)
        metrics.GAUGES.update(self.gauges)
