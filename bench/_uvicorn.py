"""Runs the peers of the web server: uvicorn with Linkwatch's options, but without Linkwatch."""

import sys
from typing import Any

import uvicorn


def serve(application: Any, **options: Any) -> None:
    """Serve the ASGI application on the loopback port that is the first argument, until killed."""
    uvicorn.run(
        application,
        host="127.0.0.1",
        port=int(sys.argv[1]),
        access_log=False,
        log_level="error",
        lifespan="off",
        **options,
    )
