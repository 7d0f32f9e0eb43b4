"""Runs processes of 0.2.0 on the database of a test."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User

from accounts import tokens
from accounts.rights import assign
from accounts.roles import Role
from tests.acceptance.processes import Client, answers, database_url, program, until
from tests.ports import free_port


@contextmanager
def running_release(folder: Path, logs: Path, **changes: str) -> Iterator[Client]:
    """Run 0.2.0 on the database of this test; yield its API, for an operator."""
    user = User.objects.create_user("operator")
    assign(user, Role.OPERATOR)
    port = free_port()
    shared = {
        "DATA_DIR": str(logs),
        "SECRET_KEY": settings.SECRET_KEY,
        "DATABASE_URL": database_url(),
        "REDIS_URL": settings.REDIS_URL,
        "HTTP_PORT": str(port),
        "ALLOW_NETWORKS": "127.0.0.0/8",
        "CHECK_INTERVAL": "500ms",
        "CHECK_RETRIES": "0",
        "HOST_DELAY": "0s",
        **changes,
    }
    base = f"http://127.0.0.1:{port}"
    with ExitStack() as stack:
        for command in ("run_web", "run_tasks", "run_relay"):
            line = (sys.executable, "manage.py", command)
            log = logs / f"{command}.log"
            stack.enter_context(program(*line, log=log, folder=folder, **shared))
        until(lambda: answers(f"{base}/livez"))
        yield Client(base, tokens.create(user, lifetime=timedelta(days=1)))
