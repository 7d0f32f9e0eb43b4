"""`manage.py run_web`: the web server."""

from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Serve the API, the admin and the pages on HTTP_HOST:HTTP_PORT."

    def handle(self, *args: Any, **options: Any) -> None:
        uvicorn.run(
            "linkwatch.asgi:application",
            host=settings.HTTP_HOST,
            port=settings.HTTP_PORT,
            access_log=False,
            log_config=None,  # Django's logging
            proxy_headers=False,  # X-Forwarded-For is anybody's claim
            server_header=False,
            limit_concurrency=1000,
            timeout_graceful_shutdown=max(1, int(settings.REQUEST_GRACE.total_seconds())),
            ws_max_size=65536,
        )
