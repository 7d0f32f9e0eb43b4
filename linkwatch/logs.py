"""Log lines: JSON unless stderr is a terminal, with times in UTC.

Processes that crash or can't start also log JSON, because log collectors read nothing else.
"""

import logging
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import CommandError
from pythonjsonlogger.json import JsonFormatter

from foundation import request_id

PROCESSES = ("up", "run_web", "run_tasks", "run_relay", "run_analytics")


def _utc_time(record: logging.LogRecord) -> str:
    time = datetime.fromtimestamp(record.created, UTC)
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class TextFormatter(logging.Formatter):
    """Formats log lines for people."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        """Return the time in RFC 3339."""
        return _utc_time(record)

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, followed by the request's id if there is one."""
        line, id_ = super().format(record), request_id.current()
        return f"{line} [{id_}]" if id_ else line


class JsonLineFormatter(JsonFormatter):
    """Formats log lines as JSON: `time`, `level`, `logger`, `message`, `process`.

    Errors have `exc_info`, too; lines about a request or a message being sent have `request_id`.
    """

    def __init__(self) -> None:
        super().__init__(
            "{asctime}{levelname}{name}{message}{process}",
            style="{",
            rename_fields={"asctime": "time", "levelname": "level", "name": "logger"},
        )

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        """Return the time in RFC 3339."""
        return _utc_time(record)

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of the line."""
        id_ = request_id.current()
        return {**log_data, "request_id": id_} if id_ else log_data


def logging_settings(level: int, *, handled: Sequence[str] = ()) -> dict[str, Any]:
    """Return Django's LOGGING: lines of at least `level` go to stderr; libraries have other levels.

    Errors of the loggers in `handled` go only to handlers that our modules add.
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "text": {"()": "linkwatch.logs.TextFormatter"},
            "json": {"()": "linkwatch.logs.JsonLineFormatter"},
        },
        "filters": {"outage": {"()": "foundation.database.unavailable.OutageFilter"}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "text" if sys.stderr.isatty() else "json",
                "filters": ["outage"],
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django-q": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            "django.request": {"level": "ERROR"},  # a 4xx is the client's fault
            "uvicorn": {"level": "WARNING"},
            # Otherwise, it would prepare records that are not written.
            "uvicorn.access": {"propagate": False},
            "httpx": {"level": "WARNING"},
            "apprise": {"level": "WARNING"},
            **{name: {"level": "ERROR", "propagate": False} for name in handled},
        },
    }


def logs_json(arguments: Sequence[str]) -> bool:
    """Return whether this command runs a process whose log is JSON: stderr is not a terminal."""
    is_process = len(arguments) > 1 and arguments[1] in PROCESSES and "--once" not in arguments
    return is_process and not sys.stderr.isatty()


@contextmanager
def log_failures_as_json() -> Iterator[None]:
    """Log the exception that ends the block, and exit; also log exceptions that end threads."""
    threading.excepthook = _log_dead_thread
    try:
        yield
    except SystemExit as end:
        if not isinstance(end.code, str):
            raise
        for sentence in end.code.splitlines():
            _write(sentence.removeprefix("linkwatch: "))
        sys.exit(1)
    except CommandError as error:
        _write(str(error))
        sys.exit(error.returncode)
    except Exception:  # noqa: BLE001 - errors of logging can't be logged
        _write("The process has crashed", exc_info=sys.exc_info())
        sys.exit(1)


def _log_dead_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_type is not SystemExit:
        name = args.thread.name if args.thread else "A thread"
        _write(f"{name} has crashed", exc_info=(args.exc_type, args.exc_value, args.exc_traceback))


def _write(message: str, exc_info: Any = None) -> None:
    """Write a line even if logging is not set up."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLineFormatter())
    handler.handle(
        logging.LogRecord("linkwatch", logging.CRITICAL, __file__, 0, message, (), exc_info)
    )
