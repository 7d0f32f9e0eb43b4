"""Stores the icons of hosts, and determines which are due. See ADR 73."""

import logging
import subprocess
import sys
from collections.abc import Collection
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

from django.conf import settings

from foundation.database.bulk_deletion import delete_in_batches
from hosts.icon_drawing import is_image
from hosts.models import Favicon

logger = logging.getLogger(__name__)

_REQUEST_INTERVAL = timedelta(days=30)  # between requests to a host, regardless of its response
_MAX_PNG_BYTES = 8 * 1024  # an icon of 32 by 32 pixels needs 5 KiB at most
DRAWING_TIMEOUT = 20.0  # seconds to draw an icon while other processes are busy
_ROOT = Path(__file__).parent.parent


def due(hosts: Collection[str], *, now: datetime) -> set[str]:
    """Return which of these hosts may be asked for their icon; empty if icons are disabled.

    Runs at most one statement.
    """
    if not settings.FAVICONS:
        return set()
    recent = Favicon.objects.filter(host__among=list(hosts), asked_at__gt=now - _REQUEST_INTERVAL)
    return set(hosts).difference(recent.values_list("host", flat=True))


def record_request(host: str, *, now: datetime) -> None:
    """Record the request for the host's icon before making it, so that it is not repeated after a
    crash."""
    Favicon.objects.update_or_create(host=host, defaults={"asked_at": now})


def store(host: str, png: bytes) -> None:
    """Store the icon of a host, after `record_request`; `png` is empty if there is none."""
    digest = sha256(png).hexdigest()[:16] if png else ""
    Favicon.objects.filter(host=host).update(png=png, digest=digest)


def draw(image: bytes) -> bytes:
    """Convert an image from a server to a small PNG; empty if that is impossible.

    Runs in a process with limits and without this process's environment.
    """
    if not is_image(image):
        return b""
    command = [sys.executable, "-m", "hosts.icon_drawing"]
    try:
        process = subprocess.run(  # noqa: S603
            command, input=image, capture_output=True, cwd=_ROOT, env={}, timeout=DRAWING_TIMEOUT
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        logger.warning("An icon could not be drawn: %s", error)
        return b""
    if process.returncode:
        last = process.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        logger.warning("An icon could not be drawn: status %d, %s", process.returncode, last[:200])
        return b""
    return process.stdout if len(process.stdout) <= _MAX_PNG_BYTES else b""


def digests(hosts: Collection[str]) -> dict[str, str]:
    """Return the digests of these hosts' icons, by host. Runs at most one statement."""
    if not (settings.FAVICONS and hosts):
        return {}
    icons = Favicon.objects.filter(host__among=list(hosts)).exclude(digest="")
    return dict(icons.values_list("host", "digest"))


def delete_old(before: datetime) -> int:
    """Delete icons that were last requested before this time; return how many rows."""
    return delete_in_batches(Favicon.objects.filter(asked_at__lt=before))
