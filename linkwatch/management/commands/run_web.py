"""`manage.py run_web`: the web server."""

from typing import Any

from django.core.management.base import BaseCommand

from linkwatch import server
from linkwatch.processes import one_of_the_processes


class Command(BaseCommand):
    help = "Serve the API, the admin, the pages and the WebSockets on HTTP_HOST:HTTP_PORT."

    def handle(self, *args: Any, **options: Any) -> None:
        with one_of_the_processes("run_web"):
            server.run()
