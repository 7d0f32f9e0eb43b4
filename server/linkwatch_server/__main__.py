"""`linkwatch-server`: the wheel's counterpart of `manage.py`."""

import importlib
import os
import sys
from pathlib import Path

from dotenv import load_dotenv

_TREE = Path(__file__).resolve().parent


def main() -> None:
    """Run a command with the data and settings of this user."""
    home = _home()
    load_dotenv(home / ".env")
    os.environ["DATA_DIR"] = os.environ.get("DATA_DIR") or str(home / "data")
    sys.path.insert(0, str(_TREE))  # the folder of the apps, needed to import them
    importlib.import_module("manage").run(sys.argv)


def _home() -> Path:
    """Return the folder for data and settings, independent of the working directory."""
    data_home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data_home) / "linkwatch"


if __name__ == "__main__":
    main()
