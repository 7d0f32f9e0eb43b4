"""`linkwatch-server`: what `manage.py` is in a clone. This file runs from the wheel only."""

import importlib
import os
import sys
from pathlib import Path

from dotenv import load_dotenv

_TREE = Path(__file__).resolve().parent


def main() -> None:
    """Run the command that is asked for, with the data and settings of this user."""
    home = _home()
    load_dotenv(home / ".env")
    os.environ.setdefault("DATA_DIR", str(home / "data"))
    sys.path.insert(0, str(_TREE))  # where the apps are; nothing of ours is importable without
    importlib.import_module("manage").run(sys.argv)


def _home() -> Path:
    """Return the folder that stands for a clone's, whatever folder a command is run from."""
    data_home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data_home) / "linkwatch"


if __name__ == "__main__":
    main()
