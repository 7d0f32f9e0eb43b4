"""`manage.py run_web`: the web server."""

import os
import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connections

from foundation.shutdown import STOP_SIGNALS, begin_to_stop
from linkwatch.environment import SUPERVISED_VARIABLE
from linkwatch.processes import programs
from linkwatch.processes.supervisor import Supervisor
from linkwatch.server.listening import refuse_used_port


class Command(BaseCommand):
    help = (
        "Serve the API, the admin, the pages and the WebSockets on HTTP_HOST:HTTP_PORT, in "
        "WEB_PROCESSES processes."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.WEB_PROCESSES == 1:
            programs.serve()
        else:
            _serve_in_several_processes()


def _serve_in_several_processes() -> None:
    from linkwatch.processes import cluster  # not needed for a single process

    refuse_used_port()
    programs.warn_of_misspelled_settings()
    os.environ[SUPERVISED_VARIABLE] = "1"
    supervisor = Supervisor(grace=settings.SHUTDOWN_GRACE)

    def stop(*_: Any) -> None:
        begin_to_stop()
        supervisor.stop()

    for number in STOP_SIGNALS:
        signal.signal(number, stop)
    cluster.warm_up()
    connections.close_all()
    programs.fork_web(supervisor)
    supervisor.run()
