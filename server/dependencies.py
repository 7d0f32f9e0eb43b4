"""The dependencies of the server's wheel: locked versions, and the client's wheel (ADR 69)."""

import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PINNED = re.compile(r"^([\w.-]+==[^\s;\\]+)(?: ; ([^\\\n]+?))? \\?$", re.MULTILINE)


class LockedDependencies(MetadataHookInterface):  # type: ignore[misc]  # not installed here
    """Fills in `dependencies` of pyproject.toml."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the dependencies to `metadata`."""
        root = Path(self.root)
        lock = (root / "requirements.txt").read_text(encoding="utf-8")
        client = tomllib.loads((root / "client" / "pyproject.toml").read_text(encoding="utf-8"))
        metadata["dependencies"] = [
            f"linkwatch-client=={client['project']['version']}",
            *(f"{pin} ; {marker}" if marker else pin for pin, marker in _PINNED.findall(lock)),
        ]
