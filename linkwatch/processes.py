"""The start of each process of the product, whoever started it."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from foundation.deployment import announced
from linkwatch.environment import misspelt

logger = logging.getLogger(__name__)

UNDER_UP = "LINKWATCH_UNDER_UP"  # in the environment of what `manage.py up` starts


def warn_of_misspelt_settings() -> None:
    """Log which variables are nearly settings, a line each."""
    for name, meant in misspelt(os.environ, settings.NAMES):
        logger.warning("%s is no setting. Did you mean %s?", name, meant)


@contextmanager
def one_of_the_processes(kind: str) -> Iterator[None]:
    """Be one of the processes of a deployment: commands beside it learn what settings it has."""
    if UNDER_UP not in os.environ:  # else `up` has said it
        warn_of_misspelt_settings()
    with announced(kind):
        yield
