"""The product as a whole: settings, processes, and the web server."""

import sys
from pathlib import Path

# The client's package, which the server also imports (ADR 58). An installed package takes
# precedence.
_CLIENT = str(Path(__file__).parent.parent / "client")
if _CLIENT not in sys.path:
    sys.path.append(_CLIENT)
